package plan

import (
	"math"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// fold works out arithmetic on numeric literals. Whole numbers stay whole
// numbers under + - * and %, as in Pinot's compiler.
func fold(c *sql.Call) sql.Expr {
	scalar := fn.LookupScalar(c.Name)
	if scalar == nil || scalar.Args() != len(c.Args) {
		return c
	}
	whole := true
	var ints [2]int64
	args := make([]float64, len(c.Args))
	for i, a := range c.Args {
		lit, ok := a.(*sql.Literal)
		if !ok {
			return c
		}
		switch v := lit.Value.(type) {
		case int32:
			ints[i], args[i] = int64(v), float64(v)
		case int64:
			ints[i], args[i] = v, float64(v)
		case float64:
			whole, args[i] = false, v
		default:
			return c
		}
	}
	if whole {
		if x, ok := foldWhole(c.Name, ints[0], ints[1]); ok {
			return wholeLiteral(c.At, x)
		}
	}
	return &sql.Literal{At: c.At, Type: sql.Double, Value: scalar.Eval1(args...)}
}

func foldWhole(name string, a, b int64) (int64, bool) {
	switch name {
	case sql.OpPlus:
		return a + b, true
	case sql.OpMinus:
		return a - b, true
	case sql.OpTimes:
		return a * b, true
	case sql.OpMod:
		if b == 0 {
			return 0, false
		}
		return a % b, true
	case sql.OpNegate:
		return -a, true
	}
	return 0, false
}

func wholeLiteral(at sql.Pos, x int64) *sql.Literal {
	if math.MinInt32 <= x && x <= math.MaxInt32 {
		return &sql.Literal{At: at, Type: sql.Int, Value: int32(x)}
	}
	return &sql.Literal{At: at, Type: sql.Long, Value: x}
}
