package nimble

import (
	"errors"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
)

// streamEncoder is what one goroutine encodes streams with.
type streamEncoder struct {
	encoder *encoding.Encoder
	codec   tablet.Codec
	options encoding.Options
	keep    bool     // each stream's first selection
	array   []byte   // of one chunk
	valid   []uint64 // of one chunk
	bits    []uint64 // of one chunk
}

// limits say which of a stream's rows become chunks now, by the bytes of their
// values. A chunk holds at least one row.
type limits struct {
	max int
	min int // what is less waits
	// full lets all wait that does not fill a chunk.
	full bool
}

// enough reports whether a stream's last rows are to be a chunk.
func (l limits) enough(bytes int) bool { return bytes >= l.max || !l.full && bytes >= l.min }

// chunked is the chunks of a stream in one stripe.
type chunked struct {
	out      []byte
	list     []tablet.ChunkStat
	done     int    // rows in all of them
	physical uint64 // bytes of all stripes before
	layout   *encoding.Layout
	given    []givenChunk // of the stripe, nil if limits and selection decide
}

// givenChunk is how many rows a chunk takes and how it is encoded, as in a file
// that is made again; without a layout its encodings are selected.
type givenChunk struct {
	rows   int
	layout *encoding.Layout
}

// next returns what is given of the next chunk.
func (c *chunked) next() (g givenChunk, ok bool) {
	if c.given == nil || len(c.list) >= len(c.given) {
		return givenChunk{}, c.given != nil
	}
	return c.given[len(c.list)], true
}

func (c *chunked) chunks() *chunked { return c }

// clear forgets the chunks.
func (c *chunked) clear() { c.out, c.list, c.done = c.out[:0], c.list[:0], 0 }

// add adds a chunk of rows, of which some are null, with the array that encode
// appends to its argument.
func (c *chunked) add(e *streamEncoder, rows, nulls int, encode func(array []byte) ([]byte, error)) error {
	array, err := c.array(e, encode)
	if err != nil {
		return err
	}
	e.array = array
	stat := tablet.ChunkStat{FirstRow: uint32(c.done), Rows: uint32(rows), Pos: uint32(len(c.out)), Nulls: uint32(nulls), NullsKnown: true}
	if c.out, err = tablet.AppendChunk(c.out, array, e.codec); err != nil {
		return err
	}
	c.list = append(c.list, stat)
	c.done += rows
	return nil
}

// array returns an encoded array, by the layout that is given or by the selection of
// the first one, if that is to be kept and can be.
func (c *chunked) array(e *streamEncoder, encode func(array []byte) ([]byte, error)) ([]byte, error) {
	g, given := c.next()
	if !given && !e.keep {
		return encode(e.array[:0])
	}
	layout := c.layout
	if given {
		layout = g.layout
	}
	if err := e.encoder.SetLayout(layout); err != nil {
		return nil, err
	}
	array, err := encode(e.array[:0])
	if errors.Is(err, encoding.ErrIncompatible) {
		if err := e.encoder.SetLayout(nil); err != nil {
			return nil, err
		}
		array, err = encode(e.array[:0])
	}
	if err == nil && c.layout == nil {
		c.layout, err = encoding.CaptureLayout(array, e.options)
	}
	return array, err
}

// presence is which of a stream's buffered rows have a value.
type presence struct {
	rows, present int
	valid         []uint64 // bitmap of present rows, empty if none was null so far
}

// add adds rows with the given validity.
func (p *presence) add(valid []uint64, rows selection) {
	n := rows.len()
	present := rows.countPresent(valid)
	if (present < n || rows.nullable && n > 0) && len(p.valid) == 0 {
		p.grow(p.rows)
		vector.SetBits(p.valid, 0, p.rows)
		p.grow(p.rows + n)
	}
	if len(p.valid) > 0 {
		p.grow(p.rows + n)
		p.copyBits(valid, rows, present == n)
	}
	p.rows += n
	p.present += present
}

func (p *presence) grow(rows int) {
	for len(p.valid) < vector.Words(rows) {
		p.valid = append(p.valid, 0)
	}
}

