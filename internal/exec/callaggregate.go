package exec

import (
	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// callAggregate is an aggregate that keeps a state of its own for each group.
type callAggregate struct {
	args   []node
	filter *filter // nil: all rows count
	state  *fn.Accumulator

	vectors []vector.Vector
	rows    mask
	sel     []int32
	part    frame // the rows that the filter leaves
	ids     []uint32
}

func newCallAggregate(a plan.Agg, slotOf slots) (*callAggregate, error) {
	c := &callAggregate{state: a.Call.NewAccumulator()}
	for _, arg := range a.Args {
		n, err := newArgument(arg, slotOf)
		if err != nil {
			return nil, err
		}
		c.args = append(c.args, n)
	}
	c.vectors = make([]vector.Vector, len(c.args))
	if a.Filter == nil {
		return c, nil
	}
	var err error
	c.filter, err = newFilter(a.Filter, slotOf)
	return c, err
}

// add takes in the rows of a frame; ids are their groups, nil if there is only
// one.
func (c *callAggregate) add(f *frame, ids []uint32) error {
	if c.filter != nil {
		var err error
		if f, ids, err = c.narrow(f, ids); err != nil || f.n == 0 {
			return err
		}
	}
	for i, n := range c.args {
		v, err := n.eval(f)
		if err != nil {
			return err
		}
		if err := plain(v); err != nil {
			return err
		}
		c.vectors[i] = v
	}
	return c.state.Add(f.n, c.vectors, ids)
}

// narrow returns the rows of f for which the filter is true, and their groups.
func (c *callAggregate) narrow(f *frame, ids []uint32) (*frame, []uint32, error) {
	c.rows = c.rows.sized(f.n)
	if err := c.filter.eval(c.rows, f); err != nil {
		return nil, nil, err
	}
	c.sel = c.rows.appendRows(c.sel[:0])
	if len(c.sel) == f.n {
		return f, ids, nil
	}
	if c.part.slots == nil {
		c.part.slots = make([]vector.Vector, len(f.slots))
	}
	c.part.n = len(c.sel)
	for i, v := range f.slots {
		if v == nil {
			continue
		}
		if c.part.slots[i] == nil {
			c.part.slots[i] = vector.MakeLike(v)
		}
		if err := vector.Gather(c.part.slots[i], v, c.sel); err != nil {
			return nil, nil, err
		}
	}
	if ids == nil {
		return &c.part, nil, nil
	}
	c.ids = c.ids[:0]
	for _, row := range c.sel {
		c.ids = append(c.ids, ids[row])
	}
	return &c.part, c.ids, nil
}
