package plan

import (
	"errors"
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
		return literalOf(e), nil
	case *sql.Call:
		if x, err := c.operator(e); x != nil || err != nil {
			return x, err
		}
		return c.scalar(e)
	}
	return nil, notRun(e.Pos(), e.String())
}

// scalar compiles the call of a function of the registry.
func (c *compiler) scalar(call *sql.Call) (Expr, error) {
	f := fn.Lookup(call.Name)
	switch {
	case f == nil && fn.LookupAggregate(call.Name) != nil:
		return nil, errorAt(call.At, ErrInvalid, "aggregate %s cannot be used here", call)
	case f == nil:
		return nil, c.unknownFunction(call)
	}
	args := make([]Expr, len(call.Args))
	for i, a := range call.Args {
		var err error
		if args[i], err = c.value(a); err != nil {
			return nil, err
		}
	}
	return c.call(call.At, f, args)
}

// call applies a function to compiled arguments.
func (r *resolver) call(at sql.Pos, f *fn.Function, args []Expr) (Expr, error) {
	known := knownOf(args)
	literals := 0
	for _, k := range known {
		if k.Literal != nil {
			literals++
		}
	}
	s, err := f.Rows(known)
	if errors.Is(err, fn.ErrArguments) {
		return nil, errorAt(at, ErrUnknownFunction, "%s: %v", f.Name, err)
	}
	if err != nil {
		return nil, errorAt(at, ErrType, "%s: %v", f.Name, err)
	}
	e := &Call{Name: f.Name, Signature: s, Args: args}
	if r.nullsOff {
		zero := fn.Zero(s.Type)
		e.Default = &zero
	}
	for i, x := range args {
		if err := calculable(x, at, "a function"); err != nil {
			return nil, err
		}
		if x.Type() == fn.StringArray && known[i].Literal != nil && literals < len(args) {
			return nil, errorAt(at, fn.ErrValue, "%s: a STRING_ARRAY that is no column", f.Name)
		}
		if s.SeesStored {
			x = withNulls(x)
		}
		if s.Args[i] == fn.Bytes && x.Type() == fn.String && known[i].Literal == nil {
			continue // the bytes of the text
		}
		if s.Args[i] == fn.String && (x.Type() == fn.Timestamp || x.Type() == fn.Boolean && known[i].Literal == nil) {
			// As it is stored: milliseconds, 1 or 0.
			if x, err = convertTo(at, x, fn.Long); err != nil {
				return nil, err
			}
		}
		if args[i], err = convertTo(at, x, s.Args[i]); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// withNulls returns a column as it is stored, with its nulls.
func withNulls(x Expr) Expr {
	switch x := x.(type) {
	case *Column:
		stored := *x
		stored.Default = nil
		return &stored
	case *Call:
		stored := *x
		stored.Default = nil
		if !x.Signature.SeesStored {
			stored.Args = make([]Expr, len(x.Args))
			for i, a := range x.Args {
				stored.Args[i] = withNulls(a)
			}
		}
		return &stored
	}
	return x
}

// convertTo returns x as a value of another type. Unknown leaves it as it is.
func convertTo(at sql.Pos, x Expr, t fn.Type) (Expr, error) {
	if t == fn.Unknown || x.Type() == t {
		return x, nil
	}
	if lit, ok := x.(*Literal); ok {
		v, err := lit.Convert(t)
		if err != nil {
			return nil, errorAt(at, fn.ErrValue, "%v", err)
		}
		return &Literal{v}, nil
	}
	s, err := fn.Conversion(x.Type(), t)
	if err != nil {
		return nil, errorAt(at, ErrType, "%v", err)
	}
	return &Call{Name: "cast", Signature: s, Args: []Expr{x}}, nil
}

// unknownFunction tells what Pinot has, and is not run yet, from what it has not.
func (c *compiler) unknownFunction(call *sql.Call) error {
	switch call.Name {
	case sql.OpItem:
		return notRun(call.At, "an element by [ ]")
	case sql.OpConcat, sql.OpAtTimeZone:
		return notRun(call.At, "operator "+call.Name)
	case sql.OpFilter:
		return notRun(call.At, strings.ToUpper(call.Name))
	case "distinctcount", "distinctsum", "distinctavg": // what DISTINCT in a call is parsed as
		return notRun(call.At, strings.ToUpper(call.Name[len("distinct"):])+"(DISTINCT ...)")
	}
	if fn.InPinot(call.Name) {
		return notRun(call.At, "function "+call.Name)
	}
	return errorAt(call.At, ErrUnknownFunction, "unknown function %s", call.Name)
}

// number makes a number of x for an aggregate: a decimal that is no column
// becomes a double.
func number(e sql.Expr, x Expr) (Expr, error) {
	t := x.Type()
	if t == fn.BigDecimal && !IsScaled(x) {
		if c, ok := x.(*Column); ok && c.Scale == -1 {
			return nil, calculable(x, e.Pos(), "arithmetic")
		}
		return convertTo(e.Pos(), x, fn.Double)
	}
	if t.Numeric() || t == fn.Timestamp || t == fn.Boolean {
		return x, nil
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
	if v := virtualColumn(id.Name); v != nil {
		return v, nil
	}
	i, ok := r.lookup(id.Name)
	if !ok {
		return nil, errorAt(id.At, ErrUnknownColumn, "unknown column %q", id.Name)
	}
	col := r.columns[i]
	c := &Column{Index: i, Name: col.Name, T: col.Type, Scale: col.Scale, Null: col.Null}
	if c.Null == nil {
		c.Null = defaultOf(col.Type, col.Scale)
	}
	if r.nullsOff {
		c.Default = c.Null
	}
	return c, nil
}
