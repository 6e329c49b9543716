package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/vector"
)

// nullable is the rows that are present, and which they are:
//
//	u32 size | data: array of the present rows | presence: array of bools, rows
type nullable[T Physical] struct {
	base
	data     Decoder[T]
	presence BoolDecoder
}

func (d *nullable[T]) open(body []byte) (err error) {
	in := input{data: body}
	data := in.sized("data")
	if in.err != nil {
		return in.err
	}
	if d.data, err = openPart[T](d.session, "data", data, anyRows); err != nil {
		return err
	}
	if IsNullable(d.data) {
		return corrupt("data: nullable within nullable")
	}
	if d.presence, err = openBools(d.session, "presence", in.data, d.prefix.Rows); err != nil {
		return err
	}
	if present := d.data.Rows(); present > d.prefix.Rows {
		return corrupt("%d present rows exceed %d rows", present, d.prefix.Rows)
	}
	return nil
}

func (d *nullable[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	present, err := d.presence.skipCount(n)
	if err != nil {
		return d.childFail("presence", err)
	}
	d.pos += n
	return d.childFail("data", d.data.Skip(present))
}

func (d *nullable[T]) Read(dst []T) error {
	_, err := d.readNulls(dst, nil, 0)
	return err
}

// readNulls is ReadNulls; valid may be nil.
func (d *nullable[T]) readNulls(dst []T, valid []uint64, begin int) (present int, err error) {
	if err := d.need(len(dst)); err != nil {
		return 0, err
	}
	defer d.session.release(d.session.mark())
	words := carve[uint64](d.session)
	for done := 0; done < len(dst); {
		block := dst[done:min(done+blockRows, len(dst))]
		if err := d.presence.ReadBits(words, 0, len(block)); err != nil {
			return 0, d.childFail("presence", err)
		}
		count := vector.CountBits(words, 0, len(block))
		if err := d.data.Read(block[:count]); err != nil {
			return 0, d.childFail("data", err)
		}
		kernel.Spread(block, words, 0, count)
		if valid != nil {
			noteNulls(valid, begin, done, present, words, len(block), count)
		}
		present += count
		done += len(block)
		d.pos += len(block)
	}
	return present, nil
}

// noteNulls adds the presence of the next rows, count of which are present, to
// valid, which is untouched as long as there was no null among the done rows
// before, and describes them all from then on.
func noteNulls(valid []uint64, begin, done, present int, words []uint64, rows, count int) {
	if present == done {
		if count == rows {
			return
		}
		vector.SetBits(valid, begin, begin+done)
	}
	vector.CopyBits(valid, begin+done, words, 0, rows)
}

func (d *nullable[T]) ReadVec(dst *vector.Vec[T], n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	valid := dst.ReserveValid(n)
	if err := d.presence.ReadBits(valid, 0, n); err != nil {
		return d.childFail("presence", err)
	}
	present := vector.CountBits(valid, 0, n)
	if present == 0 {
		d.pos += n
		d.noRows(dst, n)
		return nil
	}
	if err := d.data.ReadVec(dst, present); err != nil {
		return d.childFail("data", err)
	}
	d.pos += n
	if present == n {
		return nil
	}
	valid = dst.ReserveValid(n)
	switch dst.Form {
	case vector.Constant:
	case vector.Dictionary:
		kernel.Spread(grown(dst.Index, dst.ReserveIndex(n)), valid, 0, present)
	default:
		dst.Flatten()
		kernel.Spread(grown(dst.Values, dst.ReserveValues(n)), valid, 0, present)
	}
	dst.N = n
	return nil
}

// noRows makes dst n null rows, whose validity it holds already. The data is not
// asked: its forms may need a value that it does not have, as a dictionary does.
func (d *nullable[T]) noRows(dst *vector.Vec[T], n int) {
	prepare(&d.base, dst, n)
	if n == 0 {
		return
	}
	var zero T
	dst.Form = vector.Constant
	dst.ReserveValues(1)[0] = zero
	dst.ReserveValid(n)
}

// grown returns now with the front that before holds, which may be elsewhere.
func grown[E any](before, now []E) []E {
	if len(before) > 0 && &before[0] != &now[0] {
		copy(now, before)
	}
	return now
}

func (d *nullable[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *nullable[T]) Rewind() {
	d.data.Rewind()
	d.presence.Rewind()
	d.pos = 0
}

func (d *nullable[T]) Close() {
	if d.stop() {
		shut(&d.data)
		shut(&d.presence)
		recycle[T](d)
	}
}

// IsNullable reports whether d may have null rows.
func IsNullable[T Physical](d Decoder[T]) bool {
	_, ok := d.(*nullable[T])
	return ok
}

// ReadNulls reads the next len(dst) rows and returns how many are present. If
// some are null, bits [begin, begin+len(dst)) of valid become the rows'
// presence, and their entries of dst are zero; otherwise valid is untouched.
func ReadNulls[T Physical](d Decoder[T], dst []T, valid []uint64, begin int) (present int, err error) {
	if n, ok := d.(*nullable[T]); ok {
		return n.readNulls(dst, valid, begin)
	}
	return len(dst), d.Read(dst)
}
