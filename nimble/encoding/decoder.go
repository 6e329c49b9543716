package encoding

import "github.com/decantdb/decant/vector"

// Options say how an array is to be opened. They hold for its children too.
type Options struct {
	// VarintRowCount selects the form of the row count in prefixes, which the
	// bytes do not tell: files have the fixed form unless they say otherwise.
	VarintRowCount bool
	// Strings is where decoders of strings register the byte buffers that
	// their views refer to, from Open to Close. Nil means a list of the
	// session's own, to which only vectors from ReadVec lead.
	Strings *vector.Buffers
	// Alphabet returns the encoded alphabet of a shared dictionary, an array
	// with a fixed row count, which must stay as it is until Close. Nil means
	// that shared dictionaries are refused. It must not use the session.
	Alphabet func(scope DictionaryScope, id uint32) ([]byte, error)
	// LimitBytes bounds the memory that a decoder with its children holds
	// until Close. 0 means 64 bytes for each declared row, of which 1,048,576
	// count, 16 for each byte of input, and 64 KiB.
	LimitBytes int
}

// Decoder reads the rows of an array of numbers or strings in order. Signed
// integers and floats come as their bits.
//
// An error that is not [ErrPastEnd] wraps [ErrCorrupt] or [ErrUnsupported] and
// says where it arose; after it only Close is of use. A call for more rows than
// are left fails with ErrPastEnd and leaves the decoder where it was.
//
// Only this package implements Decoder.
type Decoder[T Physical] interface {
	// Rows returns the declared number of rows.
	Rows() int
	// DataType returns the logical type of the values.
	DataType() DataType
	// Skip moves past n rows.
	Skip(n int) error
	// Read reads the next len(dst) rows. Null rows are zero.
	Read(dst []T) error
	// ReadVec reads the next n rows into dst, which may stay constant,
	// dictionary, run-length or sparse, and whose Valid is set if rows are
	// null. What dst then borrows from the decoder is valid until the
	// decoder's next call; its string bytes until Close.
	ReadVec(dst *vector.Vec[T], n int) error
	// Rewind moves to the first row.
	Rewind()
	// Close gives the decoder, its children and its memory back to the
	// session. The decoder must not be used after it.
	Close()

	node
	// readSel moves past the next n rows, which sel numbers from `from` on, and
	// reads those that it lists, which are neither none nor all of them.
	readSel(dst []T, from, n int, sel []int32) error
}

// BoolDecoder reads the rows of an array of bools in order, under the
// conditions of [Decoder].
type BoolDecoder interface {
	// Rows returns the declared number of rows.
	Rows() int
	// Skip moves past n rows.
	Skip(n int) error
	// ReadBits reads the next n rows into bits [begin, begin+n) of dst and
	// leaves the others as they are. Null rows are false.
	ReadBits(dst []uint64, begin, n int) error
	// Rewind moves to the first row.
	Rewind()
	// Close gives the decoder, its children and its memory back to the session.
	Close()

	node
	// skipCount moves past n rows and returns how many of them are true.
	skipCount(n int) (int, error)
	// readFlags reads the next n rows, at most blockRows, in the form that
	// suits, into words or positions, which have room for n rows.
	readFlags(words []uint64, positions []uint32, n int) (flags, error)
}

// node is what the session needs of a decoder to open and recycle it. Decoders
// are passed on as one type of interface, of which this is a part: converting
// between interfaces allocates, now and then, for the runtime's caches.
type node interface {
	header() *base
	// open reads the array's body, which starts behind the prefix. If it fails
	// the session closes the decoder, which may be half open.
	open(body []byte) error
	Close()
}

// base is what all nodes have.
type base struct {
	session *Session
	strings *vector.Buffers // for views only
	prefix  Prefix
	pos     int // rows read or skipped
	live    bool
}

// start makes b the header of an array that begins with p.
func (b *base) start(p Prefix) {
	b.prefix, b.pos, b.live = p, 0, true
	if p.Type == String {
		b.strings = b.session.tree.options.Strings
	}
}

// stop reports whether the node was open, which it no longer is.
func (b *base) stop() bool {
	was := b.live
	b.live = false
	return was
}

func (b *base) header() *base      { return b }
func (b *base) Rows() int          { return b.prefix.Rows }
func (b *base) DataType() DataType { return b.prefix.Type }

// need returns ErrPastEnd unless n more rows are left.
func (b *base) need(n int) error {
	if n < 0 || n > b.prefix.Rows-b.pos {
		return ErrPastEnd
	}
	return nil
}

// fail returns an error of the node's own, found while reading.
func (b *base) fail(format string, args ...any) error {
	return within(b.prefix.Kind.label(), corrupt(format, args...))
}

// childFail returns the error of the child called part, met while reading.
func (b *base) childFail(part string, err error) error {
	return b.prefix.Kind.within(part, err)
}

// Open opens an encoded array, which is borrowed until Close. It fails if the
// array's values are not of T's width, are bools, or T is a string view and
// they are not strings.
//
// The bytes are untrusted: whatever they are, Open and the decoder end with an
// error and not with a panic, and hold no more memory than Options.LimitBytes.
func Open[T Physical](s *Session, data []byte, o Options) (Decoder[T], error) {
	s.begin(data, o)
	return openIn(s, familyOf[T](s), "", data, anyRows)
}

// OpenBool opens an encoded array of bools. See [Open].
func OpenBool(s *Session, data []byte, o Options) (BoolDecoder, error) {
	s.begin(data, o)
	return openIn(s, &s.bools, "", data, anyRows)
}
