// Package flatbuf reads and builds FlatBuffers without generated code.
//
// A buffer is a tree of tables, addressed by offsets. All numbers are little
// endian, offsets are counted in bytes:
//
//	buffer    root:u32 ─┐ [identifier:4 bytes]
//	                    ▼
//	table     vtable:i32  field bytes …          vtable = table - vtable:i32
//	vtable    size:u16  tableSize:u16  field:u16 × n    0 = field absent,
//	                                                    else place in the table
//	field     a scalar in place, or an offset:u32 from its own place
//	vector    n:u32  element × n
//	string    n:u32  byte × n  0
//
// Reading ([Reader]) trusts nothing: each offset, size and count is checked
// before it is followed, tables nest to a limited depth, and the bytes visited
// are limited too, so that offsets which share one target cannot make a small
// buffer look large. No field access allocates.
//
// Building ([Builder]) gives the bytes that the C++ builder gives for the same
// order of creation.
package flatbuf

import "errors"

// ErrCorrupt is wrapped by every error of a [Reader].
var ErrCorrupt = errors.New("corrupt flatbuffer")

// Scalar is a number as FlatBuffers stores it.
type Scalar interface {
	uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64 | float32 | float64
}

// sizes of the fixed parts, in bytes.
const (
	offsetSize       = 4 // an offset, a vector's count
	vtableHeaderSize = 4 // the vtable's own size and its table's size
	slotSize         = 2 // one slot of a vtable
)
