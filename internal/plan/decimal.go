package plan

import (
	"math"
	"math/big"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// decimalTest compares decimals that are stored as unscaled integers: the
// literal is scaled, exactly.
func decimalTest(x Expr, op string, l *sql.Literal) (Test, error) {
	scale, err := scaleOf(x, l.At, "a condition")
	if err != nil {
		return nil, err
	}
	if v, ok := l.Value.(float64); ok && (math.IsNaN(v) || math.IsInf(v, 0)) {
		lo, hi := neighboursOf(v)
		return wholeTest(op, lo, hi), nil
	}
	exact, ok := new(big.Rat).SetString(l.Text())
	if !ok {
		return nil, errorAt(l.At, ErrType, "cannot convert value: '%s' to type: BIG_DECIMAL", l.Text())
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	exact.Mul(exact, new(big.Rat).SetInt(power))
	// Div rounds down, since the denominator is positive.
	floor := new(big.Int).Div(exact.Num(), exact.Denom())
	switch {
	case !floor.IsInt64() && floor.Sign() < 0:
		return wholeTest(op, whole{value: math.MinInt64, outside: true}, whole{value: math.MinInt64}), nil
	case !floor.IsInt64() || !exact.IsInt() && floor.Int64() == math.MaxInt64:
		return wholeTest(op, whole{value: math.MaxInt64}, whole{value: math.MaxInt64, outside: true}), nil
	case exact.IsInt():
		return wholeTest(op, whole{value: floor.Int64()}, whole{value: floor.Int64()}), nil
	}
	return wholeTest(op, whole{value: floor.Int64()}, whole{value: floor.Int64() + 1}), nil
}

// scaleOf returns the scale of a decimal column that is stored as an unscaled
// integer. Decimals that are stored as bytes can only be put out.
func scaleOf(x Expr, at sql.Pos, what string) (int, error) {
	c, ok := x.(*Column)
	if !ok || c.Scale < 0 {
		return 0, notRun(at, what+" on a BIG_DECIMAL of more than 18 digits")
	}
	return c.Scale, nil
}

// IsScaled reports whether x is a decimal column that is stored as unscaled
// integers.
func IsScaled(x Expr) bool {
	c, ok := x.(*Column)
	return ok && c.T == fn.BigDecimal && c.Scale >= 0
}

// calculable refuses decimals that are stored as bytes.
func calculable(x Expr, at sql.Pos, what string) error {
	if c, ok := x.(*Column); ok && c.T == fn.BigDecimal && c.Scale == -1 {
		_, err := scaleOf(x, at, what)
		return err
	}
	return nil
}
