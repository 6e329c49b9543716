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
