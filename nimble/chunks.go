package nimble

import (
	"errors"
	"fmt"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
)

// StreamError says where in a file the data of a stream is damaged or refused.
type StreamError struct {
	Stripe int
	Stream uint32
	Chunk  int    // of the stream
	Pos    uint64 // of the chunk in the file
	Err    error
}

func (e *StreamError) Error() string {
	return fmt.Sprintf("nimble: stripe %d stream %d: chunk %d at byte %d: %v", e.Stripe, e.Stream, e.Chunk, e.Pos, e.Err)
}

func (e *StreamError) Unwrap() error { return e.Err }

// cursor cuts a stream of one stripe into chunks.
//
//	stream    chunk chunk …
//	chunk     header payload, the payload an encoded array (tablet.CutChunk)
type cursor struct {
	id      uint32
	stripe  int
	absent  bool   // the stripe has no such stream
	rest    []byte // after the current chunk
	restPos uint64 // of rest in the file
	limit   int    // raw bytes of a compressed chunk
	pos     uint64 // of the current chunk
	chunk   int    // number of the current chunk, -1 before the first
}

// start moves to the start of a stream's bytes, none of which means that it is
// absent. limit is the most raw bytes of a compressed chunk.
func (c *cursor) start(stripe int, data []byte, r tablet.Range, limit int) {
	*c = cursor{
		id: c.id, stripe: stripe, absent: len(data) == 0, limit: limit,
		rest: data, restPos: r.Pos, pos: r.Pos, chunk: -1,
	}
}

// next cuts the next chunk. The stream must not be at its end.
func (c *cursor) next() (tablet.Chunk, error) {
	c.chunk++
	c.pos = c.restPos
	chunk, rest, err := tablet.CutChunk(c.rest)
	if err != nil {
		return chunk, c.fail(err)
	}
	c.restPos += uint64(len(c.rest) - len(rest))
	c.rest = rest
	return chunk, nil
}

// fail puts the place to err, which may be nil.
func (c *cursor) fail(err error) error {
	if err == nil {
		return nil
	}
	return &StreamError{Stripe: c.stripe, Stream: c.id, Chunk: max(c.chunk, 0), Pos: c.pos, Err: err}
}

func (c *cursor) corrupt(format string, args ...any) error {
	return c.fail(fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...)))
}

// decoder is what encoding.Decoder and encoding.BoolDecoder share.
type decoder interface {
	Rows() int
	Skip(n int) error
	Close()
}

// chunks reads the chunks of a stream one after the other through decoders of
// type D. A decoder stays open until the next call after the one that read its
// last row, since string bytes belong to it.
type chunks[D decoder] struct {
	cursor
	session *encoding.Session
	options encoding.Options
	typ     encoding.DataType
	open    func(*encoding.Session, []byte, encoding.Options) (D, error)

	dec  D // if live
	live bool
	left int // rows of dec that are not read
	held pool.Buf[byte]
	done []spent[D]
	err  error // sticks until start
}

// spent is a decoder that is read to its end, and the memory it borrows if its
// chunk was compressed.
type spent[D decoder] struct {
	dec  D
	held pool.Buf[byte]
}

// begin moves to a stream's bytes in another stripe, see start.
func (c *chunks[D]) begin(stripe int, data []byte, r tablet.Range, limit int) {
	c.close()
	c.start(stripe, data, r, limit)
	c.err = nil
}

// close closes all decoders.
func (c *chunks[D]) close() {
	c.retire()
	c.release()
}

// retire closes the current decoder with the next release.
func (c *chunks[D]) retire() {
	if c.live {
		c.done = append(c.done, spent[D]{c.dec, c.held})
		var none D
		c.dec, c.live, c.left, c.held = none, false, 0, pool.Buf[byte]{}
	}
}

// release closes the decoders that were read to their end.
func (c *chunks[D]) release() {
	for i := range c.done {
		c.done[i].dec.Close()
		pool.Put(c.session.Pool(), &c.done[i].held)
	}
	clear(c.done)
	c.done = c.done[:0]
}

// more makes sure that the current decoder has a row left.
func (c *chunks[D]) more() error {
	if c.err == nil && c.left == 0 {
		c.err = c.advance()
	}
	return c.err
}

