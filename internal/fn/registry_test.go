package fn

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/vector"
)

var argumentTypes = []Type{
	Int, Long, Float, Double, BigDecimal, Boolean, Timestamp, String, JSON, Bytes,
	IntArray, LongArray, FloatArray, DoubleArray, BooleanArray, StringArray, TimestampArray,
}

var argumentTexts = []string{
	"", "a", "1", "-7", "year", "DAY", "MILLISECONDS", "UTC", "$.a", "[(", "$1", "%", "%zz", "é😀", "1e400", "2024-01-02T03:04:05Z",
	`{"a":[1,{"b":null}]}`, `{"a":`, "http://www.example.com/a?b=c#d", "10.0.0.1/8", "STRING",
}

func drawValue(t *rapid.T, typ Type) Value {
	v := Value{Type: typ, Null: rapid.IntRange(0, 5).Draw(t, "null") == 0}
	switch {
	case typ.Array():
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			e := drawValue(t, typ.Elem())
			e.Null = false
			v.List = append(v.List, e)
		}
	case typ == Int:
		v.I = int64(rapid.Int32().Draw(t, "int"))
	case typ.Integral():
		v.I = rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3)).Draw(t, "long")
	case typ == Float:
		v.F = float64(rapid.Float32().Draw(t, "float"))
	case typ == Double:
		v.F = rapid.Float64().Draw(t, "double")
	case typ == Boolean:
		v.B = rapid.Bool().Draw(t, "bool")
	case typ == BigDecimal:
		v.S = rapid.SampledFrom([]string{"0", "-1.50", "100", "99999999999999999999.9"}).Draw(t, "decimal")
	default:
		v.S = rapid.SampledFrom(argumentTexts).Draw(t, "text")
	}
	return v
}

// TestFunctionsTakeAnything calls every function with arguments of any types and
// values: there is an error of a known class, or a result of the type and length
// that were promised.
func TestFunctionsTakeAnything(t *testing.T) {
	calls := 0
	rapid.Check(t, func(t *rapid.T) {
		functions := families[rapid.IntRange(0, len(families)-1).Draw(t, "family")].Functions
		f := &functions[rapid.IntRange(0, len(functions)-1).Draw(t, "function")]
		const n = 3
		var known []Arg
		var columns [][]Value
		for range rapid.IntRange(0, 4).Draw(t, "arguments") {
			typ := rapid.SampledFrom(argumentTypes).Draw(t, "type")
			column := []Value{drawValue(t, typ), drawValue(t, typ), drawValue(t, typ)}
			arg := Arg{Type: typ, Column: true}
			if rapid.Bool().Draw(t, "literal") {
				column[1], column[2] = column[0], column[0]
				arg = Arg{Type: typ, Literal: &column[0]}
			}
			known, columns = append(known, arg), append(columns, column)
		}
		s, err := f.Rows(known)
		if err != nil {
			if !errors.Is(err, ErrArguments) && !errors.Is(err, ErrValue) {
				t.Fatalf("%s: %v", f.Name, err)
			}
			return
		}
		in := Input{N: n}
		valid := []uint64{1<<n - 1}
		for i, column := range columns {
			to := s.Args[i]
			if to == Unknown {
				to = known[i].Type
			}
			v := NewVector(to)
			for row, x := range column {
				if x, err = x.Convert(to); err != nil {
					return
				}
				if x.Null && !s.SeesNull {
					vector.ClearBit(valid, row)
				}
				x.Append(v)
			}
			in.Args = append(in.Args, v)
		}
		if !s.SeesNull {
			in.Valid = valid
		}
		out, err := s.New()(&in)
		if err != nil {
			if !errors.Is(err, ErrValue) {
				t.Fatalf("%s: %v", f.Name, err)
			}
			return
		}
		calls++
		if len(in.Args) > 0 && out.Len() != n {
			t.Fatalf("%s: %d rows, want %d", f.Name, out.Len(), n)
		}
		if err := vector.Check(out); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if want := NewVector(s.Type).Kind(); out.Kind() != want {
			t.Fatalf("%s: a %v, want a %v", f.Name, out.Kind(), want)
		}
	})
	if calls == 0 {
		t.Error("no call had a result")
	}
}
