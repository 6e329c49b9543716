package fn

import "slices"

// nulls is the family of functions that look at nulls.
var nulls = []Function{
	{Name: "coalesce", Rows: resolveCoalesce, Fold: foldCoalesce},
	{
		Name: "nullif", Rows: takes(Int, rows(func(*Row) error { return badValue("NULLIF of a column has no type in Pinot 1.5.0") }), Unknown, Unknown),
		Fold: resolveNullIf,
	},
	{Name: "isnull", Rows: seesNull(takes(Boolean, rows(func(r *Row) error { r.B = r.IsNull(0); return nil }), Unknown))},
	{Name: "isnotnull", Rows: seesNull(takes(Boolean, rows(func(r *Row) error { r.B = !r.IsNull(0); return nil }), Unknown))},
	{Name: "isdistinctfrom", Rows: distinct(true)},
	{Name: "isnotdistinctfrom", Rows: distinct(false)},
}

// resolveCoalesce widens numbers; anything else becomes its text.
func resolveCoalesce(args []Arg) (Signature, error) {
	if len(args) == 0 {
		return Signature{}, wrongNumber(args)
	}
	if slices.ContainsFunc(args, func(a Arg) bool { return a.Type.Array() }) {
		several := rows(func(*Row) error { return badValue("COALESCE of several values") })
		return seesNull(takesAny(String, several, Unknown))(args)
	}
	t := widest(args)
	if t != Unknown && !t.Numeric() {
		return seesNull(takesAny(String, rows(firstText(args)), Unknown))(args)
	}
	return seesNull(takesAny(t, choose(t), t))(args)
}

// foldCoalesce keeps the type that literals have in common.
func foldCoalesce(args []Arg) (Signature, error) {
	if len(args) == 0 {
		return Signature{}, wrongNumber(args)
	}
	t := widest(args)
	return seesNull(takesAny(t, choose(t), t))(args)
}

func choose(t Type) func(Type) func() Kernel {
	return func(Type) func() Kernel { return func() Kernel { return newChooser(t).evalFirst } }
}

// firstText writes the first value that is not null, a column's as it is stored.
func firstText(args []Arg) func(*Row) error {
	types := make([]Type, len(args))
	for i, a := range args {
		if types[i] = a.Type; a.Type == Timestamp {
			types[i] = Long
		}
	}
	return func(r *Row) error {
		for i, t := range types {
			if r.IsNull(i) {
				continue
			}
			if t == Boolean && args[i].Literal == nil {
				r.Out = append(r.Out, '0'+byte(bit(r.Bool(i))))
			} else {
				r.Out = r.args[i].appendText(r.Out, t, r.args[i].at)
			}
			return nil
		}
		r.Null = true
		return nil
	}
}

// widest is the type that holds all numbers, or that all values have, or STRING.
func widest(args []Arg) Type {
	t := Unknown
	for _, a := range args {
		switch {
		case a.Type == Unknown || a.Type == t:
		case t == Unknown:
			t = a.Type
		case t.Numeric() && a.Type.Numeric():
			t = max(t, a.Type)
		default:
			t = String
		}
	}
	return t
}

func resolveNullIf(args []Arg) (Signature, error) {
	t, err := comparisonType(args)
	if err != nil {
		return Signature{}, err
	}
	result := args[0].Type
	if result == Unknown {
		result = t
	}
	return takes(result, rows(nullIf(t)), t, t)(args)
}

func nullIf(t Type) func(*Row) error {
	return func(r *Row) error {
		c, ordered, err := r.compare(t, 0, 1)
		r.Null = ordered && c == 0
		switch t {
		case Long:
			r.I = r.Int(0)
		case Double:
			r.F = r.Float(0)
		case Boolean:
			r.B = r.Bool(0)
		default:
			r.Out = append(r.Out, r.Text(0)...)
		}
		return err
	}
}

// distinct tells whether two values differ; nulls do not.
func distinct(want bool) Resolver {
	return seesNull(single(func(args []Arg) (Signature, error) {
		t, err := comparisonType(args)
		if err != nil {
			return Signature{}, err
		}
		return takes(Boolean, rows(func(r *Row) error {
			a, b := r.IsNull(0), r.IsNull(1)
			if a || b {
				r.B = (a != b) == want
				return nil
			}
			c, ordered, err := r.compare(t, 0, 1)
			r.B = (c != 0 || !ordered) == want
			return err
		}), t, t)(args)
	}))
}
