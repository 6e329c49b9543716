// Package encoding reads and writes the encoded arrays of Nimble files: columns
// of numbers, bools or strings as trees of encodings.
//
// # Arrays
//
// An encoded array starts with a [Prefix], which names its [Kind], the
// [DataType] of its values and the number of rows. Its body belongs to the
// kind: bytes, sizes, and further arrays. All of it is little-endian and
// unaligned. The file of each kind draws its bytes:
//
//	values as they are   Trivial, Constant
//	fewer bits           FixedBitWidth, Varint, PFOR, SimdForBitpack, BlockBitPacking, FOR, Huffman, ALP
//	fewer values         Dictionary, SharedDictionary, RLE, MainlyConstant, SparseBool
//	differences          Delta, DeltaBlock
//	strings              Trivial, Prefix, Fsst
//	nulls                Nullable
//
// Encodings work on the bits of values: signed integers and floats are read and
// written as unsigned integers of their width ([Physical]), strings as views.
//
// # Reading
//
// A [Session] opens arrays. [Open] returns a [Decoder], which reads rows in
// order, and in batches: dense with Read, with presence with [ReadNulls], those
// of a selection with [ReadSel], or with ReadVec in the form that the encoding
// has anyway, so that runs and dictionaries need not be expanded. Bools have
// [OpenBool] and a [BoolDecoder]. [Describe] returns the tree.
//
// Decoders and their memory go back to the session on Close. Once a session has
// read an array, reading it again allocates nothing, whatever was read between.
//
// # Scratch memory
//
// Memory is of two sorts. What a decoder holds it takes from the session's pool
// when it is opened and gives back on Close; it counts toward the limit of memory.
// Blocks are the session's own stack of 16 KiB each, room for 1,024 rows of any
// type: a call takes them from the top and gives them back when it returns, and
// the session keeps them until Release. Decoders within a decoder hold and take
// what their own line says.
//
//	kind             holds, from open to Close                      blocks, for one call
//	Trivial          the payload if compressed                      strings 1 (Read, Skip)
//	Constant         –                                              –
//	FixedBitWidth    the payload if compressed                      –
//	Varint           –                                              –
//	PFOR             positions u32 and values of the exceptions     –
//	SimdForBitpack   –                                              –
//	BlockBitPacking  baseline, width u8 and offset u32 of each      –
//	                 block; the payload if compressed
//	FOR              width u8, reference and offset u64 of each     –
//	                 frame; the payload if compressed
//	Huffman          symbols, a table of 2^longest u32, and a       1 (Skip)
//	                 checkpoint u64 every 256 rows
//	ALP              positions u32 and values of the exceptions     1 (Read)
//	Dictionary,      the alphabet; with indices that come as runs   1 (Read, ReadSel), 2 (Read
//	SharedDictionary or exceptions, the room of their ReadVec       of such indices)
//	RLE              a page of 256 lengths u32 and values           –
//	MainlyConstant   –                                              3 (Read), 1 (ReadVec)
//	SparseBool       a page of 256 positions u32                    –
//	Delta            –                                              3 or 4 (Read), 1 more (Skip)
//	DeltaBlock       base and offset u32 of each block              1 (Skip)
//	Prefix, Fsst     pages of 4 to 256 KiB for the strings, as      Fsst 1 (Read, Skip)
//	                 they are read; Rewind frees them for reuse
//	Nullable         –                                              1, bools 2 (Read, ReadNulls)
//
// ReadSel takes one block on top of what Read does, from which it picks the rows;
// Constant, Dictionary and SharedDictionary do without, and so do Trivial and
// FixedBitWidth where few rows are selected. Values are of the array's type
// unless the table says otherwise. A compressed payload has 32 bytes of slack for
// the decompressor, which belongs to the session.
//
// Arrays are not trusted: see [Open] and [Options].LimitBytes.
//
// # Writing
//
// An [Encoder] selects an encoding for values, by estimated size, or replays a
// [Layout], and appends the array to a slice: see [Append], [AppendStrings] and
// [AppendBools]. The selection is apart from the encodings, and reading does
// not know of it.
//
// # What is refused
//
// OpenZL and MetaInternal payloads, and the kinds Sentinel, SubIntSplit and
// FrequencyPartition, which no writer writes, fail with [ErrUnsupported].
package encoding
