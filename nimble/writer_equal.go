package nimble

import (
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// equalRows reports whether n rows of a from row i on and as many of b, which is
// of the same type, from row j on are the same, to the bit.
func equalRows(a vector.Vector, i int, b vector.Vector, j, n int) bool {
	if n == 0 {
		return true
	}
	av, bv := a.Validity(), b.Validity()
	if av != nil || bv != nil {
		for k := range n {
			if vector.Valid(av, i+k) != vector.Valid(bv, j+k) {
				return false
			}
		}
	}
	switch a := a.(type) {
	case *vector.Vec[int8]:
		return equalBits[int8, uint8](a, i, b.(*vector.Vec[int8]), j, n)
	case *vector.Vec[int16]:
		return equalBits[int16, uint16](a, i, b.(*vector.Vec[int16]), j, n)
	case *vector.Vec[int32]:
		return equalBits[int32, uint32](a, i, b.(*vector.Vec[int32]), j, n)
	case *vector.Vec[int64]:
		return equalBits[int64, uint64](a, i, b.(*vector.Vec[int64]), j, n)
	case *vector.Vec[float32]:
		return equalBits[float32, uint32](a, i, b.(*vector.Vec[float32]), j, n)
	case *vector.Vec[float64]:
		return equalBits[float64, uint64](a, i, b.(*vector.Vec[float64]), j, n)
	case *vector.Vec[vector.View]:
		return equalTexts(a, i, b.(*vector.Vec[vector.View]), j, n)
	case *vector.Bools:
		return equalFlags(a, i, b.(*vector.Bools), j, n)
	case *vector.Timestamps:
		return equalMoments(a, i, b.(*vector.Timestamps), j, n)
	case *vector.List:
		b := b.(*vector.List)
		return equalSpans(a.Offsets, i, b.Offsets, j, n) &&
			equalRows(a.Elem, int(a.Offsets[i]), b.Elem, int(b.Offsets[j]), int(a.Offsets[i+n]-a.Offsets[i]))
	case *vector.Map:
		b := b.(*vector.Map)
		begin, other, pairs := int(a.Offsets[i]), int(b.Offsets[j]), int(a.Offsets[i+n]-a.Offsets[i])
		return equalSpans(a.Offsets, i, b.Offsets, j, n) &&
			equalRows(a.Keys, begin, b.Keys, other, pairs) && equalRows(a.Values, begin, b.Values, other, pairs)
	case *vector.Row:
		for f, field := range a.Fields {
			if !equalRows(field, i, b.(*vector.Row).Fields[f], j, n) {
				return false
			}
		}
		return true
	}
	return false
}

func equalBits[V numeric, T encoding.Integer](a *vector.Vec[V], i int, b *vector.Vec[V], j, n int) bool {
	x, y := vector.Reinterpret[T](a.Values), vector.Reinterpret[T](b.Values)
	for k := range n {
		if vector.Valid(a.Valid, i+k) && x[a.ValueIndex(i+k)] != y[b.ValueIndex(j+k)] {
			return false
		}
	}
	return true
}

func equalTexts(a *vector.Vec[vector.View], i int, b *vector.Vec[vector.View], j, n int) bool {
	for k := range n {
		if vector.Valid(a.Valid, i+k) && !vector.EqualViews(&a.Values[a.ValueIndex(i+k)], a.Buffers.List(),
			&b.Values[b.ValueIndex(j+k)], b.Buffers.List()) {
			return false
		}
	}
	return true
}

func equalFlags(a *vector.Bools, i int, b *vector.Bools, j, n int) bool {
	for k := range n {
		if vector.Valid(a.Valid, i+k) && vector.Bit(a.Bits, i+k) != vector.Bit(b.Bits, j+k) {
			return false
		}
	}
	return true
}

func equalMoments(a *vector.Timestamps, i int, b *vector.Timestamps, j, n int) bool {
	nanos := func(v *vector.Timestamps, row int) uint16 {
		if v.Nanos == nil {
			return 0
		}
		return v.Nanos[row]
	}
	for k := range n {
		if vector.Valid(a.Micros.Valid, i+k) && nanos(a, i+k) != nanos(b, j+k) {
			return false
		}
	}
	return equalBits[int64, uint64](&a.Micros, i, &b.Micros, j, n)
}

// equalSpans reports whether n lists have the same lengths.
func equalSpans(a []uint32, i int, b []uint32, j, n int) bool {
	for k := range n {
		if a[i+k+1]-a[i] != b[j+k+1]-b[j] {
			return false
		}
	}
	return true
}
