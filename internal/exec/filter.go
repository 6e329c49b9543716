package exec

import (
	"fmt"

	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// source gives the columns that a condition or an expression needs.
type source interface {
	column(slot int) (vector.Vector, error)
	rowCount() int
}

func (s *scan) rowCount() int  { return s.full.n }
func (f *frame) rowCount() int { return f.n }

func (f *frame) column(slot int) (vector.Vector, error) { return f.vec(slot) }

// filter is a condition compiled for one worker.
type filter struct {
	root condition
	cut  cutter
	dst  mask
	all  int  // rows of the batch
	some mask // scratch: of a part
}

// condition sets dst to the rows for which it is true.
type condition interface {
	eval(dst mask, in source) error
}

func newFilter(e plan.Expr, slotOf slots) (*filter, error) {
	c, err := newCondition(e, slotOf)
	if err != nil {
		return nil, err
	}
	f := &filter{root: c, cut: cutter{meter: slotOf.meter}}
	f.cut.use = f.use
	return f, nil
}

// eval sets dst to the rows for which the condition is true.
func (f *filter) eval(dst mask, in source) error {
	f.dst, f.all = dst, in.rowCount()
	dst.clear()
	return f.cut.each(in, 0, f.all)
}

func (f *filter) use(in source, begin int) error {
	n := in.rowCount()
	if n == f.all {
		return f.root.eval(f.dst, in)
	}
	f.some = f.some.sized(n)
	if err := f.root.eval(f.some, in); err != nil {
		return err
	}
	for i := range n {
		if vector.Bit(f.some, i) {
			vector.SetBit(f.dst, begin+i)
		}
	}
	return nil
}

func newCondition(e plan.Expr, slotOf slots) (condition, error) {
	switch e := e.(type) {
	case *plan.And:
		args, err := newConditions(e.Args, slotOf)
		return &allOf{args: args}, err
	case *plan.Or:
		args, err := newConditions(e.Args, slotOf)
		return &anyOf{args: args}, err
	case *plan.Leaf:
		arg, err := newNode(e.Arg, slotOf)
		return &leafOf{arg: arg, leaf: newLeaf(e, slotOf.meter)}, err
	case *plan.Compare:
		return newCompare(e, slotOf)
	case *plan.Literal:
		return constantCondition(!e.Null && e.B), nil
	}
	return nil, fmt.Errorf("exec: a %T as a condition: %w", e, ErrUnsupported)
}

func newConditions(exprs []plan.Expr, slotOf slots) ([]condition, error) {
	conditions := make([]condition, len(exprs))
	for i, e := range exprs {
		c, err := newCondition(e, slotOf)
		if err != nil {
			return nil, err
		}
		conditions[i] = c
	}
	return conditions, nil
}

// allOf is true where all of its conditions are. It stops as soon as no row is
// left, and then columns of later conditions are not read at all.
type allOf struct {
	args    []condition
	scratch mask
}

func (c *allOf) eval(dst mask, in source) error {
	for i, a := range c.args {
		if i == 0 {
			if err := a.eval(dst, in); err != nil {
				return err
			}
			continue
		}
		if dst.count() == 0 {
			return nil
		}
		c.scratch = c.scratch.sized(in.rowCount())
		if err := a.eval(c.scratch, in); err != nil {
			return err
		}
		dst.and(c.scratch)
	}
	return nil
}

// anyOf is true where one of its conditions is.
type anyOf struct {
	args    []condition
	scratch mask
}

func (c *anyOf) eval(dst mask, in source) error {
	dst.clear()
	c.scratch = c.scratch.sized(in.rowCount())
	for _, a := range c.args {
		if err := a.eval(c.scratch, in); err != nil {
			return err
		}
		dst.or(c.scratch)
	}
	return nil
}

// leafOf tests an expression.
type leafOf struct {
	arg  node
	leaf *leaf
}

func (c *leafOf) eval(dst mask, in source) error {
	v, err := c.arg.eval(in)
	if err != nil {
		return err
	}
	return c.leaf.eval(dst, v)
}

// constantCondition is true for all rows or for none.
type constantCondition bool

func (c constantCondition) eval(dst mask, in source) error {
	spreadAll(dst, in.rowCount(), bool(c))
	return nil
}
