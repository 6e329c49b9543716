package decant

import (
	"fmt"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// Column is a column of an answer.
type Column struct {
	Name string
	Type string // as Pinot names it, such as "LONG" or "STRING_ARRAY"
}

// answerColumn is a column of an answer with what its vectors hold.
type answerColumn struct {
	Column
	stored *nimble.Type
	recast recast // of the engine's vectors; nil where they are right already
}

// newAnswerColumn describes an output of q, a query over t.
func newAnswerColumn(t *table, q *plan.Query, o plan.Output) (answerColumn, error) {
	typ := o.Expr.Type()
	c := answerColumn{Column: Column{Name: o.Name, Type: typ.String()}}
	f := sourceField(t, q, o.Expr)
	switch {
	case typ == fn.BigDecimal && f == nil: // worked out: its text
		c.stored = &nimble.Type{Kind: nimble.Varchar}
	case typ.Array() && f == nil:
		elem, _ := scalarShape(typ.Elem())
		c.stored = &nimble.Type{Kind: nimble.Array, Children: []*nimble.Type{elem}}
		if typ == fn.TimestampArray {
			return c, fmt.Errorf("decant: column %s: %w: a %v that is no column of the table", o.Name, ErrNotRun, typ)
		}
	case typ == fn.Nested || typ == fn.BigDecimal || typ.Array():
		if f == nil {
			return c, fmt.Errorf("decant: column %s: %w: a %v that is no column of the table", o.Name, ErrNotRun, typ)
		}
		c.stored, c.recast = storedShape(typ, f)
	case typ == fn.Unknown: // NULL
		c.stored = &nimble.Type{Kind: nimble.Varchar}
	default:
		c.stored, c.recast = scalarShape(typ)
	}
	return c, nil
}

// sourceField returns the column of the table that e passes on, nil if e is of no
// column of a file.
func sourceField(t *table, q *plan.Query, e plan.Expr) *field {
	if key, ok := e.(*plan.KeyRef); ok {
		e = q.Keys[key.Index]
	}
	if column, ok := e.(*plan.Column); ok && column.Index >= 0 { // else a virtual one
		return &t.fields[column.Index]
	}
	return nil
}

// storedShape returns what the vectors of a column of the table hold in an
// answer.
func storedShape(typ fn.Type, f *field) (*nimble.Type, recast) {
	l, _ := nimble.ParseLogical(f.stored.Logical)
	switch {
	case typ.Array():
		elemType, elemRecast := elementShape(f.stored.Children[0])
		array := &nimble.Type{Kind: nimble.Array, Children: []*nimble.Type{elemType}}
		if elemRecast == nil {
			return array, nil
		}
		return array, &listRecast{elem: elemRecast}
	case l.Kind == nimble.LogicalUnsigned:
		wide := nimble.Logical{Kind: nimble.LogicalDecimal, Precision: 20}
		return wide.Type(), nil
	}
	return f.stored, nil
}

// elementShape is the shape of an array's elements, which are as they are stored.
func elementShape(stored *nimble.Type) (*nimble.Type, recast) {
	typ, input := queryType(stored)
	out, output := scalarShape(typ)
	if input == nil {
		return out, output
	}
	if output == nil {
		return out, input()
	}
	return out, chain{input(), output}
}

// chain applies one recast after the other.
type chain [2]recast

func (c chain) apply(v vector.Vector) (vector.Vector, error) {
	v, err := c[0].apply(v)
	if err != nil {
		return nil, err
	}
	return c[1].apply(v)
}

// scalarShape returns what the vectors of a SQL type hold in an answer.
func scalarShape(typ fn.Type) (*nimble.Type, recast) {
	switch typ {
	case fn.Boolean:
		return &nimble.Type{Kind: nimble.Boolean}, nil
	case fn.Int:
		return &nimble.Type{Kind: nimble.Integer}, &integerRecast[int32]{}
	case fn.Long:
		return &nimble.Type{Kind: nimble.BigInt}, &integerRecast[int64]{}
	case fn.Float:
		return &nimble.Type{Kind: nimble.Real}, nil
	case fn.Double:
		return &nimble.Type{Kind: nimble.Double}, nil
	case fn.Timestamp:
		return nimble.Logical{Kind: nimble.LogicalTimestamp, Unit: nimble.Millisecond}.Type(), &momentRecast{}
	case fn.JSON:
		return nimble.Logical{Kind: nimble.LogicalJSON}.Type(), nil
	case fn.Bytes:
		return &nimble.Type{Kind: nimble.Varbinary}, nil
	default:
		return &nimble.Type{Kind: nimble.Varchar}, nil
	}
}
