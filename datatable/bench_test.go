package datatable_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// shape is a table of the benchmark by which Pinot measured its own reused row
// buffer: row i has the values i, i·1000003, i·0.5, i·0.25; "mixed" adds the
// string "value-" with i mod 100 and eight bytes, "arrays" two arrays.
type shape struct {
	name    string
	columns []datatable.Column
	strings [][]byte
	blobs   [][]byte
	tags    [][]byte
}

const benchRows = 5000

func benchShapes() []shape {
	s := shape{name: "numeric", columns: []datatable.Column{
		{Name: "i", Type: datatable.Int},
		{Name: "l", Type: datatable.Long},
		{Name: "f", Type: datatable.Float},
		{Name: "d", Type: datatable.Double},
	}}
	shapes := []shape{s}
	s.name = "mixed"
	s.columns = append(s.columns[:4:4],
		datatable.Column{Name: "s", Type: datatable.String}, datatable.Column{Name: "b", Type: datatable.Bytes})
	for i := range benchRows {
		s.strings = append(s.strings, fmt.Appendf(nil, "value-%d", i%100))
		blob := make([]byte, 8)
		for k := range blob {
			blob[k] = byte(i + k)
		}
		s.blobs = append(s.blobs, blob)
	}
	shapes = append(shapes, s)
	s.name = "mixed_arrays"
	s.columns = append(s.columns[:6:6],
		datatable.Column{Name: "ia", Type: datatable.IntArray}, datatable.Column{Name: "sa", Type: datatable.StringArray})
	for i := range 11 {
		s.tags = append(s.tags, fmt.Appendf(nil, "tag-%d", i%10))
	}
	return append(shapes, s)
}

func (s *shape) fill(b *datatable.Builder, rows int) {
	for i := range rows {
		b.StartRow()
		b.SetInt(0, int32(i))
		b.SetLong(1, int64(i)*1000003)
		b.SetFloat(2, float32(i)*0.5)
		b.SetDouble(3, float64(i)*0.25)
		if s.strings != nil {
			b.SetString(4, s.strings[i])
			b.SetBytes(5, s.blobs[i])
		}
		if s.tags != nil {
			b.SetIntArray(6, []int32{int32(i), int32(i) + 1, int32(i) + 2})
			b.SetStringArray(7, s.tags[i%10:i%10+2])
		}
		b.FinishRow()
	}
}

func (s *shape) builder(tb testing.TB, p *pool.Pool) *datatable.Builder {
	b, err := datatable.NewBuilder(p, s.columns, datatable.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// The shapes' bytes are those that Pinot serialized in its benchmark.
func TestGoldenBenchmarkShapes(t *testing.T) {
	for _, dir := range golden.Dirs(t, "pinot/bench/bytes") {
		ran := 0
		for _, s := range benchShapes() {
			for _, rows := range []int{1, benchRows} {
				want, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%s_%d.bin", s.name, rows)))
				if err != nil {
					continue // the project's own set has those of one row
				}
				ran++
				b := s.builder(t, nil)
				s.fill(b, rows)
				if got := mustAppend(t, b); !bytes.Equal(got, want) {
					t.Errorf("%s of %d rows differs", s.name, rows)
				}
			}
		}
		if ran < 3 {
			t.Errorf("%d cases in %s", ran, dir)
		}
		t.Logf("%d cases in %s", ran, dir)
	}
}

// BenchmarkBuild builds and BenchmarkSerialize also serializes a table: in a new
// builder each time, as the reference does, and in one that is reset.
func BenchmarkBuild(b *testing.B) { benchmark(b, false) }

func BenchmarkSerialize(b *testing.B) { benchmark(b, true) }

func benchmark(b *testing.B, serialize bool) {
	for _, s := range benchShapes() {
		for _, rows := range []int{1, benchRows} {
			b.Run(fmt.Sprintf("%s/%d/new", s.name, rows), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					t := s.builder(b, nil)
					s.fill(t, rows)
					if serialize {
						mustAppend(b, t)
					}
				}
			})
			b.Run(fmt.Sprintf("%s/%d/reset", s.name, rows), func(b *testing.B) {
				b.ReportAllocs()
				t := s.builder(b, pool.New(pool.Options{}))
				var out []byte
				for b.Loop() {
					t.Reset()
					s.fill(t, rows)
					if serialize {
						out, _ = t.AppendTo(out[:0])
					}
				}
			})
		}
	}
}

// mixedBatches returns the rows of the mixed table. The strings are one by one
// or, as most are stored, in a dictionary.
func mixedBatches(s *shape, dictionary bool) []*vector.Batch {
	var batches []*vector.Batch
	for begin := 0; begin < benchRows; begin += vector.DefaultBatchRows {
		ints, longs := vector.NewVec[int32](nil), vector.NewVec[int64](nil)
		floats, doubles := vector.NewVec[float32](nil), vector.NewVec[float64](nil)
		texts, blobs := vector.NewVec[vector.View](nil), vector.NewVec[vector.View](nil)
		var index []uint32
		for i := begin; i < min(begin+vector.DefaultBatchRows, benchRows); i++ {
			ints.Append(int32(i))
			longs.Append(int64(i) * 1000003)
			floats.Append(float32(i) * 0.5)
			doubles.Append(float64(i) * 0.25)
			vector.AppendString(blobs, s.blobs[i])
			if !dictionary || i < begin+100 {
				vector.AppendString(texts, s.strings[i])
			}
			index = append(index, uint32((i-begin)%100))
		}
		if dictionary {
			texts.Form, texts.N = vector.Dictionary, len(index)
			copy(texts.ReserveIndex(len(index)), index)
		}
		batches = append(batches, &vector.Batch{N: ints.N, Columns: []vector.Vector{ints, longs, floats, doubles, texts, blobs}})
	}
	return batches
}

// BenchmarkAppendBatch builds the mixed table from batches.
func BenchmarkAppendBatch(b *testing.B) {
	s := benchShapes()[1]
	for _, form := range []string{"flat", "dictionary"} {
		b.Run(form, func(b *testing.B) {
			batches := mixedBatches(&s, form == "dictionary")
			t := s.builder(b, pool.New(pool.Options{}))
			b.ReportAllocs()
			for b.Loop() {
				t.Reset()
				for _, batch := range batches {
					if err := t.AppendBatch(batch); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// The mixed table has the same bytes by batch, whatever the form of its strings.
func TestMixedBatches(t *testing.T) {
	s := benchShapes()[1]
	b := s.builder(t, nil)
	s.fill(b, benchRows)
	want := mustAppend(t, b)
	for _, dictionary := range []bool{false, true} {
		b.Reset()
		for _, batch := range mixedBatches(&s, dictionary) {
			if err := b.AppendBatch(batch); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(mustAppend(t, b), want) {
			t.Errorf("in a dictionary: %v: other bytes", dictionary)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	s := benchShapes()[1]
	t := s.builder(b, nil)
	s.fill(t, benchRows)
	data := mustAppend(b, t)
	b.ReportAllocs()
	for b.Loop() {
		mustOpen(b, data)
	}
}
