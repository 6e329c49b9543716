package fn

import (
	"fmt"
	"strconv"

	"github.com/decantdb/decant/internal/sql"
	"github.com/decantdb/decant/vector"
)

// Value is one SQL value: a literal. The field that counts follows from Type.
type Value struct {
	Type Type
	Null bool
	I    int64   // Int, Long, Timestamp
	F    float64 // Float, Double
	B    bool    // Boolean
	S    string  // String, JSON, Bytes, and the text of a BigDecimal
	List []Value // arrays
}

// Float64 returns a numeric value as a double.
func (v Value) Float64() float64 {
	if v.Type == Int || v.Type == Long || v.Type == Timestamp {
		return float64(v.I)
	}
	return v.F
}

// Text returns the value as Pinot writes it in names and predicates.
func (v Value) Text() string {
	switch {
	case v.Null:
		return "null"
	case v.Type == Int || v.Type == Long || v.Type == Timestamp:
		return strconv.FormatInt(v.I, 10)
	case v.Type == Float:
		return string(sql.AppendJavaFloat(nil, v.F, 32))
	case v.Type == Double:
		return string(sql.AppendJavaFloat(nil, v.F, 64))
	case v.Type == Boolean:
		return strconv.FormatBool(v.B)
	}
	return v.S
}

// Zero returns what stands for a null result of a type while null handling is off.
func Zero(t Type) Value {
	v := Value{Type: t}
	if t == BigDecimal {
		v.S = "0"
	}
	return v
}

// NewVector returns an empty vector as kernels have them for a type.
func NewVector(t Type) vector.Vector {
	switch {
	case t == Int:
		return vector.NewVec[int32](nil)
	case t == Long || t == Timestamp:
		return vector.NewVec[int64](nil)
	case t == Float:
		return vector.NewVec[float32](nil)
	case t == Double:
		return vector.NewVec[float64](nil)
	case t == Boolean:
		return vector.NewBools(nil)
	case t.Array():
		return vector.NewList(nil, NewVector(t.Elem()))
	}
	return vector.NewVec[vector.View](nil)
}

// Append adds a value to a vector made by NewVector for its type.
func (v Value) Append(dst vector.Vector) {
	switch d := dst.(type) {
	case *vector.Vec[int32]:
		appendTo(d, int32(v.I), v.Null)
	case *vector.Vec[int64]:
		appendTo(d, v.I, v.Null)
	case *vector.Vec[float32]:
		appendTo(d, float32(v.F), v.Null)
	case *vector.Vec[float64]:
		appendTo(d, v.F, v.Null)
	case *vector.Bools:
		if v.Null {
			d.AppendNull()
		} else {
			d.Append(v.B)
		}
	case *vector.Vec[vector.View]:
		if v.Null {
			d.AppendNull()
		} else {
			vector.AppendString(d, []byte(v.S))
		}
	case *vector.List:
		if v.Null {
			d.AppendNull()
			return
		}
		for _, e := range v.List {
			e.Append(d.Elem)
		}
		d.Append()
	}
}

func appendTo[T vector.Value](d *vector.Vec[T], x T, null bool) {
	if null {
		d.AppendNull()
	} else {
		d.Append(x)
	}
}

// ValueAt returns a row of a vector as kernels have them for a type.
func ValueAt(t Type, v vector.Vector, row int) (Value, error) {
	a := rowArg{}
	if err := a.bind(v); err != nil {
		return Value{}, err
	}
	a.goTo(row)
	if !vector.Valid(a.valid, row) {
		return Value{Type: t, Null: true}, nil
	}
	if !t.Array() {
		return a.value(t, a.at), nil
	}
	out := Value{Type: t}
	begin, end := a.list.Span(a.at)
	for i := begin; i < end; i++ {
		out.List = append(out.List, a.elem.value(t.Elem(), i))
	}
	return out, nil
}

func (a *rowArg) value(t Type, i int) Value {
	v := Value{Type: t}
	switch t {
	case Int, Long, Timestamp:
		v.I = a.int(i)
	case Float, Double:
		v.F = a.float(i)
	case Boolean:
		v.B = vector.Bit(a.bits, i)
	default:
		v.S = string(a.text(i))
	}
	return v
}

// Evaluate works a call of literals out. Its error wraps ErrArguments where the
// function is not worked out for such literals when a query is compiled, and
// ErrValue where it cannot work with the values. The meter, which may be nil,
// watches the work.
func (f *Function) Evaluate(m *Meter, args []Value) (Value, error) {
	resolve := f.Fold
	if resolve == nil {
		resolve = f.Rows
	}
	known := make([]Arg, len(args))
	for i := range args {
		known[i] = Arg{Type: args[i].Type, Literal: &args[i]}
	}
	s, err := resolve(known)
	if err != nil {
		return Value{}, err
	}
	return s.evaluate(m, args)
}

