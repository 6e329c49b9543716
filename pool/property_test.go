package pool_test

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/decantdb/decant/pool"
	"pgregory.net/rapid"
)

// op is one step of a workload: a request of some bytes, or the release of one
// of the buffers that are out.
type op struct {
	get int // bytes; 0 means release
	put int // place in the list of what is out
}

// drawWorkload draws steps that return everything in the end. Sizes are random
// in their magnitude.
func drawWorkload(t *rapid.T) []op {
	var ops []op
	out := 0
	for range rapid.IntRange(1, 120).Draw(t, "steps") {
		if out > 0 && rapid.Bool().Draw(t, "release") {
			ops = append(ops, op{put: rapid.IntRange(0, out-1).Draw(t, "which")})
			out--
			continue
		}
		log := rapid.IntRange(4, 14).Draw(t, "log")
		ops = append(ops, op{get: rapid.IntRange(1, 1<<log).Draw(t, "bytes")})
		out++
	}
	for ; out > 0; out-- {
		ops = append(ops, op{put: rapid.IntRange(0, out-1).Draw(t, "last")})
	}
	return ops
}

func runWorkload(p *pool.Pool, ops []op, out []pool.Buf[byte]) []pool.Buf[byte] {
	for _, o := range ops {
		if o.get > 0 {
			out = append(out, pool.Get[byte](p, o.get))
			continue
		}
		last := len(out) - 1
		pool.Put(p, &out[o.put])
		out[o.put] = out[last]
		out = out[:last]
	}
	return out
}

// peakBytes is the demand of a workload: for each power of two, the most
// requests up to it that were out at the same time, times the capacity that the
// largest of them needs.
func peakBytes(ops []op) int {
	wanted, peak, largest := map[int]int{}, map[int]int{}, map[int]int{}
	var out []int
	for _, o := range ops {
		if o.get > 0 {
			top := groupTop(o.get)
			wanted[top]++
			peak[top] = max(peak[top], wanted[top])
			largest[top] = max(largest[top], freshCap(o.get))
			out = append(out, top)
			continue
		}
		wanted[out[o.put]]--
		out[o.put] = out[len(out)-1]
		out = out[:len(out)-1]
	}
	sum := 0
	for top, n := range peak {
		sum += largest[top] * n
	}
	return sum
}

// groupTop is the least of 64, 128, 256, … that is at least n.
func groupTop(n int) int {
	top := 64
	for top < n {
		top *= 2
	}
	return top
}

// freshCap is the capacity that a pool makes for a first request of n bytes.
func freshCap(n int) int {
	p := pool.New(pool.Options{})
	b := pool.Get[byte](p, n)
	return cap(b.S)
}

func TestSecondRoundMakesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ops := drawWorkload(t)
		p := pool.New(pool.Options{})
		runWorkload(p, ops, nil)
		first := p.Stats()
		if want := peakBytes(ops); first.HeldBytes != want {
			t.Fatalf("%d bytes are held, the peaks of demand are %d", first.HeldBytes, want)
		}
		for round := range 3 {
			runWorkload(p, ops, nil)
			s := p.Stats()
			if s.Allocs != first.Allocs {
				t.Fatalf("round %d made %d buffers", round+2, s.Allocs-first.Allocs)
			}
			if s.HeldBytes != first.HeldBytes || s.Outstanding != 0 {
				t.Fatalf("round %d: %+v after %+v", round+2, s, first)
			}
		}
	})
}

// rotation is a set of batches, each a list of buffers that are taken and
// returned together, of the kind that decoders of changing trees ask for.
func rotation(seed uint64) [][]int {
	rng := rand.New(rand.NewPCG(seed, 0))
	batches := make([][]int, 12)
	for i := range batches {
		rows := 500 + rng.IntN(2000)
		for range 40 + rng.IntN(40) {
			width := []int{1, 2, 4, 8, 16}[rng.IntN(5)]
			batches[i] = append(batches[i], rows*width, rows/8+1)
		}
	}
	return batches
}

func TestRotationIsNotHoarded(t *testing.T) {
	worst := 0.0
	for seed := range uint64(50) {
		p := pool.New(pool.Options{})
		batches, largest, made := rotation(seed), 0, uint64(0)
		for round := range 3 {
			for _, sizes := range batches {
				need := 0
				for _, n := range sizes {
					need += n
				}
				largest = max(largest, need)
				cycle(p, sizes...)
			}
			if s := p.Stats(); round > 0 && s.Allocs != made {
				t.Errorf("seed %d: round %d made %d buffers", seed, round+1, s.Allocs-made)
			}
			made = p.Stats().Allocs
		}
		worst = max(worst, float64(p.Stats().HeldBytes)/float64(largest))
	}
	if worst >= 3 {
		t.Errorf("%.2f times the need of the largest batch are held", worst)
	}
	t.Logf("at most %.2f times the need of the largest batch are held", worst)
}

func TestWarmPoolDoesNotAllocate(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	p := pool.New(pool.Options{})
	batches := rotation(1)
	out := make([]pool.Buf[uint64], 256)
	round := func() {
		for _, sizes := range batches {
			for i, n := range sizes {
				out[i] = pool.Get[uint64](p, n/8)
			}
			for i := range sizes {
				pool.Put(p, &out[i])
			}
			var b pool.Buf[[2]uint64]
			for n := range 20 {
				pool.Grow(p, &b, n*10)
			}
			pool.Put(p, &b)
		}
	}
	round()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		round()
	}
	runtime.ReadMemStats(&after)
	if mallocs, size := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc; mallocs != 0 || size != 0 {
		t.Errorf("100 rounds made %d allocations of %d bytes", mallocs, size)
	}
}

func BenchmarkGetPut(b *testing.B) {
	p := pool.New(pool.Options{})
	b.ReportAllocs()
	for b.Loop() {
		small, large := pool.Get[byte](p, 100), pool.Get[uint64](p, 2048)
		pool.Put(p, &small)
		pool.Put(p, &large)
	}
}
