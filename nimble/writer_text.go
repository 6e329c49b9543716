package nimble

import (
	"bytes"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// Strings are copied to pages, each twice the size of the one before within these
// bounds; longer strings have a page of their own.
const (
	firstPageBytes   = 1 << 10
	largestPageBytes = 1 << 20
)

const viewBytes = 16

// texts buffers strings.
type texts struct {
	presence
	chunked
	views  []vector.View
	spare  []vector.View
	pages  pages
	old    pages
	bytes  int
	bounds *textBounds // nil if they are not wanted
}

// pages is the bytes to which views refer.
type pages struct {
	list [][]byte
	last int // the one that is filled
}

// add adds b and returns its place.
func (p *pages) add(b []byte) (page, offset int) {
	for p.last < len(p.list) && len(b) > cap(p.list[p.last])-len(p.list[p.last]) {
		p.last++
	}
	if p.last == len(p.list) {
		size := min(firstPageBytes<<min(p.last, 10), largestPageBytes)
		p.list = append(p.list, make([]byte, 0, max(size, len(b))))
	}
	offset = len(p.list[p.last])
	p.list[p.last] = append(p.list[p.last], b...)
	return p.last, offset
}

// clear empties the pages and keeps those of the usual sizes.
func (p *pages) clear() {
	kept := p.list[:0]
	for _, page := range p.list {
		if cap(page) <= largestPageBytes {
			kept = append(kept, page[:0])
		}
	}
	clear(p.list[len(kept):])
	p.list, p.last = kept, 0
}

func (s *texts) rawBytes() int { return viewBytes*len(s.views) + s.bytes + s.nullBytes() }

func (s *texts) reset() {
	s.presence.clear()
	s.chunked.clear()
	s.pages.clear()
	s.views, s.bytes = s.views[:0], 0
}

// append adds a value.
func (s *texts) append(v *vector.View, buffers [][]byte) {
	s.bytes += v.Len()
	if v.Inline() {
		s.views = append(s.views, *v)
		return
	}
	page, offset := s.pages.add(v.Bytes(buffers))
	s.views = append(s.views, vector.MakeView(s.pages.list[page][offset:], uint32(page), uint32(offset)))
}

func (s *texts) encode(e *streamEncoder, l limits) error {
	if s.waits(&s.chunked, viewBytes*len(s.views)+s.bytes, l) {
		return nil
	}
	c := s.cut(part{}, l)
	for ; c.rows > 0; c = s.cut(c.next(), l) {
		err := s.chunked.add(e, c.rows, c.nulls(), func(array []byte) ([]byte, error) {
			return encoding.AppendNullableStrings(e.encoder, array, s.views[c.value:c.value+c.values], s.pages.list, s.validity(e, c), c.rows)
		})
		if err != nil {
			return err
		}
	}
	s.bounds.widen(s.views[:c.value], s.pages.list)
	s.drop(c)
	return nil
}

// drop forgets what is before c. The rest moves to pages of its own.
func (s *texts) drop(c part) {
	s.presence.drop(c)
	if c.value == 0 {
		return
	}
	rest := s.views[c.value:]
	s.views, s.spare = s.spare[:0], s.views
	s.pages, s.old = s.old, s.pages
	s.bytes = 0
	for i := range rest {
		s.append(&rest[i], s.old.list)
	}
	s.old.clear()
}

// cut returns the part that begins where c does, as cutFixed does.
func (s *texts) cut(c part, l limits) part {
	if g, ok := s.chunked.next(); ok {
		return s.presence.take(c, g.rows)
	}
	nullable, size := s.nullable(), 0
	for ; c.row+c.rows < s.rows; c.rows++ {
		cost, present := 0, !nullable || vector.Bit(s.valid, c.row+c.rows)
		if nullable {
			cost = nullBytes
		}
		if present {
			cost += viewBytes + s.views[c.value+c.values].Len()
		}
		if cost > l.max-size && c.rows > 0 {
			return c
		}
		size += cost
		if present {
			c.values++
		}
	}
	if !l.enough(size) {
		c.rows, c.values = 0, 0
	}
	return c
}

// textBounds are the bounds of strings.
type textBounds struct {
	known           bool
	lowest, highest []byte
}

func (b *textBounds) widen(views []vector.View, buffers [][]byte) {
	if b == nil || len(views) == 0 {
		return
	}
	lowest, highest := b.lowest, b.highest
	if !b.known {
		first := views[0].Bytes(buffers)
		lowest, highest = first, first
	}
	for i := range views {
		x := views[i].Bytes(buffers)
		if bytes.Compare(x, lowest) < 0 {
			lowest = x
		}
		if bytes.Compare(x, highest) > 0 {
			highest = x
		}
	}
	// The bytes belong to pages that are used again.
	b.lowest = keepBytes(b.lowest, lowest)
	b.highest = keepBytes(b.highest, highest)
	b.known = true
}

// keepBytes returns src's bytes in dst's memory, which may be where they are.
func keepBytes(dst, src []byte) []byte {
	if bytes.Equal(dst, src) {
		return dst
	}
	return append(dst[:0], src...)
}
