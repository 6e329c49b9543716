package nimble

import (
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// stream reads a stream of numbers or strings.
type stream[T encoding.Physical] struct {
	chunks[encoding.Decoder[T]]
	strings vector.Buffers
}

// newStream returns the reader of stream id, whose values are of type typ.
func newStream[T encoding.Physical](b *builder, id uint32, typ encoding.DataType) *stream[T] {
	s := &stream[T]{}
	s.chunks = chunks[encoding.Decoder[T]]{
		cursor: cursor{id: id}, session: b.session, typ: typ,
		options: encoding.Options{VarintRowCount: b.varint, Strings: &s.strings, Alphabet: b.alphabetOf(id)},
		open:    encoding.Open[T],
	}
	b.add(id, s)
	return s
}

// readVec reads the next n rows into v. Rows of one chunk may stay encoded, and
// then v borrows from the decoder until the next call; rows of several chunks
// become flat. Rows of an absent stream are null.
func (s *stream[T]) readVec(v *vector.Vec[T], n int) error {
	s.release()
	v.Reset()
	v.Buffers = &s.strings
	if n == 0 {
		return s.err
	}
	if s.absent {
		nullRows(v, n)
		return nil
	}
	if err := s.more(); err != nil {
		return err
	}
	if n > s.left {
		return s.span(v, n)
	}
	s.left -= n
	return s.fault(s.dec.ReadVec(v, n))
}

// nullRows makes v n null rows.
func nullRows[T vector.Value](v *vector.Vec[T], n int) {
	var zero T
	v.Form, v.N = vector.Constant, n
	v.ReserveValues(1)[0] = zero
	clear(v.ReserveValid(n))
}

// span is readVec for rows of several chunks.
func (s *stream[T]) span(v *vector.Vec[T], n int) error {
	nulls, err := s.across(n, v.ReserveValid, func(row, end int) (int, error) {
		values := v.ReserveValues(end)[row:end]
		if encoding.IsNullable(s.dec) {
			return encoding.ReadNulls(s.dec, values, v.ReserveValid(end), row)
		}
		return end - row, s.dec.Read(values)
	})
	if err != nil {
		return err
	}
	v.N = n
	if !nulls {
		v.Valid = nil
	}
	return nil
}

// markNulls completes a bitmap after rows [row, end) were read, of which present
// are: a read in which nothing is null leaves the bitmap as it was. It takes and
// returns whether there was a null so far.
func markNulls(nulls bool, present, row, end int, reserve func(int) []uint64) bool {
	switch {
	case present < end-row && !nulls:
		vector.SetBits(reserve(end), 0, row)
		return true
	case present == end-row && nulls:
		vector.SetBits(reserve(end), row, end)
	}
	return nulls
}

// readSel reads, of the next n rows, those in sel into v, flat, if no row can be
// null and all are in one chunk; else it reports that it did nothing.
func (s *stream[T]) readSel(v *vector.Vec[T], n int, sel []int32) (bool, error) {
	s.release()
	if s.absent {
		return false, nil
	}
	if err := s.more(); err != nil {
		return false, err
	}
	if n > s.left || encoding.IsNullable(s.dec) {
		return false, nil
	}
	v.Reset()
	v.Buffers = &s.strings
	v.N = len(sel)
	s.left -= n
	return true, s.fault(encoding.ReadSel(s.dec, v.ReserveValues(len(sel)), n, sel))
}

// boolStream reads a stream of bools.
type boolStream struct {
	chunks[encoding.BoolDecoder]
}

func newBoolStream(b *builder, id uint32) *boolStream {
	s := &boolStream{}
	s.chunks = chunks[encoding.BoolDecoder]{
		cursor: cursor{id: id}, session: b.session, typ: encoding.Bool,
		options: encoding.Options{VarintRowCount: b.varint},
		open:    encoding.OpenBool,
	}
	b.add(id, s)
	return s
}

// readBools reads the next n rows into v. Rows of an absent stream are null.
func (s *boolStream) readBools(v *vector.Bools, n int) error {
	s.release()
	v.Reset()
	if s.absent {
		v.N = n
		clear(v.ReserveBits(n))
		clear(v.ReserveValid(n))
		return nil
	}
	nulls, err := s.across(n, v.ReserveValid, func(row, end int) (int, error) {
		return encoding.ReadBoolNulls(s.dec, v.ReserveBits(end), v.ReserveValid(end), row, end-row)
	})
	if err != nil {
		return err
	}
	v.N = n
	if !nulls {
		v.Valid = nil
	}
	return nil
}

// readPresence reads the next n rows of a stream in which true means present
// into valid, and returns how many are. It must not be absent.
func (s *boolStream) readPresence(valid []uint64, n int) (present int, err error) {
	s.release()
	for row := 0; row < n; {
		if err := s.more(); err != nil {
			return 0, err
		}
		k := min(s.left, n-row)
		if err := s.dec.ReadBits(valid, row, k); err != nil {
			return 0, s.fault(err)
		}
		s.left -= k
		row += k
	}
	return vector.CountBits(valid, 0, n), nil
}
