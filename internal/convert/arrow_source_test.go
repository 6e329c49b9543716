package convert

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// writeRecords writes records, of which there is at least one, as an Arrow file or
// stream as others do.
func writeRecords(t *testing.T, path string, stream bool, records []arrow.RecordBatch, options ...ipc.Option) {
	t.Helper()
	var out bytes.Buffer
	options = append(options, ipc.WithSchema(records[0].Schema()))
	var w interface {
		Write(arrow.RecordBatch) error
		Close() error
	} = ipc.NewWriter(&out, options...)
	if !stream {
		var err error
		if w, err = ipc.NewFileWriter(&out, options...); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// recordOfJSON returns a record of one column v.
func recordOfJSON(t *testing.T, typ arrow.DataType, values string) arrow.RecordBatch {
	t.Helper()
	arr, _, err := array.FromJSON(memory.DefaultAllocator, typ, strings.NewReader(values))
	if err != nil {
		t.Fatal(err)
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "v", Type: typ, Nullable: true}}, nil)
	return array.NewRecordBatch(schema, []arrow.Array{arr}, int64(arr.Len()))
}

// TestForeignArrow reads types that Decant does not write.
func TestForeignArrow(t *testing.T) {
	text := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint8, ValueType: arrow.BinaryTypes.String}
	for _, c := range []struct {
		typ         arrow.DataType
		values      string
		want, lines string // a type, and JSON
	}{
		{text, `["a", null, "b", "a", ""]`, "VARCHAR", `"a" null "b" "a" ""`},
		{text, `[null, null]`, "VARCHAR", `null null`},
		{
			&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int64, ValueType: arrow.PrimitiveTypes.Int16},
			`[7, null, -1, 7]`, "SMALLINT", `7 null -1 7`,
		},
		{
			&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.FixedWidthTypes.Timestamp_s},
			`["1970-01-01 00:00:01Z", null]`, "TIMESTAMP(s)", `"1970-01-01T00:00:01Z" null`,
		},
		{arrow.ListOf(text), `[["x", null], null, [], ["x"]]`, "ARRAY<VARCHAR>", `["x",null] null [] ["x"]`},
		{arrow.StructOf(arrow.Field{Name: "s", Type: text, Nullable: true}), `[{"s":"x"}, null, {"s":null}]`, "ROW<s VARCHAR>", `{"s":"x"} null {"s":null}`},
		{arrow.BinaryTypes.LargeString, `["a longer one than twelve", null, ""]`, "VARCHAR", `"a longer one than twelve" null ""`},
		{arrow.BinaryTypes.StringView, `["a longer one than twelve", null, ""]`, "VARCHAR", `"a longer one than twelve" null ""`},
		{arrow.BinaryTypes.LargeBinary, `["AAE=", null]`, "VARBINARY", `"0001" null`},
		{arrow.LargeListOf(arrow.PrimitiveTypes.Int32), `[[1, null], null, []]`, "ARRAY<INTEGER>", `[1,null] null []`},
		{arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Int32), `[[1, null], null, [3, 4]]`, "ARRAY<INTEGER>", `[1,null] null [3,4]`},
		{arrow.FixedSizeListOf(1, text), `[["p"], null, ["q"]]`, "ARRAY<VARCHAR>", `["p"] null ["q"]`},
		{arrow.FixedWidthTypes.Timestamp_s, `["1969-12-31 23:59:59Z", null]`, "TIMESTAMP(s)", `"1969-12-31T23:59:59Z" null`},
		{arrow.FixedWidthTypes.Time32s, `["00:00:01", null]`, "TIME(s)", `"00:00:01" null`},
		{&arrow.Decimal32Type{Precision: 5, Scale: 2}, `["-1.25", null]`, "DECIMAL(5,2)", `-1.25 null`},
		{&arrow.Decimal64Type{Precision: 15, Scale: 2}, `["-1.25", null]`, "DECIMAL(15,2)", `-1.25 null`},
		{arrow.Null, `[null, null]`, "VARCHAR", `null null`},
		{arrow.MapOf(arrow.BinaryTypes.String, text), `[[{"key":"k","value":"x"}], null, []]`, "MAP<VARCHAR, VARCHAR>", `{"k":"x"} null {}`},
	} {
		for _, stream := range []bool{false, true} {
			for _, options := range [][]ipc.Option{nil, {ipc.WithZstd()}, {ipc.WithLZ4()}} {
				path := filepath.Join(t.TempDir(), "a")
				record := recordOfJSON(t, c.typ, c.values)
				writeRecords(t, path, stream, []arrow.RecordBatch{record, record.NewSlice(0, 0), record.NewSlice(1, record.NumRows())}, options...)
				src, err := OpenSource(t.Context(), path, Options{BatchRows: 2})
				if err != nil {
					t.Fatalf("%v: %v", c.typ, err)
				}
				if got := src.Schema().Children[0].String(); got != c.want {
					t.Errorf("%v is %s, want %s", c.typ, got, c.want)
				}
				values := strings.Split(c.lines, " ")
				if c.typ.ID() == arrow.LARGE_STRING || c.typ.ID() == arrow.STRING_VIEW {
					values = []string{`"a longer one than twelve"`, "null", `""`}
				}
				want := ""
				for _, v := range append(values, values[1:]...) {
					want += `{"v":` + v + "}\n"
				}
				if got, err := drain(src, FormatJSONL, Options{}); err != nil || got != want {
					t.Errorf("%v, stream %t: %v\n%s\nwant\n%s", c.typ, stream, err, got, want)
				}
				if err := src.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// TestArrowNullsWithElements has null lists that have elements, which Arrow allows.
func TestArrowNullsWithElements(t *testing.T) {
	full := recordOfJSON(t, arrow.ListOf(arrow.PrimitiveTypes.Int32), `[[1], [2, 3], [4], [], [5]]`)
	data := full.Column(0).Data()
	valid := memory.NewBufferBytes([]byte{0b11001})
	arr := array.MakeFromData(array.NewData(data.DataType(), 5, []*memory.Buffer{valid, data.Buffers()[1]}, data.Children(), 2, 0))
	record := array.NewRecordBatch(full.Schema(), []arrow.Array{arr}, 5)
	path := filepath.Join(t.TempDir(), "a")
	writeRecords(t, path, true, []arrow.RecordBatch{record})
	src, err := OpenSource(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	want := "{\"v\":[1]}\n{\"v\":null}\n{\"v\":null}\n{\"v\":[]}\n{\"v\":[5]}\n"
	if got, err := drain(src, FormatJSONL, Options{}); err != nil || got != want {
		t.Errorf("%v %s", err, got)
	}
}

// TestArrowDictionaryDelta reads a stream whose dictionary grows.
func TestArrowDictionaryDelta(t *testing.T) {
	typ := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	path := filepath.Join(t.TempDir(), "a")
	records := []arrow.RecordBatch{recordOfJSON(t, typ, `["a", "b"]`), recordOfJSON(t, typ, `["a", "b", "c"]`), recordOfJSON(t, typ, `["z"]`)}
	writeRecords(t, path, true, records, ipc.WithDictionaryDeltas(true))
	src, err := OpenSource(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if got, err := drain(src, FormatCSV, Options{}); err != nil || got != "v\na\nb\na\nb\nc\nz\n" {
		t.Errorf("%v %q", err, got)
	}
}

// TestArrowRefused has what is refused by name.
func TestArrowRefused(t *testing.T) {
	nested := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.ListOf(arrow.PrimitiveTypes.Int8)}
	for _, typ := range []arrow.DataType{
		arrow.FixedWidthTypes.Float16, arrow.FixedWidthTypes.Duration_ms, arrow.FixedWidthTypes.Date64,
		arrow.FixedWidthTypes.MonthInterval, nested,
	} {
		empty := array.MakeArrayOfNull(memory.DefaultAllocator, typ, 0)
		schema := arrow.NewSchema([]arrow.Field{{Name: "v", Type: typ}}, nil)
		path := filepath.Join(t.TempDir(), "a")
		writeRecords(t, path, true, []arrow.RecordBatch{array.NewRecordBatch(schema, []arrow.Array{empty}, 0)})
		if _, err := OpenSource(t.Context(), path, Options{}); !errors.Is(err, nimble.ErrUnsupported) || !strings.Contains(err.Error(), typ.Name()) {
			t.Errorf("%v: error %v", typ, err)
		}
	}
}

// TestArrowMemory has a record that says it is larger, uncompressed, than anything
// may be.
func TestArrowMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	record := recordOfJSON(t, arrow.PrimitiveTypes.Int64, "["+strings.Repeat("7,", 999)+"7]")
	writeRecords(t, path, true, []arrow.RecordBatch{record}, ipc.WithZstd())
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	size := []byte{0x40, 0x1f, 0, 0, 0, 0, 0, 0} // 8,000, before the frame
	i := bytes.Index(data, append(bytes.Clone(size), 0x28, 0xb5, 0x2f, 0xfd))
	if i < 0 {
		t.Fatal("the file has no such size")
	}
	data[i+5] = 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := OpenSource(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if _, err := drain(src, FormatCSV, Options{}); err == nil || !strings.Contains(err.Error(), "of memory") {
		t.Errorf("error %v", err)
	}
}

// FuzzArrow reads anything as an Arrow file and as a stream: it ends in an error or
// does not, and is over.
func FuzzArrow(f *testing.F) {
	schema, err := nimble.ParseSchema("i INTEGER, s VARCHAR, l ARRAY<VARCHAR>")
	if err != nil {
		f.Fatal(err)
	}
	b := vector.NewBatch(nil, newVectors(schema)...)
	b.N = 2
	b.Columns[0].(*vector.Vec[int32]).Append(7)
	vector.AppendString(b.Columns[1].(*vector.Vec[vector.View]), []byte("s"))
	l := b.Columns[2].(*vector.List)
	vector.AppendString(l.Elem.(*vector.Vec[vector.View]), []byte("a"))
	l.Append()
	for _, c := range b.Columns {
		appendNull(c)
	}
	for _, format := range []Format{FormatArrow, FormatArrowStream} {
		var out bytes.Buffer
		sink, err := NewSink(&out, format, schema, Options{})
		if err != nil {
			f.Fatal(err)
		}
		if err := errors.Join(sink.Write(b), sink.Close()); err != nil {
			f.Fatal(err)
		}
		f.Add(out.Bytes(), format == FormatArrowStream)
	}
	f.Fuzz(func(t *testing.T, data []byte, stream bool) {
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		format := FormatArrow
		if stream {
			format = FormatArrowStream
		}
		src, err := OpenSource(context.Background(), path, Options{From: format})
		if err != nil {
			return
		}
		for range 100 {
			if _, err := src.Next(); err != nil {
				break
			}
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	})
}
