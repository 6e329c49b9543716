package exec

import (
	"fmt"
	"slices"
	"testing"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// encodedTable has one text column, in a form, of which some entries are in no
// row; the last row is null.
func encodedTable(form vector.Form) *memoryTable {
	v := vector.NewVec[vector.View](nil)
	for _, s := range []string{"12", "x", "-7", "unused"} {
		vector.AppendString(v, []byte(s))
	}
	v.Form, v.N = form, 6
	switch form {
	case vector.Dictionary:
		v.Index = []uint32{0, 2, 2, 0, 1, 0}
	case vector.RunLength:
		v.Values = v.Values[:3]
		v.Ends = []uint32{1, 4, 6}
	case vector.Sparse:
		v.Values = v.Values[:3]
		v.Positions = []uint32{1, 4}
	}
	valid := v.ReserveValid(6)
	valid[0] = 0b011111
	b := vector.NewBatch(nil, v)
	b.N = 6
	return &memoryTable{columns: []plan.TableColumn{{Name: "s", Type: fn.String}}, splits: [][]*vector.Batch{{b}}}
}

// TestCallsOverEncodedColumns compares calls over a dictionary, runs and
// exceptions to those over the same rows, flat.
func TestCallsOverEncodedColumns(t *testing.T) {
	for _, form := range []vector.Form{vector.Dictionary, vector.RunLength, vector.Sparse} {
		for _, text := range []string{
			"UPPER(s)", "LENGTH(s)", "CONCAT(s, '!')", "LENGTH(s) * 2 + 1", "STARTSWITH(s, '1')", "COALESCE(s, 'none')",
			"CASE WHEN s = 'x' THEN 'y' ELSE s END", "s LIKE '%1%'", "REGEXP_LIKE(s, '^[0-9]')",
		} {
			query := fmt.Sprintf("SELECT %s FROM t", text)
			got := answer(t, encodedTable(form), 1, query)
			flat := encodedTable(form)
			flat.splits[0][0].Columns[0].(*vector.Vec[vector.View]).Flatten()
			if want := answer(t, flat, 1, query); !slices.Equal(got, want) {
				t.Errorf("%s over %v: %q, want %q", text, form, got, want)
			}
		}
	}
}

// TestEntriesThatNoRowHas calls a function that takes all rows that are left, but
// not all entries of their dictionary.
func TestEntriesThatNoRowHas(t *testing.T) {
	got := answer(t, encodedTable(vector.Dictionary), 1, "SELECT CAST(s AS INT) FROM t WHERE s <> 'x'")
	if want := []string{"12", "-7", "-7", "12"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func BenchmarkCalls(b *testing.B) {
	const rows = 2048
	ints, doubles := vector.NewVec[int32](nil), vector.NewVec[float64](nil)
	for i := range rows {
		ints.Append(int32(i))
		doubles.Append(float64(i) / 3)
	}
	texts := vector.NewVec[vector.View](nil)
	for i := range 16 {
		vector.AppendString(texts, fmt.Appendf(nil, "a text of some length %d", i))
	}
	texts.Form, texts.N = vector.Dictionary, rows
	for i := range texts.ReserveIndex(rows) {
		texts.Index[i] = uint32(i % 16)
	}
	batch := vector.NewBatch(nil, ints, doubles, texts)
	batch.N = rows
	table := &memoryTable{
		columns: []plan.TableColumn{{Name: "i", Type: fn.Int}, {Name: "d", Type: fn.Double}, {Name: "s", Type: fn.String}},
		splits:  [][]*vector.Batch{{batch}},
	}
	for _, text := range []string{
		"SUM(d * 2 + d)", "SUM(i + d)", "SUM(CASE WHEN i > 5 THEN d ELSE 0 END)", "SUM(LENGTH(UPPER(s)))", "COUNT(CAST(i AS STRING))",
	} {
		b.Run(text, func(b *testing.B) {
			w := warmWorker(b, table, table.columns, "SELECT "+text+" FROM t")
			b.ReportAllocs()
			b.SetBytes(rows)
			for b.Loop() {
				if err := w.readSplit(b.Context(), 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
