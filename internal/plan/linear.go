package plan

import (
	"github.com/decantdb/decant/internal/sql"
)

// linear turns an aggregate of a column plus, minus or times a number into the
// same arithmetic on the aggregate of the column, as Pinot's broker does: it
// shows in the name of the result.
//
//	SUM(x + 2)  is  add(sum(x), mult(2, count(x)))
//	MIN(x * 2)  is  mult(min(x), 2)
func linear(call *sql.Call) *sql.Call {
	switch call.Name {
	case "sum", "avg", "min", "max":
	default:
		return call
	}
	if len(call.Args) != 1 || call.Distinct {
		return call
	}
	arg, ok := call.Args[0].(*sql.Call)
	if !ok || len(arg.Args) != 2 {
		return call
	}
	column, ok := arg.Args[0].(*sql.Identifier)
	number, isNumber := arg.Args[1].(*sql.Literal)
	if !ok || !isNumber {
		return call
	}
	of := func(name string) sql.Expr {
		return &sql.Call{At: call.At, Name: name, Args: []sql.Expr{column}}
	}
	apply := func(name string, args ...sql.Expr) *sql.Call { return &sql.Call{At: call.At, Name: name, Args: args} }
	switch arg.Name {
	case "times":
		if call.Name == "min" || call.Name == "max" {
			if x, ok := numberOf(number); !ok || x < 0 {
				return call // the least becomes the greatest
			}
		}
		return apply("mult", of(call.Name), number)
	case "plus", "minus":
		if _, ok := numberOf(number); !ok {
			return call
		}
		name := map[string]string{"plus": "add", "minus": "sub"}[arg.Name]
		if call.Name == "sum" {
			return apply(name, of("sum"), apply("mult", number, of("count")))
		}
		return apply(name, of(call.Name), number)
	}
	return call
}

func numberOf(l *sql.Literal) (float64, bool) {
	switch v := l.Value.(type) {
	case int32:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
