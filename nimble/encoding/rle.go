package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// rle is runs of equal values:
//
//	u32 size | run lengths: array of u32 | run values: array of as many values
type rle[T Physical] struct {
	base
	runs   runs
	values Decoder[T]
	page   pool.Buf[T] // values of runs.loaded
}

func (d *rle[T]) open(body []byte) (err error) {
	in := input{data: body}
	lengths := in.sized("run lengths")
	if in.err != nil {
		return in.err
	}
	if err := d.runs.open(&d.base, lengths); err != nil {
		return err
	}
	if d.values, err = openPart[T](d.session, "run values", in.data, d.runs.lengths.Rows()); err != nil {
		return err
	}
	d.page, err = hold[T](d.session, len(d.runs.page.S))
	return err
}

// load takes the next page of runs with their values.
func (d *rle[T]) load() error {
	if err := d.runs.load(&d.base); err != nil {
		return err
	}
	if err := d.values.Read(d.page.S[:len(d.runs.loaded)]); err != nil {
		return d.childFail("run values", err)
	}
	return nil
}

func (d *rle[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	for n > 0 {
		if d.runs.empty() {
			if err := d.load(); err != nil {
				return err
			}
		}
		take := min(n, d.runs.left)
		d.runs.step(take)
		d.pos += take
		n -= take
	}
	return nil
}

func (d *rle[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	r := &d.runs
	for len(dst) > 0 {
		if r.empty() {
			if err := d.load(); err != nil {
				return err
			}
		}
		// A run that is cut at either end, then all whole ones.
		rows := 0
		if r.left < int(r.loaded[r.next]) || r.left > len(dst) {
			rows = min(len(dst), r.left)
			kernel.Fill(dst[:rows], d.page.S[r.next])
			r.step(rows)
		} else {
			var whole int
			whole, rows = kernel.Runs(dst, d.page.S[r.next:len(r.loaded)], r.loaded[r.next:])
			r.advance(whole)
		}
		d.pos += rows
		dst = dst[rows:]
	}
	return nil
}

func (d *rle[T]) ReadVec(dst *vector.Vec[T], n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	prepare(&d.base, dst, n)
	dst.Form = vector.RunLength
	r := &d.runs
	count := 0
	for at := 0; at < n; {
		if r.empty() {
			if err := d.load(); err != nil {
				return err
			}
		}
		most := count + min(len(r.loaded)-r.next, n-at)
		ends, values := dst.ReserveEnds(most), dst.ReserveValues(most)
		for ; at < n && !r.empty(); count++ {
			take := min(n-at, r.left)
			at += take
			ends[count], values[count] = uint32(at), d.page.S[r.next]
			r.step(take)
			d.pos += take
		}
	}
	dst.Ends, dst.Values = dst.ReserveEnds(count), dst.ReserveValues(count)
	return nil
}

func (d *rle[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *rle[T]) Rewind() {
	d.runs.rewind()
	d.values.Rewind()
	d.pos = 0
}

func (d *rle[T]) Close() {
	if d.stop() {
		d.runs.close(d.session)
		shut(&d.values)
		pool.Put(d.session.pool, &d.page)
		recycle[T](d)
	}
}
