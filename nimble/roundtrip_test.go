package nimble

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// null stands for a null row among values.
type null struct{}

// valueAt returns row i of v in a form that cmp.Diff compares bit for bit.
func valueAt(v vector.Vector, i int) any {
	if !vector.Valid(v.Validity(), i) {
		return null{}
	}
	switch v := v.(type) {
	case *vector.Vec[int8]:
		return v.Values[v.ValueIndex(i)]
	case *vector.Vec[int16]:
		return v.Values[v.ValueIndex(i)]
	case *vector.Vec[int32]:
		return v.Values[v.ValueIndex(i)]
	case *vector.Vec[int64]:
		return v.Values[v.ValueIndex(i)]
	case *vector.Vec[float32]:
		return math.Float32bits(v.Values[v.ValueIndex(i)])
	case *vector.Vec[float64]:
		return math.Float64bits(v.Values[v.ValueIndex(i)])
	case *vector.Vec[vector.View]:
		return string(v.Values[v.ValueIndex(i)].Bytes(v.Buffers.List()))
	case *vector.Bools:
		return vector.Bit(v.Bits, i)
	case *vector.Timestamps:
		if v.Nanos == nil {
			return [2]int64{v.Micros.Values[v.Micros.ValueIndex(i)]}
		}
		return [2]int64{v.Micros.Values[v.Micros.ValueIndex(i)], int64(v.Nanos[i])}
	case *vector.List:
		begin, end := v.Span(i)
		return valuesOf(v.Elem, begin, end)
	case *vector.Map:
		begin, end := v.Span(i)
		return [2]any{valuesOf(v.Keys, begin, end), valuesOf(v.Values, begin, end)}
	case *vector.Row:
		fields := []any{}
		for _, f := range v.Fields {
			fields = append(fields, valueAt(f, i))
		}
		return fields
	}
	return fmt.Sprintf("a vector of kind %v", v.Kind())
}

func valuesOf(v vector.Vector, begin, end int) []any {
	values := []any{}
	for i := begin; i < end; i++ {
		values = append(values, valueAt(v, i))
	}
	return values
}

// batchValues returns the selected rows of a batch.
func batchValues(b *vector.Batch) []any {
	var rows []any
	for i := range b.N {
		if b.Sel != nil && !contains(b.Sel, i) {
			continue
		}
		row := []any{}
		for _, c := range b.Columns {
			row = append(row, valueAt(c, i))
		}
		rows = append(rows, row)
	}
	return rows
}

func contains(sel []int32, row int) bool {
	for _, s := range sel {
		if int(s) == row {
			return true
		}
	}
	return false
}

var (
	floats = []float64{
		0, math.Copysign(0, -1), 1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64,
		math.Float64frombits(0x7ff8000000000001), math.Float64frombits(0xfff0dead00000000),
	}
	floats32 = []float32{0, float32(math.Copysign(0, -1)), 1.5, float32(math.Inf(1)), math.Float32frombits(0x7fc00001), math.Float32frombits(0xff800bad)}
)

// drawColumn draws a vector of n rows of type t.
func drawColumn(t *rapid.T, typ *Type, n int) vector.Vector {
	// Few nulls, many or none; few distinct values or many.
	nulls := rapid.SampledFrom([]int{0, 0, 1, 5, 10}).Draw(t, "nulls")
	null := func() bool { return nulls > 0 && rapid.IntRange(1, 10).Draw(t, "null") <= nulls }
	switch typ.Kind {
	case Boolean:
		v := vector.NewBools(nil)
		for range n {
			if null() {
				v.AppendNull()
			} else {
				v.Append(rapid.Bool().Draw(t, "bool"))
			}
		}
		return v
	case TinyInt:
		return drawNumbers(t, n, null, rapid.Int8())
	case SmallInt:
		return drawNumbers(t, n, null, rapid.Int16())
	case Integer:
		return drawNumbers(t, n, null, rapid.Int32())
	case BigInt:
		return drawNumbers(t, n, null, rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 3)))
	case Real:
		return drawNumbers(t, n, null, rapid.OneOf(rapid.SampledFrom(floats32), rapid.Float32()))
	case Double:
		return drawNumbers(t, n, null, rapid.OneOf(rapid.SampledFrom(floats), rapid.Float64()))
	case Varchar, Varbinary:
		v := vector.NewVec[vector.View](nil)
		for range n {
			if null() {
				v.AppendNull()
			} else {
				vector.AppendString(v, rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, "bytes"))
			}
		}
		return v
	case Timestamp:
		v := vector.NewTimestamps(nil)
		for range n {
			if null() {
				v.AppendNull()
			} else {
				v.Append(rapid.Int64().Draw(t, "micros"), rapid.Uint16Range(0, 999).Draw(t, "nanos"))
			}
		}
		return v
	case Row:
		v := vector.NewRow(nil)
		for _, c := range typ.Children {
			v.Fields = append(v.Fields, drawColumn(t, c, n))
		}
		for range n {
			v.Append(!null())
		}
		nullFields(v)
		return v
	default:
		return drawSpans(t, typ, n, null)
	}
}

// nullFields makes the fields of null rows null.
func nullFields(v *vector.Row) {
	if v.Valid == nil {
		return
	}
	var rows []int32
	for i := range v.N {
		if vector.Bit(v.Valid, i) {
			rows = append(rows, int32(i))
		}
	}
	for _, f := range v.Fields {
		vector.Keep(f, rows)
		vector.Spread(f, v.Valid, v.N)
	}
}

