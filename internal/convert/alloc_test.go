package convert

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// longCSV is the sample of flights over and over, with a column of floats and
// one of long strings.
func longCSV(tb testing.TB, times int) string {
	tb.Helper()
	text, err := os.ReadFile("testdata/flights.csv")
	if err != nil {
		tb.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	var out strings.Builder
	out.WriteString("rate,note," + lines[0])
	for range times {
		for _, line := range lines[1 : len(lines)-1] {
			out.WriteString("0.125,\"longer than a view, with \"\"quotes\"\" in it\"," + line)
		}
	}
	return out.String()
}

// allocations returns what calls of fn allocate.
func allocations(rounds int, fn func()) (mallocs, bytes uint64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		fn()
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}

// TestCSVAllocations reads batches of CSV and writes them as text.
func TestCSVAllocations(t *testing.T) {
	o := Options{Nulls: []string{"NA"}, BatchRows: 128}
	src, err := openText(t, longCSV(t, 20), o)
	if err != nil {
		t.Fatal(err)
	}
	var sinks []Sink
	for _, f := range []Format{FormatCSV, FormatJSONL} {
		sink, err := NewSink(io.Discard, f, src.Schema(), o)
		if err != nil {
			t.Fatal(err)
		}
		sinks = append(sinks, sink)
	}
	round := func() {
		b, err := src.Next()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sinks {
			if err := s.Write(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 20 {
		round()
	}
	if mallocs, size := allocations(100, round); mallocs != 0 || size != 0 {
		t.Errorf("100 batches: %d allocations, %d bytes", mallocs, size)
	}
}

// TestInferAllocations looks at a whole file.
func TestInferAllocations(t *testing.T) {
	text := longCSV(t, 20)
	s := newSplitter(strings.NewReader(text), "in.csv", ',')
	nulls := newNullTexts([]string{"NA"})
	guesses := make([]columnGuess, 21)
	round := func() {
		b, err := s.next(128)
		if err != nil {
			t.Fatal(err)
		}
		isText := utf8.Valid(b.text)
		for col := range guesses {
			guesses[col].add(b, col, nulls, isText)
		}
	}
	for range 20 {
		round()
	}
	if mallocs, size := allocations(100, round); mallocs != 0 || size != 0 {
		t.Errorf("100 blocks: %d allocations, %d bytes", mallocs, size)
	}
}

// BenchmarkCSV measures the passes over a file by themselves.
func BenchmarkCSV(b *testing.B) {
	text := longCSV(b, 50)
	nulls := newNullTexts([]string{"NA"})
	b.Run("split", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			s := newSplitter(strings.NewReader(text), "in.csv", ',')
			for {
				if _, err := s.next(inferRows); err != nil {
					break
				}
			}
		}
	})
	b.Run("infer", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			s := newSplitter(strings.NewReader(text), "in.csv", ',')
			if _, err := s.next(1); err != nil {
				b.Fatal(err)
			}
			if _, _, err := inferTypes(s, nulls, make([]string, 21), make([]*nimble.Type, 21)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		path := writeFile(b, "in.csv", text)
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			src, err := OpenSource(b.Context(), path, Options{Nulls: []string{"NA"}})
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			drainBatches(b, src)
		}
	})
}

// drainBatches reads all of src.
func drainBatches(b *testing.B, src Source) {
	for {
		_, err := src.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := src.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkSink measures writing a file of flights that is in memory.
func BenchmarkSink(b *testing.B) {
	text := longCSV(b, 20)
	src, err := openText(b, text, Options{Nulls: []string{"NA"}})
	if err != nil {
		b.Fatal(err)
	}
	var batches []*vector.Batch
	for {
		batch, err := src.Next()
		if err != nil {
			break
		}
		batches = append(batches, vector.DetachBatch(batch))
	}
	for _, format := range []Format{FormatCSV, FormatJSONL, FormatParquet, FormatNimble} {
		b.Run(format.String(), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				sink, err := NewSink(&bytes.Buffer{}, format, src.Schema(), Options{})
				if err != nil {
					b.Fatal(err)
				}
				for _, batch := range batches {
					if err := sink.Write(batch); err != nil {
						b.Fatal(err)
					}
				}
				if err := sink.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
