package exec

import (
	"fmt"
	"math/bits"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/vector"
)

// fillNode puts a column's default value in the place of nulls, as Pinot does
// while null handling is off.
type fillNode struct {
	arg    node
	with   fn.Value
	inline vector.View // a default text, if it is short

	i32   vector.Vec[int32]
	i64   vector.Vec[int64]
	f32   vector.Vec[float32]
	f64   vector.Vec[float64]
	text  vector.Vec[vector.View]
	bools vector.Bools
	list  *vector.List
}

func newFill(arg node, with fn.Value) *fillNode {
	n := &fillNode{arg: arg, with: with}
	if len(with.S) <= vector.InlineBytes {
		n.inline = vector.InlineView([]byte(with.S))
	}
	return n
}

func (n *fillNode) eval(in source) (vector.Vector, error) {
	v, err := n.arg.eval(in)
	if err != nil {
		return v, err
	}
	switch v := v.(type) { // the default of an INT is none of these
	case *vector.Vec[int8]:
		return fillWider(&n.i32, v, int32(n.with.I)), nil
	case *vector.Vec[int16]:
		return fillWider(&n.i32, v, int32(n.with.I)), nil
	}
	if v.Validity() == nil {
		return v, nil
	}
	switch v := v.(type) {
	case *vector.Vec[int32]:
		return fillWider(&n.i32, v, int32(n.with.I)), nil
	case *vector.Vec[int64]:
		return fillWider(&n.i64, v, n.with.I), nil
	case *vector.Vec[float32]:
		return fillWider(&n.f32, v, float32(n.with.F)), nil
	case *vector.Vec[float64]:
		return fillWider(&n.f64, v, n.with.F), nil
	case *vector.Vec[vector.View]:
		return n.fillText(v), nil
	case *vector.Bools:
		n.bools.N = v.N
		dst := n.bools.ReserveBits(v.N)
		for i := range dst {
			dst[i] = v.Bits[i] & v.Valid[i]
			if n.with.B {
				dst[i] |= ^v.Valid[i]
			}
		}
		return &n.bools, nil
	}
	if list, ok := v.(*vector.List); ok {
		return n.fillList(list)
	}
	return nil, fmt.Errorf("exec: a default value for a %v: %w", v.Kind(), ErrUnsupported)
}

// fillWider makes dst the rows of src, flat, with the given value for nulls.
func fillWider[To, From number](dst *vector.Vec[To], src *vector.Vec[From], with To) vector.Vector {
	src.Flatten()
	dst.N = src.N
	values := dst.ReserveValues(src.N)
	for i, x := range src.Values[:src.N] {
		values[i] = To(x)
	}
	fillNulls(values, src.Valid, with)
	return dst
}

func (n *fillNode) fillText(v *vector.Vec[vector.View]) vector.Vector {
	v.Flatten()
	with := n.inline
	n.text.N, n.text.Buffers = v.N, v.Buffers
	if len(n.with.S) > vector.InlineBytes {
		// Views know buffers by their place in the list.
		n.text.Buffers = &vector.Buffers{}
		for _, b := range v.Buffers.List() {
			n.text.Buffers.Add(b)
		}
		with = vector.MakeView([]byte(n.with.S), n.text.Buffers.Add([]byte(n.with.S)), 0)
	}
	values := n.text.ReserveValues(v.N)
	copy(values, v.Values[:v.N])
	fillNulls(values, v.Valid, with)
	return &n.text
}

// fillList puts a list of its own in the place of null.
func (n *fillNode) fillList(v *vector.List) (vector.Vector, error) {
	if n.list == nil {
		n.list = vector.MakeLike(v).(*vector.List)
	}
	n.list.Reset()
	flatten(v.Elem)
	for row := range v.N {
		if vector.Bit(v.Valid, row) {
			if err := vector.Extend(n.list, v, row, row+1); err != nil {
				return nil, err
			}
			continue
		}
		for _, e := range n.with.List {
			e.Append(n.list.Elem)
		}
		n.list.Append()
	}
	return n.list, nil
}

// fillNulls sets the values that are not present.
func fillNulls[T any](values []T, valid []uint64, with T) {
	for begin := 0; begin < len(values); begin += 64 {
		for w := ^presentIn(valid, begin, len(values)) & rowsIn(begin, len(values)); w != 0; w &= w - 1 {
			values[begin+bits.TrailingZeros64(w)] = with
		}
	}
}
