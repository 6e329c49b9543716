package pool

import (
	"fmt"
	"unsafe"
)

// Scalar is a value without pointers. [2]uint64 stands for 16-byte string views.
type Scalar interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64 | ~[2]uint64
}

const (
	// DefaultLimitBytes bounds what a pool holds unless its options say otherwise.
	DefaultLimitBytes = 64 << 20
	// LoanFactor bounds how much larger than the request, rounded up to a size
	// class, a buffer may be that serves it, so that a small request cannot pin
	// a huge buffer.
	LoanFactor = 4
	loanSteps  = steps * 2 // log2(LoanFactor) powers of two
)

// Options are the limits of a pool.
type Options struct {
	// LimitBytes bounds the bytes held for reuse. 0 means DefaultLimitBytes,
	// a negative value means that nothing is held.
	LimitBytes int
	// LimitBuffers bounds the number of buffers held for reuse. 0 means any.
	LimitBuffers int
}

// Stats describes a pool at one moment.
type Stats struct {
	Gets             uint64 // requests, those for nothing (n = 0) excepted
	Allocs           uint64 // buffers made
	Loans            uint64 // requests served by a larger group
	HeldBytes        int    // kept for reuse
	HeldBuffers      int
	OutstandingBytes int // handed out and not yet returned
	Outstanding      int
}

// Pool is a cache of released buffers. See the package comment.
type Pool struct {
	limitBytes   int
	limitBuffers int
	free         [numClasses][]*slab
	groups       [numGroups]group
	headers      []*slab // headers without memory, for reuse
	stats        Stats
}

// group is the demand for buffers of more than one power of two up to the next.
type group struct {
	class  int  // of its buffers: that of the largest request so far
	slabs  int  // buffers of that class, held and handed out
	lent   int  // of slabs, those that serve other groups
	wanted int  // requests that are outstanding
	peak   int  // the most that wanted has been
	grown  bool // held buffers of smaller classes wait to be replaced
}

// slab is one piece of memory. Headers are recycled as well; gen tells the
// lifetimes of one header apart.
type slab struct {
	mem   []uint64
	owner *Pool
	gen   uint32
	class int32 // of mem
	want  int32 // of the request that it serves
	out   bool
}

// New returns an empty pool.
func New(o Options) *Pool {
	p := &Pool{limitBytes: o.LimitBytes, limitBuffers: o.LimitBuffers}
	if p.limitBytes == 0 {
		p.limitBytes = DefaultLimitBytes
	}
	return p
}

// Buf is one buffer. Its owner is whoever called [Get] or was handed it by a
// function named Take, Detach or Release; the owner gives it back with [Put],
// once. A Buf must not be copied except to move it. The zero Buf is empty.
type Buf[T Scalar] struct {
	// S is the memory. It may be resliced within its capacity.
	S   []T
	h   *slab
	gen uint32
}

// Get returns a buffer of n values whose contents are undefined. Its capacity
// is at least n and depends on n alone, not on which buffer serves it: so what
// its owner asks for next, when it grows, is the same in each round. A negative
// n is taken as 0; an empty buffer needs no memory. With a nil pool the memory is
// the garbage collector's.
func Get[T Scalar](p *Pool, n int) Buf[T] {
	if n <= 0 {
		return Buf[T]{}
	}
	if p == nil {
		return Buf[T]{S: make([]T, n)}
	}
	var zero T
	size := int(unsafe.Sizeof(zero))
	h := p.take(n * size)
	first := (*T)(unsafe.Pointer(unsafe.SliceData(h.mem)))
	all := unsafe.Slice(first, classBytes(int(h.want))/size)
	return Buf[T]{S: all[:n], h: h, gen: h.gen}
}

// Grow makes b at least n values long, keeping the values it has. The old
// memory goes back to the pool if b has to move.
func Grow[T Scalar](p *Pool, b *Buf[T], n int) {
	if n <= cap(b.S) {
		b.S = b.S[:n]
		return
	}
	// Twice the old capacity, so that growing by steps stays linear.
	bigger := Get[T](p, max(n, 2*cap(b.S)))
	copy(bigger.S, b.S)
	Put(p, b)
	*b = bigger
	b.S = b.S[:n]
}

// Put gives b back and empties it. An empty or a nil b is ignored, and so is
// memory of the garbage collector, which a nil pool hands out.
func Put[T Scalar](p *Pool, b *Buf[T]) {
	if b == nil {
		return
	}
	h, gen := b.h, b.gen
	*b = Buf[T]{}
	if h == nil {
		return
	}
	switch {
	case h.owner != p:
		misuse("foreign release", h)
	case !h.out || h.gen != gen:
		misuse("double release", h)
	default:
		p.giveBack(h)
	}
}

// take returns a slab of at least n bytes.
func (p *Pool) take(n int) *slab {
	want := classOf(n)
	if want >= numClasses {
		panic(fmt.Sprintf("pool: a request of %d bytes exceeds the address space", n))
	}
	g := &p.groups[groupOf(want)]
	if want > g.class {
		g.class, g.slabs, g.lent, g.grown = want, 0, 0, true
	}
	g.wanted++
	g.peak = max(g.peak, g.wanted)
	p.stats.Gets++
	h := p.cached(want)
	if h == nil {
		h = p.newSlab(g)
	} else {
		checkPoison(h)
		p.countLoan(want, h, 1)
	}
	h.want = int32(want)
	h.out = true
	h.gen++
	p.stats.Outstanding++
	p.stats.OutstandingBytes += classBytes(int(h.class))
	return h
}

