package vector

// Equal reports whether n rows of a from row i on and as many of b, which is of
// the same type, from row j on are the same, to the bit: numbers by their bits,
// and the pairs of maps in the same order. Nulls are equal to each other.
func Equal(a Vector, i int, b Vector, j, n int) bool {
	if n == 0 {
		return true
	}
	av, bv := a.Validity(), b.Validity()
	if av != nil || bv != nil {
		for k := range n {
			if Valid(av, i+k) != Valid(bv, j+k) {
				return false
			}
		}
	}
	switch a := a.(type) {
	case *Vec[int8]:
		return equalBits[int8, uint8](a, i, b.(*Vec[int8]), j, n)
	case *Vec[int16]:
		return equalBits[int16, uint16](a, i, b.(*Vec[int16]), j, n)
	case *Vec[int32]:
		return equalBits[int32, uint32](a, i, b.(*Vec[int32]), j, n)
	case *Vec[int64]:
		return equalBits[int64, uint64](a, i, b.(*Vec[int64]), j, n)
	case *Vec[float32]:
		return equalBits[float32, uint32](a, i, b.(*Vec[float32]), j, n)
	case *Vec[float64]:
		return equalBits[float64, uint64](a, i, b.(*Vec[float64]), j, n)
	case *Vec[View]:
		return equalTexts(a, i, b.(*Vec[View]), j, n)
	case *Bools:
		return equalFlags(a, i, b.(*Bools), j, n)
	case *Timestamps:
		return equalMoments(a, i, b.(*Timestamps), j, n)
	case *List:
		b := b.(*List)
		return equalSpans(a.Offsets, i, b.Offsets, j, n) &&
			Equal(a.Elem, int(a.Offsets[i]), b.Elem, int(b.Offsets[j]), int(a.Offsets[i+n]-a.Offsets[i]))
	case *Map:
		b := b.(*Map)
		begin, other, pairs := int(a.Offsets[i]), int(b.Offsets[j]), int(a.Offsets[i+n]-a.Offsets[i])
		return equalSpans(a.Offsets, i, b.Offsets, j, n) &&
			Equal(a.Keys, begin, b.Keys, other, pairs) && Equal(a.Values, begin, b.Values, other, pairs)
	case *Row:
		for f, field := range a.Fields {
			if !Equal(field, i, b.(*Row).Fields[f], j, n) {
				return false
			}
		}
		return true
	}
	return false
}

func equalBits[V, T Value](a *Vec[V], i int, b *Vec[V], j, n int) bool {
	x, y := Reinterpret[T](a.Values), Reinterpret[T](b.Values)
	for k := range n {
		if Valid(a.Valid, i+k) && x[a.ValueIndex(i+k)] != y[b.ValueIndex(j+k)] {
			return false
		}
	}
	return true
}

func equalTexts(a *Vec[View], i int, b *Vec[View], j, n int) bool {
	for k := range n {
		if Valid(a.Valid, i+k) && !EqualViews(&a.Values[a.ValueIndex(i+k)], a.Buffers.List(),
			&b.Values[b.ValueIndex(j+k)], b.Buffers.List()) {
			return false
		}
	}
	return true
}

func equalFlags(a *Bools, i int, b *Bools, j, n int) bool {
	for k := range n {
		if Valid(a.Valid, i+k) && Bit(a.Bits, i+k) != Bit(b.Bits, j+k) {
			return false
		}
	}
	return true
}

func equalMoments(a *Timestamps, i int, b *Timestamps, j, n int) bool {
	nanos := func(v *Timestamps, row int) uint16 {
		if v.Nanos == nil {
			return 0
		}
		return v.Nanos[row]
	}
	for k := range n {
		if Valid(a.Micros.Valid, i+k) && nanos(a, i+k) != nanos(b, j+k) {
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
