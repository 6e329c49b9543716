package pool_test

import (
	"testing"
	"unsafe"

	"github.com/decantdb/decant/pool"
)

func wantStats(t *testing.T, p *pool.Pool, want pool.Stats) {
	t.Helper()
	if got := p.Stats(); got != want {
		t.Errorf("stats are\n%+v, not\n%+v", got, want)
	}
}

func TestEmptyPoolMakesBuffers(t *testing.T) {
	p := pool.New(pool.Options{})
	wantStats(t, p, pool.Stats{})
	b := pool.Get[uint64](p, 100)
	if len(b.S) != 100 || cap(b.S) < 100 {
		t.Errorf("got %d values with room for %d", len(b.S), cap(b.S))
	}
	wantStats(t, p, pool.Stats{Gets: 1, Allocs: 1, Outstanding: 1, OutstandingBytes: 896})
}

func TestRecycledStorageIsTheSame(t *testing.T) {
	p := pool.New(pool.Options{})
	b := pool.Get[uint32](p, 100)
	first := unsafe.SliceData(b.S)
	pool.Put(p, &b)
	if b.S != nil {
		t.Errorf("a released buffer still has %d values", len(b.S))
	}
	// Another type and another length of the same class.
	again := pool.Get[int8](p, 390)
	if unsafe.Pointer(unsafe.SliceData(again.S)) != unsafe.Pointer(first) {
		t.Error("the storage was not recycled")
	}
	wantStats(t, p, pool.Stats{Gets: 2, Allocs: 1, Outstanding: 1, OutstandingBytes: 448})
}

func TestEveryScalarFits(t *testing.T) {
	p := pool.New(pool.Options{})
	checkScalar[int8](t, p)
	checkScalar[uint16](t, p)
	checkScalar[float32](t, p)
	checkScalar[float64](t, p)
	checkScalar[[2]uint64](t, p)
}

func checkScalar[T pool.Scalar](t *testing.T, p *pool.Pool) {
	t.Helper()
	var zero T
	for _, n := range []int{1, 3, 63, 64, 65, 1000} {
		b := pool.Get[T](p, n)
		if len(b.S) != n || cap(b.S) < n {
			t.Errorf("%T: %d of %d values", zero, len(b.S), n)
		}
		if uintptr(unsafe.Pointer(unsafe.SliceData(b.S)))%8 != 0 {
			t.Errorf("%T: not aligned to 8 bytes", zero)
		}
		full := b.S[:cap(b.S)]
		full[len(full)-1] = zero
		pool.Put(p, &b)
	}
}

func TestLoans(t *testing.T) {
	for _, c := range []struct {
		name         string
		held, wanted int // bytes
		served, loan bool
	}{
		{"same size", 1000, 1000, true, false},
		{"same group", 1000, 600, true, false},
		{"next group", 1200, 1000, true, true},
		{"at the bound", 4096, 1024, true, true},
		{"beyond the bound", 4097, 1024, false, false},
		{"too small", 1024, 1025, false, false},
		{"too small in the same group", 640, 641, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pool.New(pool.Options{})
			held := pool.Get[byte](p, c.held)
			storage := unsafe.SliceData(held.S)
			pool.Put(p, &held)
			before := p.Stats()
			b := pool.Get[byte](p, c.wanted)
			if len(b.S) != c.wanted || cap(b.S) < c.wanted {
				t.Fatalf("got %d of %d bytes", len(b.S), c.wanted)
			}
			after := p.Stats()
			if got := after.Loans == 1; got != c.loan {
				t.Errorf("%d loans", after.Loans)
			}
			if got := unsafe.SliceData(b.S) == storage; got != c.served {
				t.Errorf("served by the cached buffer: %v", got)
			}
			if !c.served && (after.HeldBytes != before.HeldBytes || after.HeldBuffers != 1) {
				t.Errorf("a buffer that does not serve was touched: %+v", after)
			}
		})
	}
}

func TestLoanComesHome(t *testing.T) {
	p := pool.New(pool.Options{})
	large := pool.Get[byte](p, 1024)
	pool.Put(p, &large)
	small := pool.Get[byte](p, 512) // a loan
	pool.Put(p, &small)             // the class of 512 gets a buffer of its own
	wantStats(t, p, pool.Stats{Gets: 2, Allocs: 2, Loans: 1, HeldBytes: 1536, HeldBuffers: 2})

	large, small = pool.Get[byte](p, 1024), pool.Get[byte](p, 512)
	wantStats(t, p, pool.Stats{Gets: 4, Allocs: 2, Loans: 1, Outstanding: 2, OutstandingBytes: 1536})
	pool.Put(p, &large)
	pool.Put(p, &small)
}

