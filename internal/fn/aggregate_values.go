package fn

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// valueAggregates are those that choose one of a group's values, and truths.
var valueAggregates = []Aggregate{
	{Name: "booland", Calls: truths(true, func(a, b bool) bool { return a && b })},
	{Name: "boolor", Calls: truths(false, func(a, b bool) bool { return a || b })},
	{Name: "minstring", Calls: textExtreme(-1)},
	{Name: "maxstring", Calls: textExtreme(1)},
	{Name: "anyvalue", Calls: resolveAny},
	{Name: "firstwithtime", Calls: withTime(func(t, best int64) bool { return t < best })},
	{Name: "lastwithtime", Calls: withTime(func(t, best int64) bool { return t >= best })},
}

func truths(start bool, combine func(a, b bool) bool) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		if len(args) != 1 {
			return AggregateCall{}, wrongNumber(args)
		}
		if args[0].Type != Boolean {
			return AggregateCall{}, badValue("a %v is no BOOLEAN", args[0].Type)
		}
		return AggregateCall{Args: []Type{Boolean}, Type: Boolean, New: func() State {
			return &perGroup[bool]{
				start:  start,
				add:    func(b *bool, r *Row) error { *b = combine(*b, r.Bool(0)); return nil },
				merge:  func(b, o *bool) error { *b = combine(*b, *o); return nil },
				result: func(b *bool, r *Row) error { r.B = *b; return nil },
			}
		}}, nil
	}
}

// kept is a value that a group keeps, as the field that its type has.
type kept struct {
	known bool
	time  int64
	i     int64
	f     float64
	b     bool
	text  []byte
}

// set takes the first argument of r, whose type is t.
func (k *kept) set(t Type, r *Row) {
	k.known = true
	switch {
	case t.Integral():
		k.i = r.Int(0)
	case t == Float || t == Double:
		k.f = r.Float(0)
	case t == Boolean:
		k.b = r.Bool(0)
	default:
		k.text = append(k.text[:0], r.Text(0)...)
	}
}

// take takes another group's value.
func (k *kept) take(o *kept) {
	text := append(k.text[:0], o.text...)
	*k = *o
	k.text = text
}

func (k *kept) put(r *Row) error {
	r.I, r.F, r.B, r.Out = k.i, k.f, k.b, append(r.Out, k.text...)
	return nil
}

func (k *kept) size() int { return cap(k.text) }

func textExtreme(sign int) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		if len(args) != 1 || args[0].Type != String && args[0].Type != JSON {
			return AggregateCall{}, wrongNumber(args)
		}
		return AggregateCall{Args: []Type{String}, Type: String, New: func() State {
			return &perGroup[kept]{
				add: func(k *kept, r *Row) error {
					if !k.known || sign*CompareText(r.Text(0), k.text) > 0 {
						k.set(String, r)
					}
					return nil
				},
				merge: func(k, o *kept) error {
					if o.known && (!k.known || sign*CompareText(o.text, k.text) > 0) {
						k.take(o)
					}
					return nil
				},
				result: func(k *kept, r *Row) error { r.Null = !k.known; return k.put(r) },
				size:   (*kept).size,
			}
		}}, nil
	}
}

func resolveAny(args []Arg) (AggregateCall, error) {
	if len(args) != 1 || args[0].Type.Array() || args[0].Type == Nested {
		return AggregateCall{}, wrongNumber(args)
	}
	t := args[0].Type
	return AggregateCall{Args: []Type{t}, Type: t, New: func() State {
		return &perGroup[kept]{
			add: func(k *kept, r *Row) error {
				if !k.known {
					k.set(t, r)
				}
				return nil
			},
			merge: func(k, o *kept) error {
				if !k.known {
					k.take(o)
				}
				return nil
			},
			result: func(k *kept, r *Row) error { r.Null = !k.known; return k.put(r) },
			size:   (*kept).size,
		}
	}}, nil
}

