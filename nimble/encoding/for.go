package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// frameFor is integers in frames, each less its minimum in as many bits as it
// needs, without gaps between them:
//
//	u8 codec | uvarint rows of a frame | uvarint frames | uvarint rows of the first frame
//	uvarint size | widths: array of u8
//	uvarint size | references: array of values
//	uvarint size | bit offsets: array of u64
//	uvarint size | payload: bits of all frames
type frameFor[T Integer] struct {
	base
	frames     blocking
	widths     pool.Buf[uint8]
	references pool.Buf[T]
	offsets    pool.Buf[uint64] // in bits
	packed     payload
}

func (d *frameFor[T]) open(body []byte) (err error) {
	if d.prefix.Type == Float || d.prefix.Type == Double {
		return unsupported("data type %v", d.prefix.Type)
	}
	in := input{data: body}
	codec := Compression(in.u8("codec"))
	size, count := in.uvarint32("frame size"), in.uvarint32("number of frames")
	first := in.uvarint32("rows of the first frame")
	widths, references, offsets := in.varsized("widths"), in.varsized("references"), in.varsized("bit offsets")
	packed := in.varsized("packed values")
	if in.err != nil {
		return in.err
	}
	d.frames = blocking{rows: d.prefix.Rows, first: first, size: size}
	if err := d.frames.check(count); err != nil {
		return err
	}
	if d.widths, err = readTable[uint8](d.session, "widths", widths, count); err != nil {
		return err
	}
	if d.references, err = readTable[T](d.session, "references", references, count); err != nil {
		return err
	}
	if d.offsets, err = readTable[uint64](d.session, "bit offsets", offsets, count); err != nil {
		return err
	}
	if err := d.packed.open(d.session, codec, packed); err != nil {
		return err
	}
	return d.check()
}

// check makes sure that each frame lies within the payload.
func (d *frameFor[T]) check() error {
	bits := uint64(len(d.packed.bytes)) * 8
	for i, width := range d.widths.S {
		if int(width) > 64 {
			return corrupt("frame %d: width of %d bits", i, width)
		}
		size := uint64(d.frames.blockRows(i)) * uint64(width)
		if begin := d.offsets.S[i]; begin > bits || size > bits-begin {
			return corrupt("frame %d: %d bits from %d on of %d", i, size, begin, bits)
		}
	}
	return nil
}

func (d *frameFor[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return nil
}

func (d *frameFor[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	frame, at := d.frames.find(d.pos)
	for ; len(dst) > 0; at = 0 {
		width := int(d.widths.S[frame])
		bit := int(d.offsets.S[frame]) + at*width
		if frames := d.alike(frame, len(dst)); at == 0 && frames > 1 {
			rows := d.frames.size
			kernel.UnpackFrames(dst[:frames*rows], d.packed.bytes, bit, width, rows, d.references.S[frame:frame+frames])
			d.pos += frames * rows
			dst = dst[frames*rows:]
			frame += frames
			continue
		}
		out := dst[:min(len(dst), d.frames.blockRows(frame)-at)]
		kernel.UnpackFrom(out, d.packed.bytes, bit, width, d.references.S[frame])
		d.pos += len(out)
		dst = dst[len(out):]
		frame++
	}
	return nil
}

// alike returns how many whole frames from the given one on follow each other
// with the same width in so many rows.
func (d *frameFor[T]) alike(frame, rows int) int {
	size := d.frames.size
	most := min(rows/size, len(d.widths.S)-frame)
	if most < 2 || d.frames.blockRows(frame) < size {
		return 0
	}
	width := d.widths.S[frame]
	step := uint64(size) * uint64(width)
	n := 1
	for n < most && d.widths.S[frame+n] == width && d.offsets.S[frame+n] == d.offsets.S[frame+n-1]+step {
		n++
	}
	if frame+n == len(d.widths.S) && d.frames.blockRows(frame+n-1) < size {
		n--
	}
	return n
}

func (d *frameFor[T]) ReadVec(dst *vector.Vec[T], n int) error { return readFlat(d, dst, n) }

func (d *frameFor[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *frameFor[T]) Rewind() { d.pos = 0 }

func (d *frameFor[T]) Close() {
	if d.stop() {
		pool.Put(d.session.pool, &d.widths)
		pool.Put(d.session.pool, &d.references)
		pool.Put(d.session.pool, &d.offsets)
		d.packed.close(d.session)
		recycle[T](d)
	}
}
