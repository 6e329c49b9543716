package fn

import (
	"bytes"
	"cmp"
	"math"
	"slices"
)

func resolveOverlap(args []Arg) (Signature, error) {
	if len(args) != 2 || !args[0].Type.Array() || args[0].Type != args[1].Type {
		return Signature{}, wrongNumber(args)
	}
	var f func(*Row) error
	switch t := args[0].Type; t {
	case IntArray, LongArray:
		f = overlap(longElement)
	case FloatArray, DoubleArray:
		f = overlap(doubleElement)
	case StringArray:
		f = overlap(stringElement)
	default:
		return Signature{}, wrongNumber(args)
	}
	return takes(Boolean, rows(f), args[0].Type, args[1].Type)(args)
}

func overlap[T cmp.Ordered](e element[T]) func(*Row) error {
	return func(r *Row) error {
		r.B = false
		seen := map[T]bool{}
		e.each(r, 0, func(_ int, x T) { seen[x] = true })
		e.each(r, 1, func(_ int, x T) { r.B = r.B || seen[x] })
		return nil
	}
}

// intersectIndices returns what two ascending arrays have in common.
func intersectIndices(r *Row) error {
	for i, j := 0, 0; i < r.Len(0) && j < r.Len(1); {
		a, b := r.IntAt(0, i), r.IntAt(1, j)
		if a == b {
			r.AddInt(a)
		}
		if a <= b {
			i++
		}
		if b <= a {
			j++
		}
	}
	return nil
}

// generateInts counts from the first to the second number by the third.
func generateInts(r *Row) error {
	begin, end, step := r.Int(0), r.Int(1), r.Int(2)
	if step == 0 {
		return badValue("/ by zero")
	}
	n := (end-begin)/step + 1
	if n < 0 || (end < begin) != (end-begin < 0) { // or the difference is none of 64 bits
		return badValue("an array from %d to %d by %d", begin, end, step)
	}
	for i := int64(0); i < n && !r.Full(); i++ {
		r.AddInt(begin + i*step)
	}
	return nil
}

func generateFloats(r *Row) error {
	begin, end, step := r.Float(0), r.Float(1), r.Float(2)
	if step == 0 {
		return badValue("an array from %v to %v by 0", begin, end)
	}
	steps := math.Trunc((end - begin) / step)
	if !(steps >= -1) {
		return badValue("an array from %v to %v by %v", begin, end, step)
	}
	for i := 0.0; i <= steps && !r.Full(); i++ {
		r.AddFloat(begin)
		begin += step
	}
	return nil
}

// resolveConstructor takes literals of one type.
func resolveConstructor(folded bool) Resolver {
	return func(args []Arg) (Signature, error) {
		if len(args) == 0 {
			return Signature{}, wrongNumber(args)
		}
		t := args[0].Type
		array, ok := ArrayOf(t)
		if !folded || !ok || slices.ContainsFunc(args, func(a Arg) bool { return a.Type != t }) {
			s, _ := takesAny(StringArray, rows(func(*Row) error {
				return badValue("an array takes literals of one type")
			}), Unknown)(args)
			return s, nil
		}
		return takesAny(array, rows(func(r *Row) error {
			for i := range r.Args() {
				switch {
				case t.Integral():
					r.AddInt(r.Int(i))
				case t == Float || t == Double:
					r.AddFloat(r.Float(i))
				case t == Boolean:
					r.AddBool(r.Bool(i))
				default:
					r.AddText(r.Text(i))
				}
			}
			return nil
		}), t)(args)
	}
}

// resolveValueIn keeps the elements that are in a list of literals.
func resolveValueIn(args []Arg) (Signature, error) {
	if len(args) < 2 || !args[0].Type.Array() || slices.ContainsFunc(args[1:], func(a Arg) bool { return a.Literal == nil }) {
		return Signature{}, wrongNumber(args)
	}
	elem := args[0].Type.Elem()
	var f func(*Row) error
	switch elem {
	case Int, Long, Timestamp:
		f = valueIn(longElement)
	case Float, Double:
		f = valueIn(doubleElement)
	case String:
		f = valueIn(stringElement)
	default:
		return Signature{}, wrongNumber(args)
	}
	return takesAny(args[0].Type, rows(f), args[0].Type, elem)(args)
}

func valueIn[T cmp.Ordered](e element[T]) func(*Row) error {
	return func(r *Row) error {
		if err := r.Work(r.Len(0) * r.Args()); err != nil {
			return err
		}
		e.each(r, 0, func(_ int, x T) {
			for i := 1; i < r.Args(); i++ {
				if e.get(r, i) == x {
					e.add(r, x)
					return
				}
			}
		})
		return nil
	}
}

// resolveMapValue takes keys, a key, and the values in the order of the keys.
func resolveMapValue(args []Arg) (Signature, error) {
	if len(args) != 3 || !args[0].Type.Array() || !args[2].Type.Array() {
		return Signature{}, wrongNumber(args)
	}
	result := args[2].Type.Elem()
	values := args[2].Type
	return takes(result, rows(func(r *Row) error {
		key := r.Text(1)
		for i := range r.Len(0) {
			if bytes.Equal(key, r.TextAt(0, i)) && i < r.Len(2) {
				r.setElement(result, 2, i)
				return nil
			}
		}
		r.Null = true
		return nil
	}), StringArray, String, values)(args)
}

// setElement makes an element of an array the result.
func (r *Row) setElement(t Type, arg, i int) {
	switch {
	case t.Integral():
		r.I = r.IntAt(arg, i)
	case t == Float || t == Double:
		r.F = r.FloatAt(arg, i)
	case t == Boolean:
		r.B = r.BoolAt(arg, i)
	default:
		r.Out = append(r.Out, r.TextAt(arg, i)...)
	}
}