func drawNumbers[T vector.Value](t *rapid.T, n int, null func() bool, values *rapid.Generator[T]) vector.Vector {
	v := vector.NewVec[T](nil)
	if n > 0 && rapid.IntRange(0, 5).Draw(t, "encoded") == 0 {
		v.N, v.Form = n, vector.Dictionary
		v.Values = rapid.SliceOfN(values, 1, 4).Draw(t, "alphabet")
		v.Index = rapid.SliceOfN(rapid.Uint32Range(0, uint32(len(v.Values)-1)), n, n).Draw(t, "index")
		if rapid.Bool().Draw(t, "constant") {
			v.Form, v.Index = vector.Constant, nil
		}
		return v
	}
	for range n {
		if null() {
			v.AppendNull()
		} else {
			v.Append(values.Draw(t, "value"))
		}
	}
	return v
}

func drawSpans(t *rapid.T, typ *Type, n int, null func() bool) vector.Vector {
	lengths := make([]int, n)
	present := make([]bool, n)
	total := 0
	for i := range lengths {
		if present[i] = !null(); present[i] {
			lengths[i] = rapid.IntRange(0, 3).Draw(t, "length")
		}
		total += lengths[i]
	}
	appendRows := func(add func(), addNull func(), more func(int)) {
		for i, l := range lengths {
			if !present[i] {
				addNull()
				continue
			}
			more(l)
			add()
		}
	}
	elem := drawColumn(t, typ.Children[len(typ.Children)-1], total)
	counted := &counter{Vector: elem}
	if typ.Kind == Array {
		v := vector.NewList(nil, counted)
		appendRows(v.Append, v.AppendNull, counted.add)
		v.Elem = elem
		return v
	}
	keys := vector.NewVec[int64](nil)
	for range total {
		keys.Append(rapid.Int64().Draw(t, "key"))
	}
	v := vector.NewMap(nil, counted, elem)
	appendRows(v.Append, v.AppendNull, counted.add)
	v.Keys = keys
	return v
}

// counter is a vector of as many rows as were added to it.
type counter struct {
	vector.Vector
	n int
}

func (c *counter) Len() int  { return c.n }
func (c *counter) add(n int) { c.n += n }

// drawSchema draws a file's type; keys of maps are of BIGINT.
func drawSchema(t *rapid.T) *Type {
	schema := drawRow(t, 4)
	var fix func(*Type)
	fix = func(t *Type) {
		if t.Kind == Map {
			t.Children[0] = &Type{Kind: BigInt}
		}
		for _, c := range t.Children {
			fix(c)
		}
	}
	fix(schema)
	return schema
}

// writeFile returns a file of batches.
func writeFile(tb interface {
	Helper()
	Fatalf(string, ...any)
}, schema *Type, o *WriterOptions, batches ...*vector.Batch,
) []byte {
	tb.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, schema, o)
	if err != nil {
		tb.Fatalf("NewWriter: %v", err)
	}
	for _, b := range batches {
		if err := w.WriteBatch(b); err != nil {
			tb.Fatalf("WriteBatch: %v", err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatalf("Close: %v", err)
	}
	return out.Bytes()
}

// readFile returns all rows of a file, read in batches of batchRows.
func readFile(f *File, batchRows int) ([]any, error) {
	s, err := f.Scan(ScanOptions{BatchRows: batchRows})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var rows []any
	for {
		b, err := s.Next()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows = append(rows, batchValues(b)...)
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := drawSchema(t)
		var batches []*vector.Batch
		var want []any
		for range rapid.IntRange(0, 4).Draw(t, "batches") {
			n := rapid.IntRange(0, 60).Draw(t, "rows")
			b := &vector.Batch{N: n}
			for _, c := range schema.Children {
				b.Columns = append(b.Columns, drawColumn(t, c, n))
			}
			if rapid.IntRange(0, 3).Draw(t, "selected") == 0 {
				b.Sel = []int32{}
				for i := range n {
					if rapid.Bool().Draw(t, "row") {
						b.Sel = append(b.Sel, int32(i))
					}
				}
			}
			batches = append(batches, b)
			want = append(want, batchValues(b)...)
		}
		e := encoding.DefaultEncodeOptions()
		e.Compression = rapid.SampledFrom([]encoding.Compression{encoding.Zstd, encoding.Uncompressed, encoding.LZ4}).Draw(t, "codec")
		e.VarintRowCount = rapid.Bool().Draw(t, "varint")
		o := &WriterOptions{
			StripeRows: rapid.SampledFrom([]int{0, 1, 7, 50}).Draw(t, "stripe rows"),
			ChunkBytes: rapid.SampledFrom([]int{0, 1, 20, 300}).Draw(t, "chunk bytes"),
			Workers:    rapid.IntRange(1, 3).Draw(t, "workers"),
			Encoding:   &e,
			Metadata:   []Attribute{{"made by", "a test"}},
		}
		data := writeFile(t, schema, o, batches...)
		f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Warnings()) > 0 {
			t.Fatalf("warnings: %q", f.Warnings())
		}
		if diff := cmp.Diff(schema, f.Schema()); diff != "" {
			t.Fatalf("schema (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(o.Metadata, f.Metadata()); diff != "" {
			t.Fatalf("metadata (-want +got):\n%s", diff)
		}
		got, err := readFile(f, rapid.SampledFrom([]int{1, 13, 2048}).Draw(t, "batch rows"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("rows (-want +got):\n%s", diff)
		}
	})
}
