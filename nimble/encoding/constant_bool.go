package encoding

import "github.com/decantdb/decant/vector"

// constantBool is one bool for all rows:
//
//	u8 value
type constantBool struct {
	base
	value bool
}

func (d *constantBool) open(body []byte) error {
	in := input{data: body}
	d.value = in.u8("value") != 0
	return in.end()
}

func (d *constantBool) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return nil
}

func (d *constantBool) skipCount(n int) (int, error) {
	if err := d.Skip(n); err != nil || !d.value {
		return 0, err
	}
	return n, nil
}

func (d *constantBool) ReadBits(dst []uint64, begin, n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	fillBits(dst, begin, n, d.value)
	d.pos += n
	return nil
}

func (d *constantBool) readFlags(_ []uint64, _ []uint32, n int) (flags, error) {
	if err := d.Skip(n); err != nil {
		return flags{}, err
	}
	return flags{rows: n, listed: true, flag: !d.value}, nil
}

func (d *constantBool) Rewind() { d.pos = 0 }

func (d *constantBool) Close() {
	if d.stop() {
		recycleBools(d)
	}
}

// fillBits sets bits [begin, begin+n) of dst to x.
func fillBits(dst []uint64, begin, n int, x bool) {
	if x {
		vector.SetBits(dst, begin, begin+n)
	} else {
		vector.ClearBits(dst, begin, begin+n)
	}
}
