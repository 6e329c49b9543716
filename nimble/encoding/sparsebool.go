package encoding

import "github.com/decantdb/decant/pool"

// sparsePage is the number of positions that are taken from the child at a time.
const sparsePage = 256

// sparseBool is the rows of the rarer value:
//
//	u8 value | positions: array of u32, ascending, the last being the row count
type sparseBool struct {
	base
	value     bool // at the positions
	positions Decoder[uint32]
	page      pool.Buf[uint32]
	loaded    []uint32 // the positions of the page that are still ahead
	taken     int
	last      int // the last position taken, -1 if there is none
}

func (d *sparseBool) open(body []byte) (err error) {
	in := input{data: body}
	d.value = in.u8("value") != 0
	if in.err != nil {
		return in.err
	}
	if d.positions, err = openPart[uint32](d.session, "positions", in.data, anyRows); err != nil {
		return err
	}
	count := d.positions.Rows()
	if count == 0 || count > d.prefix.Rows+1 {
		return corrupt("%d positions for %d rows", count, d.prefix.Rows)
	}
	d.page, err = hold[uint32](d.session, min(count, sparsePage))
	d.restart()
	return err
}

func (d *sparseBool) restart() { d.loaded, d.taken, d.last, d.pos = nil, 0, -1, 0 }

// load takes the next page. Positions ascend up to the row count, which is the
// last of all.
func (d *sparseBool) load() error {
	count := min(d.positions.Rows()-d.taken, sparsePage)
	d.loaded = d.page.S[:count]
	if err := d.positions.Read(d.loaded); err != nil {
		return d.childFail("positions", err)
	}
	for _, p := range d.loaded {
		if int(p) <= d.last {
			return d.fail("position %d behind %d", p, d.last)
		}
		d.last = int(p)
	}
	d.taken += count
	rows := d.prefix.Rows
	if d.last > rows || (d.taken == d.positions.Rows()) != (d.last == rows) {
		return d.fail("position %d of %d among %d rows", d.last, d.taken, rows)
	}
	return nil
}

// each calls fn with the positions among the next n rows, by their numbers in
// the array, a page at a time, and moves past these rows.
func (d *sparseBool) each(n int, fn func(positions []uint32)) error {
	if err := d.need(n); err != nil {
		return err
	}
	end := uint32(d.pos + n)
	d.pos += n
	for {
		if len(d.loaded) == 0 {
			// The last position of all is the row count, which is never passed.
			if err := d.load(); err != nil {
				return err
			}
		}
		count := 0
		for count < len(d.loaded) && d.loaded[count] < end {
			count++
		}
		fn(d.loaded[:count])
		d.loaded = d.loaded[count:]
		if len(d.loaded) > 0 {
			return nil
		}
	}
}

func (d *sparseBool) Skip(n int) error { return d.each(n, func([]uint32) {}) }

func (d *sparseBool) skipCount(n int) (int, error) {
	count := 0
	err := d.each(n, func(p []uint32) { count += len(p) })
	if !d.value {
		count = n - count
	}
	return count, err
}

func (d *sparseBool) ReadBits(dst []uint64, begin, n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	fillBits(dst, begin, n, !d.value)
	shift := begin - d.pos
	return d.each(n, func(positions []uint32) {
		for _, p := range positions {
			bit := int(p) + shift
			dst[bit>>6] ^= 1 << (bit & 63)
		}
	})
}

func (d *sparseBool) readFlags(_ []uint64, positions []uint32, n int) (flags, error) {
	first, count := uint32(d.pos), 0
	err := d.each(n, func(page []uint32) {
		for _, p := range page {
			positions[count] = p - first
			count++
		}
	})
	if err != nil {
		return flags{}, err
	}
	return flags{rows: n, listed: true, flag: d.value, positions: positions[:count]}, nil
}

func (d *sparseBool) Rewind() {
	d.positions.Rewind()
	d.restart()
}

func (d *sparseBool) Close() {
	if d.stop() {
		shut(&d.positions)
		pool.Put(d.session.pool, &d.page)
		d.loaded = nil
		recycleBools(d)
	}
}
