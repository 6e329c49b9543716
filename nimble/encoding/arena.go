package encoding

import (
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

const (
	firstPageBytes = 4 << 10
	mostPageBytes  = 256 << 10
)

// arena is memory for strings that a decoder makes. What it has handed out is
// valid until rewind or close.
type arena struct {
	pages      []arenaPage
	at         int // page that is being filled
	used       int // bytes of it
	limitBytes int // what may still be added
}

type arenaPage struct {
	bytes pool.Buf[byte]
	id    uint32 // among the strings' buffers
}

// open lets a take what is left of the tree's memory.
func (a *arena) open(s *Session) { a.limitBytes = s.tree.budgetBytes }

// reserve returns room for n bytes, which is the same until commit.
func (a *arena) reserve(b *base, n int) ([]byte, error) {
	for ; a.at < len(a.pages); a.at, a.used = a.at+1, 0 {
		if page := a.pages[a.at].bytes.S; n <= len(page)-a.used {
			return page[a.used : a.used+n], nil
		}
	}
	size := max(n, min(firstPageBytes<<min(len(a.pages), 16), mostPageBytes))
	if size > a.limitBytes {
		return nil, b.fail("strings exceed the limit of memory by %d bytes", size-a.limitBytes)
	}
	a.limitBytes -= size
	page := arenaPage{bytes: pool.Get[byte](b.session.pool, size)}
	page.id = b.strings.Add(page.bytes.S)
	a.pages = append(a.pages, page)
	return page.bytes.S[:n], nil
}

// commit sets v to the view of text, which is the front of what was reserved
// last, and keeps it. Short strings need no memory.
func (a *arena) commit(v *vector.View, text []byte) {
	page := &a.pages[a.at]
	if len(page.bytes.S)-a.used >= 16 {
		setView(v, (*[16]byte)(page.bytes.S[a.used:]), uint32(len(text)), uint64(page.id)|uint64(a.used)<<32)
	} else {
		*v = vector.MakeView(text, page.id, uint32(a.used))
	}
	if len(text) > vector.InlineBytes {
		a.used += len(text)
	}
}

// rewind makes all memory free again.
func (a *arena) rewind() { a.at, a.used = 0, 0 }

func (a *arena) close(b *base) {
	for i := range a.pages {
		b.strings.Remove(a.pages[i].id)
		pool.Put(b.session.pool, &a.pages[i].bytes)
	}
	a.pages = a.pages[:0]
	a.rewind()
}
