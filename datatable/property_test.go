package datatable_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/pool"
	"pgregory.net/rapid"
)

// drawnCell is a value of a cell: how to set it, and the text that cellText
// makes of it.
type drawnCell struct {
	set  func(b *datatable.Builder, col int)
	text string
	null bool
}

// cellOf makes a cell of a value, a setter and a printer of its type.
func cellOf[V any](v V, set func(*datatable.Builder, int, V), text func(V) string) drawnCell {
	return drawnCell{set: func(b *datatable.Builder, col int) { set(b, col, v) }, text: text(v)}
}

var drawBlob = rapid.SliceOfN(rapid.Byte(), 0, 20)

func drawUUID(typ datatable.Type) *rapid.Generator[[]byte] {
	if typ == datatable.UUID || typ == datatable.UUIDArray {
		return rapid.SliceOfN(rapid.Byte(), 16, 16)
	}
	return drawBlob
}

// Floats of any bits, NaNs included, and values of other kinds.
var (
	drawFloat  = rapid.Custom(func(t *rapid.T) float32 { return math.Float32frombits(rapid.Uint32().Draw(t, "bits")) })
	drawDouble = rapid.Custom(func(t *rapid.T) float64 { return math.Float64frombits(rapid.Uint64().Draw(t, "bits")) })
	drawText   = rapid.Custom(func(t *rapid.T) []byte {
		return []byte(rapid.SampledFrom([]string{"", "a", "b", "ü", "longer than a view can hold", "\x00"}).Draw(t, "text"))
	})
	drawDecimal = rapid.Custom(func(t *rapid.T) datatable.Decimal {
		return datatable.Decimal{Unscaled: drawBlob.Draw(t, "unscaled"), Scale: rapid.Int16().Draw(t, "scale")}
	})
)

func canonicalFloat(x float32) string {
	if x != x {
		return "7fc00000"
	}
	return floatText(x)
}

func canonicalDouble(x float64) string {
	if x != x {
		return "7ff8000000000000"
	}
	return doubleText(x)
}

func listOf[T any](text func(T) string) func([]T) string {
	return func(v []T) string { return list(v, text) }
}

func intText(x int32) string { return fmt.Sprint(x) }

func drawArray[T any](t *rapid.T, elem *rapid.Generator[T]) []T {
	return rapid.SliceOfN(elem, 0, 5).Draw(t, "array")
}

// drawCell draws a value, or a null, of any type.
func drawCell(t *rapid.T, typ datatable.Type) drawnCell {
	if typ == datatable.Unknown || rapid.IntRange(0, 9).Draw(t, "null") == 0 {
		return drawnCell{set: (*datatable.Builder).SetNull, null: true}
	}
	switch typ.Stored() {
	case datatable.Int:
		return cellOf(rapid.Int32().Draw(t, "int"), (*datatable.Builder).SetInt, intText)
	case datatable.Long:
		return cellOf(rapid.Int64().Draw(t, "long"), (*datatable.Builder).SetLong, longText)
	case datatable.Float:
		return cellOf(drawFloat.Draw(t, "float"), (*datatable.Builder).SetFloat, floatText)
	case datatable.Double:
		return cellOf(drawDouble.Draw(t, "double"), (*datatable.Builder).SetDouble, doubleText)
	case datatable.BigDecimal:
		return cellOf(drawDecimal.Draw(t, "decimal"), (*datatable.Builder).SetBigDecimal, decimalText)
	case datatable.String:
		return cellOf(drawText.Draw(t, "text"), (*datatable.Builder).SetString, textText)
	case datatable.Bytes:
		return cellOf(drawUUID(typ).Draw(t, "bytes"), (*datatable.Builder).SetBytes, hexText)
	case datatable.Map:
		entry := rapid.Custom(func(t *rapid.T) datatable.MapEntry {
			return datatable.MapEntry{Key: drawText.Draw(t, "key"), JSON: []byte("1")}
		})
		return cellOf(rapid.SliceOfN(entry, 0, 3).Draw(t, "map"), (*datatable.Builder).SetMap, mapText)
	case datatable.Object:
		id, payload := rapid.Int32Range(0, 54).Draw(t, "id"), drawBlob.Draw(t, "payload")
		set := func(b *datatable.Builder, col int, payload []byte) { b.SetObject(col, id, payload) }
		return cellOf(payload, set, func(v []byte) string { return fmt.Sprintf("%d:%x", id, v) })
	case datatable.IntArray:
		return cellOf(drawArray(t, rapid.Int32()), (*datatable.Builder).SetIntArray, listOf(intText))
	case datatable.LongArray:
		return cellOf(drawArray(t, rapid.Int64()), (*datatable.Builder).SetLongArray, listOf(longText))
	case datatable.FloatArray:
		return cellOf(drawArray(t, drawFloat), (*datatable.Builder).SetFloatArray, listOf(canonicalFloat))
	case datatable.DoubleArray:
		return cellOf(drawArray(t, drawDouble), (*datatable.Builder).SetDoubleArray, listOf(canonicalDouble))
	case datatable.StringArray:
		return cellOf(drawArray(t, drawText), (*datatable.Builder).SetStringArray, listOf(textText))
	case datatable.BytesArray:
		return cellOf(drawArray(t, drawUUID(typ)), (*datatable.Builder).SetBytesArray, listOf(hexText))
	case datatable.BigDecimalArray:
		return cellOf(drawArray(t, drawDecimal), (*datatable.Builder).SetBigDecimalArray, listOf(decimalText))
	}
	panic(typ)
}

