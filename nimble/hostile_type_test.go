package nimble

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// cyclic returns a row that has itself as both of its fields.
func cyclic() *Type {
	t := &Type{Kind: Row, Names: []string{"a", "b"}, Children: make([]*Type, 2)}
	t.Children[0], t.Children[1] = t, t
	return t
}

func oneColumn(t *Type) *Type { return RowOf([]string{"m"}, []*Type{t}) }

// malformedTypes are types that no schema can have.
func malformedTypes() map[string]*Type {
	return map[string]*Type{
		"none":                 nil,
		"zero":                 {},
		"unknown kind":         {Kind: 200},
		"no names":             {Kind: Row, Children: []*Type{{Kind: BigInt}}},
		"no children":          {Kind: Row, Names: []string{"m"}},
		"missing child":        oneColumn(nil),
		"array of nothing":     oneColumn(&Type{Kind: Array}),
		"array of nil":         oneColumn(&Type{Kind: Array, Children: []*Type{nil}}),
		"map of one":           oneColumn(&Type{Kind: Map, Children: []*Type{{Kind: BigInt}}}),
		"flat map of nil":      oneColumn(&Type{Kind: FlatMap, Children: []*Type{nil, nil}}),
		"flat map of an array": oneColumn(&Type{Kind: FlatMap, Children: []*Type{{Kind: Varchar}, {Kind: Array}}}),
		"keys, value an array": oneColumn(&Type{Kind: FlatMap, Names: []string{"none"}, Children: []*Type{{Kind: Varchar}, {Kind: Array}}}),
		"row of an array":      oneColumn(RowOf([]string{"none"}, []*Type{{Kind: Array}})),
		"row of nil":           oneColumn(RowOf([]string{"none"}, []*Type{nil})),
		"scalar with a child":  oneColumn(&Type{Kind: BigInt, Children: []*Type{{Kind: BigInt}}}),
		"scalar with a name":   oneColumn(&Type{Kind: BigInt, Names: []string{"x"}}),
		"wrong logical type":   oneColumn(&Type{Kind: BigInt, Logical: "date"}),
		"cyclic":               cyclic(),
	}
}

// flatMapFile is a file of a flat map of the given keys and a number.
func flatMapFile(t *testing.T, keys ...int32) *File {
	t.Helper()
	var pairs []pair
	for _, k := range keys {
		pairs = append(pairs, pair{k, 0.5})
	}
	numbers := vector.NewVec[int64](nil)
	numbers.Append(7)
	schema := mustSchema(t, "m FLATMAP<INTEGER, DOUBLE>, s BIGINT")
	return mustOpen(t, writeFile(t, schema, nil, batchOf(mapsOf(append([]pair{}, pairs...)), numbers)))
}

func TestReadAsMalformedTypes(t *testing.T) {
	for _, f := range []*File{flatMapFile(t), flatMapFile(t, 1, 2)} {
		for name, as := range malformedTypes() {
			if as == nil {
				continue // it stands for the file's own type
			}
			if _, err := f.Scan(ScanOptions{As: as}); !errors.Is(err, ErrSchema) {
				t.Errorf("%s: Scan: %v, want ErrSchema", name, err)
			}
			if _, err := as.Project("m"); !errors.Is(err, ErrSchema) {
				t.Errorf("%s: Project: %v, want ErrSchema", name, err)
			}
		}
		for name, as := range malformedTypes() {
			if _, err := f.OpenStripeAs(NewSession(nil), 0, as); !errors.Is(err, ErrSchema) {
				t.Errorf("%s: OpenStripeAs: %v, want ErrSchema", name, err)
			}
		}
	}
}

// The type of a flat map's values is compared also where no key tells of it.
func TestReadAsComparesValuesWithoutKeys(t *testing.T) {
	numbers := &Type{Kind: Double}
	lists := &Type{Kind: Array, Children: []*Type{numbers}}
	for _, f := range []*File{flatMapFile(t), flatMapFile(t, 1)} {
		for _, c := range []struct {
			as *Type
			ok bool
		}{
			{&Type{Kind: Map, Children: []*Type{{Kind: Integer}, numbers}}, true},
			{&Type{Kind: FlatMap, Names: []string{"9"}, Children: []*Type{{Kind: Integer}, numbers}}, true},
			{RowOf([]string{"9"}, []*Type{numbers}), true},
			{&Type{Kind: Map, Children: []*Type{{Kind: Integer}, lists}}, false},
			{&Type{Kind: Map, Children: []*Type{{Kind: BigInt}, numbers}}, false},
			{&Type{Kind: FlatMap, Names: []string{"9"}, Children: []*Type{{Kind: Integer}, lists}}, false},
			{RowOf([]string{"9"}, []*Type{lists}), false},
			{RowOf([]string{"1", "9"}, []*Type{numbers, {Kind: BigInt}}), false},
		} {
			s, err := f.Scan(ScanOptions{As: oneColumn(c.as)})
			if err == nil {
				_, err = s.Next()
			}
			if c.ok && err != nil || !c.ok && !errors.Is(err, ErrSchema) {
				t.Errorf("%v %v: %v", c.as, c.as.Names, err)
			}
		}
	}
}

