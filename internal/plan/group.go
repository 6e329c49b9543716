package plan

import (
	"errors"
	"strings"

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
		filled.Default = defaultOf(t, c.Scale)
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
		if f := fn.LookupAggregate(e.Name); f != nil {
			return g.aggregate(f, e)
		}
	}
	return nil, nil
}

func (g *grouping) aggregate(f *fn.Aggregate, call *sql.Call) (Expr, error) {
	for i, a := range g.aggs {
		if sql.Equal(a, call) {
			return &AggRef{Index: i, T: g.out.Aggs[i].Type()}, nil
		}
	}
	if call.Distinct {
		return nil, notRun(call.At, strings.ToUpper(f.Name)+"(DISTINCT ...)")
	}
	if len(call.Args) != 1 {
		return nil, errorAt(call.At, ErrUnknownFunction, "%s takes one argument, not %d", f.Name, len(call.Args))
	}
	agg := Agg{Fn: f}
	if id, ok := call.Args[0].(*sql.Identifier); !ok || id.Name != "*" {
		if inner := findAggregate(call.Args[0]); inner != nil {
			return nil, errorAt(inner.At, ErrInvalid, "aggregate %s inside an aggregate", inner)
		}
		x, err := g.argument(call.Args[0])
		if err != nil {
			return nil, err
		}
		if f.Need != fn.NeedCount {
			n, err := number(call.Args[0], x)
			if errors.Is(err, ErrNotRun) {
				return nil, err
			}
			if err != nil {
				return nil, errorAt(call.At, ErrType, "cannot compute %s for non-numeric type: %v", f.Name, x.Type())
			}
			x = n
		}
		agg.Arg = x
	} else if !f.Star {
		return nil, errorAt(call.At, ErrInvalid, "%s(*) does not exist", f.Name)
	}
	if lit, ok := agg.Arg.(*Literal); ok && f.Need == fn.NeedCount && !lit.Null {
		agg.Arg = nil // COUNT(1) counts rows
	}
	g.aggs = append(g.aggs, call)
	g.out.Aggs = append(g.out.Aggs, agg)
	return &AggRef{Index: len(g.aggs) - 1, T: agg.Type()}, nil
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