// drawTable draws column types and rows of cells.
func drawTable(t *rapid.T) ([]datatable.Type, [][]drawnCell) {
	types := rapid.SliceOfN(rapid.SampledFrom(allTypes()), 0, 8).Draw(t, "types")
	rows := make([][]drawnCell, rapid.IntRange(0, 20).Draw(t, "rows"))
	for r := range rows {
		for _, typ := range types {
			rows[r] = append(rows[r], drawCell(t, typ))
		}
	}
	return types, rows
}

func TestWhatIsSetIsRead(t *testing.T) {
	p := pool.New(pool.Options{})
	rapid.Check(t, func(t *rapid.T) {
		types, rows := drawTable(t)
		columns := make([]datatable.Column, len(types))
		for i, typ := range types {
			columns[i] = datatable.Column{Name: strings.Repeat("ä", i), Type: typ}
		}
		b, err := datatable.NewBuilder(p, columns, datatable.Options{Release: datatable.ReleaseHead})
		if err != nil {
			t.Fatal(err)
		}
		for _, cells := range rows {
			b.StartRow()
			// In any order, and with other values before.
			for _, col := range rapid.Permutation(seq(len(types))).Draw(t, "order") {
				if rapid.IntRange(0, 9).Draw(t, "twice") == 0 {
					if first := drawCell(t, types[col]); !first.null {
						first.set(b, col)
					}
				}
				cells[col].set(b, col)
			}
			b.FinishRow()
		}
		data, err := b.AppendTo(nil)
		if err != nil {
			t.Fatal(err)
		}
		b.Release()
		table, err := datatable.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		if table.Rows() != len(rows) || !slices.Equal(table.Columns(), columns) {
			t.Fatalf("%d rows of %v", table.Rows(), table.Columns())
		}
		for row, cells := range rows {
			for col, c := range cells {
				got, err := cellText(table, row, col)
				if err != nil || table.IsNull(row, col) != c.null || !c.null && got != c.text {
					t.Fatalf("row %d of %v is %s, null %v, %v, not %s, null %v",
						row, types[col], got, table.IsNull(row, col), err, c.text, c.null)
				}
			}
		}
	})
}

func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// A table that was read and set again cell by cell has the same bytes, since
// strings and values then come in the same order.
func TestReadAndBuiltAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		types, rows := drawTable(t)
		b := newBuilder(t, nil, types...)
		for _, cells := range rows {
			b.StartRow()
			for col, c := range cells {
				c.set(b, col)
			}
			b.FinishRow()
		}
		want := mustAppend(t, b)
		copied := newBuilder(t, nil, types...)
		copyRows(copied, mustOpen(t, want))
		if got := mustAppend(t, copied); !bytes.Equal(got, want) {
			t.Fatalf("the table is\n%x, not\n%x", got, want)
		}
	})
}

// copyRows sets in b what the table holds, until a cell cannot be read.
func copyRows(b *datatable.Builder, table *datatable.Table) {
	for row := range table.Rows() {
		b.StartRow()
		for col := range table.Columns() {
			if copyCell(b, table, row, col) != nil {
				break
			}
		}
		b.FinishRow()
	}
}

func copyCell(b *datatable.Builder, table *datatable.Table, row, col int) error {
	if table.IsNull(row, col) {
		b.SetNull(col)
		return nil
	}
	switch table.Columns()[col].Type.Stored() {
	case datatable.Int:
		b.SetInt(col, table.Int(row, col))
	case datatable.Long:
		b.SetLong(col, table.Long(row, col))
	case datatable.Float:
		b.SetFloat(col, table.Float(row, col))
	case datatable.Double:
		b.SetDouble(col, table.Double(row, col))
	case datatable.BigDecimal:
		v, err := table.BigDecimal(row, col)
		return set(b, col, v, err, (*datatable.Builder).SetBigDecimal)
	case datatable.String:
		v, err := table.String(row, col)
		return set(b, col, v, err, (*datatable.Builder).SetString)
	case datatable.Bytes:
		v, err := table.Bytes(row, col)
		return set(b, col, v, err, (*datatable.Builder).SetBytes)
	case datatable.Map:
		v, err := table.AppendMap([]datatable.MapEntry{}, row, col)
		return set(b, col, v, err, (*datatable.Builder).SetMap)
	case datatable.Object:
		id, v, err := table.Object(row, col)
		return set(b, col, v, err, func(b *datatable.Builder, col int, v []byte) { b.SetObject(col, id, v) })
	case datatable.IntArray:
		v, err := table.AppendInts(nil, row, col)
		return set(b, col, v, err, (*datatable.Builder).SetIntArray)
	case datatable.LongArray:
		v, err := table.AppendLongs(nil, row, col)
		return set(b, col, v, err, (*datatable.Builder).SetLongArray)
	case datatable.FloatArray:
		v, err := table.AppendFloats(nil, row, col)
		return set(b, col, v, err, (*datatable.Builder).SetFloatArray)
	case datatable.DoubleArray:
		v, err := table.AppendDoubles(nil, row, col)
		return set(b, col, v, err, (*datatable.Builder).SetDoubleArray)
	case datatable.StringArray:
		v, err := table.AppendStrings(nil, row, col)
		return set(b, col, v, err, (*datatable.Builder).SetStringArray)
	case datatable.BytesArray:
		v, err := table.AppendBlobs(nil, row, col)
		return set(b, col, v, err, (*datatable.Builder).SetBytesArray)
	case datatable.BigDecimalArray:
		v, err := table.AppendBigDecimals(nil, row, col)
		return set(b, col, v, err, (*datatable.Builder).SetBigDecimalArray)
	}
	return nil
}

func set[V any](b *datatable.Builder, col int, v V, err error, fn func(*datatable.Builder, int, V)) error {
	if err == nil {
		fn(b, col, v)
	}
	return err
}
