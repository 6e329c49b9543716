package nimble

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/decantdb/decant/vector"
)

// KeyOrder is how the values of a key column are ordered.
type KeyOrder struct{ Descending, NullsFirst bool }

// AppendKey appends row i of v, encoded so that keys compare byte by byte as the
// values do, to dst. Keys of several columns are appended one behind the other.
//
//	null     1, or 0 if nulls are first
//	value    0, or 1 if nulls are first, then
//	  bool        1 false, 2 true
//	  integer     big-endian, the sign bit turned
//	  float       big-endian; negative ones with all bits turned, others with the sign; one zero, one NaN
//	  string      byte 0 as 01 00, byte 1 as 01 01, others as they are, then 00
//	  timestamp   seconds as an integer of 8 bytes, then 8 bytes of nanoseconds
//
// The bytes of the value, not the first, are turned if the order is descending.
// Values of other kinds are refused with [ErrUnsupported].
func AppendKey(dst []byte, v vector.Vector, i int, order KeyOrder) ([]byte, error) {
	present := vector.Valid(v.Validity(), i)
	marker := byte(0)
	if present == order.NullsFirst {
		marker = 1
	}
	dst = append(dst, marker)
	if !present {
		return dst, nil
	}
	begin := len(dst)
	switch v := v.(type) {
	case *vector.Bools:
		x, _ := v.At(i)
		dst = append(dst, 1)
		if x {
			dst[begin] = 2
		}
	case *vector.Vec[int8]:
		dst = append(dst, uint8(v.Values[v.ValueIndex(i)])^1<<7)
	case *vector.Vec[int16]:
		dst = binary.BigEndian.AppendUint16(dst, uint16(v.Values[v.ValueIndex(i)])^1<<15)
	case *vector.Vec[int32]:
		dst = binary.BigEndian.AppendUint32(dst, uint32(v.Values[v.ValueIndex(i)])^1<<31)
	case *vector.Vec[int64]:
		dst = binary.BigEndian.AppendUint64(dst, uint64(v.Values[v.ValueIndex(i)])^1<<63)
	case *vector.Vec[float32]:
		dst = binary.BigEndian.AppendUint32(dst, orderedFloat32(v.Values[v.ValueIndex(i)]))
	case *vector.Vec[float64]:
		dst = binary.BigEndian.AppendUint64(dst, orderedFloat64(v.Values[v.ValueIndex(i)]))
	case *vector.Vec[vector.View]:
		dst = appendTextKey(dst, v.Values[v.ValueIndex(i)].Bytes(v.Buffers.List()))
	case *vector.Timestamps:
		dst = appendMomentKey(dst, v, i)
	default:
		return dst, fmt.Errorf("nimble: %w: keys of kind %v", ErrUnsupported, v.Kind())
	}
	if order.Descending {
		for j := begin; j < len(dst); j++ {
			dst[j] = ^dst[j]
		}
	}
	return dst, nil
}

func orderedFloat32(x float32) uint32 {
	bits := math.Float32bits(x)
	switch {
	case x == 0:
		bits = 0
	case x != x:
		bits = 0x7fc00000
	}
	if bits>>31 != 0 {
		return ^bits
	}
	return bits | 1<<31
}

func orderedFloat64(x float64) uint64 {
	bits := math.Float64bits(x)
	switch {
	case x == 0:
		bits = 0
	case x != x:
		bits = 0x7ff8000000000000
	}
	if bits>>63 != 0 {
		return ^bits
	}
	return bits | 1<<63
}

func appendTextKey(dst, text []byte) []byte {
	for _, c := range text {
		if c <= 1 {
			dst = append(dst, 1)
		}
		dst = append(dst, c)
	}
	return append(dst, 0)
}

func appendMomentKey(dst []byte, v *vector.Timestamps, i int) []byte {
	micros := v.Micros.Values[v.Micros.ValueIndex(i)]
	seconds, rest := micros/1_000_000, micros%1_000_000
	if rest < 0 {
		seconds, rest = seconds-1, rest+1_000_000
	}
	nanos := uint64(rest) * 1000
	if v.Nanos != nil {
		nanos += uint64(v.Nanos[i])
	}
	dst = binary.BigEndian.AppendUint64(dst, uint64(seconds)^1<<63)
	return binary.BigEndian.AppendUint64(dst, nanos)
}
