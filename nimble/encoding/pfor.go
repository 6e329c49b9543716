package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/vector"
)

// pfor is numbers less their minimum in as many bits as most of them need, and
// exceptions for the rest:
//
//	baseline: value | u8 width | uvarint exceptions
//	uvarint size | positions: array of u32, ascending
//	uvarint size | residuals: array of as many values less baseline
//	rows × width bits | 7 × 0
//
// Without exceptions both sizes are 0 and there are no arrays; with width 0
// there are no bits.
type pfor[T Integer] struct {
	base
	baseline   T
	width      int
	packed     []byte
	exceptions exceptions[T]
}

func (d *pfor[T]) open(body []byte) error {
	in := input{data: body}
	d.baseline = scalar[T](&in, "baseline")
	d.width = int(in.u8("width"))
	count := in.uvarint32("number of exceptions")
	positions, residuals := in.varsized("exception positions"), in.varsized("exception values")
	if d.width > 64 {
		return corrupt("width of %d bits", d.width)
	}
	d.packed = nil
	if d.width > 0 {
		d.packed = in.bytes(packedSize(d.prefix.Rows, d.width), "packed values")
	}
	if in.err != nil || count == 0 {
		return in.err
	}
	if err := d.exceptions.open(&d.base, positions, residuals); err != nil {
		return err
	}
	if n := len(d.exceptions.positions.S); n != count {
		return corrupt("%d exceptions where %d are declared", n, count)
	}
	return nil
}

func (d *pfor[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return nil
}

func (d *pfor[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	kernel.Unpack(dst, d.packed, d.pos, d.width, d.baseline)
	positions, residuals := d.exceptions.between(d.pos, d.pos+len(dst))
	for i, p := range positions {
		dst[int(p)-d.pos] = d.baseline + residuals[i]
	}
	d.pos += len(dst)
	return nil
}

func (d *pfor[T]) ReadVec(dst *vector.Vec[T], n int) error { return readFlat(d, dst, n) }

func (d *pfor[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *pfor[T]) Rewind() { d.pos = 0 }

func (d *pfor[T]) Close() {
	if d.stop() {
		d.packed = nil
		d.exceptions.close(d.session)
		recycle[T](d)
	}
}
