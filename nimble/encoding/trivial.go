package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/vector"
)

// trivial is numbers as they are:
//
//	u8 codec | payload: rows × value, little-endian
type trivial[T Integer] struct {
	base
	values payload
}

func (d *trivial[T]) open(body []byte) error {
	in := input{data: body}
	codec := Compression(in.u8("codec"))
	if in.err != nil {
		return in.err
	}
	return d.values.sized(d.session, codec, in.data, d.prefix.Rows*sizeOf[T]())
}

func (d *trivial[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return nil
}

func (d *trivial[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	kernel.Load(dst, d.values.bytes[d.pos*sizeOf[T]():])
	d.pos += len(dst)
	return nil
}

func (d *trivial[T]) ReadVec(dst *vector.Vec[T], n int) error { return readFlat(d, dst, n) }

func (d *trivial[T]) readSel(dst []T, from, n int, sel []int32) error {
	if len(sel) > n/pointRows {
		return selectRows(d, dst, from, n, sel)
	}
	kernel.Pick(dst, d.values.bytes, d.pos-from, 8*sizeOf[T](), 0, sel)
	d.pos += n
	return nil
}

func (d *trivial[T]) Rewind() { d.pos = 0 }

func (d *trivial[T]) Close() {
	if d.stop() {
		d.values.close(d.session)
		recycle[T](d)
	}
}
