package vector

import (
	"sort"

	"github.com/decantdb/decant/pool"
)

// Vec is a column of N numbers or string views. The package comment says what
// the fields hold in each form. The fields may point to memory of the vector's
// own, got from a Reserve method, or to memory that its producer lends.
type Vec[T Value] struct {
	Form      Form
	N         int
	Valid     []uint64 // bitmap of present rows, nil = all
	Values    []T      // rows, the constant, the alphabet, run values, or common + exceptions
	Index     []uint32 // Dictionary: N positions in Values
	Ends      []uint32 // RunLength: ascending, the first row after each run; the last is N
	Positions []uint32 // Sparse: ascending rows of Values[1:]
	Buffers   *Buffers // of string views; nil for numbers

	pool     *pool.Pool
	own      owned[T]
	byteID   uint32 // number of own.bytes in ownBufs, once registered
	ownBufs  Buffers
	hasBytes bool
}

type owned[T Value] struct {
	values, spare          pool.Buf[T]
	index, ends, positions pool.Buf[uint32]
	valid                  pool.Buf[uint64]
	bytes                  pool.Buf[byte]
}

// NewVec returns an empty vector that takes its own memory from p, which may be
// nil.
func NewVec[T Value](p *pool.Pool) *Vec[T] { return &Vec[T]{pool: p} }

// Kind returns the kind of T.
func (v *Vec[T]) Kind() Kind { return KindOf[T]() }

// Len returns the number of rows.
func (v *Vec[T]) Len() int { return v.N }

// Validity returns v.Valid.
func (v *Vec[T]) Validity() []uint64 { return v.Valid }

// Reset makes v an empty flat vector and keeps its memory.
func (v *Vec[T]) Reset() {
	v.Form, v.N, v.Valid = Flat, 0, nil
	v.Values, v.Index, v.Ends, v.Positions, v.Buffers = nil, nil, nil, nil, nil
	v.own.bytes.S = v.own.bytes.S[:0]
}

// Release gives v's own memory back to its pool and makes v empty.
func (v *Vec[T]) Release() {
	v.Reset()
	if v.hasBytes {
		v.ownBufs.Remove(v.byteID)
		v.hasBytes = false
	}
	pool.Put(v.pool, &v.own.values)
	pool.Put(v.pool, &v.own.spare)
	pool.Put(v.pool, &v.own.index)
	pool.Put(v.pool, &v.own.ends)
	pool.Put(v.pool, &v.own.positions)
	pool.Put(v.pool, &v.own.valid)
	pool.Put(v.pool, &v.own.bytes)
}

// ReserveValues points v.Values to n values of v's own and returns them. Values
// that were there before, in v's own memory, are kept.
func (v *Vec[T]) ReserveValues(n int) []T {
	pool.Grow(v.pool, &v.own.values, n)
	v.Values = v.own.values.S
	return v.Values
}

// ReserveIndex points v.Index to n entries of v's own and returns them.
func (v *Vec[T]) ReserveIndex(n int) []uint32 {
	pool.Grow(v.pool, &v.own.index, n)
	v.Index = v.own.index.S
	return v.Index
}

// ReserveEnds points v.Ends to n entries of v's own and returns them.
func (v *Vec[T]) ReserveEnds(n int) []uint32 {
	pool.Grow(v.pool, &v.own.ends, n)
	v.Ends = v.own.ends.S
	return v.Ends
}

// ReservePositions points v.Positions to n entries of v's own and returns them.
func (v *Vec[T]) ReservePositions(n int) []uint32 {
	pool.Grow(v.pool, &v.own.positions, n)
	v.Positions = v.own.positions.S
	return v.Positions
}

// ReserveValid points v.Valid to a bitmap of v's own over n rows and returns
// it. Bits that were there before, in v's own memory, are kept; new words are
// undefined.
func (v *Vec[T]) ReserveValid(n int) []uint64 {
	pool.Grow(v.pool, &v.own.valid, Words(n))
	v.Valid = v.own.valid.S
	return v.Valid
}

// At returns the value of row i and whether it is present. It is for tests and
// for printing; a loop over rows switches on the form once.
func (v *Vec[T]) At(i int) (value T, present bool) {
	if !Valid(v.Valid, i) {
		return value, false
	}
	return v.Values[v.ValueIndex(i)], true
}

// ValueIndex returns the place in v.Values of row i's value, whether or not it
// is present.
func (v *Vec[T]) ValueIndex(i int) int {
	switch v.Form {
	case Constant:
		return 0
	case Dictionary:
		return int(v.Index[i])
	case RunLength:
		return sort.Search(len(v.Ends), func(r int) bool { return v.Ends[r] > uint32(i) })
	case Sparse:
		p := sort.Search(len(v.Positions), func(p int) bool { return v.Positions[p] >= uint32(i) })
		if p < len(v.Positions) && v.Positions[p] == uint32(i) {
			return p + 1
		}
		return 0
	default:
		return i
	}
}

// Flatten makes v flat, in memory of its own unless it was flat already.
func (v *Vec[T]) Flatten() {
	if v.Form == Flat {
		return
	}
	pool.Grow(v.pool, &v.own.spare, v.N)
	v.Expand(v.own.spare.S)
	// The expanded rows become v's values; the memory of those before is next
	// time's spare.
	v.own.values, v.own.spare = v.own.spare, v.own.values
	v.Form, v.Values = Flat, v.own.values.S
	v.Index, v.Ends, v.Positions = nil, nil, nil
}

// Expand writes the value of each row to dst, which has v.N entries.
func (v *Vec[T]) Expand(dst []T) {
	dst = dst[:v.N]
	switch v.Form {
	case Flat:
		copy(dst, v.Values[:v.N])
	case Constant:
		fill(dst, v.Values[0])
	case Dictionary:
		values := v.Values
		for i, x := range v.Index[:len(dst)] {
			dst[i] = values[x]
		}
	case RunLength:
		begin := 0
		for r, end := range v.Ends {
			fill(dst[begin:end], v.Values[r])
			begin = int(end)
		}
	case Sparse:
		fill(dst, v.Values[0])
		for i, row := range v.Positions {
			dst[row] = v.Values[i+1]
		}
	}
}

func fill[T any](dst []T, x T) {
	if len(dst) == 0 {
		return
	}
	head := min(len(dst), 64)
	for i := range dst[:head] {
		dst[i] = x
	}
	for done := head; done < len(dst); done *= 2 {
		copy(dst[done:], dst[:done])
	}
}
