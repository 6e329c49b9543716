//go:build !race

package encoding

import (
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// encodeMix is arrays of different types and shapes, so that many encodings are
// selected for some.
func encodeMix() []*encodeInput {
	r := rand.New(rand.NewPCG(1, 2))
	const rows = 3000
	nulls := make([]uint64, vector.Words(4*rows)) // four rows for each value
	for i := range rows {
		nulls[i/16] |= 1 << (4*(i%16) + i%3)
	}
	numbers := func(dt DataType, value func(i int) uint64) *encodeInput {
		in := &encodeInput{dt: dt, rows: rows}
		switch dt.Bytes() {
		case 1:
			in.u8 = encodeGenerate[uint8](rows, value)
		case 2:
			in.u16 = encodeGenerate[uint16](rows, value)
		case 4:
			in.u32 = encodeGenerate[uint32](rows, value)
		default:
			in.u64 = encodeGenerate[uint64](rows, value)
		}
		return in
	}
	mix := []*encodeInput{
		numbers(Int64, func(int) uint64 { return 77 }),
		numbers(Double, func(int) uint64 { return r.Uint64() }),
		numbers(Int16, func(i int) uint64 { return uint64(i & 255) }),
		numbers(Int64, func(i int) uint64 { return uint64(i/100) << 33 }),
		numbers(Int32, func(i int) uint64 { return uint64(r.IntN(10) * r.IntN(1<<20)) }),
		numbers(Double, func(i int) uint64 { return uint64(r.IntN(9)) << 54 }),
		numbers(Uint8, func(i int) uint64 { return uint64(r.IntN(50) / 49) }),
		numbers(Int64, func(i int) uint64 { return uint64(1) << min(r.IntN(64), r.IntN(64), r.IntN(64)) }),
	}
	decimal := func(i int) uint64 { return math.Float64bits(float64(r.IntN(5000)) / 100) }
	sparse := numbers(Double, decimal)
	sparse.valid, sparse.rows = nulls, 4*rows
	mix = append(mix, numbers(Double, decimal), sparse,
		numbers(Int64, func(i int) uint64 { return uint64(i*i + i%7) }),
		numbers(Int64, func(i int) uint64 { return 1 << 40 * uint64(min(r.IntN(200), r.IntN(200))) }))
	mix = append(mix, encodeMixStrings(r, rows, nulls)...)
	return append(mix, encodeMixBools(r, rows, nulls)...)
}

func encodeMixStrings(r *rand.Rand, rows int, nulls []uint64) []*encodeInput {
	var text []string
	for i := range rows {
		text = append(text, []string{"north", "south", "somewhere else altogether", ""}[min(r.IntN(4), i%4)])
	}
	some := &encodeInput{dt: String, rows: rows}
	some.views, some.buffers = stringViews(text)
	for i := range text {
		text[i] += string(rune('a'+i%26)) + string(rune('a'+r.IntN(26))) + string(rune('a'+r.IntN(26)))
	}
	many := &encodeInput{dt: String, rows: rows}
	many.views, many.buffers = stringViews(text)
	for i := range text {
		text[i] += "https://example.com/" + text[i]
	}
	long := &encodeInput{dt: String, rows: 4 * rows, valid: nulls}
	long.views, long.buffers = stringViews(text)
	return []*encodeInput{some, many, long}
}

func encodeMixBools(r *rand.Rand, rows int, nulls []uint64) (mix []*encodeInput) {
	for _, odds := range []int{2, 50, 51} {
		in := &encodeInput{dt: Bool, rows: rows, bits: make([]uint64, (rows+63)/64)}
		if odds == 51 {
			in.valid, in.rows = nulls, 4*rows
		}
		for i := range rows {
			if r.IntN(odds) == 0 {
				in.bits[i/64] |= 1 << (i % 64)
			}
		}
		mix = append(mix, in)
	}
	return mix
}

func encodeGenerate[T Integer](n int, value func(i int) uint64) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = T(value(i))
	}
	return out
}

// TestEncodeAllocatesNothing encodes the same arrays again and again.
func TestEncodeAllocatesNothing(t *testing.T) {
	for name, o := range map[string]EncodeOptions{
		"default":        DefaultEncodeOptions(),
		"lz4":            {Compression: LZ4, VarintRowCount: true},
		"raw":            {ExactBits: true},
		"all candidates": {Candidates: allCandidates(), NestedALP: true},
	} {
		t.Run(name, func(t *testing.T) {
			e := mustEncoder(t, pool.New(pool.Options{}), o)
			mix := encodeMix()
			var dst []byte
			var err error
			kinds := map[Kind]bool{}
			for _, in := range mix {
				if dst, err = in.encode(e, nil); err != nil {
					t.Fatal(err)
				}
				tree, err := CaptureLayout(dst, Options{VarintRowCount: o.VarintRowCount})
				if err != nil {
					t.Fatal(err)
				}
				tree.kinds(kinds)
			}
			round := func() {
				for _, in := range mix {
					if dst, err = in.encode(e, dst[:0]); err != nil {
						t.Fatal(err)
					}
				}
			}
			mallocs, bytes := encodeAllocations(round, 100)
			if mallocs != 0 || bytes != 0 {
				t.Errorf("%d allocations of %d bytes in 100 rounds", mallocs, bytes)
			}
			t.Logf("%d encodings", len(kinds))
			if len(kinds) < 8 {
				t.Errorf("the arrays have but %d encodings", len(kinds))
			}
		})
	}
}

// kinds adds the encodings of a tree.
func (l *Layout) kinds(set map[Kind]bool) {
	set[l.Kind] = true
	for _, c := range l.Children {
		c.kinds(set)
	}
}

// encodeAllocations runs round a few times to warm up, and then counts what more
// rounds allocate.
func encodeAllocations(round func(), rounds int) (mallocs, bytes uint64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for range 3 {
		round()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		round()
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}