func TestGroupHasBuffersOfItsLargestRequest(t *testing.T) {
	p := pool.New(pool.Options{})
	cycle(p, 600, 600)
	cycle(p, 1000)
	wantStats(t, p, pool.Stats{Gets: 3, Allocs: 4, HeldBytes: 2048, HeldBuffers: 2})
	cycle(p, 1000, 600)
	wantStats(t, p, pool.Stats{Gets: 5, Allocs: 4, HeldBytes: 2048, HeldBuffers: 2})

	// A smaller one that was out meanwhile is replaced when it comes home.
	p = pool.New(pool.Options{})
	small := pool.Get[byte](p, 600)
	cycle(p, 1000)
	pool.Put(p, &small)
	wantStats(t, p, pool.Stats{Gets: 2, Allocs: 3, HeldBytes: 2048, HeldBuffers: 2})
}

func TestReplacedLoanIsDropped(t *testing.T) {
	p := pool.New(pool.Options{})
	large := pool.Get[byte](p, 1024)
	pool.Put(p, &large)
	small := pool.Get[byte](p, 512) // lends the only large buffer
	large = pool.Get[byte](p, 1024) // which is made again
	pool.Put(p, &small)             // one large buffer was all that was wanted
	pool.Put(p, &large)
	wantStats(t, p, pool.Stats{Gets: 3, Allocs: 3, Loans: 1, HeldBytes: 1536, HeldBuffers: 2})
}

// TestLoanThatStaysOut is about a buffer that is lent for good: its group makes
// another once, not each time that it is needed.
func TestLoanThatStaysOut(t *testing.T) {
	p := pool.New(pool.Options{})
	large := pool.Get[byte](p, 1024)
	pool.Put(p, &large)
	small := pool.Get[byte](p, 512)
	for range 10 {
		cycle(p, 1024)
	}
	wantStats(t, p, pool.Stats{
		Gets: 12, Allocs: 2, Loans: 1, HeldBytes: 1024, HeldBuffers: 1, Outstanding: 1, OutstandingBytes: 1024,
	})
	pool.Put(p, &small)
}

func TestNilPool(t *testing.T) {
	b := pool.Get[uint16](nil, 10)
	if len(b.S) != 10 {
		t.Errorf("%d values", len(b.S))
	}
	b.S[9] = 7
	pool.Grow(nil, &b, 100)
	if len(b.S) != 100 || b.S[9] != 7 {
		t.Errorf("after growing: %d values, [9] = %d", len(b.S), b.S[9])
	}
	pool.Put(nil, &b)
	if b.S != nil {
		t.Error("the buffer was not emptied")
	}
	var p *pool.Pool
	p.Trim(0)
	wantStats(t, p, pool.Stats{})
}

func TestNothingIsIgnored(t *testing.T) {
	p := pool.New(pool.Options{})
	var zero pool.Buf[int64]
	pool.Put(p, &zero)
	pool.Put[int64](p, nil)
	for _, n := range []int{0, -1} {
		empty := pool.Get[int64](p, n)
		if len(empty.S) != 0 {
			t.Errorf("Get(%d) has %d values", n, len(empty.S))
		}
		pool.Put(p, &empty)
	}
	plain := pool.Get[int64](nil, 5)
	pool.Put(p, &plain)
	wantStats(t, p, pool.Stats{})
}

func TestGrow(t *testing.T) {
	p := pool.New(pool.Options{})
	var b pool.Buf[int32]
	for n := 1; n <= 10_000; n++ {
		pool.Grow(p, &b, n)
		if len(b.S) != n {
			t.Fatalf("%d of %d values", len(b.S), n)
		}
		b.S[n-1] = int32(n)
	}
	for i, x := range b.S {
		if x != int32(i+1) {
			t.Fatalf("value %d is %d", i, x)
		}
	}
	if got := p.Stats().Gets; got > 12 {
		t.Errorf("growing by ones moved %d times", got)
	}
	pool.Grow(p, &b, 5)
	if len(b.S) != 5 {
		t.Errorf("%d values", len(b.S))
	}
	pool.Put(p, &b)
	if s := p.Stats(); s.Outstanding != 0 || s.OutstandingBytes != 0 {
		t.Errorf("outstanding: %+v", s)
	}
}

