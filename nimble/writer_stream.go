package nimble

import (
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
	// encode makes chunks of the buffered rows, from the first on.
	encode(e *streamEncoder, l limits) error
	// chunks returns the chunks of the stripe, none if the stream is absent.
	chunks() *chunked
	// reset forgets rows and chunks.
	reset()
}

// numeric is what a stream of numbers holds.
type numeric interface {
	int8 | int16 | int32 | int64 | uint16 | uint32 | float32 | float64
}

// numbers buffers numbers of type V, which are encoded as T.
type numbers[V numeric, T encoding.Integer] struct {
	presence
	chunked
	typ    encoding.DataType
	list   []V
	bounds *numberBounds[V] // nil if they are not wanted
}

// valueBytes is the width of V.
func (s *numbers[V, T]) valueBytes() int {
	var v V
	return int(unsafe.Sizeof(v))
}

func (s *numbers[V, T]) rawBytes() int { return len(s.list)*s.valueBytes() + s.nullBytes() }

func (s *numbers[V, T]) reset() {
	s.presence.clear()
	s.chunked.clear()
	s.list = s.list[:0]
}

func (s *numbers[V, T]) encode(e *streamEncoder, l limits) error {
	width := s.valueBytes()
	if s.waits(&s.chunked, len(s.list)*width, l) {
		return nil
	}
	values := vector.Reinterpret[T](s.list)
	c := s.cut(part{}, l)
	for ; c.rows > 0; c = s.cut(c.next(), l) {
		err := s.chunked.add(e, c.rows, c.nulls(), func(array []byte) ([]byte, error) {
			return encoding.AppendNullable(e.encoder, array, s.typ, values[c.value:c.value+c.values], s.validity(e, c), c.rows)
		})
		if err != nil {
			return err
		}
	}
	s.bounds.widen(s.list[:c.value])
	s.list = append(s.list[:0], s.list[c.value:]...)
	s.presence.drop(c)
	return nil
}

// cut returns the part that begins where c does.
func (s *numbers[V, T]) cut(c part, l limits) part {
	if g, ok := s.chunked.next(); ok {
		return s.presence.take(c, g.rows)
	}
	return s.cutFixed(c, s.valueBytes(), l)
}

// numberBounds are the bounds of numbers. A NaN is a bound only as the very first
// value, and then for good: comparisons with it are false.
type numberBounds[V numeric] struct {
	known           bool
	lowest, highest V
}

func (b *numberBounds[V]) widen(values []V) {
	if b == nil || len(values) == 0 {
		return
	}
	if !b.known {
		b.known, b.lowest, b.highest = true, values[0], values[0]
	}
	lowest, highest := b.lowest, b.highest
	for _, x := range values {
		if x < lowest {
			lowest = x
		}
		if x > highest {
			highest = x
		}
	}
	b.lowest, b.highest = lowest, highest
}

// flags buffers bools.
type flags struct {
	presence
	chunked
	bits []uint64 // of present rows
}

func (s *flags) rawBytes() int { return s.present + s.nullBytes() }

func (s *flags) reset() {
	s.presence.clear()
	s.chunked.clear()
	s.bits = s.bits[:0]
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

func (s *flags) encode(e *streamEncoder, l limits) error {
	if s.waits(&s.chunked, s.present, l) {
		return nil
	}
	c := s.cut(part{}, l)
	for ; c.rows > 0; c = s.cut(c.next(), l) {
		bits := s.bits
		if c.value > 0 {
			e.bits = copyBits(e.bits, s.bits, c.value, c.values)
			bits = e.bits
		}
		err := s.chunked.add(e, c.rows, c.nulls(), func(array []byte) ([]byte, error) {
			return encoding.AppendNullableBools(e.encoder, array, bits, s.validity(e, c), c.rows)
		})
		if err != nil {
			return err
		}
	}
	s.bits = dropBits(s.bits, c.value, s.present)
	s.presence.drop(c)
	return nil
}

// cut returns the part that begins where c does.
func (s *flags) cut(c part, l limits) part {
	if g, ok := s.chunked.next(); ok {
		return s.presence.take(c, g.rows)
	}
	return s.cutFixed(c, 1, l)
}

// nulls buffers which rows of a row type or flat map are present: a stream of
// its own, which is left out if all are.
type nulls struct {
	presence
	chunked
}

func (s *nulls) rawBytes() int { return s.nullBytes() }

func (s *nulls) reset() {
	s.presence.clear()
	s.chunked.clear()
}

func (s *nulls) encode(e *streamEncoder, l limits) error {
	if s.present == s.rows && len(s.chunked.list) == 0 {
		return nil
	}
	if !s.nullable() {
		s.grow(s.rows)
		vector.SetBits(s.valid, 0, s.rows)
	}
	row, err := s.addBits(e, s.valid, s.rows, true, l)
	if err != nil {
		return err
	}
	s.presence.drop(part{row: row, value: vector.CountBits(s.valid, 0, row)})
	return nil
}

// addBits adds chunks of n bits, which take a byte each and are null where they are
// false if nulls says so. It returns how many of them are in chunks.
func (c *chunked) addBits(e *streamEncoder, bits []uint64, n int, nulls bool, l limits) (row int, err error) {
	for row < n {
		rows := min(n-row, l.max)
		if g, ok := c.next(); ok {
			rows = min(n-row, g.rows)
		} else if rows < l.max && !l.enough(rows) {
			rows = 0
		}
		if rows == 0 {
			break
		}
		piece := bits
		if row > 0 {
			e.bits = copyBits(e.bits, bits, row, rows)
			piece = e.bits
		}
		absent := 0
		if nulls {
			absent = rows - vector.CountBits(piece, 0, rows)
		}
		err := c.add(e, rows, absent, func(array []byte) ([]byte, error) {
			return encoding.AppendBools(e.encoder, array, piece, rows)
		})
		if err != nil {
			return row, err
		}
		row += rows
	}
	return row, nil
}
