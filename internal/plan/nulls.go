package plan

import (
	"math"
	"strings"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// defaultOf returns what Pinot stores in a dimension for null, nil for types
// whose nulls stay: those with parts. An array has one such value.
func defaultOf(t fn.Type, scale int) *fn.Value {
	v := fn.Value{Type: t}
	switch t {
	case fn.Int:
		v.I = math.MinInt32
	case fn.Long:
		v.I = math.MinInt64
	case fn.Float, fn.Double:
		v.F = math.Inf(-1)
	case fn.String, fn.JSON:
		v.S = "null"
	case fn.BigDecimal:
		if scale < 0 {
			v.S = "\x00" // zero, as two's complement
		}
		if scale == DecimalText {
			v.S = "0"
		}
	case fn.Boolean, fn.Timestamp, fn.Bytes:
	default:
		if !t.Array() {
			return nil
		}
		v.List = []fn.Value{*defaultOf(t.Elem(), scale)}
	}
	return &v
}

// nullsOff reports whether null handling is off for a statement, which may say
// so itself.
func nullsOff(options []sql.Option, off bool) bool {
	for _, o := range options {
		if strings.EqualFold(o.Key, "enableNullHandling") {
			off = !strings.EqualFold(o.Value, "true")
		}
	}
	return off
}

// nullTest compiles IS NULL and IS NOT NULL. They see a column's nulls whether
// or not null handling is on.
func (c *compiler) nullTest(call *sql.Call) (Expr, error) {
	x, err := c.value(call.Args[0])
	if err != nil {
		return nil, err
	}
	return &Leaf{Arg: withNulls(x), Negate: call.Name == sql.OpIsNotNull, Test: IsNull{}}, nil
}

// withDefaults returns x with defaults in the place of columns' nulls, as it is
// while null handling is off.
func withDefaults(x Expr) Expr {
	switch x := x.(type) {
	case *Column:
		filled := *x
		filled.Default = x.Null
		return &filled
	case *Call:
		filled := *x
		filled.Args = make([]Expr, len(x.Args))
		for i, a := range x.Args {
			filled.Args[i] = withDefaults(a)
		}
		return &filled
	}
	return x
}

// withZero returns a key or an aggregate that shows zero for null.
func withZero(x Expr) Expr {
	switch x := x.(type) {
	case *KeyRef:
		zero := fn.Zero(x.T)
		return &KeyRef{Index: x.Index, T: x.T, Default: &zero}
	case *AggRef:
		zero := fn.Zero(x.T)
		return &AggRef{Index: x.Index, T: x.T, Default: &zero}
	}
	return x
}

// countAll turns COUNT(x) into COUNT(*), which it is while null handling is off,
// and where x is a literal.
func (r *resolver) countAll(call *sql.Call) *sql.Call {
	if call.Name != "count" || len(call.Args) != 1 || call.Distinct {
		return call
	}
	if lit, ok := call.Args[0].(*sql.Literal); !r.nullsOff && (!ok || lit.Type == sql.Null) {
		return call
	}
	return &sql.Call{At: call.At, Name: call.Name, Args: []sql.Expr{&sql.Identifier{At: call.At, Name: "*"}}}
}

// overElements turns an aggregate over a column of arrays into the one over its
// elements, by whose name Pinot calls the result; so it does for the sum of
// ARRAYSUM and its kin.
func (r *resolver) overElements(call *sql.Call) *sql.Call {
	f := fn.LookupAggregate(call.Name)
	if f == nil || f.Elements == nil || len(call.Args) == 0 || call.Distinct {
		return call
	}
	arg := call.Args[0]
	if inner, ok := arg.(*sql.Call); ok && len(inner.Args) == 1 && fn.Canonical(inner.Name) == "array"+f.Name {
		arg = inner.Args[0]
	}
	id, ok := arg.(*sql.Identifier)
	if !ok {
		return call
	}
	if i, ok := r.lookup(id.Name); !ok || !r.columns[i].Type.Array() {
		return call
	}
	args := append([]sql.Expr{arg}, call.Args[1:]...)
	return &sql.Call{At: call.At, Name: f.Elements.Name, Args: args}
}
