package datatable_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/pool"
	"pgregory.net/rapid"
)

// newBuilder returns a builder of columns c0, c1, … of the given types for a
// reader of the head.
func newBuilder(tb rapid.TB, p *pool.Pool, types ...datatable.Type) *datatable.Builder {
	tb.Helper()
	columns := make([]datatable.Column, len(types))
	for i, typ := range types {
		columns[i] = datatable.Column{Name: fmt.Sprintf("c%d", i), Type: typ}
	}
	b, err := datatable.NewBuilder(p, columns, datatable.Options{Release: datatable.ReleaseHead})
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func mustAppend(tb rapid.TB, b *datatable.Builder) []byte {
	tb.Helper()
	table, err := b.AppendTo(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return table
}

func mustOpen(tb rapid.TB, data []byte) *datatable.Table {
	tb.Helper()
	table, err := datatable.Open(data)
	if err != nil {
		tb.Fatal(err)
	}
	return table
}

func allTypes() []datatable.Type {
	var all []datatable.Type
	for typ := datatable.Int; typ <= datatable.BigDecimalArray; typ++ {
		all = append(all, typ)
	}
	return all
}

func TestTypesHaveNames(t *testing.T) {
	for _, typ := range allTypes() {
		if got, ok := datatable.ParseType(typ.String()); !ok || got != typ {
			t.Errorf("type %d is named %v, which is %v, %v", typ, typ, got, ok)
		}
	}
	for _, name := range []string{"", "int", "OBJECT_ARRAY"} {
		if typ, ok := datatable.ParseType(name); ok {
			t.Errorf("%q is %v", name, typ)
		}
	}
	for key := datatable.UnknownKey; key <= datatable.LiteModeLeafStageLimitReached; key++ {
		if got, ok := datatable.ParseMetadataKey(key.String()); !ok || got != key {
			t.Errorf("key %d is named %v, which is %v, %v", key, key, got, ok)
		}
	}
}

// fullCell sets a column of any type to a value of which no byte is zero.
func fullCell(b *datatable.Builder, col int, typ datatable.Type) {
	ones := bytes.Repeat([]byte{0x11}, 16)
	decimal := datatable.Decimal{Unscaled: []byte{0x11, 0x22}, Scale: 0x1111}
	switch typ.Stored() {
	case datatable.Int:
		b.SetInt(col, -1)
	case datatable.Long:
		b.SetLong(col, -1)
	case datatable.Float:
		b.SetFloat(col, math.Float32frombits(0xffffffff))
	case datatable.Double:
		b.SetDouble(col, math.Float64frombits(0xffffffffffffffff))
	case datatable.String:
		b.SetString(col, []byte("first"))
		b.SetString(col, []byte("text"))
	case datatable.Bytes:
		b.SetBytes(col, ones)
	case datatable.BigDecimal:
		b.SetBigDecimal(col, decimal)
	case datatable.Map:
		b.SetMap(col, []datatable.MapEntry{{Key: []byte("k"), JSON: []byte("1")}})
	case datatable.Object:
		b.SetObject(col, 4, ones)
	case datatable.Unknown:
		b.SetNull(col)
	case datatable.IntArray:
		b.SetIntArray(col, []int32{-1})
	case datatable.LongArray:
		b.SetLongArray(col, []int64{-1})
	case datatable.FloatArray:
		b.SetFloatArray(col, []float32{1})
	case datatable.DoubleArray:
		b.SetDoubleArray(col, []float64{1})
	case datatable.StringArray:
		b.SetStringArray(col, [][]byte{[]byte("text")})
	case datatable.BytesArray:
		b.SetBytesArray(col, [][]byte{ones})
	case datatable.BigDecimalArray:
		b.SetBigDecimalArray(col, []datatable.Decimal{decimal})
	}
}

// fixedSection returns the rows of a table that was built without nulls.
func fixedSection(table []byte) []byte {
	word := func(at int) int {
		return int(table[at])<<24 | int(table[at+1])<<16 | int(table[at+2])<<8 | int(table[at+3])
	}
	return table[word(36) : word(36)+word(40)]
}

func TestUnsetColumnsAreZeroInEveryRow(t *testing.T) {
	types := allTypes()
	b := newBuilder(t, pool.New(pool.Options{}), types...)
	for range 3 {
		b.StartRow()
		for col, typ := range types {
			fullCell(b, col, typ)
		}
		b.FinishRow()
		b.StartRow()
		b.FinishRow()
	}
	fixed := fixedSection(mustAppend(t, b))
	rowBytes := len(fixed) / 6
	for row := range 6 {
		cells := fixed[row*rowBytes : (row+1)*rowBytes]
		if zero := bytes.Count(cells, []byte{0}) == rowBytes; zero != (row%2 == 1) {
			t.Errorf("row %d is %x", row, cells)
		}
	}
	// One column at a time, the others of the row stay zero.
	for col, typ := range types {
		b.Reset()
		b.StartRow()
		for col, typ := range types {
			fullCell(b, col, typ)
		}
		b.FinishRow()
		b.StartRow()
		fullCell(b, col, typ)
		b.FinishRow()
		single := newBuilder(t, nil, typ)
		cells := fixedSection(mustAppend(t, b))[rowBytes:]
		single.StartRow()
		single.FinishRow()
		slot := len(fixedSection(mustAppend(t, single)))
		if used := rowBytes - bytes.Count(cells, []byte{0}); used > slot || used == 0 {
			t.Errorf("%v: %d bytes of the row are set: %x", typ, used, cells)
		}
	}
}

func TestBitsAreKept(t *testing.T) {
	b := newBuilder(t, nil, datatable.Float, datatable.Double, datatable.FloatArray, datatable.DoubleArray)
	floats := []uint32{0x7fc00001, 0xffc12345, 0x7f800001, 0x80000000, 0x00000001, 0xff800000}
	doubles := []uint64{0x7ff8000000000001, 0xfff8123456789abc, 0x7ff0000000000001, 1 << 63, 1, 0xfff << 52}
	for i := range floats {
		f, d := math.Float32frombits(floats[i]), math.Float64frombits(doubles[i])
		b.StartRow()
		b.SetFloat(0, f)
		b.SetDouble(1, d)
		b.SetFloatArray(2, []float32{f})
		b.SetDoubleArray(3, []float64{d})
		b.FinishRow()
	}
	table := mustOpen(t, mustAppend(t, b))
	for i := range floats {
		if got := math.Float32bits(table.Float(i, 0)); got != floats[i] {
			t.Errorf("float %x became %x", floats[i], got)
		}
		if got := math.Float64bits(table.Double(i, 1)); got != doubles[i] {
			t.Errorf("double %x became %x", doubles[i], got)
		}
		wantFloat, wantDouble := floats[i], doubles[i]
		if i < 3 { // NaNs lose their payload in arrays
			wantFloat, wantDouble = 0x7fc00000, 0x7ff8000000000000
		}
		fs, _ := table.AppendFloats(nil, i, 2)
		ds, _ := table.AppendDoubles(nil, i, 3)
		if math.Float32bits(fs[0]) != wantFloat || math.Float64bits(ds[0]) != wantDouble {
			t.Errorf("array elements %x and %x became %x and %x",
				floats[i], doubles[i], math.Float32bits(fs[0]), math.Float64bits(ds[0]))
		}
	}
}

func TestLastValueOfACellCounts(t *testing.T) {
	b := newBuilder(t, nil, datatable.Int, datatable.String, datatable.LongArray)
	b.StartRow()
	b.SetLongArray(2, []int64{1, 2})
	b.SetString(1, []byte("one"))
	b.SetInt(0, 1)
	b.SetLongArray(2, []int64{3})
	b.SetString(1, []byte("two"))
	b.SetInt(0, 2)
	b.FinishRow()
	table := mustOpen(t, mustAppend(t, b))
	text, err := table.String(0, 1)
	longs, err2 := table.AppendLongs(nil, 0, 2)
	if err != nil || err2 != nil || table.Int(0, 0) != 2 || string(text) != "two" || len(longs) != 1 || longs[0] != 3 {
		t.Errorf("the row is %d, %q, %v", table.Int(0, 0), text, longs)
	}
	if table.NumStrings() != 2 {
		t.Errorf("%d strings", table.NumStrings())
	}
}

func TestBuildersAreIndependent(t *testing.T) {
	p := pool.New(pool.Options{})
	types := allTypes()
	build := func(b *datatable.Builder, rows int) {
		for range rows {
			b.StartRow()
			for col, typ := range types {
				fullCell(b, col, typ)
			}
			b.FinishRow()
		}
	}
	alone := newBuilder(t, nil, types...)
	build(alone, 5)
	want := mustAppend(t, alone)

	one, two := newBuilder(t, p, types...), newBuilder(t, p, types...)
	for range 5 {
		one.StartRow()
		two.StartRow()
		for col, typ := range types {
			fullCell(one, col, typ)
			if col%2 == 0 {
				two.SetNull(col)
			}
		}
		two.FinishRow()
		one.FinishRow()
	}
	if got := mustAppend(t, one); !bytes.Equal(got, want) {
		t.Errorf("with another builder at work the table is\n%x, not\n%x", got, want)
	}
	one.Release()
	two.Release()
	if s := p.Stats(); s.Outstanding != 0 {
		t.Errorf("%d buffers are outstanding after Release", s.Outstanding)
	}
	build(one, 5)
	if got := mustAppend(t, one); !bytes.Equal(got, want) {
		t.Error("after Release the builder makes another table")
	}
}

func TestTableIsNotAliased(t *testing.T) {
	types := allTypes()
	b := newBuilder(t, pool.New(pool.Options{}), types...)
	row := func() {
		b.StartRow()
		for col, typ := range types {
			fullCell(b, col, typ)
		}
		b.FinishRow()
	}
	row()
	b.StartRow()
	b.SetNull(0)
	b.FinishRow()
	first := mustAppend(t, b)
	kept := bytes.Clone(first)
	if again := mustAppend(t, b); !bytes.Equal(again, kept) {
		t.Error("the same table twice differs")
	}
	row()
	longer := mustAppend(t, b)
	b.Reset()
	row()
	b.AddException(1, "x")
	other := mustAppend(t, b)
	if !bytes.Equal(first, kept) {
		t.Error("a table changed after it was returned")
	}
	if mustOpen(t, longer).Rows() != 3 || mustOpen(t, other).Rows() != 1 {
		t.Error("rows were lost")
	}
	if other, err := b.AppendTo([]byte("before")); err != nil || string(other[:6]) != "before" {
		t.Errorf("appended: %q, %v", other[:6], err)
	}
	if empty := mustAppend(t, newBuilder(t, nil, types...)); mustOpen(t, empty).Rows() != 0 {
		t.Error("a table without rows has some")
	}
}

func TestResetForgetsEverything(t *testing.T) {
	b := newBuilder(t, nil, datatable.String, datatable.Long)
	want := mustAppend(t, b)
	b.StartRow()
	b.SetString(0, []byte("text"))
	b.SetNull(1)
	b.SetMetadata(datatable.TotalDocs, 5)
	b.SetMetadataText(datatable.QueryID, "q")
	b.SetMetadataBool(datatable.Sorted, true)
	b.AddException(200, "boom")
	b.SetInt(0, 1) // an error
	b.Reset()
	if got := mustAppend(t, b); !bytes.Equal(got, want) {
		t.Errorf("after Reset the table is\n%x, not\n%x", got, want)
	}
}

func TestWriteTo(t *testing.T) {
	b := newBuilder(t, nil, datatable.String, datatable.Long)
	b.StartRow()
	b.SetString(0, []byte("text"))
	b.SetNull(1)
	b.FinishRow()
	b.SetMetadata(datatable.RequestID, 7)
	var buf bytes.Buffer
	n, err := b.WriteTo(&buf)
	if want := mustAppend(t, b); err != nil || n != int64(len(want)) || !bytes.Equal(buf.Bytes(), want) {
		t.Errorf("wrote %d bytes, %v:\n%x, not\n%x", n, err, buf.Bytes(), want)
	}
	if n, err := b.WriteTo(&limitedWriter{60}); n != 60 || !errors.Is(err, errFull) {
		t.Errorf("wrote %d bytes to a full writer, %v", n, err)
	}
}

var errFull = errors.New("full")

type limitedWriter struct{ left int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestMisuse(t *testing.T) {
	for name, use := range map[string]func(b *datatable.Builder){
		"outside of a row":    func(b *datatable.Builder) { b.SetInt(0, 1) },
		"null outside":        func(b *datatable.Builder) { b.SetNull(0) },
		"of another type":     func(b *datatable.Builder) { b.StartRow(); b.SetLong(0, 1) },
		"no such column":      func(b *datatable.Builder) { b.StartRow(); b.SetInt(2, 1) },
		"negative column":     func(b *datatable.Builder) { b.StartRow(); b.SetNull(-1) },
		"started twice":       func(b *datatable.Builder) { b.StartRow(); b.StartRow() },
		"not started":         func(b *datatable.Builder) { b.FinishRow() },
		"not finished":        func(b *datatable.Builder) { b.StartRow() },
		"short UUID":          func(b *datatable.Builder) { b.StartRow(); b.SetBytes(1, make([]byte, 15)) },
		"null row beyond":     func(b *datatable.Builder) { b.SetNullRows(0, []int32{0}) },
		"nulls of no column":  func(b *datatable.Builder) { b.SetNullRows(2, nil) },
		"text as a number":    func(b *datatable.Builder) { b.SetMetadata(datatable.QueryID, 1) },
		"number as a text":    func(b *datatable.Builder) { b.SetMetadataText(datatable.TotalDocs, "1") },
		"number as a bool":    func(b *datatable.Builder) { b.SetMetadataBool(datatable.TotalDocs, true) },
		"number out of range": func(b *datatable.Builder) { b.SetMetadata(datatable.NumRows, math.MaxInt32+1) },
		"unknown key":         func(b *datatable.Builder) { b.SetMetadata(45, 1) },
		"in-band in 4 bytes":  func(b *datatable.Builder) { b.StartRow(); b.SetNullInBand(2) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBuilder(t, nil, datatable.Int, datatable.UUID)
			if name == "in-band in 4 bytes" {
				b = newBuilder(t, nil, datatable.UUID, datatable.Long, datatable.Int)
			}
			use(b)
			table, err := b.AppendTo(nil)
			if !errors.Is(err, datatable.ErrMisuse) || table != nil {
				t.Errorf("%d bytes, error %v", len(table), err)
			}
			if _, err := b.WriteTo(&bytes.Buffer{}); !errors.Is(err, datatable.ErrMisuse) {
				t.Errorf("WriteTo: %v", err)
			}
			b.Reset()
			if err := b.Err(); err != nil {
				t.Errorf("after Reset: %v", err)
			}
		})
	}
}

func TestReleases(t *testing.T) {
	for _, typ := range []datatable.Type{datatable.UUID, datatable.UUIDArray, datatable.BigDecimalArray, 0, 200} {
		columns := []datatable.Column{{Name: "c", Type: typ}}
		if _, err := datatable.NewBuilder(nil, columns, datatable.Options{}); !errors.Is(err, datatable.ErrType) {
			t.Errorf("%v for release 1.5: %v", typ, err)
		}
	}
	if _, err := datatable.NewBuilder(nil, nil, datatable.Options{Release: 9}); err == nil {
		t.Error("a builder for a release that does not exist")
	}
	for release, want := range map[datatable.Release]int{
		datatable.Release13: 35, datatable.Release14: 41, datatable.Release15: 42, datatable.ReleaseHead: 45,
	} {
		b, err := datatable.NewBuilder(nil, nil, datatable.Options{Release: release})
		if err != nil {
			t.Fatal(err)
		}
		for key := datatable.UnknownKey; key <= datatable.LiteModeLeafStageLimitReached; key++ {
			switch key.Kind() {
			case datatable.TextValue:
				b.SetMetadataText(key, "")
			case datatable.BoolValue:
				b.SetMetadataBool(key, true)
			default:
				b.SetMetadata(key, -1)
			}
		}
		if got := len(mustOpen(t, mustAppend(t, b)).Metadata()); got != want {
			t.Errorf("release %d gets %d keys, not %d", release, got, want)
		}
	}
}

func TestExceptionsAreByCode(t *testing.T) {
	b := newBuilder(t, nil)
	for i, code := range []int32{700, 200, math.MinInt32, 700, math.MaxInt32} {
		b.AddException(code, fmt.Sprint("message ", i))
	}
	b.AddException(0, "")
	var got []string
	for _, e := range mustOpen(t, mustAppend(t, b)).Exceptions() {
		got = append(got, fmt.Sprintf("%d %s", e.Code, e.Message))
	}
	want := []string{"-2147483648 message 2", "0 ", "200 message 1", "700 message 3", "2147483647 message 4"}
	if !slices.Equal(got, want) {
		t.Errorf("exceptions are %q, not %q", got, want)
	}
}

func TestSections(t *testing.T) {
	b := newBuilder(t, nil, allTypes()...)
	for range 3 {
		b.StartRow()
		for col := range allTypes() {
			b.SetNull(col)
		}
		b.FinishRow()
	}
	b.AddException(1, "message")
	b.SetMetadata(datatable.TotalDocs, 1)
	data := mustAppend(t, b)
	end := 0
	for _, s := range mustOpen(t, data).Sections() {
		if s.Begin != end || s.Bytes <= 0 || s.Name == "" {
			t.Errorf("section %+v after byte %d", s, end)
		}
		end += s.Bytes
	}
	if end != len(data) {
		t.Errorf("sections of %d bytes in %d", end, len(data))
	}
}
