package encoding

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/decantdb/decant/pool"
)

// encodeMix is arrays of different types and shapes, so that each encoding of
// the default set is selected for some.
func encodeMix() []*encodeInput {
	r := rand.New(rand.NewPCG(1, 2))
	const rows = 3000
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
	mix = append(mix, some, many)
	for _, odds := range []int{2, 50} {
		in := &encodeInput{dt: Bool, rows: rows, bits: make([]uint64, (rows+63)/64)}
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
	for _, codec := range []Compression{Uncompressed, Zstd, LZ4} {
		t.Run(codec.String(), func(t *testing.T) {
			e, err := NewEncoder(pool.New(pool.Options{}), EncodeOptions{Compression: codec})
			if err != nil {
				t.Fatal(err)
			}
			mix := encodeMix()
			var dst []byte
			round := func() {
				for _, in := range mix {
					if dst, err = in.encode(e, dst[:0]); err != nil {
						t.Fatal(err)
					}
				}
			}
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			defer debug.SetGCPercent(debug.SetGCPercent(-1))
			for range 3 {
				round()
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range 100 {
				round()
			}
			runtime.ReadMemStats(&after)
			if n, bytes := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc; n != 0 || bytes != 0 {
				t.Errorf("%d allocations of %d bytes in 100 rounds", n, bytes)
			}
		})
	}
}
