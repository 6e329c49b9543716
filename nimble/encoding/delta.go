package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/vector"
)

// delta is what each row adds to the one before, or its value where it is less:
//
//	u32 size | u32 size
//	deltas: array of values
//	restatements: array of values
//	restated: array of bools, rows, true where the row is a restatement
type delta[T Integer] struct {
	base
	deltas       Decoder[T]
	restatements Decoder[T]
	restated     BoolDecoder
	last         T // the row before
}

func (d *delta[T]) open(body []byte) (err error) {
	in := input{data: body}
	deltasSize, restatementsSize := in.u32("size of deltas"), in.u32("size of restatements")
	deltas, restatements := in.bytes(deltasSize, "deltas"), in.bytes(restatementsSize, "restatements")
	if in.err != nil {
		return in.err
	}
	if d.deltas, err = openPart[T](d.session, "deltas", deltas, anyRows); err != nil {
		return err
	}
	if d.restatements, err = openPart[T](d.session, "restatements", restatements, anyRows); err != nil {
		return err
	}
	if d.restated, err = openBools(d.session, "restated", in.data, d.prefix.Rows); err != nil {
		return err
	}
	if d.deltas.Rows()+d.restatements.Rows() != d.prefix.Rows {
		return corrupt("%d deltas and %d restatements for %d rows", d.deltas.Rows(), d.restatements.Rows(), d.prefix.Rows)
	}
	d.last = 0
	return nil
}

// Skip reads into scratch memory, since every row depends on those before it.
func (d *delta[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	defer d.session.release(d.session.mark())
	block := carve[T](d.session)
	for n > 0 {
		take := min(n, blockRows)
		if err := d.Read(block[:take]); err != nil {
			return err
		}
		n -= take
	}
	return nil
}

// restatedShare is how many rows there are to a restatement from which on rows
// are added up between restatements and not chosen one by one.
const restatedShare = 32

func (d *delta[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	defer d.session.release(d.session.mark())
	words, values, steps := carve[uint64](d.session), carve[T](d.session), carve[T](d.session)
	for len(dst) > 0 {
		block := dst[:min(len(dst), blockRows-1)]
		if err := d.restated.ReadBits(words, 0, len(block)); err != nil {
			return d.childFail("restated", err)
		}
		count := vector.CountBits(words, 0, len(block))
		if err := d.restatements.Read(values[:count]); err != nil {
			return d.childFail("restatements", err)
		}
		if count > len(block)/restatedShare {
			if err := d.deltas.Read(steps[:len(block)-count]); err != nil {
				return d.childFail("deltas", err)
			}
			d.last = kernel.Restate(block, steps, values, words, d.last)
		} else {
			if err := d.deltas.Read(block[count:]); err != nil {
				return d.childFail("deltas", err)
			}
			d.addUp(block, values[:count], words)
		}
		d.pos += len(block)
		dst = dst[len(block):]
	}
	return nil
}

// addUp turns deltas, which are the end of dst, into running values with the
// few restatements at their positions, a segment between them at a time.
func (d *delta[T]) addUp(dst, restatements []T, words []uint64) {
	defer d.session.release(d.session.mark())
	positions := carve[uint32](d.session)
	deltas, at := dst[len(restatements):], 0
	for i, p := range positions[:kernel.Positions(positions, words, len(dst), false, 0)] {
		// The deltas lie behind what is written, so that none is overwritten.
		deltas = deltas[copy(dst[at:p], deltas):]
		kernel.PrefixSum(dst[at:p], d.last)
		d.last = restatements[i]
		dst[p] = d.last
		at = int(p) + 1
	}
	d.last = kernel.PrefixSum(dst[at:], d.last)
}

func (d *delta[T]) ReadVec(dst *vector.Vec[T], n int) error { return readFlat(d, dst, n) }

func (d *delta[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *delta[T]) Rewind() {
	d.deltas.Rewind()
	d.restatements.Rewind()
	d.restated.Rewind()
	d.pos, d.last = 0, 0
}

func (d *delta[T]) Close() {
	if d.stop() {
		shut(&d.deltas)
		shut(&d.restatements)
		shut(&d.restated)
		recycle[T](d)
	}
}
