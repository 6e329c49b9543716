package fn

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/decantdb/decant/internal/sql"
)

// mathematics are the functions of numbers beyond plain arithmetic.
var mathematics = []Function{
	{Name: "exp", Rows: ofDouble(math.Exp)},
	{Name: "log", Alias: []string{"ln"}, Rows: ofDouble(logarithm)},
	{Name: "log2", Rows: ofDouble(func(x float64) float64 { return logarithm(x) / math.Ln2 })},
	{Name: "log10", Rows: ofDouble(func(x float64) float64 { return logarithm(x) / math.Ln10 })},
	{Name: "sqrt", Rows: ofDouble(math.Sqrt)},
	{Name: "sign", Rows: ofDouble(signum)},
	{Name: "power", Alias: []string{"pow"}, Rows: ofDoubles(pow)},
	{Name: "sin", Rows: ofDouble(math.Sin)},
	{Name: "cos", Rows: ofDouble(math.Cos)},
	{Name: "tan", Rows: ofDouble(math.Tan)},
	{Name: "cot", Rows: ofDouble(func(x float64) float64 { return 1 / math.Tan(x) })},
	{Name: "asin", Rows: ofDouble(math.Asin)},
	{Name: "acos", Rows: ofDouble(math.Acos)},
	{Name: "atan", Rows: ofDouble(math.Atan)},
	{Name: "atan2", Rows: ofDoubles(math.Atan2)},
	{Name: "sinh", Rows: ofDouble(math.Sinh)},
	{Name: "cosh", Rows: ofDouble(math.Cosh)},
	{Name: "tanh", Rows: ofDouble(math.Tanh)},
	{Name: "degrees", Rows: ofDouble(func(x float64) float64 { return x * (180 / math.Pi) })},
	{Name: "radians", Rows: ofDouble(func(x float64) float64 { return x / 180 * math.Pi })},
	{Name: "rounddecimal", Rows: single(either(takes(Double, each1(roundHalfUp), Double), takes(Double, rows(roundTo(false)), Double, Int)))},
	{Name: "truncate", Rows: single(either(takes(Double, each1(truncate), Double), takes(Double, rows(roundTo(true)), Double, Int)))},
	{Name: "hypot", Rows: takes(Double, each2(math.Hypot), Double, Double)},
	{Name: "ifnotfinite", Rows: takes(Double, each2(ifNotFinite), Double, Double)},
	{Name: "isfinite", Rows: takes(Int, each1(func(x float64) int32 { return int32(bit(isFinite(x))) }), Double)},
	{Name: "isinfinite", Rows: takes(Int, each1(func(x float64) int32 { return int32(bit(math.IsInf(x, 0))) }), Double)},
	{Name: "isnan", Rows: takes(Int, each1(func(x float64) int32 { return int32(bit(x != x)) }), Double)},
	{Name: "intdiv", Rows: takes(Long, each2(intDiv), Double, Double)},
	{Name: "intdivorzero", Rows: takes(Long, each2(intDivOrZero), Double, Double)},
	{Name: "moduloorzero", Rows: takes(Double, each2(moduloOrZero), Double, Double)},
	{Name: "positivemodulo", Rows: takes(Double, each2(positiveModulo), Double, Double)},
	{Name: "gcd", Rows: takes(Long, each2(gcd), Long, Long)},
	{Name: "lcm", Rows: takes(Long, each2(lcm), Long, Long)},
	{Name: "byteswapint", Rows: takes(Int, each1(func(x int32) int32 { return int32(bits.ReverseBytes32(uint32(x))) }), Int)},
	{Name: "byteswaplong", Rows: takes(Long, each1(func(x int64) int64 { return int64(bits.ReverseBytes64(uint64(x))) }), Long)},
	{Name: "rand", Rows: takes(Double, each1(javaRandom), Long)},
}