// cached pops a buffer of class want or one of the next classes.
func (p *Pool) cached(want int) *slab {
	last := min(want+loanSteps, numClasses-1)
	for class := want; class <= last; class++ {
		if len(p.free[class]) == 0 {
			continue
		}
		if groupOf(class) != groupOf(want) {
			p.stats.Loans++
		}
		return p.pop(class)
	}
	return nil
}

// pop takes the buffer of a class that was released last out of the cache.
func (p *Pool) pop(class int) *slab {
	free := p.free[class]
	h := free[len(free)-1]
	p.free[class] = free[:len(free)-1]
	p.stats.HeldBuffers--
	p.stats.HeldBytes -= classBytes(class)
	return h
}

// newSlab makes a buffer for g.
func (p *Pool) newSlab(g *group) *slab {
	var h *slab
	if n := len(p.headers); n > 0 {
		h = p.headers[n-1]
		p.headers = p.headers[:n-1]
	} else {
		h = &slab{owner: p}
	}
	h.mem = make([]uint64, classBytes(g.class)/8)
	h.class = int32(g.class)
	g.slabs++
	p.stats.Allocs++
	return h
}

func (p *Pool) giveBack(h *slab) {
	h.out = false
	p.stats.Outstanding--
	p.stats.OutstandingBytes -= classBytes(int(h.class))
	borrower := &p.groups[groupOf(int(h.want))]
	borrower.wanted--
	lender := &p.groups[groupOf(int(h.class))]
	p.countLoan(int(h.want), h, -1)
	p.settle(lender, h)
	if borrower != lender {
		p.makeMissing(borrower)
	}
	if borrower.grown {
		p.replaceSmaller(borrower)
	}
}

// countLoan adds n to what h's group has lent, if h serves the request of
// another.
func (p *Pool) countLoan(want int, h *slab, n int) {
	lender := &p.groups[groupOf(int(h.class))]
	if lender != &p.groups[groupOf(want)] && int(h.class) == lender.class {
		lender.lent += n
	}
}

// settle keeps h, which is g's, if it is what g holds and if g wants it.
func (p *Pool) settle(g *group, h *slab) {
	switch {
	case int(h.class) < g.class:
		p.drop(h)
		p.makeMissing(g)
	case g.slabs-g.lent > g.peak: // another was made while this one was lent
		p.drop(h)
	default:
		p.keep(h)
	}
}

// replaceSmaller puts buffers of g's class in the place of held ones that were
// made before its largest request.
func (p *Pool) replaceSmaller(g *group) {
	g.grown = false
	for class := g.class - 1; class >= 0 && groupOf(class) == groupOf(g.class); class-- {
		for len(p.free[class]) > 0 {
			p.settle(g, p.pop(class))
		}
	}
}

// makeMissing makes a buffer for g, to be held, if it has fewer than were once
// wanted and if there is room.
func (p *Pool) makeMissing(g *group) {
	if g.slabs < g.peak && p.fits(classBytes(g.class)) {
		p.keep(p.newSlab(g))
	}
}

func (p *Pool) fits(n int) bool {
	return p.stats.HeldBytes+n <= p.limitBytes &&
		(p.limitBuffers == 0 || p.stats.HeldBuffers < p.limitBuffers)
}

// keep caches h, dropping larger buffers for it where the limits demand it. If
// there is none that is larger, h itself is dropped.
func (p *Pool) keep(h *slab) {
	size := classBytes(int(h.class))
	for class := numClasses - 1; class > int(h.class) && !p.fits(size); class-- {
		for len(p.free[class]) > 0 && !p.fits(size) {
			p.drop(p.pop(class))
		}
	}
	if !p.fits(size) {
		p.drop(h)
		return
	}
	poison(h)
	p.free[h.class] = append(p.free[h.class], h)
	p.stats.HeldBuffers++
	p.stats.HeldBytes += size
}

// drop leaves h's memory to the garbage collector. The header stays with the
// pool, so that a stale Buf still finds that its lifetime is over.
func (p *Pool) drop(h *slab) {
	if g := &p.groups[groupOf(int(h.class))]; int(h.class) == g.class {
		g.slabs--
	}
	poison(h)
	h.mem = nil
	p.headers = append(p.headers, h)
}

// Trim gives held memory back to the garbage collector until at most keepBytes
// are held, the largest buffers first, and forgets past peaks of demand. It is
// for pools that go idle.
func (p *Pool) Trim(keepBytes int) {
	if p == nil {
		return
	}
	for i := range p.groups {
		p.groups[i].peak = p.groups[i].wanted
	}
	for class := numClasses - 1; class >= 0; class-- {
		for len(p.free[class]) > 0 && p.stats.HeldBytes > keepBytes {
			p.drop(p.pop(class))
		}
	}
}

// Stats returns the pool's figures. Those of a nil pool are zero.
func (p *Pool) Stats() Stats {
	if p == nil {
		return Stats{}
	}
	return p.stats
}