func (s Signature) evaluate(m *Meter, args []Value) (Value, error) {
	in := Input{N: 1, Meter: m}
	for i, a := range args {
		if t := s.Args[i]; t != Unknown {
			var err error
			if a, err = a.Convert(t); err != nil {
				return Value{}, err
			}
		}
		if a.Null && !s.SeesNull {
			return Value{Type: s.Type, Null: true}, nil
		}
		v := NewVector(a.Type)
		a.Append(v)
		in.Args = append(in.Args, v)
	}
	out, err := s.New()(&in)
	if err != nil {
		return Value{}, err
	}
	return ValueAt(s.Type, out, 0)
}

// Convert returns the value as one of another type. Its error wraps ErrValue or
// ErrArguments.
func (v Value) Convert(to Type) (Value, error) {
	if v.Type == to {
		return v, nil
	}
	if v.Null {
		return Value{Type: to, Null: true}, nil
	}
	s, err := Conversion(v.Type, to)
	if err != nil {
		return Value{}, err
	}
	return s.evaluate(nil, []Value{v})
}

// Literal returns the value as a literal of the syntax tree, which has fewer
// types: moments are LONG, documents STRING.
func (v Value) Literal(at sql.Pos) (*sql.Literal, error) {
	l := &sql.Literal{At: at}
	switch {
	case v.Null:
		l.Type = sql.Null
	case v.Type == Int:
		l.Type, l.Value = sql.Int, int32(v.I)
	case v.Type == Long || v.Type == Timestamp:
		l.Type, l.Value = sql.Long, v.I
	case v.Type == Float:
		l.Type, l.Value = sql.Float, float32(v.F)
	case v.Type == Double:
		l.Type, l.Value = sql.Double, v.F
	case v.Type == Boolean:
		l.Type, l.Value = sql.Boolean, v.B
	case v.Type == BigDecimal:
		l.Type, l.Value = sql.BigDecimal, v.S
	case v.Type == String || v.Type == JSON:
		l.Type, l.Value = sql.String, v.S
	case v.Type == Bytes:
		l.Type, l.Value = sql.Bytes, []byte(v.S)
	case v.Type == IntArray:
		l.Type, l.Value = sql.IntArray, listOf(v.List, func(e Value) int32 { return int32(e.I) })
	case v.Type == LongArray || v.Type == TimestampArray:
		l.Type, l.Value = sql.LongArray, listOf(v.List, func(e Value) int64 { return e.I })
	case v.Type == FloatArray:
		l.Type, l.Value = sql.FloatArray, listOf(v.List, func(e Value) float32 { return float32(e.F) })
	case v.Type == DoubleArray:
		l.Type, l.Value = sql.DoubleArray, listOf(v.List, func(e Value) float64 { return e.F })
	case v.Type == StringArray:
		l.Type, l.Value = sql.StringArray, listOf(v.List, func(e Value) string { return e.S })
	default:
		return nil, fmt.Errorf("%w: a literal of type %v", ErrValue, v.Type)
	}
	return l, nil
}

func listOf[T any](list []Value, of func(Value) T) []T {
	out := make([]T, len(list))
	for i, e := range list {
		out[i] = of(e)
	}
	return out
}

// LiteralValue returns a literal of the syntax tree as a value.
func LiteralValue(l *sql.Literal) Value {
	switch v := l.Value.(type) {
	case bool:
		return Value{Type: Boolean, B: v}
	case int32:
		return Value{Type: Int, I: int64(v)}
	case int64:
		return Value{Type: Long, I: v}
	case float32:
		return Value{Type: Float, F: float64(v)}
	case float64:
		return Value{Type: Double, F: v}
	case string:
		if l.Type == sql.BigDecimal {
			return Value{Type: BigDecimal, S: v}
		}
		return Value{Type: String, S: v}
	case []byte:
		return Value{Type: Bytes, S: string(v)}
	case []int32:
		return arrayValue(IntArray, v, func(e int32) Value { return Value{Type: Int, I: int64(e)} })
	case []int64:
		return arrayValue(LongArray, v, func(e int64) Value { return Value{Type: Long, I: e} })
	case []float32:
		return arrayValue(FloatArray, v, func(e float32) Value { return Value{Type: Float, F: float64(e)} })
	case []float64:
		return arrayValue(DoubleArray, v, func(e float64) Value { return Value{Type: Double, F: e} })
	case []string:
		return arrayValue(StringArray, v, func(e string) Value { return Value{Type: String, S: e} })
	}
	return Value{Type: Unknown, Null: true}
}

func arrayValue[T any](t Type, list []T, of func(T) Value) Value {
	v := Value{Type: t}
	for _, e := range list {
		v.List = append(v.List, of(e))
	}
	return v
}
