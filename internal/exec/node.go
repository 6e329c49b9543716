package exec

import (
	"fmt"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// slots is what expressions are compiled for.
type slots struct {
	// of tells in which slot of a frame an expression's leaf is found: a column, a
	// group key or an aggregate.
	of func(plan.Expr) (int, error)
	// meter watches the work of the goroutine that evaluates.
	meter *fn.Meter
}

// node is an expression compiled for one worker. What eval returns is valid
// until its next call, or the next batch.
type node interface {
	eval(in source) (vector.Vector, error)
}

// newNode compiles an expression; the vectors are of its type as stored, except
// that moments are milliseconds.
func newNode(e plan.Expr, slotOf slots) (node, error) {
	switch e := e.(type) {
	case *plan.Column, *plan.KeyRef, *plan.AggRef:
		slot, err := slotOf.of(e)
		if err != nil {
			return nil, err
		}
		var n node = slotNode(slot)
		switch e.Type() {
		case fn.Timestamp:
			n = &millisNode{arg: n}
		case fn.TimestampArray:
			n = &listNode{arg: n, elem: &millisNode{}}
		case fn.IntArray:
			n = &listNode{arg: n, elem: &intNode{}}
		}
		if with := defaultOf(e); with != nil {
			n = newFill(n, *with)
		}
		return n, nil
	case *plan.Literal:
		return newLiteral(e.Value, slotOf.meter)
	case *plan.Call:
		return newCall(e, slotOf)
	case *plan.And, *plan.Or, *plan.Leaf, *plan.Compare:
		return newTruth(e, slotOf)
	}
	return nil, fmt.Errorf("exec: a %T as a value: %w", e, ErrUnsupported)
}

// defaultOf returns what a leaf has in the place of null, nil for null.
func defaultOf(e plan.Expr) *fn.Value {
	switch e := e.(type) {
	case *plan.Column:
		return e.Default
	case *plan.KeyRef:
		return e.Default
	case *plan.AggRef:
		return e.Default
	}
	return nil
}

// slotNode is a column, a key or an aggregate.
type slotNode int

func (n slotNode) eval(in source) (vector.Vector, error) { return in.column(int(n)) }

// newLiteral makes vectors of the literal's type as a column of it has them.
func newLiteral(v fn.Value, meter *fn.Meter) (node, error) {
	var valid []uint64
	if v.Null {
		valid = []uint64{} // sized in eval
	}
	switch {
	case v.Type == fn.Int:
		return &constantNode[int32]{value: int32(v.I), valid: valid}, nil
	case v.Type.Integral():
		return &constantNode[int64]{value: v.I, valid: valid}, nil
	case v.Type == fn.Float:
		return &constantNode[float32]{value: float32(v.F), valid: valid}, nil
	case v.Type == fn.Double:
		return &constantNode[float64]{value: v.F, valid: valid}, nil
	case v.Type.Textual() || v.Type == fn.Unknown || v.Type == fn.BigDecimal:
		n := &constantNode[vector.View]{valid: valid}
		n.vec.Buffers = &vector.Buffers{}
		n.value = vector.MakeView([]byte(v.S), n.vec.Buffers.Add([]byte(v.S)), 0)
		return n, nil
	case v.Type == fn.Boolean:
		return &constantBool{value: v.B, null: v.Null}, nil
	case v.Type.Array():
		return newConstantList(v, meter), nil
	}
	return nil, fmt.Errorf("exec: a literal of type %v: %w", v.Type, ErrUnsupported)
}

type constantNode[T vector.Value] struct {
	value T
	valid []uint64 // not nil: every row is null
	vec   vector.Vec[T]
}

func (n *constantNode[T]) eval(in source) (vector.Vector, error) {
	rows := in.rowCount()
	v := &n.vec
	v.Form, v.N = vector.Constant, rows
	v.ReserveValues(1)[0] = n.value
	if n.valid != nil {
		clear(v.ReserveValid(rows))
	}
	return v, nil
}

type constantBool struct {
	value, null bool
	vec         vector.Bools
}

func (n *constantBool) eval(in source) (vector.Vector, error) {
	rows := in.rowCount()
	n.vec.N = rows
	spreadAll(n.vec.ReserveBits(rows), rows, n.value)
	if n.null {
		clear(n.vec.ReserveValid(rows))
	}
	return &n.vec, nil
}

// millisNode turns moments and dates into milliseconds, rounding down.
type millisNode struct {
	arg node
	vec vector.Vec[int64]
}

const millisOfDay = 86_400_000

func (n *millisNode) eval(in source) (vector.Vector, error) {
	v, err := n.arg.eval(in)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *vector.Timestamps:
		convert(&n.vec, &v.Micros, func(dst, src []int64) {
			for i, x := range src {
				q := x / 1000
				if x%1000 < 0 {
					q--
				}
				dst[i] = q
			}
		})
		return &n.vec, nil
	case *vector.Vec[int32]:
		convert(&n.vec, v, func(dst []int64, src []int32) {
			for i, x := range src {
				dst[i] = int64(x) * millisOfDay
			}
		})
		return &n.vec, nil
	case *vector.Vec[int64]: // milliseconds already: a group key
		return v, nil
	}
	return nil, fmt.Errorf("exec: a %v as a moment: %w", v.Kind(), ErrUnsupported)
}

// convert makes dst the rows of src with each value mapped by loop. Where src
// is encoded only its values are mapped, and dst has src's form.
func convert[To, From vector.Value](dst *vector.Vec[To], src *vector.Vec[From], loop func(dst []To, src []From)) {
	n := src.N
	if src.Form != vector.Flat {
		n = len(src.Values)
	}
	dst.Form, dst.N, dst.Valid = src.Form, src.N, src.Valid
	dst.Index, dst.Ends, dst.Positions = src.Index, src.Ends, src.Positions
	loop(dst.ReserveValues(n), src.Values[:n])
}

// truthNode is a condition as a value: true, false, or null.
type truthNode struct {
	isTrue, isFalse condition
	falses          mask
	vec             vector.Bools
}

func newTruth(e plan.Expr, slotOf slots) (node, error) {
	isTrue, err := newCondition(e, slotOf)
	if err != nil {
		return nil, err
	}
	isFalse, err := newCondition(plan.Not(e), slotOf)
	if err != nil {
		return nil, err
	}
	return &truthNode{isTrue: isTrue, isFalse: isFalse}, nil
}

func (n *truthNode) eval(in source) (vector.Vector, error) {
	rows := in.rowCount()
	n.vec.N = rows
	bits := n.vec.ReserveBits(rows)
	if err := n.isTrue.eval(bits, in); err != nil {
		return nil, err
	}
	n.falses = n.falses.sized(rows)
	if err := n.isFalse.eval(n.falses, in); err != nil {
		return nil, err
	}
	valid := n.vec.ReserveValid(rows)
	for i := range valid {
		valid[i] = bits[i] | n.falses[i]
	}
	return &n.vec, nil
}
