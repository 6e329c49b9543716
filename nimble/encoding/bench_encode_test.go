package encoding

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/decantdb/decant/pool"
)

// encodeBenchShapes are value distributions that real columns have.
var encodeBenchShapes = []struct {
	name  string
	value func(r *rand.Rand, i int) uint64
}{
	{"random64", func(r *rand.Rand, _ int) uint64 { return r.Uint64() }},
	{"range20bit", func(r *rand.Rand, _ int) uint64 { return r.Uint64() >> 44 }},
	{"range7bit", func(r *rand.Rand, _ int) uint64 { return r.Uint64() >> 57 }},
	{"runs", func(_ *rand.Rand, i int) uint64 { return uint64(i/50) * 0x9e3779b97f4a7c15 }},
	{"fewdistinct", func(r *rand.Rand, _ int) uint64 { return uint64(r.IntN(200)) * 0x9e3779b97f4a7c15 }},
	{"mainly", func(r *rand.Rand, _ int) uint64 { return uint64(max(r.IntN(100), 97)-97) << 50 }},
	{"decimals", func(r *rand.Rand, _ int) uint64 { return math.Float64bits(float64(r.IntN(100000)) / 100) }},
	{"ascending", func(_ *rand.Rand, i int) uint64 { return uint64(i) * 1_000_003 }},
}

const encodeBenchRows = 65536

// BenchmarkEncodeNumbers measures selection and encoding, nothing compressed.
func BenchmarkEncodeNumbers(b *testing.B) {
	for _, shape := range encodeBenchShapes {
		r := rand.New(rand.NewPCG(1, 2))
		values := make([]uint64, encodeBenchRows)
		for i := range values {
			values[i] = shape.value(r, i)
		}
		b.Run(shape.name, func(b *testing.B) {
			e, err := NewEncoder(pool.New(pool.Options{}), EncodeOptions{})
			if err != nil {
				b.Fatal(err)
			}
			var dst []byte
			b.SetBytes(int64(len(values)) * 8)
			b.ReportAllocs()
			for b.Loop() {
				if dst, err = Append(e, dst[:0], Int64, values); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/encodeBenchRows, "ns/row")
			b.ReportMetric(float64(len(dst)), "size")
		})
	}
}

// BenchmarkEncodeStrings is BenchmarkEncodeNumbers for strings.
func BenchmarkEncodeStrings(b *testing.B) {
	for _, distinct := range []int{16, 4000, encodeBenchRows} {
		r := rand.New(rand.NewPCG(1, 2))
		text := make([]string, encodeBenchRows)
		for i := range text {
			text[i] = fmt.Sprintf("N%05dUA", r.IntN(distinct))
		}
		views, buffers := stringViews(text)
		b.Run(fmt.Sprintf("distinct%d", distinct), func(b *testing.B) {
			e, err := NewEncoder(pool.New(pool.Options{}), EncodeOptions{})
			if err != nil {
				b.Fatal(err)
			}
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				if dst, err = AppendStrings(e, dst[:0], views, buffers); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/encodeBenchRows, "ns/row")
			b.ReportMetric(float64(len(dst)), "size")
		})
	}
}