func (p *presence) copyBits(valid []uint64, rows selection, all bool) {
	n := rows.len()
	switch {
	case all:
		vector.SetBits(p.valid, p.rows, p.rows+n)
	case !rows.listed:
		vector.CopyBits(p.valid, p.rows, valid, rows.begin, n)
	default:
		for i, row := range rows.list {
			if vector.Bit(valid, int(row)) {
				vector.SetBit(p.valid, p.rows+i)
			}
		}
	}
}

// nullable reports whether any row was null, also if those are chunks by now.
func (p *presence) nullable() bool { return len(p.valid) > 0 }

func (p *presence) nullBytes() int {
	if p.nullable() {
		return p.rows
	}
	return 0
}

func (p *presence) clear() {
	clear(p.valid)
	p.rows, p.present, p.valid = 0, 0, p.valid[:0]
}

// drop forgets the rows before c, which have become chunks.
func (p *presence) drop(c part) {
	if c.row == p.rows {
		p.clear()
		return
	}
	p.valid = dropBits(p.valid, c.row, p.rows)
	p.rows -= c.row
	p.present -= c.value
}

// dropBits removes the first of n bits.
func dropBits(bits []uint64, first, n int) []uint64 {
	if len(bits) == 0 {
		return bits
	}
	left := vector.Words(n - first)
	for i := range left {
		// 64 bits from first on, which may straddle two words.
		at, shift := (first+i*64)/64, (first+i*64)%64
		word := bits[at] >> shift
		if shift > 0 && at+1 < len(bits) {
			word |= bits[at+1] << (64 - shift)
		}
		bits[i] = word
	}
	clear(bits[left:])
	return bits[:left]
}

// waits reports whether a stream that has no chunk yet needs none for its rows,
// whose values take so many bytes: nulls alone are no chunk unless one comes before.
func (p *presence) waits(c *chunked, bytes int, l limits) bool {
	return p.rows == 0 || c.done == 0 && p.nullable() && bytes <= l.min
}

// part is a run of a stream's rows that becomes a chunk, with their values.
type part struct {
	row, rows     int
	value, values int
}

func (c part) nulls() int { return c.rows - c.values }

// next returns the empty part behind c.
func (c part) next() part { return part{row: c.row + c.rows, value: c.value + c.values} }

// validity returns the bitmap of a part's rows, nil if all are present.
func (p *presence) validity(e *streamEncoder, c part) []uint64 {
	if c.values == c.rows {
		return nil
	}
	if c.row == 0 {
		return p.valid
	}
	e.valid = copyBits(e.valid, p.valid, c.row, c.rows)
	return e.valid
}

// copyBits returns n bits of src from begin on, in dst's memory if it is enough.
func copyBits(dst, src []uint64, begin, n int) []uint64 {
	dst = append(dst[:0], make([]uint64, vector.Words(n))...)
	vector.CopyBits(dst, 0, src, begin, n)
	return dst
}

// take returns the part of so many rows, as far as there are, that begins where c
// does.
func (p *presence) take(c part, rows int) part {
	c.rows = min(rows, p.rows-c.row)
	c.values = c.rows
	if p.nullable() {
		c.values = vector.CountBits(p.valid, c.row, c.row+c.rows)
	}
	return c
}

// cutFixed returns the part that begins where c does, of values that take width
// bytes each; it is empty if nothing is to be a chunk.
func (p *presence) cutFixed(c part, width int, l limits) part {
	left := p.rows - c.row
	if !p.nullable() {
		most := max(1, l.max/width)
		c.rows = min(left, most)
		if left < most && (l.full || left < l.min/width) {
			c.rows = 0
		}
		c.values = c.rows
		return c
	}
	if size := left + width*(p.present-c.value); size <= l.max {
		if l.enough(size) {
			c.rows, c.values = left, p.present-c.value
		}
		return c
	}
	for size := 0; c.rows < left; c.rows++ {
		cost, present := nullBytes, vector.Bit(p.valid, c.row+c.rows)
		if present {
			cost += width
		}
		if size += cost; size > l.max && c.rows > 0 {
			break
		}
		if present {
			c.values++
		}
	}
	return c
}
