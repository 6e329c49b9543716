package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/vector"
)

// simdGroup is the number of values of a group.
const simdGroup = 32

// simdFor is numbers less their minimum in groups of 32:
//
//	baseline: value | u8 width | uvarint rows of the first group
//	groups × 32 values of width bits
//
// The first group and the last may hold fewer rows; zeros fill them up.
type simdFor[T Integer] struct {
	base
	baseline  T
	width     int
	firstRows int
	packed    []byte
}

func (d *simdFor[T]) open(body []byte) error {
	in := input{data: body}
	d.baseline = scalar[T](&in, "baseline")
	d.width = int(in.u8("width"))
	d.firstRows = in.canonical32("rows of the first group")
	if in.err != nil {
		return in.err
	}
	rows := d.prefix.Rows
	if d.firstRows < 1 || d.firstRows > min(rows, simdGroup) {
		return corrupt("first group of %d rows among %d", d.firstRows, rows)
	}
	if d.width > 8*sizeOf[T]() {
		return corrupt("width of %d bits", d.width)
	}
	groups := 1 + (rows-d.firstRows+simdGroup-1)/simdGroup
	d.packed = in.bytes(groups*simdGroup/8*d.width, "packed values")
	return in.end()
}

func (d *simdFor[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return nil
}

func (d *simdFor[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	if inFirst := min(d.firstRows-d.pos, len(dst)); inFirst > 0 {
		kernel.Unpack(dst[:inFirst], d.packed, d.pos, d.width, d.baseline)
		d.pos += inFirst
		dst = dst[inFirst:]
	}
	if len(dst) > 0 {
		kernel.Unpack(dst, d.packed, d.pos-d.firstRows+simdGroup, d.width, d.baseline)
		d.pos += len(dst)
	}
	return nil
}

func (d *simdFor[T]) ReadVec(dst *vector.Vec[T], n int) error { return readFlat(d, dst, n) }

func (d *simdFor[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *simdFor[T]) Rewind() { d.pos = 0 }

func (d *simdFor[T]) Close() {
	if d.stop() {
		d.packed = nil
		recycle[T](d)
	}
}
