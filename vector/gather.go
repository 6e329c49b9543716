package vector

import "fmt"

// Gather makes dst the rows of src that sel lists, in that order. Both must be
// of the same type; dst's memory is its own, except that the alphabet of a
// dictionary and the buffers of strings are lent by src. A constant and a
// dictionary keep their form, others become flat.
func Gather(dst, src Vector, sel []int32) error {
	switch src := src.(type) {
	case *Vec[int8]:
		return gatherInto(dst, src, sel)
	case *Vec[int16]:
		return gatherInto(dst, src, sel)
	case *Vec[int32]:
		return gatherInto(dst, src, sel)
	case *Vec[int64]:
		return gatherInto(dst, src, sel)
	case *Vec[uint8]:
		return gatherInto(dst, src, sel)
	case *Vec[uint16]:
		return gatherInto(dst, src, sel)
	case *Vec[uint32]:
		return gatherInto(dst, src, sel)
	case *Vec[uint64]:
		return gatherInto(dst, src, sel)
	case *Vec[float32]:
		return gatherInto(dst, src, sel)
	case *Vec[float64]:
		return gatherInto(dst, src, sel)
	case *Vec[View]:
		return gatherInto(dst, src, sel)
	case *Bools:
		return gatherBools(dst, src, sel)
	case *Timestamps:
		return gatherTimestamps(dst, src, sel)
	case *List:
		return gatherList(dst, src, sel)
	case *Map:
		return gatherMap(dst, src, sel)
	case *Row:
		return gatherRow(dst, src, sel)
	}
	return fmt.Errorf("vector: rows of a %v cannot be gathered", src.Kind())
}

// MakeLike returns an empty vector of the same type as v, children included,
// with memory of the garbage collector.
func MakeLike(v Vector) Vector {
	switch v := v.(type) {
	case *List:
		return NewList(nil, MakeLike(v.Elem))
	case *Map:
		return NewMap(nil, MakeLike(v.Keys), MakeLike(v.Values))
	case *Row:
		row := NewRow(nil)
		for _, f := range v.Fields {
			row.Fields = append(row.Fields, MakeLike(f))
		}
		return row
	}
	made, err := Make(nil, v.Kind())
	if err != nil {
		panic(err) // every kind without children can be made
	}
	return made
}

func mismatch(dst, src Vector) error {
	return fmt.Errorf("vector: rows of a %v gathered into a %v", src.Kind(), dst.Kind())
}

func gatherInto[T Value](dst Vector, src *Vec[T], sel []int32) error {
	d, ok := dst.(*Vec[T])
	if !ok {
		return mismatch(dst, src)
	}
	d.Reset()
	d.N = len(sel)
	d.Buffers = src.Buffers
	switch src.Form {
	case Constant:
		d.Form, d.Values = Constant, src.Values
	case Dictionary:
		d.Form, d.Values = Dictionary, src.Values
		index := d.ReserveIndex(len(sel))
		for i, row := range sel {
			index[i] = src.Index[row]
		}
	case Flat:
		values := d.ReserveValues(len(sel))
		for i, row := range sel {
			values[i] = src.Values[row]
		}
	case RunLength:
		gatherRuns(d.ReserveValues(len(sel)), src, sel)
	case Sparse:
		gatherSparse(d.ReserveValues(len(sel)), src, sel)
	}
	if src.Valid != nil {
		gatherBits(d.ReserveValid(len(sel)), src.Valid, sel)
	}
	return nil
}

// gatherRuns and gatherSparse walk along as long as sel ascends, and search
// otherwise.
func gatherRuns[T Value](dst []T, src *Vec[T], sel []int32) {
	run, begin := 0, uint32(0)
	for i, row := range sel {
		if uint32(row) < begin {
			run = src.ValueIndex(int(row))
		}
		for src.Ends[run] <= uint32(row) {
			run++
		}
		begin = uint32(row)
		dst[i] = src.Values[run]
	}
}

func gatherSparse[T Value](dst []T, src *Vec[T], sel []int32) {
	p, last := 0, int32(0)
	for i, row := range sel {
		if row < last {
			dst[i] = src.Values[src.ValueIndex(int(row))]
			continue
		}
		last = row
		for p < len(src.Positions) && src.Positions[p] < uint32(row) {
			p++
		}
		if p < len(src.Positions) && src.Positions[p] == uint32(row) {
			dst[i] = src.Values[p+1]
		} else {
			dst[i] = src.Values[0]
		}
	}
}

func gatherBits(dst, src []uint64, sel []int32) {
	clear(dst)
	for i, row := range sel {
		dst[i>>6] |= (src[row>>6] >> (row & 63) & 1) << (i & 63)
	}
}

func gatherBools(dst Vector, src *Bools, sel []int32) error {
	d, ok := dst.(*Bools)
	if !ok {
		return mismatch(dst, src)
	}
	d.Reset()
	d.N = len(sel)
	gatherBits(d.ReserveBits(len(sel)), src.Bits, sel)
	if src.Valid != nil {
		gatherBits(d.ReserveValid(len(sel)), src.Valid, sel)
	}
	return nil
}

func gatherTimestamps(dst Vector, src *Timestamps, sel []int32) error {
	d, ok := dst.(*Timestamps)
	if !ok {
		return mismatch(dst, src)
	}
	if err := gatherInto(&d.Micros, &src.Micros, sel); err != nil {
		return err
	}
	d.Nanos = nil
	if src.Nanos == nil {
		return nil
	}
	nanos := d.ReserveNanos(len(sel))
	for i, row := range sel {
		nanos[i] = src.Nanos[row]
	}
	return nil
}

// gather makes s the rows of src that sel lists and returns the elements that
// they are made of.
func (s *spans) gather(src *spans, sel []int32) []int32 {
	s.reset()
	s.N = len(sel)
	offsets := s.ReserveOffsets(len(sel))
	s.elements = s.elements[:0]
	offsets[0] = 0
	for i, row := range sel {
		begin, end := src.Span(int(row))
		for e := begin; e < end; e++ {
			s.elements = append(s.elements, int32(e))
		}
		offsets[i+1] = uint32(len(s.elements))
	}
	if src.Valid != nil {
		gatherBits(s.ReserveValid(len(sel)), src.Valid, sel)
	}
	return s.elements
}

func gatherList(dst Vector, src *List, sel []int32) error {
	d, ok := dst.(*List)
	if !ok {
		return mismatch(dst, src)
	}
	return Gather(d.Elem, src.Elem, d.gather(&src.spans, sel))
}

func gatherMap(dst Vector, src *Map, sel []int32) error {
	d, ok := dst.(*Map)
	if !ok {
		return mismatch(dst, src)
	}
	elements := d.gather(&src.spans, sel)
	if err := Gather(d.Keys, src.Keys, elements); err != nil {
		return err
	}
	return Gather(d.Values, src.Values, elements)
}

func gatherRow(dst Vector, src *Row, sel []int32) error {
	d, ok := dst.(*Row)
	if !ok || len(d.Fields) != len(src.Fields) {
		return mismatch(dst, src)
	}
	d.N, d.Valid = len(sel), nil
	if src.Valid != nil {
		gatherBits(d.ReserveValid(len(sel)), src.Valid, sel)
	}
	for i, f := range src.Fields {
		if err := Gather(d.Fields[i], f, sel); err != nil {
			return err
		}
	}
	return nil
}
