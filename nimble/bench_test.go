package nimble

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/decantdb/decant/vector"
)

// benchSchema is a table as people have them: numbers, moments, few and many
// different texts, nulls.
const benchSchema = "b BOOLEAN, i INTEGER, n BIGINT, d DOUBLE, s VARCHAR, at TIMESTAMP"

const benchRows = 100_000

func BenchmarkScan(b *testing.B) {
	for _, schema := range []string{benchSchema, "n BIGINT", "s VARCHAR", "r ROW<n BIGINT, s VARCHAR>", "a ARRAY<VARCHAR>"} {
		b.Run(schema, func(b *testing.B) {
			t := mustSchema(b, schema)
			data := writeFile(b, t, nil, fixedBatch(t, benchRows))
			scan, err := mustOpen(b, data).Scan(ScanOptions{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				scan.Rewind()
				for {
					if _, err := scan.Next(); errors.Is(err, io.EOF) {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
			reportRows(b)
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			t := mustSchema(b, benchSchema)
			var batches []*vector.Batch
			for range benchRows / vector.DefaultBatchRows {
				batches = append(batches, fixedBatch(t, vector.DefaultBatchRows))
			}
			b.ReportAllocs()
			for b.Loop() {
				writeFile(b, t, &WriterOptions{Workers: workers}, batches...)
			}
			reportRows(b)
		})
	}
}

func reportRows(b *testing.B) {
	b.ReportMetric(benchRows*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
