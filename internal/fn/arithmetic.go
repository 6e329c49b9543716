package fn

import (
	"math"
	"math/big"
	"slices"

	"github.com/decantdb/decant/vector"
)

// arithmetic is the family of + - * / and their kin. Over columns they work on
// doubles, or on decimals where there is one; of literals that are whole numbers
// they make whole numbers.
var arithmetic = []Function{
	{
		Name: "plus", Alias: []string{"add"},
		Rows: sums(fold2(addFloat64), "0.0", addDecimal),
		Fold: either(whole(loop2(addInt64)), takes(Double, loop2(addFloat64), Double, Double)),
	},
	{
		Name: "times", Alias: []string{"mult"},
		Rows: sums(fold2(mulFloat64), "1.0", timesDecimal),
		Fold: either(whole(loop2(mulInt64)), takes(Double, loop2(mulFloat64), Double, Double)),
	},
	{
		Name: "minus", Alias: []string{"sub"},
		Rows: pairs(loop2(subFloat64), subtractDecimal),
		Fold: either(whole(loop2(subInt64)), takes(Double, loop2(subFloat64), Double, Double)),
	},
	{
		Name: "divide", Alias: []string{"div"},
		Rows: pairs(loop2(divFloat64), divideDecimal),
		Fold: either(takes(Double, loop2(divFloat64), Double, Double), takes(Double, rows(divideOr), Double, Double, Double)),
	},
	{Name: "mod", Rows: single(takes(Double, loop2(modFloat64), Double, Double))},
	{Name: "negate", Rows: takes(Double, loop1(negFloat64), Double)},
	{Name: "abs", Rows: units(loop1(absFloat64), absDecimal)},
	{Name: "ceil", Alias: []string{"ceiling"}, Rows: units(each1(math.Ceil), roundUnits(true))},
	{Name: "floor", Rows: units(each1(math.Floor), roundUnits(false))},
	{
		Name: "greatest", Rows: single(extreme(loop2(maxOf[int32]), loop2(maxOf[int64]), fold2(maxFloat[float32]), fold2(maxFloat[float64]), 1)),
		Fold: takes(Double, fold2(maxFloat[float64]), Double, Double),
	},
	{
		Name: "least", Rows: single(extreme(loop2(minOf[int32]), loop2(minOf[int64]), fold2(minFloat[float32]), fold2(minFloat[float64]), -1)),
		Fold: takes(Double, fold2(minFloat[float64]), Double, Double),
	},
	{Name: "max", Rows: takes(Double, fold2(maxFloat[float64]), Double, Double)},
	{Name: "min", Rows: takes(Double, fold2(minFloat[float64]), Double, Double)},
}

// single refuses columns with several values.
func single(r Resolver) Resolver {
	return func(args []Arg) (Signature, error) {
		if slices.ContainsFunc(args, func(a Arg) bool { return a.Type.Array() }) {
			return Signature{}, wrongNumber(args)
		}
		return r(args)
	}
}

func isDecimal(a Arg) bool { return a.Type == BigDecimal }

// stored tells which arguments are decimals as they are stored.
func stored(args []Arg) []bool {
	out := make([]bool, len(args))
	for i, a := range args {
		out[i] = isDecimal(a) && a.Column
	}
	return out
}

// sums resolves functions of two or more numbers. Decimals are combined from
// start on.
func sums(doubles func(Type) func() Kernel, start string, combine func(out, a *decimal)) Resolver {
	onDoubles := takesAny(Double, doubles, Double)
	return single(func(args []Arg) (Signature, error) {
		if len(args) < 2 {
			return Signature{}, wrongNumber(args)
		}
		if slices.ContainsFunc(args, isDecimal) {
			stored := stored(args)
			add := rows(func(r *Row) error { return foldDecimals(r, stored, start, combine) })
			return takesAny(BigDecimal, add, BigDecimal)(args)
		}
		return onDoubles(args)
	})
}

// pairs resolves functions of two numbers.
func pairs(doubles func(Type) func() Kernel, decimals func(a, b *decimal) error) Resolver {
	onDoubles := takes(Double, doubles, Double, Double)
	return single(func(args []Arg) (Signature, error) {
		if slices.ContainsFunc(args, isDecimal) {
			return takes(BigDecimal, rows(decimal2(stored(args), decimals)), BigDecimal, BigDecimal)(args)
		}
		return onDoubles(args)
	})
}

// units resolves functions of one number.
func units(doubles func(Type) func() Kernel, decimals func(*decimal)) Resolver {
	onDecimals := takes(BigDecimal, rows(decimal1(decimals)), BigDecimal)
	onDoubles := takes(Double, doubles, Double)
	return single(func(args []Arg) (Signature, error) {
		if slices.ContainsFunc(args, isDecimal) {
			return onDecimals(args)
		}
		return onDoubles(args)
	})
}

// whole resolves calls of whole numbers, which stay whole.
func whole(kernel func(Type) func() Kernel) Resolver {
	on := takes(Long, kernel, Long, Long)
	return func(args []Arg) (Signature, error) {
		if slices.ContainsFunc(args, func(a Arg) bool { return a.Type != Int && a.Type != Long }) {
			return Signature{}, wrongNumber(args)
		}
		return on(args)
	}
}

