package fn

import (
	"slices"

	"github.com/decantdb/decant/vector"
)

// collectionAggregates are those that keep all values.
var collectionAggregates = []Aggregate{
	{Name: "arrayagg", Calls: resolveArrayAgg},
	{Name: "listagg", Calls: resolveListAgg},
	{Name: "sumarraylong", Calls: sumArray(LongArray)},
	{Name: "sumarraydouble", Calls: sumArray(DoubleArray)},
}

// collection is the values of all groups in the order in which they came.
type collection struct {
	values   vector.Vector
	groups   []uint32
	distinct *distinctState // nil: all of them count
	put      func(r *Row, values vector.Vector, rows []uint32) error

	kept   vector.Vector // of one call
	rows   []int32
	ids    []uint32
	order  []uint32
	begins []int
	n      int // groups
}

func (c *collection) Grow(n int) {
	c.n = max(c.n, n)
	if c.distinct != nil {
		c.distinct.Grow(n)
	}
}

func (c *collection) Add(in *Input, ids []uint32) error {
	c.begins = c.begins[:0]
	c.rows, c.ids = c.rows[:0], c.ids[:0]
	one := Input{N: 1, Args: make([]vector.Vector, 1)}
	if c.kept == nil {
		c.kept = vector.MakeLike(in.Args[0])
	}
	for row := range in.N {
		if !vector.Valid(in.Valid, row) {
			continue
		}
		group := uint32(0)
		if ids != nil {
			group = ids[row]
		}
		if c.distinct != nil {
			if err := vector.Gather(c.kept, in.Args[0], []int32{int32(row)}); err != nil {
				return err
			}
			one.Args[0] = c.kept
			before := c.distinct.count[group]
			if err := c.distinct.Add(&one, []uint32{group}); err != nil {
				return err
			}
			if c.distinct.count[group] == before {
				continue
			}
		}
		c.rows, c.ids = append(c.rows, int32(row)), append(c.ids, group)
	}
	if err := vector.Gather(c.kept, in.Args[0], c.rows); err != nil {
		return err
	}
	c.groups = append(c.groups, c.ids...)
	return vector.AppendRows(c.values, c.kept)
}

func (c *collection) Merge(other State, ids []uint32) error {
	o := other.(*collection)
	mapped := make([]uint32, len(o.groups))
	for i, g := range o.groups {
		mapped[i] = ids[g]
	}
	return c.Add(&Input{N: len(mapped), Args: []vector.Vector{o.values}}, mapped)
}

func (c *collection) Result(r *Row, group uint32) error {
	if len(c.begins) == 0 {
		c.order, c.begins = bucket(c.groups, c.n, c.order[:0], c.begins[:0])
	}
	return c.put(r, c.values, c.order[c.begins[group]:c.begins[group+1]])
}

func (c *collection) Reset() {
	c.values.Reset()
	c.groups, c.begins, c.n = c.groups[:0], c.begins[:0], 0
	if c.distinct != nil {
		c.distinct.Reset()
	}
}

// valueBytes is about what a value takes beside its text.
const valueBytes = 20

func (c *collection) Bytes() int {
	n := valueBytes * cap(c.groups)
	if texts, ok := c.values.(*vector.Vec[vector.View]); ok {
		for _, b := range texts.Buffers.List() {
			n += cap(b)
		}
	}
	if c.distinct != nil {
		n += c.distinct.Bytes()
	}
	return n
}

// newCollection returns the state of values of type t.
func newCollection(t Type, distinct bool, put func(r *Row, values vector.Vector, rows []uint32) error) State {
	c := &collection{values: NewVector(t), put: put}
	if distinct {
		c.distinct = newDistinct(t, distinctCall{})
	}
	return c
}

// literalBool returns a literal parameter that is a truth, or its text.
func literalBool(args []Arg, i int) (bool, error) {
	if i >= len(args) {
		return false, nil
	}
	switch l := args[i].Literal; {
	case l == nil:
	case l.Type == Boolean:
		return l.B, nil
	case l.Type == String:
		return IsTrueText([]byte(l.S)), nil
	}
	return false, badValue("argument %d must be a BOOLEAN literal", i+1)
}

