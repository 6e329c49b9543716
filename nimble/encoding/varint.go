package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/vector"
)

// wide is the widths that have varints.
type wide interface{ uint32 | uint64 }

// varint is numbers less their minimum as LEB128:
//
//	baseline: value | rows × uvarint
type varint[T wide] struct {
	base
	baseline T
	body     []byte // all varints
	at       int    // of the next
}

func (d *varint[T]) open(body []byte) error {
	in := input{data: body}
	d.baseline = scalar[T](&in, "baseline")
	if in.err != nil {
		return in.err
	}
	if d.prefix.Rows > len(in.data) {
		return corrupt("%d values in %d bytes", d.prefix.Rows, len(in.data))
	}
	d.body, d.at = in.data, 0
	return nil
}

// move goes past n values that take the given bytes.
func (d *varint[T]) move(n, bytes int) error {
	if bytes < 0 {
		return d.fail("value cut off or too long, among the %d behind row %d", n, d.pos)
	}
	d.at += bytes
	d.pos += n
	return nil
}

func (d *varint[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	return d.move(n, kernel.SkipVarints(d.body[d.at:], n))
}

func (d *varint[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	return d.move(len(dst), kernel.Varints(dst, d.body[d.at:], d.baseline))
}

func (d *varint[T]) ReadVec(dst *vector.Vec[T], n int) error { return readFlat(d, dst, n) }

func (d *varint[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *varint[T]) Rewind() { d.pos, d.at = 0, 0 }

func (d *varint[T]) Close() {
	if d.stop() {
		d.body = nil
		recycle[T](d)
	}
}
