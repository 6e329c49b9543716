package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// deltaBlock is integers that do not fall, in blocks of what each row adds to
// the one before:
//
//	uvarint rows of a block | uvarint blocks
//	blocks × uvarint base | blocks × u8 width | blocks × uvarint offset in packed
//	packed: each block's rows but the first × width bits | 7 × 0
//
// The base is the first value, with the sign bit flipped where there is one.
// The prefix has a varint row count always. A block without bits has no bytes.
type deltaBlock[T Integer] struct {
	base
	blocks  blocking
	bases   pool.Buf[T]
	widths  []byte
	offsets pool.Buf[uint32]
	packed  []byte
	last    T // the row before, within a block
}

func (d *deltaBlock[T]) open(body []byte) (err error) {
	if d.prefix.Type == Float || d.prefix.Type == Double {
		return unsupported("data type %v", d.prefix.Type)
	}
	in := input{data: body}
	size, count := in.uvarint32("block size"), in.uvarint32("number of blocks")
	if in.err != nil {
		return in.err
	}
	d.blocks = blocking{rows: d.prefix.Rows, first: min(size, d.prefix.Rows), size: size}
	if err := d.blocks.check(count); err != nil {
		return err
	}
	if count > len(in.data) {
		return corrupt("%d blocks in %d bytes", count, len(in.data))
	}
	if d.bases, err = hold[T](d.session, count); err != nil {
		return err
	}
	if d.offsets, err = hold[uint32](d.session, count); err != nil {
		return err
	}
	var sign T
	switch d.prefix.Type {
	case Int8, Int16, Int32, Int64:
		sign = 1 << (8*sizeOf[T]() - 1)
	}
	for i := range d.bases.S {
		d.bases.S[i] = T(in.uvarint("base")) ^ sign
	}
	d.widths = in.bytes(count, "widths")
	for i := range d.offsets.S {
		d.offsets.S[i] = uint32(in.uvarint32("offset"))
	}
	d.packed = in.data
	if in.err != nil {
		return in.err
	}
	return d.check()
}

// check makes sure that each block lies within the packed bytes.
func (d *deltaBlock[T]) check() error {
	for i, width := range d.widths {
		if width > 64 {
			return corrupt("block %d: width of %d bits", i, width)
		}
		if end := int(d.offsets.S[i]) + kernel.PackedBytes(d.blocks.blockRows(i)-1, int(width)); end > len(d.packed) {
			return corrupt("block %d: ends at byte %d of %d", i, end, len(d.packed))
		}
	}
	return nil
}

// Skip reads what is skipped of the block in which it ends.
func (d *deltaBlock[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	to := d.pos + n
	if _, at := d.blocks.find(to); to-at > d.pos {
		d.pos = to - at
	}
	defer d.session.release(d.session.mark())
	room := carve[T](d.session)
	for d.pos < to {
		if err := d.Read(room[:min(to-d.pos, blockRows)]); err != nil {
			return err
		}
	}
	return nil
}

func (d *deltaBlock[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	for len(dst) > 0 {
		block, at := d.blocks.find(d.pos)
		out := dst[:min(len(dst), d.blocks.blockRows(block)-at)]
		deltas := out
		if at == 0 {
			d.last = d.bases.S[block]
			out[0] = d.last
			deltas = out[1:]
			at = 1
		}
		kernel.Unpack(deltas, d.packed[d.offsets.S[block]:], at-1, int(d.widths[block]), 0)
		d.last = kernel.PrefixSum(deltas, d.last)
		d.pos += len(out)
		dst = dst[len(out):]
	}
	return nil
}

func (d *deltaBlock[T]) ReadVec(dst *vector.Vec[T], n int) error { return readFlat(d, dst, n) }

func (d *deltaBlock[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *deltaBlock[T]) Rewind() { d.pos = 0 }

func (d *deltaBlock[T]) Close() {
	if d.stop() {
		pool.Put(d.session.pool, &d.bases)
		pool.Put(d.session.pool, &d.offsets)
		d.widths, d.packed = nil, nil
		recycle[T](d)
	}
}