// fault notes an error of the current decoder, which may be nil.
func (c *chunks[D]) fault(err error) error {
	if err != nil && c.err == nil {
		c.err = c.fail(err)
	}
	return c.err
}

// advance opens the next chunk.
func (c *chunks[D]) advance() error {
	c.retire()
	array, _, err := c.array()
	if err != nil {
		return err
	}
	c.dec, err = c.open(c.session, array, c.options)
	if err != nil {
		pool.Put(c.session.Pool(), &c.held)
		return c.fail(err)
	}
	c.live, c.left = true, c.dec.Rows()
	return nil
}

// array cuts the next chunk and returns its encoded array and how many rows
// that has. The array of a compressed chunk is in c.held.
func (c *chunks[D]) array() ([]byte, int, error) {
	if len(c.rest) == 0 {
		return nil, 0, c.corrupt("the stream has fewer rows than its column")
	}
	chunk, err := c.next()
	if err != nil {
		return nil, 0, err
	}
	array := chunk.Payload
	if chunk.Codec != tablet.Raw {
		if err := tablet.CheckLimit(chunk.RawLen, c.limit); err != nil {
			return nil, 0, c.fail(err)
		}
		c.held = pool.Get[byte](c.session.Pool(), chunk.RawLen)
		if err := chunk.Decode(c.held.S); err != nil {
			pool.Put(c.session.Pool(), &c.held)
			return nil, 0, c.fail(err)
		}
		array = c.held.S
	}
	p, _, err := encoding.ReadPrefix(array, c.options.VarintRowCount)
	switch {
	case err != nil:
		err = c.fail(err)
	case p.Type != c.typ:
		err = c.corrupt("values of type %v instead of %v", p.Type, c.typ)
	case p.Rows == 0:
		err = c.corrupt("the chunk has no rows")
	}
	if err != nil {
		pool.Put(c.session.Pool(), &c.held)
		return nil, 0, err
	}
	return array, p.Rows, nil
}

// across reads the next n rows, chunk by chunk: read reads rows [row, end), which
// are of one chunk, and returns how many of them are present. reserve makes room
// in the bitmap of presence, which across completes if it returns that there are
// nulls, see markNulls. Memory is taken as rows come, so that what is not there
// is not prepared for.
func (c *chunks[D]) across(n int, reserve func(rows int) []uint64,
	read func(row, end int) (present int, err error),
) (nulls bool, err error) {
	for row := 0; row < n; {
		if err := c.more(); err != nil {
			return nulls, err
		}
		end := row + min(c.left, n-row)
		present, err := read(row, end)
		if err != nil {
			return nulls, c.fault(err)
		}
		nulls = markNulls(nulls, present, row, end, reserve)
		c.left -= end - row
		row = end
	}
	return nulls, nil
}

// skip moves past n rows. Chunks that lie within them are not opened.
func (c *chunks[D]) skip(n int) error {
	c.release()
	if c.absent {
		return nil
	}
	for n > 0 && c.err == nil {
		if c.left == 0 {
			n -= c.pass(n)
			continue
		}
		k := min(n, c.left)
		if err := c.dec.Skip(k); err != nil {
			return c.fault(err)
		}
		c.left -= k
		n -= k
	}
	return c.err
}

// pass takes the next chunk of at most n rows and returns how many those are,
// or opens it, if it has more, and returns 0.
func (c *chunks[D]) pass(n int) int {
	before := c.cursor
	c.retire()
	_, rows, err := c.array()
	pool.Put(c.session.Pool(), &c.held)
	if err != nil {
		c.err = err
		return 0
	}
	if rows <= n {
		return rows
	}
	c.cursor = before
	c.err = c.advance()
	return 0
}

// finish reports rows that nobody has read.
func (c *chunks[D]) finish() error {
	if c.err != nil {
		return c.err
	}
	if c.left > 0 || len(c.rest) > 0 {
		return c.corrupt("the stream has more rows than its column")
	}
	return nil
}

// errTooMany is the cause of a refusal to read more elements at once than the
// options allow.
var errTooMany = errors.New("too many elements in one batch")
