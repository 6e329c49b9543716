package nimble

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

func mustSchema(tb testing.TB, text string) *Type {
	tb.Helper()
	t, err := ParseSchema(text)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func mustOpen(tb testing.TB, data []byte) *File {
	tb.Helper()
	f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

const allKinds = "b BOOLEAN, i INTEGER, n BIGINT, d DOUBLE, s VARCHAR, at TIMESTAMP, a ARRAY<VARCHAR>, " +
	"m MAP<INTEGER, DOUBLE>, r ROW<x BIGINT, s VARCHAR, at BOOLEAN>"

// errFull is the error of a full disk.
var errFull = errors.New("no space left")

// failingWriter takes so many writes, and half of the next one.
type failingWriter struct{ writes, left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	w.writes++
	if w.left--; w.left < 0 {
		return len(p) / 2, errFull
	}
	return len(p), nil
}

func TestWriterReportsFailingWrites(t *testing.T) {
	schema := mustSchema(t, "n BIGINT, s VARCHAR")
	numbers, texts := vector.NewVec[int64](nil), vector.NewVec[vector.View](nil)
	x := uint64(1)
	for range 100_000 {
		x = x*6364136223846793005 + 1442695040888963407
		numbers.Append(int64(x))
		vector.AppendString(texts, binary.LittleEndian.AppendUint64(nil, x))
	}
	batch := &vector.Batch{N: numbers.N, Columns: []vector.Vector{numbers, texts}}
	o := &WriterOptions{StripeRows: 30_000, Workers: 1, Encoding: &encoding.EncodeOptions{}}
	write := func(out io.Writer) (w *Writer, batchErr, closeErr error) {
		w, err := NewWriter(out, schema, o)
		if err != nil {
			t.Fatal(err)
		}
		batchErr = w.WriteBatch(batch)
		return w, batchErr, w.Close()
	}
	whole := &failingWriter{left: math.MaxInt}
	if _, batchErr, closeErr := write(whole); batchErr != nil || closeErr != nil {
		t.Fatal(batchErr, closeErr)
	}
	if whole.writes < 5 {
		t.Fatalf("%d writes are too few to tell", whole.writes)
	}
	for n := range whole.writes {
		w, batchErr, closeErr := write(&failingWriter{left: n})
		if !errors.Is(closeErr, errFull) {
			t.Errorf("when write %d fails Close returns %v", n, closeErr)
		}
		if batchErr != nil && !errors.Is(batchErr, errFull) {
			t.Errorf("when write %d fails WriteBatch returns %v", n, batchErr)
		}
		if err := w.WriteBatch(batch); !errors.Is(err, errFull) {
			t.Errorf("WriteBatch after write %d failed: %v", n, err)
		}
		if err := w.Close(); !errors.Is(err, errFull) {
			t.Errorf("Close after write %d failed: %v", n, err)
		}
	}
}

func TestFileDoesNotDependOnWorkersOrBatches(t *testing.T) {
	schema := mustSchema(t, allKinds)
	batch := fixedBatch(schema, 500)
	want := writeFile(t, schema, &WriterOptions{StripeRows: 120, ChunkBytes: 500, Workers: 1}, batch)
	for workers := 1; workers <= 4; workers++ {
		for _, batchRows := range []int{1, 7, 119, 500} {
			var parts []*vector.Batch
			for begin := 0; begin < batch.N; begin += batchRows {
				part := &vector.Batch{N: batch.N, Columns: batch.Columns}
				for row := begin; row < min(begin+batchRows, batch.N); row++ {
					part.Sel = append(part.Sel, int32(row))
				}
				parts = append(parts, part)
			}
			got := writeFile(t, schema, &WriterOptions{StripeRows: 120, ChunkBytes: 500, Workers: workers}, parts...)
			if !bytes.Equal(got, want) {
				t.Errorf("%d workers and batches of %d rows give another file", workers, batchRows)
			}
		}
	}
}

func TestStripes(t *testing.T) {
	schema := mustSchema(t, "n BIGINT, s VARCHAR")
	for _, c := range []struct {
		name string
		o    WriterOptions
		want []int
	}{
		{"default", WriterOptions{}, []int{300}},
		{"rows", WriterOptions{StripeRows: 128}, []int{128, 128, 44}},
		{"bytes", WriterOptions{StripeBytes: 1}, []int{300}},
		{"rows before bytes", WriterOptions{StripeRows: 200, StripeBytes: 1}, []int{200, 100}},
	} {
		f := mustOpen(t, writeFile(t, schema, &c.o, fixedBatch(schema, 300)))
		var got []int
		for i := range f.NumStripes() {
			got = append(got, f.StripeRows(i))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestFlushEndsStripe(t *testing.T) {
	schema := mustSchema(t, "n BIGINT")
	var out bytes.Buffer
	w, err := NewWriter(&out, schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []int{0, 3, 0, 5} {
		if err := w.WriteBatch(fixedBatch(schema, rows)); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if w.Rows() != 8 {
		t.Errorf("%d rows written, want 8", w.Rows())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := mustOpen(t, out.Bytes())
	if f.NumStripes() != 2 || f.StripeRows(0) != 3 || f.StripeRows(1) != 5 {
		t.Errorf("%d stripes of %d and %d rows", f.NumStripes(), f.StripeRows(0), f.StripeRows(1))
	}
}

func TestWriterClosed(t *testing.T) {
	schema := mustSchema(t, "n BIGINT")
	w, err := NewWriter(io.Discard, schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"WriteBatch": w.WriteBatch(fixedBatch(schema, 1)), "Flush": w.Flush(), "Close": w.Close(),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
}

func TestNewWriterRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"a BIGINT, a REAL":                           ErrSchema,
		"r ROW<x REAL, x REAL>":                      ErrSchema,
		"m FLATMAP<VARCHAR, REAL>":                   nil,
		"a ARRAY<FLATMAP<VARCHAR, REAL>>":            ErrUnsupported,
		"m FLATMAP<DATE, REAL>":                      ErrUnsupported,
		"m FLATMAP<REAL, REAL>":                      ErrSchema,
		"m MAP<BIGINT, FLATMAP<TINYINT, REAL>>":      ErrUnsupported,
		"m FLATMAP<TINYINT, FLATMAP<TINYINT, REAL>>": ErrUnsupported,
		"a ARRAY<DEDUPARRAY<REAL>>":                  nil,
		"a DEDUPARRAY<VARCHAR>":                      ErrUnsupported,
		"r ROW<m WINDOWMAP<INTEGER, REAL>>":          nil,
		"a ARRAY<MAP<INTEGER, ROW<x DATE>>>":         nil,
	} {
		schema, err := ParseSchema(text)
		if err == nil {
			_, err = NewWriter(io.Discard, schema, nil)
		}
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
	if _, err := NewWriter(io.Discard, &Type{Kind: BigInt}, nil); !errors.Is(err, ErrSchema) {
		t.Errorf("a file of BIGINT: %v", err)
	}
	schema := mustSchema(t, "n BIGINT")
	for _, o := range []WriterOptions{{StripeRows: -1}, {StripeBytes: -1}, {ChunkBytes: -1}, {Workers: -1}} {
		if _, err := NewWriter(io.Discard, schema, &o); err == nil {
			t.Errorf("options %+v are accepted", o)
		}
	}
	if _, err := NewWriter(io.Discard, schema, &WriterOptions{Encoding: &encoding.EncodeOptions{Compression: encoding.OpenZL}}); !errors.Is(err, encoding.ErrUnsupported) {
		t.Errorf("OpenZL: %v", err)
	}
}

func TestWriteBatchRefuses(t *testing.T) {
	numbers := func(n int) *vector.Vec[int64] {
		v := vector.NewVec[int64](nil)
		for range n {
			v.Append(1)
		}
		return v
	}
	nullKeys := vector.NewMap(nil, vector.NewVec[int64](nil), numbers(1))
	nullKeys.Keys.(*vector.Vec[int64]).AppendNull()
	nullKeys.Append()
	late := vector.NewTimestamps(nil)
	late.Append(0, 1000)
	short := vector.NewList(nil, numbers(2))
	short.Append()
	short.Elem = numbers(1)
	for _, c := range []struct {
		name, schema string
		batch        *vector.Batch
	}{
		{"no columns", "n BIGINT", &vector.Batch{N: 1}},
		{"kind", "n INTEGER", &vector.Batch{N: 1, Columns: []vector.Vector{numbers(1)}}},
		{"rows", "n BIGINT", &vector.Batch{N: 2, Columns: []vector.Vector{numbers(1)}}},
		{"key", "m MAP<BIGINT, BIGINT>", &vector.Batch{N: 1, Columns: []vector.Vector{nullKeys}}},
		{"nanoseconds", "at TIMESTAMP", &vector.Batch{N: 1, Columns: []vector.Vector{late}}},
		{"elements", "a ARRAY<BIGINT>", &vector.Batch{N: 1, Columns: []vector.Vector{short}}},
		{"fields", "r ROW<a BIGINT, b BIGINT>", &vector.Batch{Columns: []vector.Vector{vector.NewRow(nil, numbers(0))}}},
	} {
		w, err := NewWriter(io.Discard, mustSchema(t, c.schema), nil)
		if err != nil {
			t.Fatal(err)
		}
		err = w.WriteBatch(c.batch)
		if !errors.Is(err, ErrSchema) {
			t.Errorf("%s: %v", c.name, err)
		}
		if again := w.Close(); again != err {
			t.Errorf("%s: Close returns %v", c.name, again)
		}
	}
}

func TestLogicalTypesAndAttributesSurvive(t *testing.T) {
	schema := mustSchema(t, "d DATE, p DECIMAL(10,2), q DECIMAL(38,0), t TIME(us), at TIMESTAMP(ms), u UINT8, v UINT64, "+
		"j JSON, id UUID, a ARRAY<DATE>, m MAP<VARCHAR, UINT16>, r ROW<x DATE>")
	schema.Attributes = []Attribute{{"owner", "nobody"}}
	schema.Children[0].Attributes = []Attribute{{"iceberg.id", "7"}, {"", "\xff"}}
	f := mustOpen(t, writeFile(t, schema, nil))
	if diff := cmp.Diff(schema, f.Schema()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if f.Rows() != 0 || f.NumStripes() != 0 {
		t.Errorf("%d rows in %d stripes", f.Rows(), f.NumStripes())
	}
}

func TestUnknownLogicalTypeIsKept(t *testing.T) {
	schema := mustSchema(t, "a BIGINT, b BIGINT")
	schema.Children[0].Attributes = []Attribute{{LogicalKey, "geometry"}}
	schema.Children[1].Attributes = []Attribute{{LogicalKey, "date"}}
	f := mustOpen(t, writeFile(t, schema, nil))
	if diff := cmp.Diff(schema, f.Schema()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(f.Warnings()) != 2 || !strings.Contains(f.Warnings()[0], "geometry") {
		t.Errorf("warnings: %q", f.Warnings())
	}
}

func TestValidityOfPresentRowsIsNotStored(t *testing.T) {
	schema := mustSchema(t, "n BIGINT, a ARRAY<VARCHAR>, r ROW<x BOOLEAN>, at TIMESTAMP")
	all := []uint64{1<<10 - 1}
	with, without := fixedBatch(schema, 0), fixedBatch(schema, 0)
	for _, b := range []*vector.Batch{with, without} {
		b.N = 10
		for i := range b.N {
			b.Columns[0].(*vector.Vec[int64]).Append(int64(i))
			vector.AppendString(b.Columns[1].(*vector.List).Elem.(*vector.Vec[vector.View]), []byte("x"))
			b.Columns[1].(*vector.List).Append()
			b.Columns[2].(*vector.Row).Fields[0].(*vector.Bools).Append(i > 4)
			b.Columns[2].(*vector.Row).Append(true)
			b.Columns[3].(*vector.Timestamps).Append(int64(i), 1)
		}
	}
	with.Columns[0].(*vector.Vec[int64]).Valid = all
	with.Columns[1].(*vector.List).Valid = all
	with.Columns[1].(*vector.List).Elem.(*vector.Vec[vector.View]).Valid = all
	with.Columns[2].(*vector.Row).Valid = all
	with.Columns[2].(*vector.Row).Fields[0].(*vector.Bools).Valid = all
	with.Columns[3].(*vector.Timestamps).Micros.Valid = all
	for _, o := range []*WriterOptions{nil, {ChunkBytes: 20}, {Unchunked: true}} {
		if !bytes.Equal(writeFile(t, schema, o, with), writeFile(t, schema, o, without)) {
			t.Errorf("%+v: the files differ", o)
		}
	}
}

func TestNullRows(t *testing.T) {
	schema := mustSchema(t, "n BIGINT, r ROW<s VARCHAR>")
	rows := vector.NewRow(nil, fixedBatch(schema, 300).Columns...)
	for i := range 300 {
		rows.Append(i%3 > 0)
	}
	nullFields(rows)
	var out bytes.Buffer
	w, err := NewWriter(&out, schema, &WriterOptions{StripeRows: 128, ChunkBytes: 100})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.WriteRows(rows), w.Close()); err != nil {
		t.Fatal(err)
	}
	f := mustOpen(t, out.Bytes())
	got, err := readFile(f, 100)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(batchValues(&vector.Batch{N: 300, Columns: rows.Fields}), got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if s := f.Stats()[0]; s.Values != 200 || s.Nulls != 100 || f.Rows() != 300 {
		t.Errorf("%d rows, %d of them null, want 300 and 100", s.Values+s.Nulls, s.Nulls)
	}
}

func TestStatistics(t *testing.T) {
	schema := mustSchema(t, "i INTEGER, d DOUBLE, s VARCHAR, b BOOLEAN, a ARRAY<BIGINT>, none REAL, at TIMESTAMP")
	i, d, s := vector.NewVec[int32](nil), vector.NewVec[float64](nil), vector.NewVec[vector.View](nil)
	b, a := vector.NewBools(nil), vector.NewList(nil, vector.NewVec[int64](nil))
	none, at := vector.NewVec[float32](nil), vector.NewTimestamps(nil)
	for row := range 4 {
		i.Append(int32(5 - 3*row))
		d.Append([]float64{1, math.NaN(), -2, 3}[row])
		if row == 2 {
			s.AppendNull()
		} else {
			vector.AppendString(s, []byte([]string{"pear", "", "", "apple and a longer tail"}[row]))
		}
		b.Append(row > 1)
		a.Elem.(*vector.Vec[int64]).Append(int64(row))
		a.Append()
		none.AppendNull()
		at.Append(1, 2)
	}
	batch := &vector.Batch{N: 4, Columns: []vector.Vector{i, d, s, b, a, none, at}}
	f := mustOpen(t, writeFile(t, schema, &WriterOptions{StripeRows: 3}, batch))
	want := []ColumnStats{
		{Values: 4, LogicalBytes: 16, Bounded: true, MinInt: -4, MaxInt: 5},
		{Values: 4, LogicalBytes: 32, Bounded: true, MinFloat: -2, MaxFloat: 3},
		{Values: 3, Nulls: 1, LogicalBytes: 28, Bounded: true, MaxString: "pear"},
		{Values: 4, LogicalBytes: 4},
		{Values: 4, LogicalBytes: 32},
		{Nulls: 4, LogicalBytes: 4},
		{Values: 4, LogicalBytes: 48},
	}
	for col, w := range want {
		got := *f.ColumnStats(col)
		if got.PhysicalBytes == 0 && w.Values > 0 {
			t.Errorf("column %d has no physical size", col)
		}
		got.PhysicalBytes = 0
		if diff := cmp.Diff(w, got); diff != "" {
			t.Errorf("column %d (-want +got):\n%s", col, diff)
		}
	}
}