// withTime resolves FIRSTWITHTIME and LASTWITHTIME: the value at the time that
// is before all others by the given order.
func withTime(before func(t, best int64) bool) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		if len(args) != 3 {
			return AggregateCall{}, wrongNumber(args)
		}
		name, err := literalText(args, 2, "")
		if err != nil {
			return AggregateCall{}, err
		}
		t, ok := ParseType(name)
		switch t {
		case Int, Long, Float, Double, Boolean, String:
		default:
			ok = false
		}
		if !ok {
			return AggregateCall{}, badValue("unsupported data type %q", name)
		}
		if _, err := numericArg(args[1], false, Long, LongArray); err != nil {
			return AggregateCall{}, err
		}
		start := kept{i: math.MinInt64, f: math.NaN()}
		if t == Int {
			start.i = math.MinInt32
		}
		return AggregateCall{Args: []Type{t, Long}, Type: t, NeverNull: true, New: func() State {
			return &perGroup[kept]{
				start: start,
				add: func(k *kept, r *Row) error {
					if at := r.Int(1); !k.known || before(at, k.time) {
						k.set(t, r)
						k.time = at
					}
					return nil
				},
				merge: func(k, o *kept) error {
					if o.known && (!k.known || before(o.time, k.time)) {
						k.take(o)
					}
					return nil
				},
				result: func(k *kept, r *Row) error { return k.put(r) },
				size:   (*kept).size,
			}
		}}, nil
	}
}

// sumPrecision resolves SUMPRECISION(x[, precision[, scale]]), which adds
// decimals up exactly and rounds the sum.
func sumPrecision(args []Arg) (AggregateCall, error) {
	if len(args) == 0 || len(args) > 3 {
		return AggregateCall{}, wrongNumber(args)
	}
	precision, err := literalInt(args, 1, 0)
	if err != nil {
		return AggregateCall{}, err
	}
	scale, err := literalInt(args, 2, 0)
	if err != nil || precision < 0 || scale > maxScale || scale < -maxScale {
		return AggregateCall{}, badValue("SUMPRECISION takes a precision and a scale that are integers")
	}
	rescale := len(args) == 3
	return AggregateCall{Args: []Type{BigDecimal}, Type: String, New: func() State {
		return &perGroup[decimal]{
			add: func(d *decimal, r *Row) error {
				var x decimal
				if err := parseDecimal(&x, string(r.Text(0))); err != nil {
					return err
				}
				addDecimal(d, &x)
				return nil
			},
			merge: func(d, o *decimal) error { addDecimal(d, o); return nil },
			result: func(d *decimal, r *Row) error {
				sum := decimal{scale: d.scale}
				sum.unscaled.Set(&d.unscaled)
				if precision > 0 {
					sum.round(sum.scale - (digitsOf(&sum.unscaled) - precision))
				}
				if rescale {
					sum.round(scale)
					align(&sum, &decimal{scale: scale})
				}
				r.Out = sum.appendScientific(r.Out)
				return nil
			},
			size: func(d *decimal) int { return len(d.unscaled.Bits()) * 8 },
		}
	}}, nil
}

func digitsOf(x *big.Int) int { return len(strings.TrimPrefix(x.String(), "-")) }

// round rounds to at most the given scale, halves to the even neighbour.
func (d *decimal) round(scale int) {
	if d.scale <= scale {
		return
	}
	unit := powerOf10(d.scale - scale)
	rest := new(big.Int)
	d.unscaled.QuoRem(&d.unscaled, unit, rest)
	d.scale = scale
	half := rest.Abs(rest).Lsh(rest, 1).Cmp(unit)
	if half > 0 || half == 0 && d.unscaled.Bit(0) == 1 {
		one := big.NewInt(1)
		if d.unscaled.Sign() < 0 {
			one.Neg(one)
		}
		d.unscaled.Add(&d.unscaled, one)
	}
}

// appendScientific writes the number as Java's BigDecimal.toString does: with an
// exponent where the scale is negative or the number is very small.
func (d *decimal) appendScientific(dst []byte) []byte {
	digits := strings.TrimPrefix(d.unscaled.String(), "-")
	exponent := len(digits) - 1 - d.scale
	if d.scale >= 0 && exponent >= -6 {
		return d.append(dst)
	}
	if d.unscaled.Sign() < 0 {
		dst = append(dst, '-')
	}
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	if exponent == 0 {
		return dst
	}
	dst = append(dst, 'E')
	if exponent > 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, int64(exponent), 10)
}
