package exec

import (
	"fmt"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// comparison compares two expressions row by row.
type comparison struct {
	op     plan.CompareOp
	negate bool
	l, r   node
	rows   func(dst mask, op plan.CompareOp, l, r vector.Vector) error
}

func newCompare(e *plan.Compare, slotOf slots) (*comparison, error) {
	l, r := e.L, e.R
	c := &comparison{op: e.Op, negate: e.Negate}
	var err error
	switch {
	case l.Type().Integral() && r.Type().Integral():
		c.rows = compareRows[int64]
		c.l, c.r, err = newPair(l, r, slotOf, newLongNode)
	case l.Type().Numeric() || r.Type().Numeric():
		c.rows = compareRows[float64]
		c.l, c.r, err = newPair(l, r, slotOf, newDoubleNode)
	case l.Type().Textual() && r.Type().Textual():
		c.rows = compareTexts
		c.l, c.r, err = newPair(l, r, slotOf, newNode)
	case l.Type() == fn.Boolean && r.Type() == fn.Boolean:
		c.rows = compareBools
		c.l, c.r, err = newPair(l, r, slotOf, newNode)
	default:
		return nil, fmt.Errorf("exec: comparing %v and %v: %w", l.Type(), r.Type(), ErrUnsupported)
	}
	return c, err
}

func newPair(l, r plan.Expr, slotOf slots, make func(plan.Expr, slots) (node, error)) (a, b node, err error) {
	if a, err = make(l, slotOf); err != nil {
		return nil, nil, err
	}
	b, err = make(r, slotOf)
	return a, b, err
}

func (c *comparison) eval(dst mask, in source) error {
	l, err := c.l.eval(in)
	if err != nil {
		return err
	}
	r, err := c.r.eval(in)
	if err != nil {
		return err
	}
	if err := c.rows(dst, c.op, l, r); err != nil {
		return err
	}
	if c.negate {
		dst.invert(in.rowCount())
	}
	for _, valid := range [][]uint64{l.Validity(), r.Validity()} {
		if valid != nil {
			dst.and(valid)
		}
	}
	return nil
}

func compareRows[T number](dst mask, op plan.CompareOp, l, r vector.Vector) error {
	a, b := l.(*vector.Vec[T]), r.(*vector.Vec[T])
	a.Flatten()
	b.Flatten()
	x, y := a.Values[:a.N], b.Values[:a.N]
	dst.clear()
	switch op {
	case plan.OpEqual:
		for i := range x {
			if x[i] == y[i] {
				vector.SetBit(dst, i)
			}
		}
	case plan.OpLess:
		for i := range x {
			if x[i] < y[i] {
				vector.SetBit(dst, i)
			}
		}
	default:
		for i := range x {
			if x[i] <= y[i] {
				vector.SetBit(dst, i)
			}
		}
	}
	return nil
}

func compareTexts(dst mask, op plan.CompareOp, l, r vector.Vector) error {
	a, b := l.(*vector.Vec[vector.View]), r.(*vector.Vec[vector.View])
	dst.clear()
	for i := range a.N {
		if !vector.Valid(a.Valid, i) || !vector.Valid(b.Valid, i) {
			continue
		}
		x, y := &a.Values[a.ValueIndex(i)], &b.Values[b.ValueIndex(i)]
		c := fn.CompareText(x.Bytes(a.Buffers.List()), y.Bytes(b.Buffers.List()))
		if op == plan.OpEqual && c == 0 || op == plan.OpLess && c < 0 || op == plan.OpLessEqual && c <= 0 {
			vector.SetBit(dst, i)
		}
	}
	return nil
}

func compareBools(dst mask, op plan.CompareOp, l, r vector.Vector) error {
	a, b := l.(*vector.Bools), r.(*vector.Bools)
	for i := range dst {
		x, y := a.Bits[i], b.Bits[i]
		switch op {
		case plan.OpEqual:
			dst[i] = ^(x ^ y)
		case plan.OpLess:
			dst[i] = ^x & y
		default:
			dst[i] = ^x | y
		}
	}
	dst.trim(a.N)
	return nil
}
