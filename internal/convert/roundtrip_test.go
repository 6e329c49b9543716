package convert

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// writeBatches writes batches to a file of the format.
func writeBatches(tb rapid.TB, path string, format Format, schema *nimble.Type, batches ...*vector.Batch) {
	tb.Helper()
	var out bytes.Buffer
	sink, err := NewSink(&out, format, schema, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	for _, b := range batches {
		if err := sink.Write(b); err != nil {
			tb.Fatal(err)
		}
	}
	if err := sink.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// jsonOf returns the rows of batches as JSON lines.
func jsonOf(tb rapid.TB, schema *nimble.Type, batches ...*vector.Batch) string {
	tb.Helper()
	var out bytes.Buffer
	sink, err := newJSONLSink(&out, schema)
	if err != nil {
		tb.Fatal(err)
	}
	for _, b := range batches {
		if err := sink.Write(b); err != nil {
			tb.Fatal(err)
		}
	}
	if err := sink.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.String()
}

// TestRoundTrip writes random rows of every type and reads them again: the
// schema and, since JSON lines tell every value, the values are the same.
func TestRoundTrip(t *testing.T) {
	schema := parseSchema(t, everyType)
	dir := t.TempDir()
	for _, format := range []Format{FormatParquet, FormatNimble, FormatArrow, FormatArrowStream} {
		t.Run(format.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				var batches []*vector.Batch
				for range rapid.IntRange(0, 3).Draw(t, "batches") {
					b := drawBatch(t, schema, rapid.IntRange(1, 9).Draw(t, "rows"))
					if rapid.Bool().Draw(t, "selected") {
						b.Sel = []int32{}
						for row := range b.N {
							if rapid.Bool().Draw(t, "row") {
								b.Sel = append(b.Sel, int32(row))
							}
						}
					}
					batches = append(batches, b)
				}
				want := jsonOf(t, schema, batches...)
				path := filepath.Join(dir, "file")
				writeBatches(t, path, format, schema, batches...)
				src, err := OpenSource(context.Background(), path, Options{BatchRows: rapid.IntRange(1, 5).Draw(t, "batch")})
				if err != nil {
					t.Fatal(err)
				}
				if !src.Schema().Equal(schema) {
					t.Errorf("schema %v, want %v", src.Schema(), schema)
				}
				if got, err := drain(src, FormatJSONL, Options{}); err != nil || got != want {
					t.Errorf("%v\n%s\nwant\n%s", err, got, want)
				}
				if err := src.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestBits has floats whose bits text does not tell.
func TestBits(t *testing.T) {
	schema := parseSchema(t, "f DOUBLE, g REAL")
	doubles := []uint64{0x7ff8000000000000, 0x7ff0000000000001, 0xfff8dead0000beef, 1 << 63, 0, 1, 0x7ff0000000000000}
	singles := []uint32{0x7fc00000, 0x7f800001, 0xffc0beef, 1 << 31, 0, 1, 0xff800000}
	b := vector.NewBatch(nil, newVectors(schema)...)
	b.N = len(doubles)
	f, g := b.Columns[0].(*vector.Vec[float64]), b.Columns[1].(*vector.Vec[float32])
	for i := range doubles {
		f.Append(math.Float64frombits(doubles[i]))
		g.Append(math.Float32frombits(singles[i]))
	}
	for _, format := range []Format{FormatParquet, FormatNimble, FormatArrow, FormatArrowStream} {
		path := filepath.Join(t.TempDir(), "file")
		writeBatches(t, path, format, schema, b)
		src, err := OpenSource(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := src.Next()
		if err != nil {
			t.Fatal(err)
		}
		for i := range doubles {
			x, _ := got.Columns[0].(*vector.Vec[float64]).At(i)
			y, _ := got.Columns[1].(*vector.Vec[float32]).At(i)
			if math.Float64bits(x) != doubles[i] || math.Float32bits(y) != singles[i] {
				t.Errorf("%v: %x %x became %x %x", format, doubles[i], singles[i], math.Float64bits(x), math.Float32bits(y))
			}
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestFlights converts real data through all formats and back.
func TestFlights(t *testing.T) {
	const in = "testdata/flights.csv"
	want, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	o := Options{Nulls: []string{"NA"}}
	previous := in
	for i, name := range []string{"a.nimble", "b.csv", "c.parquet", "d.nimble", "e.parquet", "f.csv"} {
		next := filepath.Join(dir, name)
		stats, err := Convert(t.Context(), previous, next, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(want, newline); stats.Rows != int64(lines-1) {
			t.Errorf("%d: %d rows of %d lines", i, stats.Rows, lines)
		}
		if filepath.Ext(name) == ".csv" {
			got, err := os.ReadFile(next)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s is not the text of flights.csv", name)
			}
		}
		previous = next
	}
}
