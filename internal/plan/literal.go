package plan

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// literalOf returns a literal as a typed value.
func literalOf(l *sql.Literal) *Literal { return &Literal{fn.LiteralValue(l)} }

// comparisonTest returns the test of "x op literal". An inequality is the
// negation of the equality, which the caller sees to.
func comparisonTest(x Expr, op string, l *sql.Literal) (Test, error) {
	t := elemOf(x.Type())
	switch {
	case t == fn.Boolean:
		return nil, errorAt(l.At, ErrType, "a BOOLEAN can only be compared by = and <>")
	case t == fn.BigDecimal:
		return decimalTest(x, op, l)
	case t.Integral():
		lo, hi, err := wholeNeighbours(t, l)
		if err != nil {
			return nil, err
		}
		return wholeTest(op, lo, hi), nil
	case t.Numeric():
		return floatTest(t, op, l)
	case t.Textual():
		return textTest(t, op, l)
	}
	return nil, notRun(l.At, "a condition on a "+t.String())
}

// elemOf is the type of what a condition tests: of an array, its elements.
func elemOf(t fn.Type) fn.Type {
	if t.Array() {
		return t.Elem()
	}
	return t
}

// wholeTest adapts a literal between lo and hi to whole numbers: x > 1.5 is
// x > 1, x = 1.5 is never true.
func wholeTest(op string, lo, hi whole) Test {
	none := IntRange{Lo: 1, Hi: 0}
	exact := lo == hi // the literal is a whole number of 64 bits
	switch op {
	case sql.OpEquals:
		if !exact {
			return none
		}
		return IntRange{lo.value, lo.value}
	case sql.OpLessThanOrEqual, sql.OpLessThan:
		if lo.outside {
			return none
		}
		last := lo.value
		if op == sql.OpLessThan && exact {
			if last == math.MinInt64 {
				return none
			}
			last--
		}
		return IntRange{math.MinInt64, last}
	default:
		if hi.outside {
			return none
		}
		first := hi.value
		if op == sql.OpGreaterThan && exact {
			if first == math.MaxInt64 {
				return none
			}
			first++
		}
		return IntRange{first, math.MaxInt64}
	}
}

// whole is a whole number next to a literal; outside says that there is none
// on that side in 64 bits.
type whole struct {
	value   int64
	outside bool
}

// wholeNeighbours returns the greatest whole number that is not above the
// literal and the least that is not below it.
func wholeNeighbours(t fn.Type, l *sql.Literal) (lo, hi whole, err error) {
	exact := func(x int64) (whole, whole, error) { return whole{value: x}, whole{value: x}, nil }
	switch v := l.Value.(type) {
	case int32:
		return exact(int64(v))
	case int64:
		return exact(v)
	case float64:
		lo, hi = neighboursOf(v)
		return lo, hi, nil
	case bool:
		if v {
			return exact(1)
		}
		return exact(0)
	case string:
		if t == fn.Timestamp {
			ms, err := fn.ParseMoment(v)
			if err != nil {
				return lo, hi, errorAt(l.At, ErrType, "cannot convert value: '%s' to type: TIMESTAMP", v)
			}
			return exact(ms)
		}
		x, err := strconv.ParseInt(v, 10, bitsOf(t))
		if err != nil {
			return lo, hi, errorAt(l.At, ErrType, "cannot convert value: '%s' to type: %v", v, t)
		}
		return exact(x)
	}
	return lo, hi, errorAt(l.At, ErrType, "a %v compared to a %v", t, l.Type)
}

func neighboursOf(v float64) (lo, hi whole) {
	const limit = 1 << 63
	switch {
	case v != v: // no number is next to NaN
		return whole{value: math.MaxInt64, outside: true}, whole{value: math.MinInt64, outside: true}
	case v < -limit:
		return whole{value: math.MinInt64, outside: true}, whole{value: math.MinInt64}
	case v >= limit:
		return whole{value: math.MaxInt64}, whole{value: math.MaxInt64, outside: true}
	}
	lo, hi = whole{value: int64(math.Floor(v))}, whole{value: int64(math.Floor(v))}
	if v != math.Floor(v) {
		hi.value++
	}
	return lo, hi
}

func bitsOf(t fn.Type) int {
	if t == fn.Int {
		return 32
	}
	return 64
}

// floatTest takes the literal as a double, or a float where x is one.
func floatTest(t fn.Type, op string, l *sql.Literal) (Test, error) {
	v, err := floatOf(t, l)
	if err != nil {
		return nil, err
	}
	if v != v {
		return FloatSet{}, nil // by IEEE 754 nothing compares to NaN
	}
	next := func(towards float64) float64 {
		if t == fn.Float {
			return float64(math.Nextafter32(float32(v), float32(towards)))
		}
		return math.Nextafter(v, towards)
	}
	switch op {
	case sql.OpEquals:
		return FloatRange{v, v}, nil
	case sql.OpLessThan:
		if math.IsInf(v, -1) {
			return FloatSet{}, nil
		}
		return FloatRange{math.Inf(-1), next(math.Inf(-1))}, nil
	case sql.OpLessThanOrEqual:
		return FloatRange{math.Inf(-1), v}, nil
	case sql.OpGreaterThan:
		if math.IsInf(v, 1) {
			return FloatSet{}, nil
		}
		return FloatRange{next(math.Inf(1)), math.Inf(1)}, nil
	default:
		return FloatRange{v, math.Inf(1)}, nil
	}
}

func floatOf(t fn.Type, l *sql.Literal) (float64, error) {
	var v float64
	switch x := l.Value.(type) {
	case int32:
		v = float64(x)
	case int64:
		v = float64(x)
	case float64:
		v = x
	case bool:
		if x {
			v = 1
		}
	case string:
		parsed, err := strconv.ParseFloat(strings.TrimSpace(x), 64)
		if err != nil {
			return 0, errorAt(l.At, ErrType, "cannot convert value: '%s' to type: %v", x, t)
		}
		v = parsed
	default:
		return 0, errorAt(l.At, ErrType, "a %v compared to a %v", t, l.Type)
	}
	if t == fn.Float {
		v = float64(float32(v))
	}
	return v, nil
}

// textTest compares texts. A literal of another type is taken by its text, for
// BYTES by its hexadecimal digits.
func textTest(t fn.Type, op string, l *sql.Literal) (Test, error) {
	s, err := textOf(t, l)
	if err != nil {
		return nil, err
	}
	switch op {
	case sql.OpEquals:
		return TextSet{Values: []string{s}}, nil
	case sql.OpLessThan, sql.OpLessThanOrEqual:
		return TextRange{Hi: s, HasHi: true, StrictHi: op == sql.OpLessThan, Bytes: t == fn.Bytes}, nil
	default:
		return TextRange{Lo: s, HasLo: true, StrictLo: op == sql.OpGreaterThan, Bytes: t == fn.Bytes}, nil
	}
}

func textOf(t fn.Type, l *sql.Literal) (string, error) {
	if t != fn.Bytes {
		return l.Text(), nil
	}
	raw, err := hex.DecodeString(l.Text())
	if err != nil {
		return "", errorAt(l.At, ErrType, "cannot convert value: '%s' to type: BYTES", l.Text())
	}
	return string(raw), nil
}
