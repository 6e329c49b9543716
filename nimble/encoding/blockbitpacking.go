package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

const (
	maxPackedBlockRows = 1024
	maxPackedBlocks    = 65535
	rawWidth           = 255
)

// blockBitPacking is numbers in blocks, each less its minimum in as many bits
// as it needs, or as they are:
//
//	u8 codec | uvarint rows of a block | uvarint blocks
//	uvarint size | baselines: array of values
//	uvarint size | widths: array of u8, 255 for a raw block
//	uvarint size | offsets: array of u32, of each block in the payload
//	uvarint rows of the first block
//	payload: blocks
type blockBitPacking[T Integer] struct {
	base
	blocks    blocking
	baselines pool.Buf[T]
	widths    pool.Buf[uint8]
	offsets   pool.Buf[uint32]
	packed    payload
}

func (d *blockBitPacking[T]) open(body []byte) (err error) {
	in := input{data: body}
	codec := Compression(in.u8("codec"))
	size, count := in.uvarint32("block size"), in.uvarint32("number of blocks")
	baselines, widths, offsets := in.varsized("baselines"), in.varsized("widths"), in.varsized("offsets")
	first := in.uvarint32("rows of the first block")
	if in.err != nil {
		return in.err
	}
	if size > maxPackedBlockRows || count > maxPackedBlocks {
		return corrupt("%d blocks of %d rows", count, size)
	}
	d.blocks = blocking{rows: d.prefix.Rows, first: first, size: size}
	if err := d.blocks.check(count); err != nil {
		return err
	}
	if d.baselines, err = readTable[T](d.session, "baselines", baselines, count); err != nil {
		return err
	}
	if d.widths, err = readTable[uint8](d.session, "widths", widths, count); err != nil {
		return err
	}
	if d.offsets, err = readTable[uint32](d.session, "offsets", offsets, count); err != nil {
		return err
	}
	if err := d.packed.open(d.session, codec, in.data); err != nil {
		return err
	}
	return d.check()
}

// check makes sure that each block lies within the payload.
func (d *blockBitPacking[T]) check() error {
	bits := 8 * sizeOf[T]()
	for i, width := range d.widths.S {
		w := int(width)
		if w == rawWidth {
			w = bits
		}
		if w > bits {
			return corrupt("block %d: width of %d bits", i, w)
		}
		if end := int(d.offsets.S[i]) + kernel.PackedBytes(d.blocks.blockRows(i), w); end > len(d.packed.bytes) {
			return corrupt("block %d: ends at byte %d of %d", i, end, len(d.packed.bytes))
		}
	}
	return nil
}

func (d *blockBitPacking[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return nil
}

func (d *blockBitPacking[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	block, at := d.blocks.find(d.pos)
	for ; len(dst) > 0; block, at = block+1, 0 {
		out := dst[:min(len(dst), d.blocks.blockRows(block)-at)]
		packed := d.packed.bytes[d.offsets.S[block]:]
		if width := int(d.widths.S[block]); width == rawWidth {
			kernel.Load(out, packed[at*sizeOf[T]():])
		} else {
			kernel.Unpack(out, packed, at, width, d.baselines.S[block])
		}
		d.pos += len(out)
		dst = dst[len(out):]
	}
	return nil
}

func (d *blockBitPacking[T]) ReadVec(dst *vector.Vec[T], n int) error { return readFlat(d, dst, n) }

func (d *blockBitPacking[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *blockBitPacking[T]) Rewind() { d.pos = 0 }

func (d *blockBitPacking[T]) Close() {
	if d.stop() {
		pool.Put(d.session.pool, &d.baselines)
		pool.Put(d.session.pool, &d.widths)
		pool.Put(d.session.pool, &d.offsets)
		d.packed.close(d.session)
		recycle[T](d)
	}
}
