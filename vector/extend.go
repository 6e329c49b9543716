package vector

import "fmt"

// Extend appends rows [begin, end) of src to dst, a vector of the same type that
// is flat and holds its rows in its own memory, as after Reset. Strings are
// copied.
func Extend(dst, src Vector, begin, end int) error {
	switch src := src.(type) {
	case *Vec[int8]:
		return extendVec(dst, src, begin, end)
	case *Vec[int16]:
		return extendVec(dst, src, begin, end)
	case *Vec[int32]:
		return extendVec(dst, src, begin, end)
	case *Vec[int64]:
		return extendVec(dst, src, begin, end)
	case *Vec[uint8]:
		return extendVec(dst, src, begin, end)
	case *Vec[uint16]:
		return extendVec(dst, src, begin, end)
	case *Vec[uint32]:
		return extendVec(dst, src, begin, end)
	case *Vec[uint64]:
		return extendVec(dst, src, begin, end)
	case *Vec[float32]:
		return extendVec(dst, src, begin, end)
	case *Vec[float64]:
		return extendVec(dst, src, begin, end)
	case *Vec[View]:
		return extendStrings(dst, src, begin, end)
	case *Bools:
		return extendBools(dst, src, begin, end)
	case *Timestamps:
		return extendTimestamps(dst, src, begin, end)
	case *List:
		d, ok := dst.(*List)
		if !ok {
			return mismatch(dst, src)
		}
		first, last := d.extend(&src.spans, begin, end)
		return Extend(d.Elem, src.Elem, first, last)
	case *Map:
		d, ok := dst.(*Map)
		if !ok {
			return mismatch(dst, src)
		}
		first, last := d.extend(&src.spans, begin, end)
		if err := Extend(d.Keys, src.Keys, first, last); err != nil {
			return err
		}
		return Extend(d.Values, src.Values, first, last)
	case *Row:
		return extendRow(dst, src, begin, end)
	}
	return fmt.Errorf("vector: rows of a %v cannot be appended", src.Kind())
}

func extendVec[T Value](dst Vector, src *Vec[T], begin, end int) error {
	d, ok := dst.(*Vec[T])
	if !ok {
		return mismatch(dst, src)
	}
	if src.Form == Flat && src.Valid == nil && d.Valid == nil {
		row := d.N
		d.N += end - begin
		copy(d.ReserveValues(d.N)[row:], src.Values[begin:end])
		return nil
	}
	for i := begin; i < end; i++ {
		if x, ok := src.At(i); ok {
			d.Append(x)
		} else {
			d.AppendNull()
		}
	}
	return nil
}

func extendStrings(dst Vector, src *Vec[View], begin, end int) error {
	d, ok := dst.(*Vec[View])
	if !ok {
		return mismatch(dst, src)
	}
	buffers := src.Buffers.List()
	for i := begin; i < end; i++ {
		if x, ok := src.At(i); ok {
			AppendString(d, x.Bytes(buffers))
		} else {
			d.AppendNull()
		}
	}
	return nil
}

func extendBools(dst Vector, src *Bools, begin, end int) error {
	d, ok := dst.(*Bools)
	if !ok {
		return mismatch(dst, src)
	}
	for i := begin; i < end; i++ {
		if x, ok := src.At(i); ok {
			d.Append(x)
		} else {
			d.AppendNull()
		}
	}
	return nil
}

func extendTimestamps(dst Vector, src *Timestamps, begin, end int) error {
	d, ok := dst.(*Timestamps)
	if !ok {
		return mismatch(dst, src)
	}
	for i := begin; i < end; i++ {
		micros, ok := src.Micros.At(i)
		switch {
		case !ok:
			d.AppendNull()
		case src.Nanos == nil:
			d.Append(micros, 0)
		default:
			d.Append(micros, src.Nanos[i])
		}
	}
	return nil
}

// extend appends rows of src and returns the range of their elements.
func (s *spans) extend(src *spans, begin, end int) (first, last int) {
	if begin == end {
		return 0, 0
	}
	first, last = int(src.Offsets[begin]), int(src.Offsets[end])
	length := 0
	if s.N > 0 {
		length = int(s.Offsets[s.N])
	}
	for i := begin; i < end; i++ {
		s.appendRow(length+int(src.Offsets[i+1])-first, Valid(src.Valid, i))
	}
	return first, last
}

func extendRow(dst Vector, src *Row, begin, end int) error {
	d, ok := dst.(*Row)
	if !ok || len(d.Fields) != len(src.Fields) {
		return mismatch(dst, src)
	}
	for i := begin; i < end; i++ {
		d.Append(Valid(src.Valid, i))
	}
	for i, f := range src.Fields {
		if err := Extend(d.Fields[i], f, begin, end); err != nil {
			return err
		}
	}
	return nil
}
