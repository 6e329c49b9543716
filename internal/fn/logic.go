package fn

import (
	"github.com/decantdb/decant/vector"
)

// logic is the family of CASE and of the operators on BOOLEAN, which are three-
// valued. Over columns the operators are conditions of a plan; here they are
// worked out for literals.
var logic = []Function{
	{Name: "case", Alias: []string{"casewhen"}, Rows: single(resolveCase)},
	{Name: "and", Rows: seesNull(takes(Boolean, rows(kleene(false)), Boolean, Boolean))},
	{Name: "or", Rows: seesNull(takes(Boolean, rows(kleene(true)), Boolean, Boolean))},
	{Name: "not", Rows: takes(Boolean, rows(func(r *Row) error { r.B = !r.Bool(0); return nil }), Boolean)},
	{Name: "between", Rows: resolveBetween},
	{Name: "equals", Rows: compares(func(c int) bool { return c == 0 })},
	{Name: "notequals", Rows: compares(func(c int) bool { return c != 0 })},
	{Name: "lessthan", Rows: compares(func(c int) bool { return c < 0 })},
	{Name: "lessthanorequal", Rows: compares(func(c int) bool { return c <= 0 })},
	{Name: "greaterthan", Rows: compares(func(c int) bool { return c > 0 })},
	{Name: "greaterthanorequal", Rows: compares(func(c int) bool { return c >= 0 })},
}

func seesNull(r Resolver) Resolver {
	return func(args []Arg) (Signature, error) {
		s, err := r(args)
		s.SeesNull, s.SeesStored = true, true
		return s, err
	}
}

// kleene is OR, or AND: the dominant value wins over null, which wins over the
// other.
func kleene(dominant bool) func(*Row) error {
	return func(r *Row) error {
		r.B = !dominant
		for i := range r.Args() {
			switch {
			case r.IsNull(i):
				r.Null = true
			case r.Bool(i) == dominant:
				r.B, r.Null = dominant, false
				return nil
			}
		}
		return nil
	}
}

// compares resolves the comparison of two values.
func compares(holds func(c int) bool) Resolver {
	return single(func(args []Arg) (Signature, error) {
		t, err := comparisonType(args)
		if err != nil {
			return Signature{}, err
		}
		return takes(Boolean, rows(func(r *Row) error {
			c, ordered, err := r.compare(t, 0, 1)
			r.B = ordered && holds(c) || !ordered && holds(2) && holds(-2)
			return err
		}), t, t)(args)
	})
}

// resolveBetween takes a value and its bounds.
func resolveBetween(args []Arg) (Signature, error) {
	if len(args) != 3 {
		return Signature{}, wrongNumber(args)
	}
	t, err := comparisonType(args[:2])
	if err != nil {
		return Signature{}, err
	}
	return takes(Boolean, rows(func(r *Row) error {
		low, ordered, err := r.compare(t, 0, 1)
		if err != nil {
			return err
		}
		high, alsoOrdered, err := r.compare(t, 0, 2)
		r.B = ordered && alsoOrdered && low >= 0 && high <= 0
		return err
	}), t, t, t)(args)
}

// comparisonType is the type in which two values are compared.
func comparisonType(args []Arg) (Type, error) {
	if len(args) != 2 {
		return Unknown, wrongNumber(args)
	}
	a, b := args[0].Type, args[1].Type
	number := func(t Type) bool { return t.Numeric() || t == Timestamp || t == Boolean }
	switch {
	case a == Unknown || b == Unknown:
		return max(a, b), nil
	case a == BigDecimal && number(b) || b == BigDecimal && number(a):
		return BigDecimal, nil
	case a == Boolean && b == Boolean:
		return Boolean, nil
	case number(a) && number(b) && a != Float && a != Double && b != Float && b != Double:
		return Long, nil
	case number(a) && number(b):
		return Double, nil
	case a.Textual() && b.Textual() && a != Bytes && b != Bytes:
		return a, nil
	case number(a) && b == String || number(b) && a == String:
		return Double, nil
	}
	return Unknown, wrongNumber(args)
}

// compare orders two arguments, both of a type. Nothing is ordered to
// NaN.
func (r *Row) compare(t Type, i, j int) (c int, ordered bool, err error) {
	switch t {
	case Long:
		return compareInts(r.Int(i), r.Int(j)), true, nil
	case Boolean:
		return compareInts(bit(r.Bool(i)), bit(r.Bool(j))), true, nil
	case Double:
		a, b := r.Float(i), r.Float(j)
		switch {
		case a < b:
			return -1, true, nil
		case a > b:
			return 1, true, nil
		}
		return 0, a == b, nil
	case BigDecimal:
		d := decimalsOf(r)
		if err := parseDecimal(&d.a, string(r.Text(i))); err != nil {
			return 0, false, err
		}
		if err := parseDecimal(&d.b, string(r.Text(j))); err != nil {
			return 0, false, err
		}
		return d.a.compare(&d.b), true, nil
	}
	return CompareText(r.Text(i), r.Text(j)), true, nil
}

