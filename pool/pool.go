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
	// LoanFactor bounds how much larger than the request's own class a buffer
	// may be that serves it, so that a small request cannot pin a huge buffer.
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
	Loans            uint64 // requests served by a larger class
	HeldBytes        int    // kept for reuse
	HeldBuffers      int
	OutstandingBytes int // handed out and not yet returned
	Outstanding      int
}

// Pool is a cache of released buffers. See the package comment.
type Pool struct {
	limitBytes   int
	limitBuffers int
	classes      [numClasses]class
	headers      []*slab // headers without memory, for reuse
	stats        Stats
}

type class struct {
	free   []*slab
	slabs  int // buffers of this class, held and handed out
	wanted int // requests of this class that are outstanding
	peak   int // the most that wanted has been
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
// is at least n. A negative n is taken as 0; an empty buffer needs no memory.
// With a nil pool the memory is the garbage collector's.
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
	all := unsafe.Slice(first, len(h.mem)*8/size)
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

// Put gives b back and empties it. An empty or a nil b is ignored.
func Put[T Scalar](p *Pool, b *Buf[T]) {
	if b == nil {
		return
	}
	h, gen := b.h, b.gen
	*b = Buf[T]{}
	if h == nil || p == nil {
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
	c := &p.classes[want]
	c.wanted++
	c.peak = max(c.peak, c.wanted)
	p.stats.Gets++
	h := p.cached(want)
	if h == nil {
		h = p.newSlab(want)
	} else {
		p.stats.HeldBuffers--
		p.stats.HeldBytes -= classBytes(int(h.class))
		checkPoison(h)
	}
	h.want = int32(want)
	h.out = true
	h.gen++
	p.stats.Outstanding++
	p.stats.OutstandingBytes += classBytes(int(h.class))
	return h
}

// cached pops a buffer of class want or, as a loan, of one of the next classes.
func (p *Pool) cached(want int) *slab {
	last := min(want+loanSteps, numClasses-1)
	for i := want; i <= last; i++ {
		c := &p.classes[i]
		if len(c.free) == 0 {
			continue
		}
		h := c.free[len(c.free)-1]
		c.free = c.free[:len(c.free)-1]
		if i != want {
			p.stats.Loans++
		}
		return h
	}
	return nil
}

func (p *Pool) newSlab(cl int) *slab {
	var h *slab
	if n := len(p.headers); n > 0 {
		h = p.headers[n-1]
		p.headers = p.headers[:n-1]
	} else {
		h = &slab{owner: p}
	}
	h.mem = make([]uint64, classBytes(cl)/8)
	h.class = int32(cl)
	p.classes[cl].slabs++
	p.stats.Allocs++
	return h
}

func (p *Pool) giveBack(h *slab) {
	h.out = false
	p.stats.Outstanding--
	p.stats.OutstandingBytes -= classBytes(int(h.class))
	borrower := &p.classes[h.want]
	borrower.wanted--
	loan := h.want != h.class
	want := int(h.want)
	p.keep(h)
	if loan && borrower.slabs < borrower.peak && p.fits(classBytes(want)) {
		p.keep(p.newSlab(want))
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
	for i := numClasses - 1; i > int(h.class) && !p.fits(size); i-- {
		c := &p.classes[i]
		for len(c.free) > 0 && !p.fits(size) {
			p.drop(c.free[0])
			c.free = append(c.free[:0], c.free[1:]...)
			p.stats.HeldBuffers--
			p.stats.HeldBytes -= classBytes(i)
		}
	}
	if !p.fits(size) {
		p.drop(h)
		return
	}
	poison(h)
	c := &p.classes[h.class]
	c.free = append(c.free, h)
	p.stats.HeldBuffers++
	p.stats.HeldBytes += size
}

// drop leaves h's memory to the garbage collector. The header stays with the
// pool, so that a stale Buf still finds that its lifetime is over.
func (p *Pool) drop(h *slab) {
	p.classes[h.class].slabs--
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
	for i := numClasses - 1; i >= 0; i-- {
		c := &p.classes[i]
		c.peak = c.wanted
		for len(c.free) > 0 && p.stats.HeldBytes > keepBytes {
			n := len(c.free) - 1
			p.drop(c.free[n])
			c.free[n] = nil
			c.free = c.free[:n]
			p.stats.HeldBuffers--
			p.stats.HeldBytes -= classBytes(i)
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