// extreme resolves GREATEST and LEAST, whose arguments meet in one type.
func extreme(ints, longs, floats, doubles func(Type) func() Kernel, sign int) Resolver {
	return func(args []Arg) (Signature, error) {
		if len(args) == 0 {
			return Signature{}, wrongNumber(args)
		}
		t := args[0].Type
		for _, a := range args[1:] {
			switch {
			case a.Type == t:
			case a.Type.Numeric() && t.Numeric():
				t = max(t, a.Type)
			default:
				return Signature{}, wrongNumber(args)
			}
		}
		var kernel func(Type) func() Kernel
		switch t {
		case Int:
			kernel = chain2(ints)
		case Long, Timestamp:
			kernel = chain2(longs)
		case Float:
			kernel = floats
		case Double:
			kernel = doubles
		case BigDecimal:
			kernel = rows(extremeDecimal(sign))
		case String:
			kernel = rows(extremeText(sign))
		default:
			return Signature{}, wrongNumber(args)
		}
		return takesAny(t, kernel, t)(args)
	}
}

// chain2 calls a kernel of two arguments for the result so far and the next one.
func chain2(kernel func(Type) func() Kernel) func(Type) func() Kernel {
	return func(t Type) func() Kernel {
		return func() Kernel {
			steps := []Kernel{}
			in := Input{}
			return func(all *Input) (out vector.Vector, err error) {
				out = all.Args[0]
				for i, a := range all.Args[1:] {
					if i == len(steps) {
						steps = append(steps, kernel(t)())
					}
					in.N, in.Valid = all.N, all.Valid
					in.Args = append(in.Args[:0], out, a)
					if out, err = steps[i](&in); err != nil {
						return nil, err
					}
				}
				return out, nil
			}
		}
	}
}

func extremeText(sign int) func(*Row) error {
	return func(r *Row) error {
		best := 0
		for i := 1; i < r.Args(); i++ {
			if CompareText(r.Text(i), r.Text(best))*sign > 0 {
				best = i
			}
		}
		r.Out = append(r.Out, r.Text(best)...)
		return nil
	}
}

func extremeDecimal(sign int) func(*Row) error {
	return func(r *Row) error {
		d := decimalsOf(r)
		best := 0
		for i := 1; i < r.Args(); i++ {
			if err := parseDecimal(&d.a, string(r.Text(i))); err != nil {
				return err
			}
			if err := parseDecimal(&d.b, string(r.Text(best))); err != nil {
				return err
			}
			if d.a.compare(&d.b)*sign > 0 {
				best = i
			}
		}
		r.Out = append(r.Out, r.Text(best)...)
		return nil
	}
}

func addFloat64(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func subFloat64(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func mulFloat64(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

func divFloat64(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] / b[i]
	}
}

// modFloat64 is Java's %: the result has the sign of the dividend.
func modFloat64(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = math.Mod(a[i], b[i])
	}
}

func negFloat64(dst, a []float64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = -a[i]
	}
}

func absFloat64(dst, a []float64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = math.Abs(a[i])
	}
}

func addInt64(dst, a, b []int64) {
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func subInt64(dst, a, b []int64) {
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func mulInt64(dst, a, b []int64) {
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

func maxOf[T integer](dst, a, b []T) {
	for i := range dst {
		dst[i] = max(a[i], b[i])
	}
}

func minOf[T integer](dst, a, b []T) {
	for i := range dst {
		dst[i] = min(a[i], b[i])
	}
}

func maxFloat[T floating](dst, a, b []T) {
	for i := range dst {
		dst[i] = max(a[i], b[i])
	}
}

func minFloat[T floating](dst, a, b []T) {
	for i := range dst {
		dst[i] = min(a[i], b[i])
	}
}

// divideOr divides, and gives its third argument where the divisor is 0.
func divideOr(r *Row) error {
	if r.F = r.Float(2); r.Float(1) != 0 {
		r.F = r.Float(0) / r.Float(1)
	}
	return nil
}

// divideDecimal keeps the scale of the dividend and rounds half to even.
func divideDecimal(a, b *decimal) error {
	if b.unscaled.Sign() == 0 {
		return badValue("/ by zero")
	}
	// a/10^s / (b/10^t) at scale s is a*10^t / b.
	num, den := &a.unscaled, &b.unscaled
	if b.scale >= 0 {
		num = new(big.Int).Mul(num, powerOf10(b.scale))
	} else {
		den = new(big.Int).Mul(den, powerOf10(-b.scale))
	}
	q, m := new(big.Int).QuoRem(num, den, new(big.Int))
	twice := m.Abs(m).Lsh(m, 1).CmpAbs(den)
	if twice > 0 || twice == 0 && q.Bit(0) == 1 {
		step := int64(1)
		if num.Sign() != den.Sign() {
			step = -1
		}
		q.Add(q, big.NewInt(step))
	}
	a.unscaled.Set(q)
	return nil
}
