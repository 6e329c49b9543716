package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/vector"
)

// constant is one value for all rows:
//
//	value: number, or u32 size | bytes of a string
type constant[T Physical] struct {
	base
	value commonValue[T]
}

func (d *constant[T]) open(body []byte) error {
	in := input{data: body}
	if err := d.value.open(&d.base, &in); err != nil {
		return err
	}
	return in.end()
}

func (d *constant[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return nil
}

func (d *constant[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	kernel.Fill(dst, d.value.x)
	d.pos += len(dst)
	return nil
}

func (d *constant[T]) ReadVec(dst *vector.Vec[T], n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	prepare(&d.base, dst, n)
	dst.Form = vector.Constant
	dst.ReserveValues(1)[0] = d.value.x
	d.pos += n
	return nil
}

func (d *constant[T]) readSel(dst []T, _, n int, _ []int32) error {
	kernel.Fill(dst, d.value.x)
	d.pos += n
	return nil
}

func (d *constant[T]) Rewind() { d.pos = 0 }

func (d *constant[T]) Close() {
	if d.stop() {
		d.value.close(d.strings)
		recycle[T](d)
	}
}

// commonValue is one value that stands for many rows.
type commonValue[T Physical] struct {
	x      T
	id     uint32 // of a string's bytes among the strings' buffers
	listed bool
}

// open takes the value from in.
func (v *commonValue[T]) open(b *base, in *input) error {
	if b.strings == nil {
		// T is as wide as the number.
		raw := in.bytes(sizeOf[T](), "value")
		copy(kernel.Raw(&v.x), raw)
		return in.err
	}
	text := in.sized("value")
	if in.err != nil {
		return in.err
	}
	v.id, v.listed = b.strings.Add(text), true
	view := vector.MakeView(text, v.id, 0)
	copy(kernel.Raw(&v.x), kernel.Raw(&view))
	return nil
}

func (v *commonValue[T]) close(strings *vector.Buffers) {
	if v.listed {
		strings.Remove(v.id)
		v.listed = false
	}
}
