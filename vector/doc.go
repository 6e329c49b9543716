// Package vector holds columns in memory: what a decoder writes, an operator
// works on and a writer encodes.
//
// # Columns
//
// A [Vector] is one column of N rows. Numbers and strings are a [Vec], bools
// are [Bools], and nested columns are [List], [Map] and [Row] over further
// vectors; [Timestamps] pair microseconds with nanoseconds. A [Batch] is
// vectors of one length and a selection of its rows.
//
// A Vec keeps the form that its encoding had until somebody needs values:
//
//	Flat        Values[row]
//	Constant    Values[0]
//	Dictionary  Values[Index[row]]
//	RunLength   Values[run], run = the first with Ends[run] > row
//	Sparse      Values[0] except that row Positions[i] has Values[i+1]
//
// # Validity
//
// Validity is a bitmap over the rows, least significant bit first: 1 = present,
// 0 = null; a nil bitmap means that every row is present. The value of a null
// row is whatever was left there; its dictionary index is still in range.
// Bits past the last row are undefined.
//
// # Strings
//
// A [View] is 16 bytes without a pointer: a length, then either up to 12 bytes
// inline or a 4-byte prefix with the number of a byte buffer and an offset in
// it. The buffers are registered in a [Buffers], to which the vector points.
//
// # Memory
//
// A vector made with a pool takes what it owns from it, keeps it from batch to
// batch, and gives it back with Release. What a vector borrows (an alphabet of
// its decoder, the bytes of a chunk) is valid until the producer's next call,
// as the producer says. A vector belongs to one goroutine; to keep it or hand
// it to another, [Detach] copies it into memory of the garbage collector.
package vector
