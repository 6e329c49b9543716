package flatbuf

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// sizeOf is the stored size of a T in bytes.
func sizeOf[T Scalar]() int {
	var v T
	return int(unsafe.Sizeof(v))
}

// load reads the T at the start of b, which must be long enough.
func load[T Scalar](b []byte) T {
	var v T
	switch p := any(&v).(type) {
	case *uint8:
		*p = b[0]
	case *int8:
		*p = int8(b[0])
	case *uint16:
		*p = binary.LittleEndian.Uint16(b)
	case *int16:
		*p = int16(binary.LittleEndian.Uint16(b))
	case *uint32:
		*p = binary.LittleEndian.Uint32(b)
	case *int32:
		*p = int32(binary.LittleEndian.Uint32(b))
	case *uint64:
		*p = binary.LittleEndian.Uint64(b)
	case *int64:
		*p = int64(binary.LittleEndian.Uint64(b))
	case *float32:
		*p = math.Float32frombits(binary.LittleEndian.Uint32(b))
	case *float64:
		*p = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return v
}

// bitsOf returns the stored bits of v in the low bytes of a word.
func bitsOf[T Scalar](v T) uint64 {
	switch p := any(&v).(type) {
	case *float32:
		return uint64(math.Float32bits(*p))
	case *float64:
		return math.Float64bits(*p)
	}
	return uint64(v)
}
