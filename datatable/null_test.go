package datatable_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/decantdb/decant/datatable"
)

func TestNullOfEveryType(t *testing.T) {
	placeholders := map[datatable.Type]string{
		datatable.Int: "0", datatable.Long: "0", datatable.Float: "00000000", datatable.Double: "0000000000000000",
		datatable.BigDecimal: "0/0", datatable.String: `""`, datatable.Bytes: "",
		datatable.Map: "null", datatable.Object: "null", datatable.Unknown: "null",
	}
	for _, typ := range allTypes() {
		b := newBuilder(t, nil, typ)
		b.StartRow()
		fullCell(b, 0, typ)
		b.SetNull(0)
		b.FinishRow()
		table := mustOpen(t, mustAppend(t, b))
		if !table.IsNull(0, 0) {
			t.Errorf("a null %v is not null", typ)
		}
		want, scalar := placeholders[typ.Stored()]
		if !scalar {
			want = "[]"
		}
		if typ == datatable.UUID {
			want = "00000000000000000000000000000000"
		}
		if got, err := cellText(table, 0, 0); err != nil || got != want {
			t.Errorf("a null %v is %s, %v, not %s", typ, got, err, want)
		}
		if inBand := want == "null"; inBand != (table.Validity(0) == nil) {
			t.Errorf("a null %v is in-band: %v, validity %b", typ, inBand, table.Validity(0))
		}
	}
}

func TestNullLeavesNeighboursIntact(t *testing.T) {
	b := newBuilder(t, nil, datatable.String, datatable.Double, datatable.Int)
	b.StartRow()
	b.SetDouble(1, 1.5)
	b.SetInt(2, 7)
	b.SetNull(0)
	b.FinishRow()
	table := mustOpen(t, mustAppend(t, b))
	if table.Double(0, 1) != 1.5 || table.Int(0, 2) != 7 {
		t.Errorf("the neighbours are %v and %v", table.Double(0, 1), table.Int(0, 2))
	}
	if table.Validity(1) != nil || table.Validity(2) != nil || table.IsNull(0, 1) {
		t.Error("a neighbour is null")
	}
}

// nullBuilder returns a builder with an int column and two rows, none of them
// null.
func nullBuilder(t *testing.T, o datatable.Options) *datatable.Builder {
	t.Helper()
	columns := []datatable.Column{{Name: "i", Type: datatable.Int}}
	b, err := datatable.NewBuilder(nil, columns, o)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		b.StartRow()
		b.FinishRow()
	}
	return b
}

func TestNullIndexByRelease(t *testing.T) {
	const rowBytes, indexBytes = 3 * 4, 8
	for _, c := range []struct {
		name    string
		options datatable.Options
		use     func(b *datatable.Builder)
		index   bool
	}{
		{"1.5", datatable.Options{}, func(*datatable.Builder) {}, false},
		{"1.5 with null handling", datatable.Options{NullHandling: true}, func(*datatable.Builder) {}, true},
		{"1.3 with null handling", datatable.Options{Release: datatable.Release13, NullHandling: true}, func(*datatable.Builder) {}, true},
		{"1.5 without rows", datatable.Options{NullHandling: true}, func(b *datatable.Builder) { b.Reset() }, false},
		{"1.5 with a list", datatable.Options{}, func(b *datatable.Builder) { b.SetNullRows(0, nil) }, true},
		{"1.5 with a null", datatable.Options{}, func(b *datatable.Builder) { b.SetNullRows(0, []int32{1}) }, true},
		{"head", datatable.Options{Release: datatable.ReleaseHead, NullHandling: true}, func(b *datatable.Builder) { b.SetNullRows(0, nil) }, false},
		{"head with a null", datatable.Options{Release: datatable.ReleaseHead}, func(b *datatable.Builder) { b.SetNullRows(0, []int32{1}) }, true},
	} {
		b := nullBuilder(t, c.options)
		c.use(b)
		fixed := len(fixedSection(mustAppend(t, b)))
		if got := fixed%rowBytes == indexBytes; got != c.index {
			t.Errorf("%s: null index %v (%d fixed bytes)", c.name, got, fixed)
		}
	}
}

func TestNullRowsAreMerged(t *testing.T) {
	b := newBuilder(t, nil, datatable.Int)
	for row := range 3 {
		b.StartRow()
		if row == 0 {
			b.SetNull(0)
		}
		b.FinishRow()
	}
	rows := []int32{2}
	b.SetNullRows(0, rows)
	b.SetNullRows(0, nil)
	table := mustOpen(t, mustAppend(t, b))
	var got []int
	for row := range table.Rows() {
		if table.IsNull(row, 0) {
			got = append(got, row)
		}
	}
	if !slices.Equal(got, []int{0, 2}) || !slices.Equal(rows, []int32{2}) {
		t.Errorf("null rows are %v, the caller's list is %v", got, rows)
	}
}

func TestEmptyListsOfNullsChangeNothing(t *testing.T) {
	build := func(use func(b *datatable.Builder)) []byte {
		b := nullBuilder(t, datatable.Options{Release: datatable.ReleaseHead})
		use(b)
		return mustAppend(t, b)
	}
	plain := build(func(*datatable.Builder) {})
	listed := build(func(b *datatable.Builder) { b.SetNullRows(0, []int32{}); b.SetNullRows(0, nil) })
	if !bytes.Equal(plain, listed) {
		t.Errorf("the table is\n%x, not\n%x", listed, plain)
	}
}
