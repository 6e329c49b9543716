package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/vector"
)

// fixedBitWidth is numbers less their minimum in as many bits as the largest
// needs:
//
//	u8 codec | baseline: value | u8 width | payload: rows × width bits | 7 × 0
type fixedBitWidth[T Integer] struct {
	base
	baseline T
	width    int
	packed   payload
}

func (d *fixedBitWidth[T]) open(body []byte) error {
	in := input{data: body}
	codec := Compression(in.u8("codec"))
	d.baseline = scalar[T](&in, "baseline")
	d.width = int(in.u8("width"))
	if in.err != nil {
		return in.err
	}
	if d.width > 64 {
		return corrupt("width of %d bits", d.width)
	}
	size := packedSize(d.prefix.Rows, d.width)
	if codec == Uncompressed {
		// What follows a raw payload is ignored.
		in.data = in.bytes(size, "packed values")
		if in.err != nil {
			return in.err
		}
	}
	return d.packed.sized(d.session, codec, in.data, size)
}

func (d *fixedBitWidth[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return nil
}

func (d *fixedBitWidth[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	kernel.Unpack(dst, d.packed.bytes, d.pos, d.width, d.baseline)
	d.pos += len(dst)
	return nil
}

func (d *fixedBitWidth[T]) ReadVec(dst *vector.Vec[T], n int) error { return readFlat(d, dst, n) }

func (d *fixedBitWidth[T]) readSel(dst []T, from, n int, sel []int32) error {
	if len(sel) > n/pointRows {
		return selectRows(d, dst, from, n, sel)
	}
	kernel.Pick(dst, d.packed.bytes, d.pos-from, d.width, d.baseline, sel)
	d.pos += n
	return nil
}

func (d *fixedBitWidth[T]) Rewind() { d.pos = 0 }

func (d *fixedBitWidth[T]) Close() {
	if d.stop() {
		d.packed.close(d.session)
		recycle[T](d)
	}
}
