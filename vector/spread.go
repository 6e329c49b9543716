package vector

import (
	"unsafe"

	"github.com/decantdb/decant/pool"
)

// Spread makes v, whose rows are those that are present in a bitmap over n
// rows, a vector of all n rows: row i of v moves to the place of the i-th set
// bit, and the other rows are null. It is how the fields of rows that may be
// null come to have a row for each of them. v keeps its form, run-length and
// sparse excepted, which become flat.
func Spread(v Vector, present []uint64, n int) {
	switch v := v.(type) {
	case *Vec[int8]:
		spreadVec(v, present, n)
	case *Vec[int16]:
		spreadVec(v, present, n)
	case *Vec[int32]:
		spreadVec(v, present, n)
	case *Vec[int64]:
		spreadVec(v, present, n)
	case *Vec[uint8]:
		spreadVec(v, present, n)
	case *Vec[uint16]:
		spreadVec(v, present, n)
	case *Vec[uint32]:
		spreadVec(v, present, n)
	case *Vec[uint64]:
		spreadVec(v, present, n)
	case *Vec[float32]:
		spreadVec(v, present, n)
	case *Vec[float64]:
		spreadVec(v, present, n)
	case *Vec[View]:
		spreadVec(v, present, n)
	case *Bools:
		spreadBools(v, present, n)
	case *Timestamps:
		m := v.Micros.N
		spreadVec(&v.Micros, present, n)
		if v.Nanos != nil {
			v.Nanos = adopt(v.Micros.pool, &v.ownNanos, v.Nanos[:m], n)
			spreadValues(v.Nanos, present, m)
		}
	case *List:
		v.spread(present, n)
	case *Map:
		v.spread(present, n)
	case *Row:
		v.Valid = spreadValid(v.pool, &v.ownValid, v.Valid, present, v.N, n)
		v.N = n
		for _, f := range v.Fields {
			Spread(f, present, n)
		}
	default:
		panic("vector: a vector of a foreign type")
	}
}

func spreadVec[T Value](v *Vec[T], present []uint64, n int) {
	m := v.N
	v.Valid = spreadValid(v.pool, &v.own.valid, v.Valid, present, m, n)
	if m == 0 {
		// There is no value that a null row could refer to.
		var zero T
		v.ReserveValues(1)[0] = zero
		v.Form, v.N, v.Index, v.Ends, v.Positions = Constant, n, nil, nil, nil
		return
	}
	switch v.Form {
	case Constant:
	case Dictionary:
		v.Index = adopt(v.pool, &v.own.index, v.Index[:m], n)
		spreadValues(v.Index, present, m)
	default:
		v.Flatten()
		v.Values = adopt(v.pool, &v.own.values, v.Values[:m], n)
		spreadValues(v.Values, present, m)
	}
	v.N = n
}

func spreadBools(v *Bools, present []uint64, n int) {
	v.Valid = spreadValid(v.pool, &v.ownValid, v.Valid, present, v.N, n)
	v.Bits = adopt(v.pool, &v.ownBits, v.Bits[:Words(v.N)], Words(n))
	spreadBits(v.Bits, present, v.N, n)
	v.N = n
}

func (s *spans) spread(present []uint64, n int) {
	m := s.N
	s.Valid = spreadValid(s.pool, &s.ownValid, s.Valid, present, m, n)
	if m == 0 {
		s.Offsets = adopt(s.pool, &s.ownOffsets, nil, n+1)
		clear(s.Offsets)
		s.N = n
		return
	}
	s.Offsets = adopt(s.pool, &s.ownOffsets, s.Offsets[:m+1], n+1)
	for i := n; i > 0; i-- {
		s.Offsets[i] = s.Offsets[m]
		if Bit(present, i-1) {
			m--
		}
	}
	s.N = n
}

// spreadValid returns the validity of the n rows in present, of whose m present
// rows some may be null by valid.
func spreadValid(p *pool.Pool, own *pool.Buf[uint64], valid, present []uint64, m, n int) []uint64 {
	if valid == nil {
		pool.Grow(p, own, Words(n))
		copy(own.S, present[:Words(n)])
		return own.S
	}
	valid = adopt(p, own, valid[:Words(m)], Words(n))
	spreadBits(valid, present, m, n)
	return valid
}

// spreadBits moves the first m bits of bm to the places of the m bits that are
// set in present, over n rows, and clears the others.
func spreadBits(bm, present []uint64, m, n int) {
	// From the end, since a bit moves up or stays.
	for i := n - 1; i >= 0; i-- {
		set := false
		if Bit(present, i) {
			m--
			set = Bit(bm, m)
		}
		if set {
			SetBit(bm, i)
		} else {
			ClearBit(bm, i)
		}
	}
}

// spreadValues moves the first m values to the places of the m bits that are
// set in present, and makes the others zero.
func spreadValues[T any](values []T, present []uint64, m int) {
	var zero T
	for i := len(values) - 1; i >= 0; i-- {
		if Bit(present, i) {
			m--
			values[i] = values[m]
		} else {
			values[i] = zero
		}
	}
}

// adopt returns n entries of own that begin with those of from, which may be
// own's already or somebody else's.
func adopt[T pool.Scalar](p *pool.Pool, own *pool.Buf[T], from []T, n int) []T {
	mine := cap(own.S) > 0 && unsafe.SliceData(own.S) == unsafe.SliceData(from)
	if mine {
		// Grow keeps what own.S holds.
		own.S = own.S[:max(len(own.S), len(from))]
	}
	pool.Grow(p, own, n)
	if !mine {
		copy(own.S, from)
	}
	return own.S
}
