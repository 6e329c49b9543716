package decant

import (
	"errors"
	"testing"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
	"github.com/google/go-cmp/cmp"
)

// shapes are types of every family, and lists and maps of them, to a depth.
func shapes(t *testing.T, depth int) []*nimble.Type {
	t.Helper()
	schema, err := nimble.ParseSchema("a BOOLEAN, b TINYINT, c SMALLINT, d INTEGER, e BIGINT, f UINT8, g UINT16, h UINT32," +
		" i UINT64, j REAL, k DOUBLE, l VARCHAR, m VARBINARY, n JSON, o UUID, p DATE, q TIMESTAMP, r DECIMAL(5,2), s DECIMAL(30,2)")
	if err != nil {
		t.Fatal(err)
	}
	all := schema.Children
	if depth == 0 {
		return all
	}
	text := &nimble.Type{Kind: nimble.Varchar}
	for _, c := range shapes(t, depth-1) {
		all = append(all,
			&nimble.Type{Kind: nimble.Array, Children: []*nimble.Type{c}},
			&nimble.Type{Kind: nimble.DedupArray, Children: []*nimble.Type{c}},
			&nimble.Type{Kind: nimble.Map, Children: []*nimble.Type{text, c}},
			&nimble.Type{Kind: nimble.FlatMap, Children: []*nimble.Type{text, c}},
			&nimble.Type{Kind: nimble.SlidingWindowMap, Children: []*nimble.Type{text, c}},
			nimble.RowOf([]string{"x"}, []*nimble.Type{c}))
	}
	return all
}

// TestNestedTypesAreText checks that what SQL calls nested is what is shown as
// JSON, and that answers give text for it and for decimals alone.
func TestNestedTypesAreText(t *testing.T) {
	for _, stored := range shapes(t, 3) {
		typ, _ := queryType(stored)
		if got, want := convert.IsNested(stored), typ == fn.Nested; got != want {
			t.Errorf("%v is nested: %v, in SQL: %v", stored, got, want)
		}
		var shape *nimble.Type
		if typ == fn.Nested || typ == fn.BigDecimal || typ.Array() {
			shape, _ = storedShape(typ, &field{stored: stored})
		} else {
			shape, _ = scalarShape(typ)
		}
		if got, want := asText(shape), typ == fn.Nested || typ == fn.BigDecimal; got != want {
			t.Errorf("an answer of %v, a %v, is text: %v", shape, typ, got)
		}
	}
}

// TestVectorsWithoutValue checks that a vector that no answer has is an error
// and not a value.
func TestVectorsWithoutValue(t *testing.T) {
	tiny, whole := vector.NewVec[int8](nil), vector.NewVec[int32](nil)
	tiny.Append(1)
	whole.Append(1)
	list, lists := vector.NewList(nil, tiny), vector.NewList(nil, whole)
	list.Append()
	lists.Append()
	integer := &nimble.Type{Kind: nimble.Integer}
	integers := &nimble.Type{Kind: nimble.Array, Children: []*nimble.Type{integer}}
	for _, c := range []struct {
		vec vector.Vector
		typ *nimble.Type
	}{
		{tiny, integer},
		{vector.NewRow(nil, whole), integer},
		{list, integers},
		{lists, integer},
	} {
		if row, ok := c.vec.(*vector.Row); ok {
			row.Append(true)
		}
		if value, err := valueAt(c.vec, 0, c.typ); !errors.Is(err, ErrScan) || value != nil {
			t.Errorf("a vector of kind %v for %v: %v, %v", c.vec.Kind(), c.typ, value, err)
		}
	}
	value, err := valueAt(lists, 0, integers)
	if diff := cmp.Diff([]any{int32(1)}, value); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}
