package encoding

import (
	"math/bits"

	"github.com/decantdb/decant/vector"
)

// nullableBool is nullable over bools, with the same bytes.
type nullableBool struct {
	base
	data     BoolDecoder
	presence BoolDecoder
}

func (d *nullableBool) open(body []byte) (err error) {
	in := input{data: body}
	data := in.sized("data")
	if in.err != nil {
		return in.err
	}
	if d.data, err = openBools(d.session, "data", data, anyRows); err != nil {
		return err
	}
	if IsNullableBool(d.data) {
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

func (d *nullableBool) Skip(n int) error {
	_, err := d.skipCount(n)
	return err
}

func (d *nullableBool) skipCount(n int) (int, error) {
	if err := d.need(n); err != nil {
		return 0, err
	}
	present, err := d.presence.skipCount(n)
	if err != nil {
		return 0, d.childFail("presence", err)
	}
	count, err := d.data.skipCount(present)
	d.pos += n
	return count, d.childFail("data", err)
}

func (d *nullableBool) ReadBits(dst []uint64, begin, n int) error {
	_, err := d.readNulls(dst, nil, begin, n)
	return err
}

// readNulls is ReadBoolNulls; valid may be nil.
func (d *nullableBool) readNulls(dst, valid []uint64, begin, n int) (present int, err error) {
	if err := d.need(n); err != nil {
		return 0, err
	}
	defer d.session.release(d.session.mark())
	words, values := carve[uint64](d.session), carve[uint64](d.session)
	for done := 0; done < n; {
		rows := min(n-done, blockRows)
		if err := d.presence.ReadBits(words, 0, rows); err != nil {
			return 0, d.childFail("presence", err)
		}
		count := vector.CountBits(words, 0, rows)
		if err := d.data.ReadBits(values, 0, count); err != nil {
			return 0, d.childFail("data", err)
		}
		if count < rows {
			spreadBits(values, words, rows)
		}
		vector.CopyBits(dst, begin+done, values, 0, rows)
		if valid != nil {
			noteNulls(valid, begin, done, present, words, rows, count)
		}
		present += count
		done += rows
		d.pos += rows
	}
	return present, nil
}

// spreadBits moves the first bits of values to the places of the bits that are
// set among the first n of words, in order, and clears the others. It works
// from the last word to the first, since no bit moves down.
func spreadBits(values, words []uint64, n int) {
	next := vector.CountBits(words, 0, n)
	for w := vector.Words(n) - 1; w >= 0; w-- {
		places := words[w]
		if tail := n - w*64; tail < 64 {
			places &= 1<<tail - 1
		}
		next -= bits.OnesCount64(places)
		var out uint64
		for i := next; places != 0; i++ {
			if vector.Bit(values, i) {
				out |= places & -places
			}
			places &= places - 1
		}
		values[w] = out
	}
}

func (d *nullableBool) readFlags(words []uint64, _ []uint32, n int) (flags, error) {
	return readDense(d, words, n)
}

func (d *nullableBool) Rewind() {
	d.data.Rewind()
	d.presence.Rewind()
	d.pos = 0
}

func (d *nullableBool) Close() {
	if d.stop() {
		shut(&d.data)
		shut(&d.presence)
		recycleBools(d)
	}
}

// IsNullableBool reports whether d may have null rows.
func IsNullableBool(d BoolDecoder) bool {
	_, ok := d.(*nullableBool)
	return ok
}

// ReadBoolNulls reads the next n rows into bits [begin, begin+n) of dst and
// returns how many are present. If some are null, the same bits of valid become
// the rows' presence, and their bits of dst are false; otherwise valid is
// untouched.
func ReadBoolNulls(d BoolDecoder, dst, valid []uint64, begin, n int) (present int, err error) {
	if nd, ok := d.(*nullableBool); ok {
		return nd.readNulls(dst, valid, begin, n)
	}
	return n, d.ReadBits(dst, begin, n)
}
