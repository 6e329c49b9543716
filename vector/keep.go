package vector

import "github.com/decantdb/decant/pool"

// Keep makes v the vector of its rows sel alone, which is ascending: row i
// becomes what row sel[i] was. v keeps its form.
func Keep(v Vector, sel []int32) {
	switch v := v.(type) {
	case *Vec[int8]:
		keepVec(v, sel)
	case *Vec[int16]:
		keepVec(v, sel)
	case *Vec[int32]:
		keepVec(v, sel)
	case *Vec[int64]:
		keepVec(v, sel)
	case *Vec[uint8]:
		keepVec(v, sel)
	case *Vec[uint16]:
		keepVec(v, sel)
	case *Vec[uint32]:
		keepVec(v, sel)
	case *Vec[uint64]:
		keepVec(v, sel)
	case *Vec[float32]:
		keepVec(v, sel)
	case *Vec[float64]:
		keepVec(v, sel)
	case *Vec[View]:
		keepVec(v, sel)
	case *Bools:
		v.Valid = keepBits(v.pool, &v.ownValid, v.Valid, sel)
		v.Bits = keepBits(v.pool, &v.ownBits, v.Bits, sel)
		v.N = len(sel)
	case *Timestamps:
		keepVec(&v.Micros, sel)
		if v.Nanos != nil {
			v.Nanos = keepValues(v.Micros.pool, &v.ownNanos, v.Nanos, sel)
		}
	case *List:
		elems := v.keep(sel)
		Keep(v.Elem, elems.S)
		pool.Put(v.pool, &elems)
	case *Map:
		elems := v.keep(sel)
		Keep(v.Keys, elems.S)
		Keep(v.Values, elems.S)
		pool.Put(v.pool, &elems)
	case *Row:
		v.Valid = keepBits(v.pool, &v.ownValid, v.Valid, sel)
		v.N = len(sel)
		for _, f := range v.Fields {
			Keep(f, sel)
		}
	default:
		panic("vector: a vector of a foreign type")
	}
}

func keepVec[T Value](v *Vec[T], sel []int32) {
	v.Valid = keepBits(v.pool, &v.own.valid, v.Valid, sel)
	switch v.Form {
	case Flat:
		v.Values = keepValues(v.pool, &v.own.values, v.Values, sel)
	case Dictionary:
		v.Index = keepValues(v.pool, &v.own.index, v.Index, sel)
	case RunLength:
		v.keepRuns(sel)
	case Sparse:
		v.keepSparse(sel)
	}
	v.N = len(sel)
}

// keepRuns keeps the runs that have a row in sel.
func (v *Vec[T]) keepRuns(sel []int32) {
	v.Ends = adopt(v.pool, &v.own.ends, v.Ends, len(v.Ends))
	v.Values = adopt(v.pool, &v.own.values, v.Values, len(v.Values))
	kept, row := 0, 0
	for r, end := range v.Ends {
		begin := row
		for row < len(sel) && uint32(sel[row]) < end {
			row++
		}
		if row > begin {
			v.Ends[kept], v.Values[kept] = uint32(row), v.Values[r]
			kept++
		}
	}
	v.Ends, v.Values = v.Ends[:kept], v.Values[:kept]
}

// keepSparse keeps the exceptions whose row is in sel.
func (v *Vec[T]) keepSparse(sel []int32) {
	v.Positions = adopt(v.pool, &v.own.positions, v.Positions, len(v.Positions))
	v.Values = adopt(v.pool, &v.own.values, v.Values, len(v.Values))
	kept, row := 0, 0
	for i, position := range v.Positions {
		for row < len(sel) && uint32(sel[row]) < position {
			row++
		}
		if row < len(sel) && uint32(sel[row]) == position {
			v.Positions[kept], v.Values[kept+1] = uint32(row), v.Values[i+1]
			kept++
		}
	}
	v.Positions, v.Values = v.Positions[:kept], v.Values[:kept+1]
}

// keep keeps the rows in sel and returns the elements that are left, which the
// caller gives back.
func (s *spans) keep(sel []int32) pool.Buf[int32] {
	s.Valid = keepBits(s.pool, &s.ownValid, s.Valid, sel)
	count := 0
	for _, row := range sel {
		begin, end := s.Span(int(row))
		count += end - begin
	}
	elems := pool.Get[int32](s.pool, count)
	if s.N > 0 {
		s.Offsets = adopt(s.pool, &s.ownOffsets, s.Offsets[:s.N+1], s.N+1)
	} else {
		s.Offsets = adopt(s.pool, &s.ownOffsets, nil, 1)
	}
	count = 0
	for i, row := range sel {
		begin, end := s.Span(int(row))
		for e := begin; e < end; e++ {
			elems.S[count] = int32(e)
			count++
		}
		// Row i's end lies at or before that of row sel[i], already read; its
		// begin is the end of the row before.
		s.Offsets[i] = uint32(count - (end - begin))
	}
	s.N = len(sel)
	s.Offsets = s.Offsets[:s.N+1]
	s.Offsets[s.N] = uint32(count)
	return elems
}

// keepValues returns the entries sel of from, in own.
func keepValues[T pool.Scalar](p *pool.Pool, own *pool.Buf[T], from []T, sel []int32) []T {
	kept := adopt(p, own, from, len(from))
	for i, row := range sel {
		kept[i] = kept[row]
	}
	return kept[:len(sel)]
}

// keepBits returns the bits sel of from, in own; nil if from is.
func keepBits(p *pool.Pool, own *pool.Buf[uint64], from []uint64, sel []int32) []uint64 {
	if from == nil {
		return nil
	}
	kept := adopt(p, own, from, len(from))
	for i, row := range sel {
		if Bit(kept, int(row)) {
			SetBit(kept, i)
		} else {
			ClearBit(kept, i)
		}
	}
	return kept
}
