package fn

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/vector"
)

// aggregateArgs are the arguments that each aggregate is tried with beside the
// first: parameters, and what is not a number. An aggregate that is not here
// takes one number.
var aggregateArgs = map[string][]Arg{
	"covarpop": {{Type: Double}}, "covarsamp": {{Type: Double}},
	"percentile": percent(50), "percentilemv": percent(90), "percentileest": percent(0), "percentileestmv": percent(100),
	"percentiletdigest": percent(99), "percentiletdigestmv": percent(1), "percentilesmarttdigest": percent(37.5),
	"percentilerawest": percent(50), "percentilerawestmv": percent(50),
	"percentilerawtdigest": percent(50), "percentilerawtdigestmv": percent(50),
	"histogram":     {literalArg(Value{Type: Int, I: -3}), literalArg(Value{Type: Int, I: 3}), literalArg(Value{Type: Int, I: 4})},
	"firstwithtime": {{Type: Long}, literalArg(Value{Type: String, S: "DOUBLE"})},
	"lastwithtime":  {{Type: Long}, literalArg(Value{Type: String, S: "double"})},
	"arrayagg":      {literalArg(Value{Type: String, S: "DOUBLE"})},
	"listagg":       {literalArg(Value{Type: String, S: ","})},
}

// aggregateFirst is the type of the first argument of those that take no number.
var aggregateFirst = map[string]Type{
	"booland": Boolean, "boolor": Boolean, "minstring": String, "maxstring": String, "listagg": String,
	"sumarraylong": LongArray, "sumarraydouble": DoubleArray, "sumprecision": BigDecimal, "sumint": Long, "sumlong": Long,
	"minlong": Long, "maxlong": Long,
}

func percent(p float64) []Arg { return []Arg{literalArg(Value{Type: Double, F: p})} }

func literalArg(v Value) Arg { return Arg{Type: v.Type, Literal: &v} }

// TestAggregatesMerge takes rows in at once and in parts that are merged, which
// must come to the same, for all aggregates.
func TestAggregatesMerge(t *testing.T) {
	for _, family := range aggregateFamilies {
		for _, a := range family.Aggregates {
			t.Run(a.Name, func(t *testing.T) {
				first, ok := aggregateFirst[a.Name]
				if !ok {
					first = Double
				}
				args := append([]Arg{{Type: first, Column: true}}, aggregateArgs[a.Name]...)
				call, err := a.Calls(args)
				if err != nil {
					t.Fatal(err)
				}
				types := make([]Type, len(call.Args))
				for i := range types {
					if types[i] = call.Args[i]; types[i] == Unknown {
						types[i] = args[i].Type
					}
				}
				rapid.Check(t, func(t *rapid.T) { checkMerge(t, call, types) })
			})
		}
	}
}

func checkMerge(t *rapid.T, call AggregateCall, types []Type) {
	const groups = 3
	parts := rapid.IntRange(1, 3).Draw(t, "parts")
	whole := call.NewAccumulator()
	whole.Grow(groups)
	var merged *Accumulator
	for range parts {
		n := rapid.IntRange(0, 20).Draw(t, "rows")
		args := make([]vector.Vector, len(types))
		for i, typ := range types {
			args[i] = NewVector(typ)
			for range n {
				drawArgument(t, typ).Append(args[i])
			}
		}
		ids := make([]uint32, n)
		for i := range ids {
			ids[i] = uint32(rapid.IntRange(0, groups-1).Draw(t, "group"))
		}
		part := call.NewAccumulator()
		part.Grow(groups)
		for _, acc := range []*Accumulator{whole, part} {
			acc.NextSegment()
			if err := acc.Add(n, args, ids); err != nil {
				t.Fatal(err)
			}
		}
		if merged == nil {
			merged = part
		} else if err := merged.Merge(part, []uint32{0, 1, 2}); err != nil {
			t.Fatal(err)
		}
	}
	want, got := results(t, call, whole, groups), results(t, call, merged, groups)
	for g := range want {
		if !nearValue(want[g], got[g]) {
			t.Fatalf("group %d of %d parts: %+v, at once %+v", g, parts, got[g], want[g])
		}
	}
	whole.Reset()
	whole.Grow(1)
	if v := results(t, call, whole, 1); call.NeverNull == v[0].Null {
		t.Fatalf("over nothing: %+v", v[0])
	}
}

func results(t *rapid.T, call AggregateCall, acc *Accumulator, groups int) (values []Value) {
	ids := make([]uint32, groups)
	for i := range ids {
		ids[i] = uint32(i)
	}
	v, err := acc.Results(ids, false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range groups {
		x, err := ValueAt(call.Type, v, i)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, x)
	}
	return values
}

// drawArgument draws few values, so that some are equal. Sums of them are exact.
func drawArgument(t *rapid.T, typ Type) Value {
	v := Value{Type: typ}
	if rapid.IntRange(0, 5).Draw(t, "null") == 0 {
		v.Null = true
		return v
	}
	x := rapid.IntRange(-4, 4).Draw(t, "value")
	switch {
	case typ.Array():
		for range x & 3 {
			e := drawArgument(t, typ.Elem())
			e.Null = false
			v.List = append(v.List, e)
		}
	case typ == Boolean:
		v.B = x > 0
	case typ.Integral():
		v.I = int64(x)
	case typ == Float || typ == Double:
		v.F = float64(x) / 2
	default:
		v.S = fmt.Sprint(x)
	}
	return v
}

// nearValue allows doubles to differ in their last digits.
func nearValue(a, b Value) bool {
	if a.Type == Double && a.Null == b.Null {
		return a.F == b.F || a.F != a.F && b.F != b.F || math.Abs(a.F-b.F) <= 1e-9*max(1, math.Abs(a.F))
	}
	return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b)
}
