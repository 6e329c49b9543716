package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/vector"
)

// mainlyConstant is one common value, and the others with their places:
//
//	u32 size | common: array of bools, rows, true where the common value is
//	u32 size | others: array of the other values in row order
//	value: number, or u32 size | bytes of a string
type mainlyConstant[T Physical] struct {
	base
	common BoolDecoder
	others Decoder[T]
	value  commonValue[T]
}

func (d *mainlyConstant[T]) open(body []byte) (err error) {
	in := input{data: body}
	common, others := in.sized("common"), in.sized("others")
	if err := d.value.open(&d.base, &in); err != nil {
		return err
	}
	if d.common, err = openBools(d.session, "common", common, d.prefix.Rows); err != nil {
		return err
	}
	if d.others, err = openPart[T](d.session, "others", others, anyRows); err != nil {
		return err
	}
	if n := d.others.Rows(); n > d.prefix.Rows {
		return corrupt("%d other values exceed %d rows", n, d.prefix.Rows)
	}
	return nil
}

func (d *mainlyConstant[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	count, err := d.common.skipCount(n)
	if err != nil {
		return d.childFail("common", err)
	}
	d.pos += n
	return d.childFail("others", d.others.Skip(n-count))
}

// exceptionRoom is what places needs for a block: kernel.Positions writes a few
// more than there are.
const exceptionRoom = blockRows + 8

// places returns the positions, plus first, of the other values among the rows
// of f. It may use words, which have room for as many rows.
func places(f flags, positions []uint32, words []uint64, first uint32) []uint32 {
	if f.listed && !f.flag {
		if first != 0 {
			for i := range f.positions {
				f.positions[i] += first
			}
		}
		return f.positions
	}
	if f.listed {
		fillBits(words, 0, f.rows, !f.flag)
		for _, p := range f.positions {
			vector.SetBit(words, int(p))
		}
		f.words = words
	}
	return positions[:kernel.Positions(positions, f.words, f.rows, true, first)]
}

// fewCommon is how many rows there are to a common value up to which it is put
// between the others, and not the others between it.
const fewCommon = 8

func (d *mainlyConstant[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	defer d.session.release(d.session.mark())
	words, room, values := carve[uint64](d.session), carve[uint32](d.session), carve[T](d.session)
	for len(dst) > 0 {
		block := dst[:min(len(dst), blockRows)]
		f, err := d.common.readFlags(words, room[:len(block)], len(block))
		if err != nil {
			return d.childFail("common", err)
		}
		others := values[:len(block)-f.set()]
		if err := d.others.Read(others); err != nil {
			return d.childFail("others", err)
		}
		if !f.listed && len(others) > len(block)-len(block)/fewCommon {
			f.listed, f.flag = true, true
			f.positions = room[:kernel.Positions(room, f.words, f.rows, false, 0)]
		}
		if f.listed && f.flag {
			insert(block, others, f.positions, d.value.x)
		} else {
			kernel.Fill(block, d.value.x)
			kernel.Scatter(block, others, places(f, room, words, 0))
		}
		d.pos += len(block)
		dst = dst[len(block):]
	}
	return nil
}

// insert copies values to dst, with x at the positions between them.
func insert[T Physical](dst, values []T, positions []uint32, x T) {
	at := 0
	for _, p := range positions {
		values = values[copy(dst[at:p], values):]
		dst[p] = x
		at = int(p) + 1
	}
	copy(dst[at:], values)
}

func (d *mainlyConstant[T]) ReadVec(dst *vector.Vec[T], n int) error {
	// Exceptions cost a position each: where they are many, rows are cheaper.
	if d.others.Rows() > d.prefix.Rows/4 {
		return readFlat(d, dst, n)
	}
	if err := d.need(n); err != nil {
		return err
	}
	prepare(&d.base, dst, n)
	dst.Form = vector.Sparse
	defer d.session.release(d.session.mark())
	words := carve[uint64](d.session)
	count := 0
	for at := 0; at < n; {
		rows := min(n-at, blockRows)
		room := dst.ReservePositions(count + exceptionRoom)[count:]
		f, err := d.common.readFlags(words, room[:rows], rows)
		if err != nil {
			return d.childFail("common", err)
		}
		count += len(places(f, room, words, uint32(at)))
		at += rows
	}
	dst.ReservePositions(count)
	values := dst.ReserveValues(1 + count)
	values[0] = d.value.x
	if err := d.others.Read(values[1:]); err != nil {
		return d.childFail("others", err)
	}
	d.pos += n
	return nil
}

func (d *mainlyConstant[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *mainlyConstant[T]) Rewind() {
	d.common.Rewind()
	d.others.Rewind()
	d.pos = 0
}

func (d *mainlyConstant[T]) Close() {
	if d.stop() {
		shut(&d.common)
		shut(&d.others)
		d.value.close(d.strings)
		recycle[T](d)
	}
}