// ofDouble resolves the functions of one double that refuse decimals.
func ofDouble(f func(float64) float64) Resolver {
	on := takes(Double, each1(f), Double)
	return single(func(args []Arg) (Signature, error) {
		if len(args) == 1 && args[0].Type == BigDecimal && args[0].Literal == nil {
			s, err := takes(Double, rows(func(*Row) error { return badValue("a BIG_DECIMAL") }), BigDecimal)(args)
			return s, err
		}
		return on(args)
	})
}

func ofDoubles(f func(a, b float64) float64) Resolver {
	return single(takes(Double, each2(f), Double, Double))
}

// logarithm is the natural one. The one of the standard library is wrong for
// numbers below the normal ones on some machines.
func logarithm(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p64) - 64*math.Ln2
	}
	return math.Log(x)
}

func signum(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// pow is Java's, which has no number for a power of ±1 to infinity or NaN.
func pow(a, b float64) float64 {
	if (a == 1 || a == -1) && (math.IsInf(b, 0) || b != b) {
		return math.NaN()
	}
	return math.Pow(a, b)
}

func isFinite(x float64) bool { return x-x == 0 }

func ifNotFinite(x, other float64) float64 {
	if isFinite(x) {
		return x
	}
	return other
}

// roundHalfUp rounds to a whole number of 64 bits.
func roundHalfUp(x float64) float64 {
	if !isFinite(x) {
		return x
	}
	whole := math.Floor(x)
	if x-whole >= 0.5 {
		whole++
	}
	return float64(toInt64(whole))
}

func truncate(x float64) float64 { return math.Trunc(x) + 0 }

// roundTo rounds the decimal text of a double, half up or towards zero.
func roundTo(cut bool) func(*Row) error {
	return func(r *Row) error {
		x := r.Float(0)
		if !isFinite(x) {
			if cut {
				return badValue("%v is no decimal", x)
			}
			r.F = x
			return nil
		}
		d := decimalsOf(r)
		if err := parseDecimal(&d.a, string(sql.AppendJavaFloat(nil, x, 64))); err != nil {
			return err
		}
		d.a.setScale(int(max(-maxScale, min(maxScale, r.Int(1)))), cut)
		var err error
		r.F, err = parseFloat(string(d.a.append(nil)), Double)
		return err
	}
}

// setScale keeps a number of decimals, rounding half up or towards zero.
func (d *decimal) setScale(scale int, cut bool) {
	if scale >= d.scale {
		return
	}
	unit := powerOf10(d.scale - scale)
	q, m := new(big.Int).QuoRem(&d.unscaled, unit, new(big.Int))
	if !cut && m.Lsh(m.Abs(m), 1).Cmp(unit) >= 0 {
		q.Add(q, big.NewInt(int64(d.unscaled.Sign())))
	}
	d.unscaled.Set(q)
	d.scale = scale
}

func intDiv(a, b float64) int64 { return toInt64(math.Floor(a / b)) }

func intDivOrZero(a, b float64) int64 {
	if b == 0 {
		return 0
	}
	return intDiv(a, b)
}

func moduloOrZero(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return math.Mod(a, b)
}

func positiveModulo(a, b float64) float64 {
	m := math.Mod(a, b)
	if m < 0 {
		m += math.Abs(b)
	}
	return m
}

func gcd(a, b int64) int64 {
	if a == 0 {
		return absInt64(b)
	}
	for b != 0 {
		if b == -1 { // the least integer has no remainder by it
			return 1
		}
		a, b = b, a%b
	}
	return absInt64(a)
}

func absInt64(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

func lcm(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	return absInt64(a) / gcd(a, b) * absInt64(b)
}

// javaRandom is the first double of Java's generator with that seed.
func javaRandom(seed int64) float64 {
	const multiplier, mask = 0x5deece66d, 1<<48 - 1
	state := (uint64(seed) ^ multiplier) & mask
	next := func(n uint) uint64 {
		state = (state*multiplier + 0xb) & mask
		return state >> (48 - n)
	}
	high := next(26)
	return float64(high<<27+next(27)) / (1 << 53)
}
