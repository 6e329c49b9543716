package rowbatch

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
)

// The shape of the format's own benchmark.
const (
	benchRows = 10_000
	benchKeys = 100
)

// BenchmarkFlatMap reads 10,000 rows of a flat map of 100 keys through one
// deserializer: BenchmarkFlatMap/<pattern>/<maps|columns>/<pool|nopool>. One
// operation is one batch, whose rows are released, as the original drops its
// output. With the pool, allocs counts the requests for memory of one batch
// that reach the allocator, output included; without, all of them. min-ms is the
// fastest batch, which is what the original's figures are.
func BenchmarkFlatMap(b *testing.B) {
	for _, p := range patterns() {
		s := p.sample(b, benchRows, benchKeys)
		for _, asColumns := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/%s/pool", p.name, form(asColumns)), func(b *testing.B) {
				benchRead(b, &s, asColumns, newTestPool())
			})
			b.Run(fmt.Sprintf("%s/%s/nopool", p.name, form(asColumns)), func(b *testing.B) {
				benchRead(b, &s, asColumns, nil)
			})
		}
	}
}

func form(asColumns bool) string {
	if asColumns {
		return "columns"
	}
	return "maps"
}

func benchRead(b *testing.B, s *sample, asColumns bool, p *pool.Pool) {
	d := s.deserializer(b, encoding.NewSession(p), asColumns)
	rows := d.NewRows()
	read := func() {
		if err := d.Read(rows, s.blob); err != nil {
			b.Fatal(err)
		}
		rows.Release()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 10 {
		read()
	}
	runtime.ReadMemStats(&after)
	first := after.Mallocs - before.Mallocs
	b.ReportAllocs()
	least := time.Duration(math.MaxInt64)
	for b.Loop() {
		start := time.Now()
		read()
		least = min(least, time.Since(start))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.rows), "ns/row")
	b.ReportMetric(least.Seconds()*1000, "min-ms")
	b.ReportMetric(float64(first), "mallocs/10first")
	if p != nil {
		b.ReportMetric(float64(p.Stats().HeldBytes), "B-held")
		b.ReportMetric(float64(p.Stats().Allocs), "pool-allocs")
	}
}

// BenchmarkSerialize writes the same rows.
func BenchmarkSerialize(b *testing.B) {
	for _, p := range patterns() {
		s := p.sample(b, benchRows, benchKeys)
		b.Run(p.name, func(b *testing.B) {
			w, err := NewSerializer(s.schema, newTestPool(), SerializerOptions{})
			if err != nil {
				b.Fatal(err)
			}
			var blob []byte
			b.ReportAllocs()
			for b.Loop() {
				if blob, err = w.Append(blob[:0], s.input); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.rows), "ns/row")
		})
	}
}