// cycle takes buffers of the sizes at once and gives them back in that order.
func cycle(p *pool.Pool, sizes ...int) {
	bufs := make([]pool.Buf[byte], len(sizes))
	for i, n := range sizes {
		bufs[i] = pool.Get[byte](p, n)
	}
	for i := range bufs {
		pool.Put(p, &bufs[i])
	}
}

func TestLimitBytesDropsLargerBuffersFirst(t *testing.T) {
	p := pool.New(pool.Options{LimitBytes: 2048})
	cycle(p, 1024, 512, 512, 256)
	// 1024 + 512 + 512 fill the limit; 256 takes the place of the 1024.
	wantStats(t, p, pool.Stats{Gets: 4, Allocs: 4, HeldBytes: 1280, HeldBuffers: 3})
	cycle(p, 64)
	cycle(p, 2048) // has no larger one to drop, so it is dropped itself
	if s := p.Stats(); s.HeldBytes != 1344 || s.HeldBuffers != 4 {
		t.Errorf("held: %+v", s)
	}
	before := p.Stats().Allocs
	cycle(p, 512, 512, 256, 64)
	if got := p.Stats().Allocs; got != before {
		t.Errorf("the small ones were not kept: %d made", got-before)
	}
}

func TestLimitBuffers(t *testing.T) {
	p := pool.New(pool.Options{LimitBuffers: 2})
	cycle(p, 4096, 2048, 1024, 1024)
	wantStats(t, p, pool.Stats{Gets: 4, Allocs: 4, HeldBytes: 2048, HeldBuffers: 2})
	cycle(p, 1024, 1024)
	wantStats(t, p, pool.Stats{Gets: 6, Allocs: 4, HeldBytes: 2048, HeldBuffers: 2})
}

func TestNegativeLimitHoldsNothing(t *testing.T) {
	p := pool.New(pool.Options{LimitBytes: -1})
	for range 3 {
		cycle(p, 64, 4096)
	}
	wantStats(t, p, pool.Stats{Gets: 6, Allocs: 6})
}

func TestDefaultLimit(t *testing.T) {
	p := pool.New(pool.Options{})
	cycle(p, pool.DefaultLimitBytes+1)
	wantStats(t, p, pool.Stats{Gets: 1, Allocs: 1})
	cycle(p, pool.DefaultLimitBytes)
	wantStats(t, p, pool.Stats{Gets: 2, Allocs: 2, HeldBytes: pool.DefaultLimitBytes, HeldBuffers: 1})
}

func TestTrim(t *testing.T) {
	p := pool.New(pool.Options{})
	out := pool.Get[byte](p, 128)
	cycle(p, 4096, 1024, 64)
	p.Trim(2000)
	wantStats(t, p, pool.Stats{
		Gets: 4, Allocs: 4, HeldBytes: 1088, HeldBuffers: 2, Outstanding: 1, OutstandingBytes: 128,
	})
	p.Trim(2000)
	if got := p.Stats().HeldBytes; got != 1088 {
		t.Errorf("trimming again left %d bytes", got)
	}
	p.Trim(0)
	wantStats(t, p, pool.Stats{Gets: 4, Allocs: 4, Outstanding: 1, OutstandingBytes: 128})
	pool.Put(p, &out)
	wantStats(t, p, pool.Stats{Gets: 4, Allocs: 4, HeldBytes: 128, HeldBuffers: 1})
}

func TestTrimForgetsPeaks(t *testing.T) {
	p := pool.New(pool.Options{})
	cycle(p, 512, 512)
	p.Trim(0)
	cycle(p, 1024)
	cycle(p, 512) // a loan: one buffer of 512 is made for it, not two
	if s := p.Stats(); s.HeldBuffers != 2 || s.HeldBytes != 1536 {
		t.Errorf("held: %+v", s)
	}
}

func TestManyCycles(t *testing.T) {
	p := pool.New(pool.Options{})
	for i := range 100_000 {
		cycle(p, i%7*100+1, 5000)
	}
	s := p.Stats()
	if s.Allocs > 16 || s.Outstanding != 0 || s.Gets != 200_000 {
		t.Errorf("%+v", s)
	}
}
