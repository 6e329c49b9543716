package pool_test

import (
	"slices"
	"testing"

	"github.com/decantdb/decant/pool"
	"pgregory.net/rapid"
)

// model is the pool's policy in a plain form, over capacities in bytes. Groups
// are known by the power of two that is their largest capacity.
type model struct {
	limitBytes, limitBuffers int
	held                     []int // ascending
	groups                   map[int]*modelGroup
	allocs, loans            uint64
}

type modelGroup struct{ size, slabs, lent, wanted, peak int }

func (m *model) group(n int) *modelGroup {
	top := groupTop(n)
	if m.groups[top] == nil {
		m.groups[top] = &modelGroup{}
	}
	return m.groups[top]
}

func (m *model) heldBytes() int {
	sum := 0
	for _, c := range m.held {
		sum += c
	}
	return sum
}

func (m *model) fits(c int) bool {
	return m.heldBytes()+c <= m.limitBytes && (m.limitBuffers == 0 || len(m.held) < m.limitBuffers)
}

// get returns the capacity that serves a request of capacity want.
func (m *model) get(want int) (capacity int) {
	g := m.group(want)
	if want > g.size {
		g.size, g.slabs, g.lent = want, 0, 0
	}
	g.wanted++
	g.peak = max(g.peak, g.wanted)
	for i, c := range m.held {
		if c >= want && c <= pool.LoanFactor*want {
			m.held = slices.Delete(m.held, i, i+1)
			if groupTop(c) != groupTop(want) {
				m.loans++
				m.lend(c, 1)
			}
			return c
		}
	}
	g.slabs++
	m.allocs++
	return g.size
}

func (m *model) put(want, capacity int) {
	borrower, lender := m.group(want), m.group(capacity)
	borrower.wanted--
	if lender != borrower {
		m.lend(capacity, -1)
	}
	m.settle(lender, capacity)
	if lender != borrower {
		m.makeMissing(borrower)
	}
	for i := len(m.held) - 1; i >= 0; i-- {
		if c := m.held[i]; m.group(c) == borrower && c < borrower.size {
			m.held = slices.Delete(m.held, i, i+1)
			m.settle(borrower, c)
		}
	}
}

func (m *model) lend(c, n int) {
	if g := m.group(c); c == g.size {
		g.lent += n
	}
}

func (m *model) settle(g *modelGroup, c int) {
	switch {
	case c < g.size:
		m.makeMissing(g)
	case g.slabs-g.lent > g.peak:
		g.slabs--
	default:
		m.keep(c)
	}
}

func (m *model) makeMissing(g *modelGroup) {
	if g.slabs < g.peak && m.fits(g.size) {
		g.slabs++
		m.allocs++
		m.keep(g.size)
	}
}

func (m *model) keep(c int) {
	for !m.fits(c) && len(m.held) > 0 && m.held[len(m.held)-1] > c {
		m.dropLargest()
	}
	if !m.fits(c) {
		m.drop(c)
		return
	}
	m.held = append(m.held, c)
	slices.Sort(m.held)
}

func (m *model) drop(c int) {
	if g := m.group(c); c == g.size {
		g.slabs--
	}
}

func (m *model) dropLargest() {
	last := len(m.held) - 1
	m.drop(m.held[last])
	m.held = m.held[:last]
}

func (m *model) trim(keepBytes int) {
	for _, g := range m.groups {
		g.peak = g.wanted
	}
	for m.heldBytes() > keepBytes {
		m.dropLargest()
	}
}

// outBuf is a buffer that is out: the class that it was got for, that of the
// memory behind it, and the mark that fills it.
type outBuf struct {
	buf  pool.Buf[byte]
	want int
	full int
	mark byte
}

func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := pool.Options{
			LimitBytes:   rapid.SampledFrom([]int{1000, 5000, 1 << 20}).Draw(t, "limitBytes"),
			LimitBuffers: rapid.SampledFrom([]int{0, 1, 5}).Draw(t, "limitBuffers"),
		}
		p := pool.New(o)
		m := &model{
			limitBytes: o.LimitBytes, limitBuffers: o.LimitBuffers,
			groups: map[int]*modelGroup{},
		}
		var out []outBuf
		var mark byte
		t.Repeat(map[string]func(*rapid.T){
			"get": func(t *rapid.T) {
				n := rapid.IntRange(1, 1<<rapid.IntRange(4, 12).Draw(t, "log")).Draw(t, "bytes")
				want := freshCap(n)
				b := pool.Get[byte](p, n)
				full := m.get(want)
				if len(b.S) != n || cap(b.S) != want {
					t.Fatalf("%d bytes of %d, not %d of %d", len(b.S), cap(b.S), n, want)
				}
				mark++
				for i := range b.S[:cap(b.S)] {
					b.S[:cap(b.S)][i] = mark
				}
				out = append(out, outBuf{b, want, full, mark})
			},
			"put": func(t *rapid.T) {
				if len(out) == 0 {
					return
				}
				i := rapid.IntRange(0, len(out)-1).Draw(t, "which")
				o := out[i]
				for _, x := range o.buf.S[:o.want] {
					if x != o.mark {
						t.Fatal("a buffer was changed by another owner")
					}
				}
				pool.Put(p, &o.buf)
				m.put(o.want, o.full)
				out = slices.Delete(out, i, i+1)
			},
			"trim": func(t *rapid.T) {
				keep := rapid.IntRange(0, 6000).Draw(t, "keep")
				p.Trim(keep)
				m.trim(keep)
			},
			"": func(t *rapid.T) {
				bytes := 0
				for _, o := range out {
					bytes += o.full
				}
				s := p.Stats()
				want := pool.Stats{
					Gets: s.Gets, Allocs: m.allocs, Loans: m.loans,
					HeldBytes: m.heldBytes(), HeldBuffers: len(m.held),
					Outstanding: len(out), OutstandingBytes: bytes,
				}
				if s != want {
					t.Fatalf("stats are\n%+v, not\n%+v", s, want)
				}
			},
		})
	})
}
