package decant

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"github.com/decantdb/decant/vector"
)

// recast turns vectors of one shape into another: stored values into those of a
// SQL type, or what the engine gives into what an answer holds. It owns what it
// returns, until its next call. It belongs to one goroutine.
type recast interface {
	apply(v vector.Vector) (vector.Vector, error)
}

func errShape(v vector.Vector, want string) error {
	return fmt.Errorf("decant: a vector of kind %v instead of %s", v.Kind(), want)
}

// mapValues is vector.Convert that returns dst.
func mapValues[To, From vector.Value](dst *vector.Vec[To], src *vector.Vec[From], loop func(dst []To, src []From)) *vector.Vec[To] {
	vector.Convert(dst, src, loop)
	return dst
}

// integerRecast gives integers of any width the width of To.
type integerRecast[To int32 | int64] struct{ out vector.Vec[To] }

func (r *integerRecast[To]) apply(v vector.Vector) (vector.Vector, error) {
	switch v := v.(type) {
	case *vector.Vec[To]:
		return v, nil
	case *vector.Vec[int8]:
		return mapValues(&r.out, v, widen[To, int8]), nil
	case *vector.Vec[int16]:
		return mapValues(&r.out, v, widen[To, int16]), nil
	case *vector.Vec[int32]:
		return mapValues(&r.out, v, widen[To, int32]), nil
	}
	return nil, errShape(v, "integers")
}

func widen[To int32 | int64 | float64, From int8 | int16 | int32 | float32](dst []To, src []From) {
	for i, x := range src {
		dst[i] = To(x)
	}
}

// doubleRecast makes doubles of numbers that a double holds exactly.
type doubleRecast struct{ out vector.Vec[float64] }

func (r *doubleRecast) apply(v vector.Vector) (vector.Vector, error) {
	switch v := v.(type) {
	case *vector.Vec[int8]:
		return mapValues(&r.out, v, widen[float64, int8]), nil
	case *vector.Vec[int16]:
		return mapValues(&r.out, v, widen[float64, int16]), nil
	case *vector.Vec[int32]:
		return mapValues(&r.out, v, widen[float64, int32]), nil
	case *vector.Vec[float32]:
		return mapValues(&r.out, v, widen[float64, float32]), nil
	}
	return nil, errShape(v, "numbers")
}

// unsignedRecast makes decimals of uint64: their shortest bytes in big-endian
// two's complement, which a view holds inline.
type unsignedRecast struct{ out vector.Vec[vector.View] }

func (r *unsignedRecast) apply(v vector.Vector) (vector.Vector, error) {
	src, ok := v.(*vector.Vec[int64])
	if !ok {
		return nil, errShape(v, "int64")
	}
	return mapValues(&r.out, src, unsignedBytes), nil
}

func unsignedBytes(dst []vector.View, src []int64) {
	var raw [9]byte
	for i, x := range src {
		binary.BigEndian.PutUint64(raw[1:], uint64(x))
		first := 0
		for first < 8 && raw[first] == 0 && raw[first+1] < 0x80 {
			first++
		}
		dst[i] = vector.InlineView(raw[first:])
	}
}

// uuidRecast makes the text of UUIDs, 8-4-4-4-12 hexadecimal digits, of their 16
// bytes. Other lengths, which no UUID has, become hexadecimal digits.
type uuidRecast struct{ out vector.Vec[vector.View] }

func (r *uuidRecast) apply(v vector.Vector) (vector.Vector, error) {
	src, ok := v.(*vector.Vec[vector.View])
	if !ok {
		return nil, errShape(v, "strings")
	}
	if src.Form != vector.Flat && len(src.Values) > src.N {
		src.Flatten()
	}
	out := &r.out
	out.Reset()
	var text [36]byte
	for i := range src.Values {
		if src.Form == vector.Flat && !vector.Valid(src.Valid, i) {
			vector.AppendString(out, nil)
			continue
		}
		vector.AppendString(out, appendUUID(text[:0], src.Values[i].Bytes(src.Buffers.List())))
	}
	out.Form, out.N, out.Valid = src.Form, src.N, src.Valid
	out.Index, out.Ends, out.Positions = src.Index, src.Ends, src.Positions
	return out, nil
}

func appendUUID(dst, id []byte) []byte {
	if len(id) != 16 {
		return hex.AppendEncode(dst, id)
	}
	dst = hex.AppendEncode(dst, id[:4])
	for i := 4; i < 10; i += 2 {
		dst = hex.AppendEncode(append(dst, '-'), id[i:i+2])
	}
	return hex.AppendEncode(append(dst, '-'), id[10:])
}

const (
	millisOfDay    = 86_400_000
	microsOfMillis = 1000
)

// momentRecast makes timestamps of what stands for a moment: milliseconds, days,
// or timestamps with more digits, which are rounded down to milliseconds.
type momentRecast struct {
	millis vector.Vec[int64]
	out    vector.Timestamps
}

func (r *momentRecast) apply(v vector.Vector) (vector.Vector, error) {
	millis := &r.millis
	switch v := v.(type) {
	case *vector.Vec[int64]:
		millis = v
	case *vector.Vec[int32]:
		mapValues(millis, v, func(dst []int64, src []int32) {
			for i, days := range src {
				dst[i] = int64(days) * millisOfDay
			}
		})
	case *vector.Timestamps:
		mapValues(millis, &v.Micros, floorMillis)
	default:
		return nil, errShape(v, "moments")
	}
	mapValues(&r.out.Micros, millis, func(dst, src []int64) {
		for i, x := range src {
			dst[i] = x * microsOfMillis
		}
	})
	return &r.out, checkMillis(millis)
}

func floorMillis(dst, micros []int64) {
	for i, x := range micros {
		q := x / microsOfMillis
		if x%microsOfMillis < 0 {
			q--
		}
		dst[i] = q
	}
}

// checkMillis refuses moments that microseconds cannot hold: beyond the year
// 294,000 in either direction.
func checkMillis(v *vector.Vec[int64]) error {
	const most = math.MaxInt64 / microsOfMillis
	for i, x := range v.Values {
		if (x > most || x < -most) && (v.Form != vector.Flat || vector.Valid(v.Valid, i)) {
			return fmt.Errorf("decant: a moment of %d milliseconds is beyond what a timestamp holds", x)
		}
	}
	return nil
}

// listRecast recasts the elements of lists.
type listRecast struct {
	elem recast
	out  vector.List
}

func (r *listRecast) apply(v vector.Vector) (vector.Vector, error) {
	src, ok := v.(*vector.List)
	if !ok {
		return nil, errShape(v, "lists")
	}
	elem, err := r.elem.apply(src.Elem)
	if err != nil {
		return nil, err
	}
	r.out.N, r.out.Valid, r.out.Offsets, r.out.Elem = src.N, src.Valid, src.Offsets, elem
	return &r.out, nil
}
