package plan

import (
	"errors"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// grouping collects the keys and aggregates of a query as its expressions are
// compiled.
type grouping struct {
	*resolver
	rows *compiler // over the rows of the table
	keys []sql.Expr
	aggs []sql.Expr
	args []argument // of aggregates
	out  *Query
}

// argument is what several aggregates may be over. They share one expression.
type argument struct {
	tree sql.Expr
	expr Expr
}

// addKey makes an expression a key.
func (g *grouping) addKey(e sql.Expr) error {
	for _, k := range g.keys {
		if sql.Equal(k, e) {
			return nil
		}
	}
	if call := findAggregate(e); call != nil {
		return errorAt(call.At, ErrInvalid, "aggregate %s in GROUP BY", call)
	}
	x, err := g.rows.value(e)
	if err != nil {
		return err
	}
	t := x.Type()
	if t == fn.Nested || t == fn.BytesArray {
		return notRun(e.Pos(), "GROUP BY or DISTINCT of a "+t.String())
	}
	if err := calculable(x, e.Pos(), "GROUP BY or DISTINCT"); err != nil {
		return err
	}
	if c, ok := x.(*Column); ok && t.Array() { // of arrays null is their default
		filled := *c
		filled.Default = c.Null
		x = &filled
	}
	g.keys = append(g.keys, e)
	g.out.Keys = append(g.out.Keys, x)
	return nil
}

// leaf compiles keys and aggregates, for expressions over groups.
func (g *grouping) leaf(e sql.Expr) (Expr, error) {
	for i, k := range g.keys {
		if sql.Equal(k, e) {
			return &KeyRef{Index: i, T: elemOf(g.out.Keys[i].Type())}, nil
		}
	}
	switch e := e.(type) {
	case *sql.Identifier:
		return nil, errorAt(e.At, ErrInvalid, "column %s must be in GROUP BY or in an aggregate", e.Name)
	case *sql.Call:
		if isAggregate(e) {
			return g.aggregate(e)
		}
	}
	return nil, nil
}

// aggregate compiles the call of an aggregate, which may have a FILTER.
func (g *grouping) aggregate(whole *sql.Call) (Expr, error) {
	for i, a := range g.aggs {
		if sql.Equal(a, whole) {
			return &AggRef{Index: i, T: g.out.Aggs[i].Type()}, nil
		}
	}
	call, agg := whole, Agg{}
	if whole.Name == sql.OpFilter {
		inner, ok := whole.Args[0].(*sql.Call)
		if !ok || fn.LookupAggregate(inner.Name) == nil {
			return nil, errorAt(whole.At, ErrInvalid, "FILTER is for aggregates, %s is none", whole.Args[0])
		}
		if nested := findAggregate(whole.Args[1]); nested != nil {
			return nil, errorAt(nested.At, ErrInvalid, "aggregate %s inside a FILTER", nested)
		}
		var err error
		if agg.Filter, err = g.rows.condition(whole.Args[1]); err != nil {
			return nil, err
		}
		call = inner
	}
	f := fn.LookupAggregate(call.Name)
	if call.Distinct {
		return nil, errorAt(call.At, ErrInvalid, "DISTINCT is for COUNT, SUM and AVG, not for %s", f.Name)
	}
	if err := g.compileCall(f, call, &agg); err != nil {
		return nil, err
	}
	g.aggs = append(g.aggs, whole)
	g.out.Aggs = append(g.out.Aggs, agg)
	return &AggRef{Index: len(g.aggs) - 1, T: agg.Type()}, nil
}

// compileCall sets agg to a call of f.
func (g *grouping) compileCall(f *fn.Aggregate, call *sql.Call, agg *Agg) error {
	if len(call.Args) == 1 {
		if id, ok := call.Args[0].(*sql.Identifier); ok && id.Name == "*" {
			return g.countRows(f, call, agg)
		}
	}
	args := make([]Expr, len(call.Args))
	for i, a := range call.Args {
		if inner := findAggregate(a); inner != nil {
			return errorAt(inner.At, ErrInvalid, "aggregate %s inside an aggregate", inner)
		}
		var err error
		if args[i], err = g.argument(a); err != nil {
			return err
		}
	}
	if f.Simple != nil && agg.Filter == nil && len(args) == 1 && !args[0].Type().Array() {
		return g.simple(f, call, args[0], agg)
	}
	return g.general(f, call, args, agg)
}

// countRows compiles f(*).
func (g *grouping) countRows(f *fn.Aggregate, call *sql.Call, agg *Agg) error {
	if !f.Star {
		return errorAt(call.At, fn.ErrValue, "%s(*) does not exist", f.Name)
	}
	if agg.Filter == nil {
		agg.Simple = f.Simple
		return nil
	}
	one := &Literal{fn.Value{Type: fn.Int, I: 1}}
	return g.general(f, call, []Expr{one}, agg)
}

// simple compiles an aggregate of one argument that is added up by column.
func (g *grouping) simple(f *fn.Aggregate, call *sql.Call, x Expr, agg *Agg) error {
	agg.Simple = f.Simple
	if f.Simple.Need == fn.NeedCount {
		if lit, ok := x.(*Literal); !ok || lit.Null {
			agg.Arg = x // COUNT(1) counts rows
		}
		return nil
	}
	var err error
	agg.Arg, err = g.summand(f, call, x)
	return err
}

// summand makes a number of the argument of a simple aggregate. As in Pinot,
// SUM, MIN and MAX do not take NULL, which to the others is 0 while null handling
// is off, and all but SUM read texts as numbers.
func (g *grouping) summand(f *fn.Aggregate, call *sql.Call, x Expr) (Expr, error) {
	lit, ok := x.(*Literal)
	null := ok && lit.Null
	switch t := x.Type(); {
	case null && (f.Name == "avg" || f.Name == "minmaxrange"):
		return &Literal{fn.Value{Type: fn.Double, Null: !g.nullsOff}}, nil
	case null:
		return nil, errorAt(call.At, ErrType, "cannot compute %s for non-numeric type: %v", f.Name, t)
	case f.Name != "sum" && (t == fn.String || t == fn.JSON):
		return convertTo(call.At, x, fn.Double)
	case f.Name != "sum" && t == fn.Bytes:
		return nil, errorAt(call.At, fn.ErrValue, "%s of BYTES", f.Name)
	}
	n, err := number(call.Args[0], x)
	if err != nil && !errors.Is(err, ErrNotRun) {
		return nil, errorAt(call.At, ErrType, "cannot compute %s for non-numeric type: %v", f.Name, x.Type())
	}
	return n, err
}

// general compiles a call that keeps a state for each group.
func (g *grouping) general(f *fn.Aggregate, call *sql.Call, args []Expr, agg *Agg) error {
	c, err := f.Calls(knownOf(args))
	if errors.Is(err, fn.ErrArguments) {
		return errorAt(call.At, ErrUnknownFunction, "%s: %v", f.Name, err)
	}
	if err != nil {
		return errorAt(call.At, fn.ErrValue, "%s: %v", f.Name, err)
	}
	if c.Ungrouped && len(g.keys) > 0 {
		return errorAt(call.At, fn.ErrValue, "%s does not go with GROUP BY", f.Name)
	}
	agg.Call = c
	for i, t := range c.Args {
		x := args[i]
		if err := calculable(x, call.At, "an aggregate"); err != nil {
			return err
		}
		if c.SeesDefaults {
			x = withDefaults(x)
		}
		if x, err = convertTo(call.At, x, t); err != nil {
			return err
		}
		agg.Args = append(agg.Args, x)
	}
	return nil
}

// knownOf returns what is known of arguments before anything is run.
func knownOf(args []Expr) []fn.Arg {
	known := make([]fn.Arg, len(args))
	for i, x := range args {
		known[i] = fn.Arg{Type: x.Type()}
		switch x := x.(type) {
		case *Literal:
			known[i].Literal = &x.Value
		case *Column:
			known[i].Column = true
		}
	}
	return known
}

func (g *grouping) argument(e sql.Expr) (Expr, error) {
	for _, a := range g.args {
		if sql.Equal(a.tree, e) {
			return a.expr, nil
		}
	}
	x, err := g.rows.value(e)
	if err != nil {
		return nil, err
	}
	g.args = append(g.args, argument{e, x})
	return x, nil
}

// findAggregate returns the first aggregate call in e.
func findAggregate(e sql.Expr) *sql.Call {
	var found *sql.Call
	sql.Walk(e, func(e sql.Expr) bool {
		if call, ok := e.(*sql.Call); ok && found == nil && isAggregate(call) {
			found = call
		}
		return found == nil
	})
	return found
}

func isAggregate(call *sql.Call) bool {
	return fn.LookupAggregate(call.Name) != nil || call.Name == sql.OpFilter
}