// resolveArrayAgg resolves ARRAYAGG(x, 'TYPE'[, distinct]).
func resolveArrayAgg(args []Arg) (AggregateCall, error) {
	if len(args) < 2 || len(args) > 3 {
		return AggregateCall{}, wrongNumber(args)
	}
	name, err := literalText(args, 1, "")
	if err != nil {
		return AggregateCall{}, err
	}
	t, ok := ParseType(name)
	if !ok || !slices.Contains([]Type{Int, Long, Float, Double, Boolean, Timestamp, String}, t) {
		return AggregateCall{}, badValue("ARRAYAGG of type %q", name)
	}
	distinct, err := literalBool(args, 2)
	array, _ := ArrayOf(t)
	to := t
	if args[0].Type.Array() {
		to = array
	}
	return AggregateCall{Args: []Type{to}, Type: array, Elements: true, NeverNull: true, New: func() State {
		return newCollection(t, distinct, putList(t))
	}}, err
}

func putList(t Type) func(r *Row, values vector.Vector, rows []uint32) error {
	return func(r *Row, values vector.Vector, rows []uint32) error {
		var a rowArg
		if err := a.bind(values); err != nil {
			return err
		}
		for _, row := range rows {
			switch {
			case t.Integral():
				r.AddInt(a.int(int(row)))
			case t == Float || t == Double:
				r.AddFloat(a.float(int(row)))
			case t == Boolean:
				r.AddBool(vector.Bit(a.bits, int(row)))
			default:
				r.AddText(a.text(int(row)))
			}
		}
		return nil
	}
}

// resolveListAgg resolves LISTAGG(x, 'separator'[, distinct]).
func resolveListAgg(args []Arg) (AggregateCall, error) {
	if len(args) < 2 || len(args) > 3 {
		return AggregateCall{}, wrongNumber(args)
	}
	l := args[1].Literal
	if l == nil || l.Type != String {
		return AggregateCall{}, badValue("the separator must be a text literal")
	}
	distinct, err := literalBool(args, 2)
	to := String
	if args[0].Type.Array() {
		to = StringArray
	}
	return AggregateCall{Args: []Type{to}, Type: String, Elements: true, New: func() State {
		return newCollection(String, distinct, func(r *Row, values vector.Vector, rows []uint32) error {
			r.Null = len(rows) == 0
			var a rowArg
			if err := a.bind(values); err != nil {
				return err
			}
			for i, row := range rows {
				if i > 0 {
					r.Out = append(r.Out, l.S...)
				}
				r.Out = append(r.Out, a.text(int(row))...)
			}
			return nil
		})
	}}, err
}

// sumArray resolves sums of arrays, element by element.
func sumArray(t Type) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		if len(args) != 1 {
			return AggregateCall{}, wrongNumber(args)
		}
		if a := args[0].Type; !a.Array() || a.Elem().Textual() {
			return AggregateCall{}, badValue("a %v is no array of numbers", a)
		}
		if t == LongArray {
			return sumOfArrays(t, func(r *Row, i int) int64 { return r.IntAt(0, i) }, (*Row).AddInt), nil
		}
		return sumOfArrays(t, func(r *Row, i int) float64 { return r.FloatAt(0, i) }, (*Row).AddFloat), nil
	}
}

func sumOfArrays[T int64 | float64](t Type, at func(r *Row, i int) T, put func(r *Row, x T)) AggregateCall {
	add := func(sum *[]T, i int, x T) {
		for len(*sum) <= i {
			*sum = append(*sum, 0)
		}
		(*sum)[i] += x
	}
	return AggregateCall{Args: []Type{t}, Type: t, SeesDefaults: true, New: func() State {
		return &perGroup[[]T]{
			add: func(sum *[]T, r *Row) error {
				for i := range r.Len(0) {
					add(sum, i, at(r, i))
				}
				return nil
			},
			merge: func(sum, o *[]T) error {
				for i, x := range *o {
					add(sum, i, x)
				}
				return nil
			},
			result: func(sum *[]T, r *Row) error {
				for _, x := range *sum {
					put(r, x)
				}
				return nil
			},
			size: func(sum *[]T) int { return 8 * cap(*sum) },
		}
	}}
}
