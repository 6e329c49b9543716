package nimble

import (
	"bytes"
	"unsafe"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// streamWriter buffers the rows of a stream in one stripe. Encoding leaves out
// what a reader takes for granted: a stream none of whose rows has a value, and
// nulls where there are none.
type streamWriter interface {
	// rawBytes is the size of what is buffered, as WriterOptions count it.
	rawBytes() int
	// encode encodes the rows as chunks.
	encode(e *streamEncoder) error
	// encoded returns the chunks, empty if the stream is absent.
	encoded() []byte
	// reset forgets rows and chunks.
	reset()
}

// presence is which of a stream's rows have a value, and how many had in all.
type presence struct {
	rows, present int      // of the stripe
	valid         []uint64 // bitmap of present rows, empty if all are
	values, nulls uint64   // of the file
}

// add adds rows with the given validity.
func (p *presence) add(valid []uint64, rows selection) {
	n := rows.len()
	present := rows.countPresent(valid)
	p.values += uint64(present)
	p.nulls += uint64(n - present)
	if present < n && len(p.valid) == 0 {
		p.grow(p.rows)
		vector.SetBits(p.valid, 0, p.rows)
	}
	if len(p.valid) > 0 || present < n {
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

func (p *presence) nullBytes() int {
	if p.present == p.rows {
		return 0
	}
	return p.rows
}

func (p *presence) reset() {
	clear(p.valid)
	p.rows, p.present, p.valid = 0, 0, p.valid[:0]
}

// part is a run of a stream's rows that becomes a chunk, with their values.
type part struct {
	row, rows     int
	value, values int
}

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

// cutFixed returns the part that follows before, of values that take width bytes
// each; its rows are 0 if nothing is left. A chunk holds at least one row.
func (p *presence) cutFixed(before part, width, chunkBytes int) part {
	c := part{row: before.row + before.rows, value: before.value + before.values}
	left := p.rows - c.row
	if p.present == p.rows {
		c.rows = min(left, max(1, chunkBytes/width))
		c.values = c.rows
		return c
	}
	if left+width*(p.present-c.value) <= chunkBytes {
		c.rows, c.values = left, p.present-c.value
		return c
	}
	for size := 0; c.rows < left; c.rows++ {
		cost, present := 1, vector.Bit(p.valid, c.row+c.rows)
		if present {
			cost += width
		}
		if size += cost; size > chunkBytes && c.rows > 0 {
			break
		}
		if present {
			c.values++
		}
	}
	return c
}

// numeric is what a stream of numbers holds.
type numeric interface {
	int8 | int16 | int32 | int64 | uint16 | uint32 | float32 | float64
}

// numbers buffers numbers of type V, which are encoded as T.
type numbers[V numeric, T encoding.Integer] struct {
	presence
	typ             encoding.DataType
	list            []V
	out             []byte
	physical        uint64 // bytes of all stripes
	wantBounds      bool
	bounded         bool
	lowest, highest V
}

// valueBytes is the width of V.
func (s *numbers[V, T]) valueBytes() int {
	var v V
	return int(unsafe.Sizeof(v))
}

func (s *numbers[V, T]) rawBytes() int   { return len(s.list)*s.valueBytes() + s.nullBytes() }
func (s *numbers[V, T]) encoded() []byte { return s.out }

func (s *numbers[V, T]) reset() {
	s.presence.reset()
	s.list, s.out = s.list[:0], s.out[:0]
}

func (s *numbers[V, T]) encode(e *streamEncoder) error {
	if s.present == 0 {
		return nil
	}
	s.bound()
	values := vector.Reinterpret[T](s.list)
	var err error
	for c := s.cutFixed(part{}, s.valueBytes(), e.chunkBytes); c.rows > 0; c = s.cutFixed(c, s.valueBytes(), e.chunkBytes) {
		s.out, err = e.chunk(s.out, func(array []byte) ([]byte, error) {
			return encoding.AppendNullable(e.encoder, array, s.typ, values[c.value:c.value+c.values], s.validity(e, c), c.rows)
		})
		if err != nil {
			return err
		}
	}
	s.physical += uint64(len(s.out))
	return nil
}

// bound widens the bounds, if they are wanted, to the buffered values. A NaN is a bound only as the
// very first value, and then for good: comparisons with it are false.
func (s *numbers[V, T]) bound() {
	if !s.wantBounds {
		return
	}
	if !s.bounded {
		s.bounded, s.lowest, s.highest = true, s.list[0], s.list[0]
	}
	lowest, highest := s.lowest, s.highest
	for _, x := range s.list {
		if x < lowest {
			lowest = x
		}
		if x > highest {
			highest = x
		}
	}
	s.lowest, s.highest = lowest, highest
}

// stringPageBytes is the size of the pages that strings are copied to; longer
// strings have a page of their own.
const stringPageBytes = 1 << 20

// texts buffers strings.
type texts struct {
	presence
	views           []vector.View
	pages           [][]byte // to which views refer
	free            [][]byte
	bytes           int    // of the stripe
	logical         uint64 // bytes of all stripes
	out             []byte
	physical        uint64
	bounded         bool
	lowest, highest []byte
}

const viewBytes = 16

func (s *texts) rawBytes() int   { return viewBytes*len(s.views) + s.bytes + s.nullBytes() }
func (s *texts) encoded() []byte { return s.out }

func (s *texts) reset() {
	s.presence.reset()
	for _, p := range s.pages {
		if cap(p) == stringPageBytes {
			s.free = append(s.free, p[:0])
		}
	}
	clear(s.pages)
	s.views, s.pages, s.out, s.bytes = s.views[:0], s.pages[:0], s.out[:0], 0
}

// append adds a value.
func (s *texts) append(v *vector.View, buffers [][]byte) {
	n := v.Len()
	s.bytes += n
	s.logical += uint64(n)
	if v.Inline() {
		s.views = append(s.views, *v)
		return
	}
	last := len(s.pages) - 1
	if last < 0 || n > cap(s.pages[last])-len(s.pages[last]) {
		s.pages = append(s.pages, s.page(n))
		last++
	}
	offset := len(s.pages[last])
	s.pages[last] = append(s.pages[last], v.Bytes(buffers)...)
	s.views = append(s.views, vector.MakeView(s.pages[last][offset:], uint32(last), uint32(offset)))
}

// page returns an empty page with room for n bytes.
func (s *texts) page(n int) []byte {
	if n > stringPageBytes {
		return make([]byte, 0, n)
	}
	if last := len(s.free) - 1; last >= 0 {
		p := s.free[last]
		s.free = s.free[:last]
		return p
	}
	return make([]byte, 0, stringPageBytes)
}

func (s *texts) encode(e *streamEncoder) error {
	if s.present == 0 {
		return nil
	}
	s.bound()
	var err error
	for c := s.cut(part{}, e.chunkBytes); c.rows > 0; c = s.cut(c, e.chunkBytes) {
		s.out, err = e.chunk(s.out, func(array []byte) ([]byte, error) {
			return encoding.AppendNullableStrings(e.encoder, array, s.views[c.value:c.value+c.values], s.pages, s.validity(e, c), c.rows)
		})
		if err != nil {
			return err
		}
	}
	s.physical += uint64(len(s.out))
	return nil
}

// cut returns the part that follows before, as cutFixed does.
func (s *texts) cut(before part, chunkBytes int) part {
	c := part{row: before.row + before.rows, value: before.value + before.values}
	nullable := s.present < s.rows
	for size := 0; c.row+c.rows < s.rows; c.rows++ {
		cost, present := 0, !nullable || vector.Bit(s.valid, c.row+c.rows)
		if nullable {
			cost = 1
		}
		if present {
			cost += viewBytes + s.views[c.value+c.values].Len()
		}
		if size += cost; size > chunkBytes && c.rows > 0 {
			break
		}
		if present {
			c.values++
		}
	}
	return c
}

// bound widens the bounds to the buffered values.
func (s *texts) bound() {
	lowest, highest := s.lowest, s.highest
	if !s.bounded {
		first := s.views[0].Bytes(s.pages)
		lowest, highest = first, first
	}
	for i := range s.views {
		b := s.views[i].Bytes(s.pages)
		if bytes.Compare(b, lowest) < 0 {
			lowest = b
		}
		if bytes.Compare(b, highest) > 0 {
			highest = b
		}
	}
	// The bytes belong to pages that are used again.
	if !s.bounded || !bytes.Equal(s.lowest, lowest) {
		s.lowest = bytes.Clone(lowest)
	}
	if !s.bounded || !bytes.Equal(s.highest, highest) {
		s.highest = bytes.Clone(highest)
	}
	s.bounded = true
}

// flags buffers bools.
type flags struct {
	presence
	bits     []uint64 // of present rows
	out      []byte
	physical uint64
}

func (s *flags) rawBytes() int   { return s.present + s.nullBytes() }
func (s *flags) encoded() []byte { return s.out }

func (s *flags) reset() {
	s.presence.reset()
	s.bits, s.out = s.bits[:0], s.out[:0]
}

// appendRows adds the bits of rows, which are present, after the first have.
func (s *flags) appendRows(have int, bits []uint64, rows selection) {
	n := rows.len()
	for len(s.bits) < vector.Words(have+n) {
		s.bits = append(s.bits, 0)
	}
	if !rows.listed {
		vector.CopyBits(s.bits, have, bits, rows.begin, n)
		return
	}
	for i, row := range rows.list {
		if vector.Bit(bits, int(row)) {
			vector.SetBit(s.bits, have+i)
		} else {
			vector.ClearBit(s.bits, have+i)
		}
	}
}

func (s *flags) encode(e *streamEncoder) error {
	if s.present == 0 {
		return nil
	}
	var err error
	for c := s.cutFixed(part{}, 1, e.chunkBytes); c.rows > 0; c = s.cutFixed(c, 1, e.chunkBytes) {
		bits := s.bits
		if c.value > 0 {
			e.bits = copyBits(e.bits, s.bits, c.value, c.values)
			bits = e.bits
		}
		s.out, err = e.chunk(s.out, func(array []byte) ([]byte, error) {
			return encoding.AppendNullableBools(e.encoder, array, bits, s.validity(e, c), c.rows)
		})
		if err != nil {
			return err
		}
	}
	s.physical += uint64(len(s.out))
	return nil
}

// nulls buffers which rows of a row type are present: a stream of its own, which
// is left out if all are.
type nulls struct {
	presence
	out      []byte
	physical uint64
}

func (s *nulls) rawBytes() int   { return s.nullBytes() }
func (s *nulls) encoded() []byte { return s.out }

func (s *nulls) reset() {
	s.presence.reset()
	s.out = s.out[:0]
}

func (s *nulls) encode(e *streamEncoder) error {
	if s.present == s.rows {
		return nil
	}
	var err error
	for row := 0; row < s.rows; row += e.chunkBytes {
		n := min(s.rows-row, e.chunkBytes)
		bits := s.valid
		if row > 0 {
			e.bits = copyBits(e.bits, s.valid, row, n)
			bits = e.bits
		}
		s.out, err = e.chunk(s.out, func(array []byte) ([]byte, error) {
			return encoding.AppendBools(e.encoder, array, bits, n)
		})
		if err != nil {
			return err
		}
	}
	s.physical += uint64(len(s.out))
	return nil
}
