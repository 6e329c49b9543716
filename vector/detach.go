package vector

import "slices"

// Detach returns a copy of v in memory of the garbage collector, which may be
// kept and handed to another goroutine. The copy has the form of v; strings
// longer than InlineBytes are copied into one buffer of their own.
func Detach(v Vector) Vector {
	switch v := v.(type) {
	case *Vec[int8]:
		return detachVec(v)
	case *Vec[int16]:
		return detachVec(v)
	case *Vec[int32]:
		return detachVec(v)
	case *Vec[int64]:
		return detachVec(v)
	case *Vec[uint8]:
		return detachVec(v)
	case *Vec[uint16]:
		return detachVec(v)
	case *Vec[uint32]:
		return detachVec(v)
	case *Vec[uint64]:
		return detachVec(v)
	case *Vec[float32]:
		return detachVec(v)
	case *Vec[float64]:
		return detachVec(v)
	case *Vec[View]:
		d := detachVec(v)
		d.Buffers = compact(d, v.Buffers.List())
		return d
	case *Bools:
		return &Bools{N: v.N, Valid: bitmapOf(v.Valid, v.N), Bits: bitmapOf(v.Bits, v.N)}
	case *Timestamps:
		return &Timestamps{Micros: *detachVec(&v.Micros), Nanos: slices.Clone(v.Nanos)}
	case *List:
		return &List{spans: v.detach(), Elem: Detach(v.Elem)}
	case *Map:
		return &Map{spans: v.detach(), Keys: Detach(v.Keys), Values: Detach(v.Values)}
	case *Row:
		d := &Row{N: v.N, Valid: bitmapOf(v.Valid, v.N), Fields: make([]Vector, len(v.Fields))}
		for i, f := range v.Fields {
			d.Fields[i] = Detach(f)
		}
		return d
	}
	panic("vector: a vector of a foreign type")
}

// DetachBatch returns a copy of b in memory of the garbage collector.
func DetachBatch(b *Batch) *Batch {
	d := &Batch{N: b.N, Sel: slices.Clone(b.Sel), Columns: make([]Vector, len(b.Columns))}
	for i, c := range b.Columns {
		d.Columns[i] = Detach(c)
	}
	return d
}

func detachVec[T Value](v *Vec[T]) *Vec[T] {
	values := v.Values
	if v.Form == Flat {
		values = values[:v.N] // there may be room for more
	}
	return &Vec[T]{
		Form: v.Form, N: v.N, Valid: bitmapOf(v.Valid, v.N),
		Values: slices.Clone(values), Index: slices.Clone(v.Index),
		Ends: slices.Clone(v.Ends), Positions: slices.Clone(v.Positions),
	}
}

func bitmapOf(bm []uint64, n int) []uint64 {
	if bm == nil {
		return nil
	}
	return slices.Clone(bm[:Words(n)])
}

func (s *spans) detach() spans {
	return spans{N: s.N, Valid: bitmapOf(s.Valid, s.N), Offsets: slices.Clone(s.Offsets)}
}

// compact copies the bytes that d's views refer to into one buffer and points
// the views there. The value of a null row refers to nothing that may be read.
func compact(d *Vec[View], from [][]byte) *Buffers {
	var size int
	for i := range d.Values {
		if d.readable(i) && !d.Values[i].Inline() {
			size += d.Values[i].Len()
		}
	}
	joined := make([]byte, 0, size)
	for i := range d.Values {
		view := &d.Values[i]
		switch {
		case !d.readable(i):
			*view = View{}
		case !view.Inline():
			offset := len(joined)
			joined = append(joined, view.Bytes(from)...)
			*view = MakeView(joined[offset:], 0, uint32(offset))
		}
	}
	return &Buffers{list: [][]byte{joined}}
}

// readable reports whether entry i of v.Values is a value and not what a null
// row of a flat vector left.
func (v *Vec[T]) readable(i int) bool { return v.Form != Flat || Valid(v.Valid, i) }
