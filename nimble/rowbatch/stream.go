package rowbatch

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// legacyRows reads a stream in the legacy form.
type legacyRows[T encoding.Physical] interface {
	// open takes the stream's bytes, which are borrowed until Close, in a blob
	// of so many rows.
	open(data []byte, rows int) error
	Rows() int
	Skip(n int) error
	Read(dst []T) error
	Close()
}

// stream is the numbers or strings of one stream. While it is open, dec reads
// it, or legacy if dec is nil: one interface for both would cost a conversion,
// for which the runtime keeps a cache that grows at random.
type stream[T encoding.Physical] struct {
	part
	typ      encoding.DataType
	strings  *vector.Buffers // of views
	opened   bool
	dec      encoding.Decoder[T]
	nullable bool // some of dec's rows may be null
	legacy   legacyRows[T]
}

func newNumbers[T encoding.Integer](b *builder, id uint32, typ encoding.DataType) *stream[T] {
	return &stream[T]{
		part: part{id: id, session: b.session}, typ: typ,
		legacy: &legacyNumbers[T]{pool: b.session.Pool(), limit: b.limit},
	}
}

// newStrings returns a stream whose strings' bytes are among the given buffers
// until it ends.
func newStrings(s *encoding.Session, id uint32, strings *vector.Buffers) *stream[vector.View] {
	return &stream[vector.View]{
		part: part{id: id, session: s}, typ: encoding.String, strings: strings,
		legacy: &legacyStrings{strings: strings},
	}
}

// open opens the stream, if the blob has it and it is not yet open.
func (s *stream[T]) open() error {
	if s.opened || !s.present() {
		return nil
	}
	if !s.header.encoded() {
		if err := s.legacy.open(s.data, s.header.Rows); err != nil {
			return s.fault(err)
		}
		s.opened, s.left = true, s.legacy.Rows()
		return nil
	}
	array, err := s.array()
	if err == nil {
		err = s.checkType(array, s.typ)
	}
	if err != nil {
		return err
	}
	d, err := encoding.Open[T](s.session, array, encoding.Options{
		VarintRowCount: s.header.VarintRowCount, Strings: s.strings,
	})
	if err != nil {
		return s.fault(err)
	}
	s.opened, s.dec, s.left = true, d, d.Rows()
	s.nullable = encoding.IsNullable(d)
	return nil
}

func (s *stream[T]) end() {
	switch {
	case s.dec != nil:
		s.dec.Close()
	case s.opened:
		s.legacy.Close()
	}
	s.opened, s.dec, s.nullable = false, nil, false
	s.forget()
}

func (s *stream[T]) skip(n int) error {
	if !s.present() || n == 0 {
		return nil
	}
	if err := s.open(); err != nil {
		return err
	}
	if err := s.take(n); err != nil {
		return err
	}
	if s.dec == nil {
		return s.fault(s.legacy.Skip(n))
	}
	return s.fault(s.dec.Skip(n))
}

// ready opens the stream and reports an error if fewer than n rows are left. It
// is asked before memory is taken for them. Of an absent stream every row is
// null.
func (s *stream[T]) ready(n int) error {
	if err := s.open(); err != nil || !s.present() {
		return err
	}
	if n > s.left {
		return s.take(n)
	}
	return nil
}

// read reads rows into dst, for which it is ready. If some are null then bits
// [begin, begin+len(dst)) of valid become their validity, and their values are
// zero; otherwise valid is untouched.
func (s *stream[T]) read(dst []T, m mask, valid []uint64, begin int) (nulls bool, err error) {
	n := len(dst)
	if n == 0 {
		return false, nil
	}
	if !s.present() {
		clear(dst)
		vector.ClearBits(valid, begin, begin+n)
		return true, nil
	}
	count := m.count(n)
	if err := s.take(count); err != nil {
		return false, err
	}
	present := count
	switch {
	case s.nullable:
		present, err = encoding.ReadNulls(s.dec, dst[:count], valid, begin)
	case s.dec != nil:
		err = s.dec.Read(dst[:count])
	default:
		err = s.legacy.Read(dst[:count])
	}
	if err != nil {
		return false, s.fault(err)
	}
	if m.all() {
		return present < n, nil
	}
	kernel.Spread(dst, m.bits, m.begin, count)
	if present == count {
		vector.CopyBits(valid, begin, m.bits, m.begin, n)
	} else {
		m.spreadBits(valid, begin, n)
	}
	return present < n, nil
}

