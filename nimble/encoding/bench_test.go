package encoding

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/decantdb/decant/pool"
)

const benchRows = 1_000_000

// benchBatches are reads of all rows and of 1,024 at a time.
var benchBatches = []int{benchRows, 1024}

// benchPatterns are what the values look like.
var benchPatterns = []struct {
	name   string
	values func(r *rand.Rand) []uint64
}{
	{"uniform10bit", func(r *rand.Rand) []uint64 { return generate(func(int) uint64 { return r.Uint64N(1024) }) }},
	{"uniform_full", func(r *rand.Rand) []uint64 { return generate(func(int) uint64 { return r.Uint64() }) }},
	{"mainly95", func(r *rand.Rand) []uint64 {
		return generate(func(int) uint64 {
			if r.IntN(20) == 0 {
				return r.Uint64()
			}
			return 42
		})
	}},
	{"runs10_60", func(r *rand.Rand) []uint64 {
		var run, value uint64
		return generate(func(int) uint64 {
			if run == 0 {
				run, value = 10+r.Uint64N(50), r.Uint64N(1000)
			}
			run--
			return value
		})
	}},
	{"lowcard64", func(r *rand.Rand) []uint64 {
		return generate(func(int) uint64 { return r.Uint64N(64) * 1000003 })
	}},
	{"sorted", func(r *rand.Rand) []uint64 {
		var at uint64
		return generate(func(int) uint64 { at += r.Uint64N(10); return at })
	}},
	{"outliers2pct", func(r *rand.Rand) []uint64 {
		return generate(func(int) uint64 {
			if r.IntN(50) == 0 {
				return r.Uint64N(1 << 30)
			}
			return r.Uint64N(128)
		})
	}},
}

func generate(value func(i int) uint64) []uint64 {
	values := make([]uint64, benchRows)
	for i := range values {
		values[i] = value(i)
	}
	return values
}

// benchKinds are the encodings that are measured, what is nested selected.
var benchKinds = []Kind{
	KindTrivial, KindFixedBitWidth, KindVarint, KindDictionary, KindRLE, KindMainlyConstant, KindDelta,
	KindPFOR, KindSimdForBitpack, KindBlockBitPacking, KindFOR, KindHuffman, KindDeltaBlock,
}

func BenchmarkReadInt64(b *testing.B) { benchmarkNumbers(b, Int64, func(x uint64) uint64 { return x }) }

func BenchmarkReadInt32(b *testing.B) {
	benchmarkNumbers(b, Int32, func(x uint64) uint32 { return uint32(x) })
}

func BenchmarkReadDouble(b *testing.B) {
	values := make([]uint64, benchRows)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range values {
		values[i] = math.Float64bits(float64(r.IntN(1_000_000)) / 100)
	}
	for _, k := range []Kind{KindTrivial, KindFixedBitWidth, KindALP} {
		benchmarkRead(b, k.String()+"/decimals2", Double, k, values)
	}
}

func benchmarkNumbers[T Integer](b *testing.B, dt DataType, convert func(uint64) T) {
	for _, p := range benchPatterns {
		values := make([]T, benchRows)
		for i, x := range p.values(rand.New(rand.NewPCG(1, 2))) {
			values[i] = convert(x)
		}
		for _, k := range benchKinds {
			benchmarkRead(b, k.String()+"/"+p.name, dt, k, values)
		}
	}
}

func benchmarkRead[T Integer](b *testing.B, name string, dt DataType, k Kind, values []T) {
	e, err := NewEncoder(nil, EncodeOptions{Layout: &Layout{Kind: k, Children: make([]*Layout, 3)}})
	if err != nil {
		b.Fatal(err)
	}
	data, err := Append(e, nil, dt, values)
	if errors.Is(err, ErrIncompatible) {
		b.Logf("%s: %v", name, err)
		return
	}
	if err != nil {
		b.Fatal(err)
	}
	for _, batch := range benchBatches {
		b.Run(fmt.Sprintf("%s/%d", name, batch), func(b *testing.B) {
			d, err := Open[T](NewSession(pool.New(pool.Options{})), data, Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer d.Close()
			out := make([]T, batch)
			b.ReportAllocs()
			for b.Loop() {
				d.Rewind()
				for at := 0; at < benchRows; at += batch {
					if err := d.Read(out[:min(batch, benchRows-at)]); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(benchRows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mval/s")
		})
	}
}
