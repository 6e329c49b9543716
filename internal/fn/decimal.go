package fn

import (
	"math/big"
	"strconv"
	"strings"
)

// decimal is a decimal number: unscaled / 10^scale. The scale may be negative.
type decimal struct {
	unscaled big.Int
	scale    int
}

// maxScale bounds the digits before and behind the point of a number.
const maxScale = 1 << 14

// parseDecimal reads what Java's BigDecimal reads: an optional sign, digits with
// a point among them, an exponent.
func parseDecimal(d *decimal, text string) error {
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(text[i+1:]); err != nil {
			return badValue("%q is no decimal", text)
		}
		mantissa = text[:i]
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole, "+-") + part
	if len(whole) > 1 && len(strings.TrimLeft(whole, "+-")) < len(whole)-1 || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return badValue("%q is no decimal", text)
	}
	d.scale = len(part) - exponent
	if len(digits) > maxScale || d.scale > maxScale || d.scale < -maxScale {
		return badValue("%q has too many digits", text)
	}
	d.unscaled.SetString(digits, 10)
	if strings.HasPrefix(whole, "-") {
		d.unscaled.Neg(&d.unscaled)
	}
	return nil
}

// append writes the number without an exponent.
func (d *decimal) append(dst []byte) []byte {
	if d.scale <= 0 {
		dst = d.unscaled.Append(dst, 10)
		if d.unscaled.Sign() != 0 {
			for range -d.scale {
				dst = append(dst, '0')
			}
		}
		return dst
	}
	if d.unscaled.Sign() < 0 {
		dst = append(dst, '-')
	}
	digits := strings.TrimPrefix(d.unscaled.String(), "-")
	for len(digits) <= d.scale {
		digits = strings.Repeat("0", d.scale-len(digits)+1) + digits
	}
	dst = append(dst, digits[:len(digits)-d.scale]...)
	dst = append(dst, '.')
	return append(dst, digits[len(digits)-d.scale:]...)
}

// align gives both numbers the greater of their scales.
func align(a, b *decimal) {
	if a.scale > b.scale {
		a, b = b, a
	}
	a.unscaled.Mul(&a.unscaled, powerOf10(b.scale-a.scale))
	a.scale = b.scale
}

func powerOf10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// whole returns the integer part, rounded towards zero.
func (d *decimal) whole() *big.Int {
	if d.scale <= 0 {
		return new(big.Int).Mul(&d.unscaled, powerOf10(-d.scale))
	}
	return new(big.Int).Quo(&d.unscaled, powerOf10(d.scale))
}

// compare orders two numbers, and may rescale them.
func (d *decimal) compare(o *decimal) int {
	align(d, o)
	return d.unscaled.Cmp(&o.unscaled)
}

// CompareDecimals orders the texts of two BIG_DECIMAL values.
func CompareDecimals(a, b []byte) int {
	var x, y decimal
	if parseDecimal(&x, string(a)) != nil || parseDecimal(&y, string(b)) != nil {
		return CompareText(a, b)
	}
	return x.compare(&y)
}

// lowBits returns the low 64 bits in two's complement, as Java narrows.
func lowBits(x *big.Int) int64 {
	low := new(big.Int).And(x, new(big.Int).SetUint64(^uint64(0)))
	return int64(low.Uint64())
}

// decimals are the numbers of one call, kept from row to row.
type decimals struct{ a, b, out decimal }

func decimalsOf(r *Row) *decimals {
	d, ok := r.Scratch.(*decimals)
	if !ok {
		d = &decimals{}
		r.Scratch = d
	}
	return d
}

// foldDecimals combines decimals from left to right, beginning with start.
func foldDecimals(r *Row, stored []bool, start string, combine func(out, a *decimal)) error {
	d := decimalsOf(r)
	if err := parseDecimal(&d.out, start); err != nil {
		return err
	}
	for i := range r.Args() {
		if err := d.a.read(r, i, stored[i]); err != nil {
			return err
		}
		combine(&d.out, &d.a)
	}
	r.Out = d.out.append(r.Out)
	return nil
}

// read takes an argument. Pinot stores decimals without trailing zeros, so that
// 1000 has the scale -3, which shows in products and quotients.
func (d *decimal) read(r *Row, arg int, stored bool) error {
	if err := parseDecimal(d, string(r.Text(arg))); err != nil {
		return err
	}
	if !stored || d.unscaled.Sign() == 0 {
		return nil
	}
	digits := d.unscaled.String()
	short := strings.TrimRight(digits, "0")
	d.unscaled.SetString(short, 10)
	d.scale -= len(digits) - len(short)
	return nil
}

func addDecimal(out, a *decimal) {
	align(out, a)
	out.unscaled.Add(&out.unscaled, &a.unscaled)
}

func timesDecimal(out, a *decimal) {
	out.unscaled.Mul(&out.unscaled, &a.unscaled)
	out.scale += a.scale
}

// decimal1 is a function of one decimal.
func decimal1(f func(d *decimal)) func(*Row) error {
	return func(r *Row) error {
		d := decimalsOf(r)
		if err := parseDecimal(&d.a, string(r.Text(0))); err != nil {
			return err
		}
		f(&d.a)
		r.Out = d.a.append(r.Out)
		return nil
	}
}

// decimal2 is a function of two decimals, which it leaves in the first.
func decimal2(stored []bool, f func(a, b *decimal) error) func(*Row) error {
	return func(r *Row) error {
		d := decimalsOf(r)
		if err := d.a.read(r, 0, stored[0]); err != nil {
			return err
		}
		if err := d.b.read(r, 1, stored[1]); err != nil {
			return err
		}
		if err := f(&d.a, &d.b); err != nil {
			return err
		}
		r.Out = d.a.append(r.Out)
		return nil
	}
}

func subtractDecimal(a, b *decimal) error {
	align(a, b)
	a.unscaled.Sub(&a.unscaled, &b.unscaled)
	return nil
}

// roundUnits sets a number to whole units, rounded down or up.
func roundUnits(up bool) func(d *decimal) {
	return func(d *decimal) {
		if d.scale <= 0 {
			d.unscaled.Set(d.whole())
			d.scale = 0
			return
		}
		q, m := new(big.Int).DivMod(&d.unscaled, powerOf10(d.scale), new(big.Int))
		if up && m.Sign() != 0 {
			q.Add(q, big.NewInt(1))
		}
		d.unscaled.Set(q)
		d.scale = 0
	}
}

func absDecimal(d *decimal) { d.unscaled.Abs(&d.unscaled) }
