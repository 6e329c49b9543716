package decant

import (
	"context"
	"fmt"
	"slices"

	"github.com/decantdb/decant/nimble"
)

// unify gives the table the columns that all of its files have. Where files differ
// in the type of a column it has the least type that holds all values exactly:
//
//	TINYINT, SMALLINT < INTEGER < BIGINT
//	TINYINT, SMALLINT, INTEGER, REAL < DOUBLE
//	DATE < TIMESTAMP
//	a column of a CSV file in which all is null < any scalar
//
// All else, BIGINT with DOUBLE too, is an error that wraps [ErrSchemas].
func (t *table) unify(ctx context.Context) error {
	first := t.files[0]
	schema := *first.schema()
	schema.Children = slices.Clone(schema.Children)
	for _, f := range t.files[1:] {
		if names := f.schema().Names; !slices.Equal(schema.Names, names) {
			return t.differ(first, f, fmt.Sprintf("columns %q and %q", schema.Names, names))
		}
	}
	for i := range schema.Children {
		var err error
		if schema.Children[i], err = t.unifyColumn(ctx, i); err != nil {
			return err
		}
	}
	t.fields = fieldsOf(&schema)
	for i := range t.fields {
		t.columns = append(t.columns, t.fields[i].column())
	}
	for _, f := range t.files {
		recasts := make([]func() recast, len(schema.Children))
		for i, typ := range f.schema().Children {
			recasts[i] = widening(typ, schema.Children[i])
		}
		t.widenings = append(t.widenings, recasts)
	}
	return nil
}

// differ says that two files have no columns in common.
func (t *table) differ(a, b tableFile, how string) error {
	return fmt.Errorf("table %s: %s and %s: %w: %s", t.name, a.path(), b.path(), ErrSchemas, how)
}

// unifyColumn returns the type of a column of the table.
func (t *table) unifyColumn(ctx context.Context, column int) (*nimble.Type, error) {
	typeIn := func(f tableFile) *nimble.Type { return f.schema().Children[column] }
	same := func(f tableFile) bool { return typeIn(f).String() == typeIn(t.files[0]).String() }
	if !slices.ContainsFunc(t.files, func(f tableFile) bool { return !same(f) }) {
		return typeIn(t.files[0]), nil
	}
	var blank []*streamedFile
	var from tableFile // the file before that has the type so far, or the last part of it
	var typ *nimble.Type
	for _, f := range t.files {
		if csv, ok := f.(*streamedFile); ok {
			empty, err := csv.blank(ctx, column)
			if err != nil {
				return nil, err
			}
			if empty {
				blank = append(blank, csv)
				continue
			}
		}
		if typ == nil {
			from, typ = f, typeIn(f)
			continue
		}
		wide, ok := wider(typ, typeIn(f))
		if !ok {
			return nil, t.differ(from, f, fmt.Sprintf("column %s is %v and %v; decant convert --schema gives the columns of a CSV file other types",
				f.schema().Names[column], typ, typeIn(f)))
		}
		if wide != typ {
			from, typ = f, wide
		}
	}
	for _, f := range blank {
		if len(typ.Children) > 0 {
			return nil, t.differ(f, from, fmt.Sprintf("column %s is %v and %v", f.typ.Names[column], typeIn(f), typ))
		}
		f.retype(column, typ)
	}
	return typ, nil
}

// wider returns the least type that holds the values of both, which is a where it
// is no other.
func wider(a, b *nimble.Type) (*nimble.Type, bool) {
	switch {
	case a.String() == b.String():
		return a, true
	case isMoment(a) && isMoment(b):
		return &nimble.Type{Kind: nimble.Timestamp}, true
	case !isPlainNumber(a) || !isPlainNumber(b):
		return nil, false
	}
	low, high := min(a.Kind, b.Kind), max(a.Kind, b.Kind)
	wide := nimble.Double
	switch {
	case high <= nimble.BigInt:
		wide = max(high, nimble.Integer)
	case low == nimble.BigInt:
		return nil, false // a double does not hold all of its digits
	}
	if wide == a.Kind {
		return a, true
	}
	return &nimble.Type{Kind: wide}, true
}

func isMoment(t *nimble.Type) bool {
	l, _ := nimble.ParseLogical(t.Logical)
	return t.Kind == nimble.Timestamp || l.Kind == nimble.LogicalDate
}

func isPlainNumber(t *nimble.Type) bool {
	return t.Logical == "" && t.Kind >= nimble.TinyInt && t.Kind <= nimble.Double
}

// widening returns what makes a recast of the vectors of one type into those of a
// wider one, nil where they are the same.
func widening(from, to *nimble.Type) func() recast {
	switch {
	case from.Kind == to.Kind:
		return nil
	case to.Kind == nimble.Integer:
		return func() recast { return &integerRecast[int32]{} }
	case to.Kind == nimble.BigInt:
		return func() recast { return &integerRecast[int64]{} }
	case to.Kind == nimble.Double:
		return func() recast { return &doubleRecast{} }
	}
	return func() recast { return &momentRecast{} } // of dates
}
