package decant

import (
	"slices"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
)

// field is a column of a table as queries see it: a column of the file, or a
// field inside one that is a row.
type field struct {
	name   string
	base   int   // column of the file
	path   []int // fields of rows, from the column inwards
	stored *nimble.Type
	typ    fn.Type
	recast func() recast // makes one; nil where the engine takes what is stored
}

// fieldsOf returns the columns that a file of the given schema has for queries:
// each of its own, and for one that is a row also its fields, as a.b. A name
// that is taken is not given again.
func fieldsOf(schema *nimble.Type) []field {
	var fields []field
	taken := map[string]bool{}
	for i, t := range schema.Children {
		fields = append(fields, newField(schema.Names[i], i, nil, t))
		taken[schema.Names[i]] = true
	}
	var inside func(f field)
	inside = func(f field) {
		if f.stored.Kind != nimble.Row {
			return
		}
		for i, t := range f.stored.Children {
			name := f.name + "." + f.stored.Names[i]
			if taken[name] {
				continue
			}
			taken[name] = true
			inner := newField(name, f.base, append(slices.Clone(f.path), i), t)
			fields = append(fields, inner)
			inside(inner)
		}
	}
	for _, f := range fields[:len(schema.Children):len(schema.Children)] {
		inside(f)
	}
	return fields
}

func newField(name string, base int, path []int, t *nimble.Type) field {
	f := field{name: name, base: base, path: path, stored: t}
	f.typ, f.recast = queryType(t)
	return f
}

// newRecast returns what makes the field's vectors of those of a file, of whose
// column the values may have to be widened; nil where they are right already. A
// type that others are widened to needs no other recast.
func (f *field) newRecast(widening func() recast) recast {
	switch {
	case widening != nil:
		return widening()
	case f.recast != nil:
		return f.recast()
	}
	return nil
}

// column returns what the planner is told of the field.
func (f *field) column() plan.TableColumn {
	c := plan.TableColumn{Name: f.name, Type: f.typ, Hidden: len(f.path) > 0}
	if f.typ == fn.BigDecimal {
		c.Scale = -1
		if l, err := nimble.ParseLogical(f.stored.Logical); err == nil && l.Storage() == nimble.BigInt && l.Kind == nimble.LogicalDecimal {
			c.Scale = l.Scale
		}
	}
	return c
}

// queryType returns the SQL type of a stored type, and what makes a recast of
// its vectors where the engine does not take them as they are.
func queryType(t *nimble.Type) (fn.Type, func() recast) {
	// A schema that was opened has logical types that can be read.
	l, _ := nimble.ParseLogical(t.Logical)
	switch t.Kind {
	case nimble.Boolean:
		return fn.Boolean, nil
	case nimble.TinyInt, nimble.SmallInt, nimble.Integer, nimble.BigInt:
		return integerType(t.Kind, l)
	case nimble.Real:
		return fn.Float, nil
	case nimble.Double:
		return fn.Double, nil
	case nimble.Varchar, nimble.Varbinary:
		return textType(t.Kind, l)
	case nimble.Timestamp:
		return fn.Timestamp, nil
	case nimble.Array, nimble.DedupArray:
		elem, _ := queryType(t.Children[0])
		if array, ok := fn.ArrayOf(elem); ok {
			return array, nil
		}
	}
	return fn.Nested, nil
}

func integerType(k nimble.Kind, l nimble.Logical) (fn.Type, func() recast) {
	switch {
	case l.Kind == nimble.LogicalDate:
		return fn.Timestamp, nil
	case l.Kind == nimble.LogicalDecimal:
		return fn.BigDecimal, nil
	case l.Kind == nimble.LogicalUnsigned && l.Bits == 64:
		return fn.BigDecimal, func() recast { return &unsignedRecast{} }
	case l.Kind == nimble.LogicalUnsigned:
		return fn.Long, func() recast { return &integerRecast[int64]{} }
	case k == nimble.BigInt:
		return fn.Long, nil
	}
	return fn.Int, nil
}

func textType(k nimble.Kind, l nimble.Logical) (fn.Type, func() recast) {
	switch {
	case l.Kind == nimble.LogicalJSON:
		return fn.JSON, nil
	case l.Kind == nimble.LogicalDecimal:
		return fn.BigDecimal, nil
	case l.Kind == nimble.LogicalUUID:
		return fn.String, func() recast { return &uuidRecast{} }
	case k == nimble.Varchar:
		return fn.String, nil
	}
	return fn.Bytes, nil
}
