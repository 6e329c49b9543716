package vector

import "github.com/decantdb/decant/pool"

// Bools is a column of N bools, one bit each, least significant bit first.
type Bools struct {
	N     int
	Valid []uint64 // bitmap of present rows, nil = all
	Bits  []uint64

	pool              *pool.Pool
	ownBits, ownValid pool.Buf[uint64]
}

// NewBools returns an empty vector that takes its own memory from p, which may
// be nil.
func NewBools(p *pool.Pool) *Bools { return &Bools{pool: p} }

// Kind returns KindBool.
func (v *Bools) Kind() Kind { return KindBool }

// Len returns the number of rows.
func (v *Bools) Len() int { return v.N }

// Validity returns v.Valid.
func (v *Bools) Validity() []uint64 { return v.Valid }

// Reset makes v empty and keeps its memory.
func (v *Bools) Reset() { v.N, v.Valid, v.Bits = 0, nil, nil }

// Release gives v's own memory back to its pool and makes v empty.
func (v *Bools) Release() {
	v.Reset()
	pool.Put(v.pool, &v.ownBits)
	pool.Put(v.pool, &v.ownValid)
}

// ReserveBits points v.Bits to a bitmap of v's own over n rows and returns it.
// Bits that were there before, in v's own memory, are kept.
func (v *Bools) ReserveBits(n int) []uint64 {
	pool.Grow(v.pool, &v.ownBits, Words(n))
	v.Bits = v.ownBits.S
	return v.Bits
}

// ReserveValid points v.Valid to a bitmap of v's own over n rows and returns
// it. Bits that were there before, in v's own memory, are kept.
func (v *Bools) ReserveValid(n int) []uint64 {
	pool.Grow(v.pool, &v.ownValid, Words(n))
	v.Valid = v.ownValid.S
	return v.Valid
}

// At returns the value of row i and whether it is present.
func (v *Bools) At(i int) (value, present bool) {
	if !Valid(v.Valid, i) {
		return false, false
	}
	return Bit(v.Bits, i), true
}

// Append adds a row with the value x. The bits must be v's own, as after Reset.
func (v *Bools) Append(x bool) {
	row := v.N
	v.grow()
	if x {
		SetBit(v.Bits, row)
	} else {
		ClearBit(v.Bits, row)
	}
	if v.Valid != nil {
		SetBit(v.Valid, row)
	}
}

// AppendNull adds a null row, under the conditions of Append.
func (v *Bools) AppendNull() {
	row := v.N
	v.grow()
	ClearBit(v.Bits, row)
	if v.Valid == nil {
		SetBits(v.ReserveValid(row+1), 0, row)
	}
	ClearBit(v.Valid, row)
}

func (v *Bools) grow() {
	v.N++
	v.ReserveBits(v.N)
	if v.Valid != nil {
		v.ReserveValid(v.N)
	}
}
