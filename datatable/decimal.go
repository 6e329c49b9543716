package datatable

import "math/big"

// Decimal is a value of a BigDecimal column: Unscaled × 10^-Scale.
type Decimal struct {
	// Unscaled is a big-endian two's complement of any length; none is 0. It is
	// written in the shortest form, in which it is read as well.
	Unscaled []byte
	Scale    int16
}

// NewDecimal returns unscaled × 10^-scale, in new memory. Callers that have the
// bytes already need no big.Int.
func NewDecimal(unscaled *big.Int, scale int16) Decimal {
	// One bit more than the number, for the sign; -2^n needs none.
	bits := unscaled.BitLen() + 1
	if unscaled.Sign() >= 0 {
		return Decimal{Unscaled: unscaled.FillBytes(make([]byte, (bits+7)/8)), Scale: scale}
	}
	buf := make([]byte, (bits+7)/8)
	complement := new(big.Int).Lsh(big.NewInt(1), uint(8*len(buf)))
	complement.Add(complement, unscaled).FillBytes(buf)
	d := Decimal{Unscaled: buf, Scale: scale}
	d.Unscaled = d.minimal()
	return d
}

// Int returns the unscaled value, in new memory.
func (d Decimal) Int() *big.Int {
	x := new(big.Int).SetBytes(d.Unscaled)
	if len(d.Unscaled) > 0 && d.Unscaled[0]&0x80 != 0 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(d.Unscaled))))
	}
	return x
}

// minimal returns Unscaled without the leading bytes that repeat the sign.
func (d Decimal) minimal() []byte {
	u := d.Unscaled
	for len(u) > 1 && (u[0] == 0 && u[1] < 0x80 || u[0] == 0xff && u[1] >= 0x80) {
		u = u[1:]
	}
	return u
}
