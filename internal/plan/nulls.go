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

// countAll turns COUNT(x) into COUNT(*), which it is while null handling is off.
func (r *resolver) countAll(call *sql.Call) *sql.Call {
	if !r.nullsOff || call.Name != "count" || len(call.Args) != 1 || call.Distinct {
		return call
	}
	return &sql.Call{At: call.At, Name: call.Name, Args: []sql.Expr{&sql.Identifier{At: call.At, Name: "*"}}}
}