func compareInts(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// resolveCase takes condition, value, condition, value, ..., value.
func resolveCase(args []Arg) (Signature, error) {
	if len(args) < 2 {
		return Signature{}, wrongNumber(args)
	}
	var values []Arg
	types := make([]Type, len(args))
	for i := range args {
		if i%2 == 0 && i < len(args)-1 {
			types[i] = Boolean
		} else {
			values = append(values, args[i])
		}
	}
	t, err := commonType(values)
	if err != nil {
		return Signature{}, err
	}
	for i := range types {
		if types[i] == Unknown {
			types[i] = t
		}
	}
	return Signature{Args: types, Type: t, SeesNull: true, New: func() Kernel { return newChooser(t).evalCase }}, nil
}

// commonType is the type in which values meet: numbers in the wider type, texts
// and others in STRING; literals take the type of the others where they can.
func commonType(args []Arg) (Type, error) {
	t := Unknown
	for _, literals := range []bool{false, true} {
		for _, a := range args {
			if (a.Literal != nil) != literals || a.Type == Unknown || a.Type == t {
				continue
			}
			if literals && t != Unknown && !(t.Numeric() && a.Type.Numeric()) {
				if _, err := a.Literal.Convert(t); err != nil {
					return Unknown, wrongNumber(args)
				}
				continue
			}
			switch {
			case t == Unknown:
				t = a.Type
			case t.Numeric() && a.Type.Numeric():
				t = max(t, a.Type)
			case t == String || a.Type == String:
				t = String
			default:
				return Unknown, wrongNumber(args)
			}
		}
	}
	if t == Unknown {
		t = String
	}
	return t, nil
}

// chooser makes a vector of rows of several vectors.
type chooser struct {
	out  rowResult
	row  Row
	t    Type
	pick []int32 // by row the argument, -1: null
}

func newChooser(t Type) *chooser { return &chooser{t: t, out: newRowResult(t)} }

func (c *chooser) picks(n int) []int32 {
	if cap(c.pick) < n {
		c.pick = make([]int32, n)
	}
	return c.pick[:n]
}

// evalCase picks for each row the value of the first condition that is true.
func (c *chooser) evalCase(in *Input) (vector.Vector, error) {
	pick := c.picks(in.N)
	last := int32(-1)
	if len(in.Args)%2 == 1 {
		last = int32(len(in.Args) - 1)
	}
	for i := range pick {
		pick[i] = last
	}
	for arg := len(in.Args)/2*2 - 2; arg >= 0; arg -= 2 {
		cond := in.Args[arg].(*vector.Bools)
		for i := range pick {
			if vector.Bit(cond.Bits, i) && vector.Valid(cond.Valid, i) {
				pick[i] = int32(arg + 1)
			}
		}
	}
	return c.gather(in, pick)
}

// evalFirst picks for each row the first value that is not null.
func (c *chooser) evalFirst(in *Input) (vector.Vector, error) {
	pick := c.picks(in.N)
	for i := range pick {
		pick[i] = -1
	}
	for arg := len(in.Args) - 1; arg >= 0; arg-- {
		valid := in.Args[arg].Validity()
		for i := range pick {
			if vector.Valid(valid, i) {
				pick[i] = int32(arg)
			}
		}
	}
	return c.gather(in, pick)
}

func (c *chooser) gather(in *Input, pick []int32) (vector.Vector, error) {
	r := &c.row
	if len(r.args) != len(in.Args) {
		r.args = make([]rowArg, len(in.Args))
	}
	for i, v := range in.Args {
		if err := r.args[i].bind(v); err != nil {
			return nil, err
		}
	}
	out := c.out.vector()
	out.Reset()
	for i, p := range pick {
		if p < 0 || !vector.Valid(r.args[p].valid, i) {
			c.out.appendNull()
			continue
		}
		a := &r.args[p]
		a.goTo(i)
		switch {
		case c.t.Integral():
			r.I = a.int(a.at)
		case c.t == Float || c.t == Double:
			r.F = a.float(a.at)
		case c.t == Boolean:
			r.B = vector.Bit(a.bits, a.at)
		default:
			r.Out = append(r.Out[:0], a.text(a.at)...)
		}
		c.out.append(r)
	}
	return out, nil
}