// boolStream is the bools of one stream, read as those of stream are.
type boolStream struct {
	part
	opened   bool
	dec      encoding.BoolDecoder
	nullable bool
	legacy   legacyBools
}

func newBools(b *builder, id uint32) *boolStream {
	numbers := legacyNumbers[uint8]{pool: b.session.Pool(), limit: b.limit}
	return &boolStream{part: part{id: id, session: b.session}, legacy: legacyBools{numbers}}
}

func (s *boolStream) open() error {
	if s.opened || !s.present() {
		return nil
	}
	if !s.header.encoded() {
		if err := s.legacy.numbers.open(s.data, s.header.Rows); err != nil {
			return s.fault(err)
		}
		s.opened, s.left = true, s.legacy.Rows()
		return nil
	}
	array, err := s.array()
	if err == nil {
		err = s.checkType(array, encoding.Bool)
	}
	if err != nil {
		return err
	}
	d, err := encoding.OpenBool(s.session, array, encoding.Options{VarintRowCount: s.header.VarintRowCount})
	if err != nil {
		return s.fault(err)
	}
	s.opened, s.dec, s.left = true, d, d.Rows()
	s.nullable = encoding.IsNullableBool(d)
	return nil
}

func (s *boolStream) end() {
	switch {
	case s.dec != nil:
		s.dec.Close()
	case s.opened:
		s.legacy.Close()
	}
	s.opened, s.dec, s.nullable = false, nil, false
	s.forget()
}

func (s *boolStream) skip(n int) error {
	if !s.present() || n == 0 {
		return nil
	}
	if err := s.open(); err != nil {
		return err
	}
	if err := s.take(n); err != nil {
		return err
	}
	if s.dec == nil {
		return s.fault(s.legacy.Skip(n))
	}
	return s.fault(s.dec.Skip(n))
}

// ready is that of stream.
func (s *boolStream) ready(n int) error {
	if err := s.open(); err != nil || !s.present() {
		return err
	}
	if n > s.left {
		return s.take(n)
	}
	return nil
}

// read reads n rows, for which it is ready, into bits [begin, begin+n) of dst.
// Nulls are those of stream.read.
func (s *boolStream) read(dst []uint64, m mask, valid []uint64, begin, n int) (nulls bool, err error) {
	if n == 0 {
		return false, nil
	}
	if !s.present() {
		vector.ClearBits(dst, begin, begin+n)
		vector.ClearBits(valid, begin, begin+n)
		return true, nil
	}
	count := m.count(n)
	if err := s.take(count); err != nil {
		return false, err
	}
	present := count
	switch {
	case s.nullable:
		present, err = encoding.ReadBoolNulls(s.dec, dst, valid, begin, count)
	case s.dec != nil:
		err = s.dec.ReadBits(dst, begin, count)
	default:
		err = s.legacy.ReadBits(dst, begin, count)
	}
	if err != nil {
		return false, s.fault(err)
	}
	if m.all() {
		return present < n, nil
	}
	m.spreadBits(dst, begin, n)
	if present == count {
		vector.CopyBits(valid, begin, m.bits, m.begin, n)
	} else {
		m.spreadBits(valid, begin, n)
	}
	return present < n, nil
}

// flags reads the next n rows, for which it is ready, none of which is null,
// into bits [begin, begin+n) of dst. The stream must not be absent.
func (s *boolStream) flags(dst []uint64, begin, n int) error {
	if n == 0 {
		return nil
	}
	if err := s.take(n); err != nil {
		return err
	}
	if s.dec == nil {
		return s.fault(s.legacy.ReadBits(dst, begin, n))
	}
	return s.fault(s.dec.ReadBits(dst, begin, n))
}
