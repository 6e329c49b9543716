package nimble

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseLogical(t *testing.T) {
	for text, storage := range map[string]Kind{
		"date": Integer, "decimal(1,0)": BigInt, "decimal(18,18)": BigInt, "decimal(19,2)": Varbinary,
		"decimal(76,0)": Varbinary, "time(us)": BigInt, "timestamp(ms)": Timestamp, "uint8": SmallInt,
		"uint16": Integer, "uint32": BigInt, "uint64": BigInt, "json": Varchar, "uuid": Varbinary,
	} {
		l, err := ParseLogical(text)
		if err != nil {
			t.Errorf("ParseLogical(%q): %v", text, err)
			continue
		}
		if l.String() != text || l.Storage() != storage {
			t.Errorf("ParseLogical(%q) is %v stored as %v, want %v", text, l, l.Storage(), storage)
		}
	}
	for _, text := range []string{
		"Date", "decimal", "decimal()", "decimal(0,0)", "decimal(77,0)", "decimal(5,6)", "decimal(5,-1)",
		"decimal(5)", "decimal(5,2", "time", "time(m)", "timestamp()", "uint7", "uint128", "?", "date()",
	} {
		if l, err := ParseLogical(text); !errors.Is(err, ErrSchema) {
			t.Errorf("ParseLogical(%q) = %v, %v; want an error", text, l, err)
		}
	}
}

func TestParseType(t *testing.T) {
	for _, c := range []struct{ in, out string }{
		{"bigint", "BIGINT"},
		{" ARRAY < MAP<varchar,Row<>> > ", "ARRAY<MAP<VARCHAR, ROW<>>>"},
		{"ROW<a:INTEGER,b:DATE>", "ROW<a INTEGER, b DATE>"},
		{`row<"two words" decimal(10, 2), "q""q" time(NS), "" uuid>`, `ROW<"two words" DECIMAL(10,2), "q""q" TIME(ns), "" UUID>`},
		{"ROW<row ROW<x REAL>, date DATE, größe TIMESTAMP>", "ROW<row ROW<x REAL>, date DATE, größe TIMESTAMP>"},
		{"FLATMAP<VARCHAR, DEDUPARRAY<INTEGER>>", "FLATMAP<VARCHAR, DEDUPARRAY<INTEGER>>"},
		{"timestamp(ms)", "TIMESTAMP(ms)"},
		{`ROW<"1a" TINYINT>`, `ROW<"1a" TINYINT>`},
	} {
		typ, err := ParseType(c.in)
		if err != nil {
			t.Errorf("ParseType(%q): %v", c.in, err)
			continue
		}
		if typ.String() != c.out {
			t.Errorf("ParseType(%q) = %s, want %s", c.in, typ, c.out)
		}
	}
}

func TestParseTypeErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                           "byte 0",
		"INT3":                       `"INT3" is not a type`,
		"ARRAY":                      `expected "<"`,
		"ARRAY<INTEGER":              `expected ">"`,
		"MAP<INTEGER>":               `expected ","`,
		"ROW<a>":                     "not a type",
		"ROW<a INTEGER,>":            "expected a name",
		`ROW<"a INTEGER>`:            "does not end",
		"INTEGER x":                  `unexpected "x"`,
		"DECIMAL(10":                 `expected ")"`,
		"DECIMAL(100,2)":             "1 <= P <= 76",
		"FLATMAP<REAL, REAL>":        "keys must be",
		strings.Repeat("ARRAY<", 70): "deeper than 64",
	} {
		_, err := ParseType(in)
		if !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseType(%q): %v, want an error with %q", in, err, want)
		}
	}
}

func TestParseSchema(t *testing.T) {
	for _, in := range []string{"row BIGINT, name VARCHAR", "ROW<row BIGINT, name VARCHAR>", "row: bigint,name: varchar"} {
		typ, err := ParseSchema(in)
		if err != nil {
			t.Fatalf("ParseSchema(%q): %v", in, err)
		}
		if got, want := typ.String(), "ROW<row BIGINT, name VARCHAR>"; got != want {
			t.Errorf("ParseSchema(%q) = %s, want %s", in, got, want)
		}
	}
	for _, in := range []string{"", "BIGINT", "a", "a BIGINT b", "ROW<a BIGINT"} {
		if typ, err := ParseSchema(in); !errors.Is(err, ErrSchema) {
			t.Errorf("ParseSchema(%q) = %v, %v; want an error", in, typ, err)
		}
	}
}

func TestValidate(t *testing.T) {
	deep := &Type{Kind: Integer}
	for range MaxDepth {
		deep = &Type{Kind: Array, Children: []*Type{deep}}
	}
	for _, typ := range []*Type{
		nil,
		{},
		{Kind: 99},
		{Kind: Integer, Children: []*Type{{Kind: Integer}}},
		{Kind: Array},
		{Kind: Map, Children: []*Type{{Kind: Integer}}},
		{Kind: Array, Children: []*Type{nil}},
		{Kind: Row, Names: []string{"a"}},
		{Kind: Array, Names: []string{"a"}, Children: []*Type{{Kind: Integer}}},
		{Kind: BigInt, Logical: "date"},
		{Kind: BigInt, Logical: "?"},
		deep,
	} {
		if err := typ.Validate(); !errors.Is(err, ErrSchema) {
			t.Errorf("Validate of %+v: %v", typ, err)
		}
	}
}

// drawType draws a type of at most depth levels; kinds other than those of
// storage alone.
func drawType(t *rapid.T, depth int) *Type {
	last := int(Timestamp)
	if depth > 1 {
		last = int(Row)
	}
	k := Kind(rapid.IntRange(int(Boolean), last).Draw(t, "kind"))
	typ := &Type{Kind: k}
	switch k {
	case Array:
		typ.Children = []*Type{drawType(t, depth-1)}
	case Map:
		typ.Children = []*Type{drawType(t, 1), drawType(t, depth-1)}
	case Row:
		return drawRow(t, depth)
	}
	return typ
}

func drawRow(t *rapid.T, depth int) *Type {
	typ := &Type{Kind: Row}
	for i := range rapid.IntRange(0, 4).Draw(t, "fields") {
		name := rapid.StringN(0, 5, 20).Draw(t, "name")
		typ.Names = append(typ.Names, fmt.Sprint(name, i))
		typ.Children = append(typ.Children, drawType(t, depth-1))
	}
	return typ
}

func TestParseTypeReadsString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := drawType(t, 5)
		got, err := ParseType(typ.String())
		if err != nil {
			t.Fatalf("ParseType(%s): %v", typ, err)
		}
		if diff := cmp.Diff(typ, got); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", typ, diff)
		}
	})
}

func ExampleParseSchema() {
	schema, err := ParseSchema(`id BIGINT, "price" DECIMAL(10,2), tags ARRAY<VARCHAR>`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(schema)
	fmt.Println(schema.Children[1].Kind, schema.Children[1].Logical)
	// Output:
	// ROW<id BIGINT, price DECIMAL(10,2), tags ARRAY<VARCHAR>>
	// BIGINT decimal(10,2)
}
