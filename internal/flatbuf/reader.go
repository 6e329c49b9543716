package flatbuf

import (
	"encoding/binary"
	"fmt"
)

const (
	// maxDepth is the nesting of tables that a Reader follows.
	maxDepth = 64
	// maxVisits is how many times over a Reader may visit the bytes of its
	// buffer. A buffer read once needs one; shared targets need more.
	maxVisits = 2
)

// A Reader reads one buffer. Its first error sticks: from then on every access
// gives a zero value, so a caller reads all it wants and asks Err once.
//
// A Reader is for one pass over its buffer, since opening a table, vector or
// string counts against the bytes that may be visited. Reset starts anew. It
// borrows the buffer: what it returns is valid while the buffer is. A Reader
// belongs to one goroutine; scalar vectors taken from it may be shared.
type Reader struct {
	buf  []byte
	left int // bytes that may still be visited
	err  error
}

// NewReader returns a Reader of buf.
func NewReader(buf []byte) *Reader {
	r := new(Reader)
	r.Reset(buf)
	return r
}

// Reset makes r read buf from the start.
func (r *Reader) Reset(buf []byte) {
	*r = Reader{buf: buf, left: maxVisits * len(buf)}
}

// Err returns the first error, which wraps [ErrCorrupt], or nil.
func (r *Reader) Err() error { return r.err }

// HasIdentifier reports whether the four bytes behind the root offset are id.
// In a buffer written without an identifier those bytes are ordinary data.
func (r *Reader) HasIdentifier(id string) bool {
	return len(r.buf) >= 2*offsetSize && string(r.buf[offsetSize:2*offsetSize]) == id
}

// Root returns the root table.
func (r *Reader) Root() Table {
	pos, ok := r.follow(0)
	if !ok {
		return Table{}
	}
	return r.table(pos, 1)
}

func (r *Reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
	}
}

// charge counts n bytes as visited.
func (r *Reader) charge(n int) bool {
	if n > r.left {
		r.fail("more than %d times its %d bytes are reachable", maxVisits, len(r.buf))
		return false
	}
	r.left -= n
	return true
}

// follow returns the target of the offset stored at pos.
func (r *Reader) follow(pos int) (int, bool) {
	if r.err != nil {
		return 0, false
	}
	if pos > len(r.buf)-offsetSize {
		r.fail("offset at %d passes the end at %d", pos, len(r.buf))
		return 0, false
	}
	off := binary.LittleEndian.Uint32(r.buf[pos:])
	if off == 0 || int64(off) > int64(len(r.buf)-pos) {
		r.fail("offset %d at %d leaves the buffer of %d bytes", off, pos, len(r.buf))
		return 0, false
	}
	return pos + int(off), true
}

// table opens the table at pos, which follow has checked to be in the buffer.
func (r *Reader) table(pos, depth int) Table {
	if depth > maxDepth {
		r.fail("tables nest deeper than %d", maxDepth)
		return Table{}
	}
	if pos > len(r.buf)-offsetSize {
		r.fail("table at %d passes the end at %d", pos, len(r.buf))
		return Table{}
	}
	vtable := int64(pos) - int64(int32(binary.LittleEndian.Uint32(r.buf[pos:])))
	if vtable < 0 || vtable > int64(len(r.buf)-vtableHeaderSize) {
		r.fail("table at %d has its vtable at %d", pos, vtable)
		return Table{}
	}
	head := r.buf[vtable:]
	vtableSize := int(binary.LittleEndian.Uint16(head))
	tableSize := int(binary.LittleEndian.Uint16(head[slotSize:]))
	if vtableSize < vtableHeaderSize || vtableSize%slotSize != 0 || vtableSize > len(head) {
		r.fail("vtable at %d has a size of %d bytes", vtable, vtableSize)
		return Table{}
	}
	if tableSize < offsetSize || tableSize > len(r.buf)-pos {
		r.fail("table at %d has a size of %d bytes", pos, tableSize)
		return Table{}
	}
	if !r.charge(tableSize) {
		return Table{}
	}
	return Table{r: r, pos: pos, size: tableSize, slots: head[vtableHeaderSize:vtableSize], depth: depth}
}

// vector opens the vector at pos, with elements of size bytes, and returns its
// elements and the place where they begin. The elements are never nil on
// success.
func (r *Reader) vector(pos, size int) ([]byte, int) {
	if pos > len(r.buf)-offsetSize {
		r.fail("vector at %d passes the end at %d", pos, len(r.buf))
		return nil, 0
	}
	n := int64(binary.LittleEndian.Uint32(r.buf[pos:])) * int64(size)
	start := pos + offsetSize
	if n > int64(len(r.buf)-start) {
		r.fail("vector at %d has %d bytes of the %d left", pos, n, len(r.buf)-start)
		return nil, 0
	}
	if !r.charge(offsetSize + int(n)) {
		return nil, 0
	}
	end := start + int(n)
	return r.buf[start:end:end], start
}
