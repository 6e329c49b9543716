package plan

import (
	"strings"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// value compiles an expression of any type.
func (c *compiler) value(e sql.Expr) (Expr, error) {
	if x, err := c.leaf(e); x != nil || err != nil {
		return x, err
	}
	switch e := e.(type) {
	case *sql.Literal:
		return literalOf(e)
	case *sql.Call:
		if x, err := c.operator(e); x != nil || err != nil {
			return x, err
		}
		return c.scalar(e)
	}
	return nil, notRun(e.Pos(), e.String())
}

// scalar compiles the call of a function of numbers.
func (c *compiler) scalar(call *sql.Call) (Expr, error) {
	f := fn.LookupScalar(call.Name)
	switch {
	case fn.LookupAggregate(call.Name) != nil:
		return nil, errorAt(call.At, ErrInvalid, "aggregate %s cannot be used here", call)
	case f == nil:
		return nil, c.unknownFunction(call)
	case f.Args() != len(call.Args):
		return nil, errorAt(call.At, ErrUnknownFunction, "%s takes %d arguments, not %d", f.Name, f.Args(), len(call.Args))
	}
	args := make([]Expr, len(call.Args))
	for i, a := range call.Args {
		x, err := c.value(a)
		if err != nil {
			return nil, err
		}
		if args[i], err = number(a, x); err != nil {
			return nil, err
		}
	}
	return &Call{Fn: f, Args: args}, nil
}

// unknownFunction tells what Pinot has, and is not run yet, from what it has not.
func (c *compiler) unknownFunction(call *sql.Call) error {
	switch call.Name {
	case sql.OpItem:
		return notRun(call.At, "an element by [ ]")
	case sql.OpConcat, sql.OpIsDistinctFrom, sql.OpIsNotDistinctFrom, sql.OpAtTimeZone:
		return notRun(call.At, "operator "+call.Name)
	case sql.OpCase, sql.OpCast, sql.OpFilter, sql.OpExtract:
		return notRun(call.At, strings.ToUpper(call.Name))
	case "distinctcount", "distinctsum", "distinctavg": // what DISTINCT in a call is parsed as
		return notRun(call.At, strings.ToUpper(call.Name[len("distinct"):])+"(DISTINCT ...)")
	}
	if fn.InPinot(call.Name) {
		return notRun(call.At, "function "+call.Name)
	}
	return errorAt(call.At, ErrUnknownFunction, "unknown function %s", call.Name)
}

// number checks that x can be calculated with.
func number(e sql.Expr, x Expr) (Expr, error) {
	t := x.Type()
	if t.Numeric() || t == fn.Timestamp || t == fn.Boolean {
		return x, calculable(x, e.Pos(), "arithmetic")
	}
	if lit, ok := x.(*Literal); ok && lit.Null {
		return &Literal{fn.Value{Type: fn.Double, Null: true}}, nil
	}
	return nil, errorAt(e.Pos(), ErrType, "%s is a %v, not a number", e, t)
}

// rowLeaf compiles the columns of the table.
func (r *resolver) rowLeaf(e sql.Expr) (Expr, error) {
	id, ok := e.(*sql.Identifier)
	if !ok {
		return nil, nil
	}
	i, ok := r.lookup(id.Name)
	if !ok {
		return nil, errorAt(id.At, ErrUnknownColumn, "unknown column %q", id.Name)
	}
	col := r.columns[i]
	c := &Column{Index: i, Name: col.Name, T: col.Type, Scale: col.Scale}
	if r.nullsOff {
		c.Default = defaultOf(col.Type, col.Scale)
	}
	return c, nil
}