func TestStringOfMalformedTypes(t *testing.T) {
	var none *Type
	for want, typ := range map[string]*Type{
		"?":                    none,
		"KIND(0)":              {},
		"KIND(200)":            {Kind: 200},
		"ROW<? BIGINT>":        {Kind: Row, Children: []*Type{{Kind: BigInt}}},
		"ROW<>":                {Kind: Row, Names: []string{"m"}},
		"ROW<m ?>":             oneColumn(nil),
		"ROW<m ARRAY<>>":       oneColumn(&Type{Kind: Array}),
		"ROW<m FLATMAP<?, ?>>": oneColumn(&Type{Kind: FlatMap, Children: []*Type{nil, nil}}),
	} {
		if got := typ.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	list := &Type{Kind: Array}
	list.Children = []*Type{list}
	want := strings.Repeat("ARRAY<", MaxDepth) + "?" + strings.Repeat(">", MaxDepth)
	if got := list.String(); got != want {
		t.Errorf("an array of itself: %s, want %s", got, want)
	}
	if list.Equal(none) || none.Equal(list) || !none.Equal(nil) {
		t.Error("no type equals a type, or not itself")
	}
}

// Places that do not exist, no session, and use after Close end in errors.
func TestReaderMisuse(t *testing.T) {
	f := flatMapFile(t, 1)
	for _, i := range []int{-1, 2, 99} {
		if s := f.ColumnStats(i); s != nil {
			t.Errorf("ColumnStats(%d) = %v", i, s)
		}
		if n := f.StripeRows(i); n != 0 {
			t.Errorf("StripeRows(%d) = %d", i, n)
		}
		if _, err := f.OpenStripe(nil, 0, []int{i}); !errors.Is(err, errColumn) {
			t.Errorf("OpenStripe of column %d: %v", i, err)
		}
		if _, err := f.Candidates(Predicate{Column: i}); !errors.Is(err, errColumn) {
			t.Errorf("Candidates of column %d: %v", i, err)
		}
	}
	r, err := f.OpenStripe(nil, 0, []int{1})
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.Read(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{[]any{int64(7)}}, batchValues(batchOf(v))); diff != "" {
		t.Errorf("read without a session (-want +got):\n%s", diff)
	}
	for _, col := range []int{-1, 1} {
		if _, err := r.Read(col, 1); !errors.Is(err, errColumn) {
			t.Errorf("Read(%d): %v", col, err)
		}
		if err := r.Skip(col, 0); !errors.Is(err, errColumn) {
			t.Errorf("Skip(%d): %v", col, err)
		}
		if r.Pos(col) != 0 {
			t.Errorf("Pos(%d) = %d", col, r.Pos(col))
		}
	}
	r.Close()
	var zero StripeReader
	zero.Close()
	if _, err := zero.Read(0, 1); !errors.Is(err, ErrClosed) {
		t.Errorf("Read of the zero reader: %v", err)
	}
	if findings, err := f.Verify(context.Background(), nil, nil); err != nil || findings != nil {
		t.Errorf("Verify without a session: %v, %v", findings, err)
	}
}

func TestScannerStaysClosed(t *testing.T) {
	f := flatMapFile(t, 1)
	s, err := f.Scan(ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SeekRow(1); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(); !errors.Is(err, io.EOF) {
		t.Fatalf("at the end: %v", err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	s.Rewind()
	if _, err := s.Next(); !errors.Is(err, ErrClosed) {
		t.Errorf("Next: %v, want ErrClosed", err)
	}
	for _, row := range []int64{-1, 0, 1, 2} {
		if err := s.SeekRow(row); !errors.Is(err, ErrClosed) {
			t.Errorf("SeekRow(%d): %v, want ErrClosed", row, err)
		}
	}
	if _, err := f.Scan(ScanOptions{Session: encoding.NewSession(nil), BatchRows: -1}); err == nil {
		t.Error("a scan in batches of -1 rows")
	}
}
