package exec

import (
	"errors"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// cutter evaluates over the rows of a batch at once or, where functions make too
// much of that, over parts of them.
type cutter struct {
	meter *fn.Meter
	// use evaluates over a source whose rows begin at the given one of the batch.
	// It may be called again for the same rows after it has failed with fn.ErrCut.
	use func(in source, begin int) error

	rows int // of a part; 0: all
	part part
}

// each calls use for the rows from begin up to end of a source.
func (c *cutter) each(in source, begin, end int) error {
	before := c.meter.Cuttable(true)
	defer c.meter.Cuttable(before)
	for begin < end {
		n := end - begin
		if c.rows > 0 {
			n = min(n, c.rows)
		}
		from := in
		if n < in.rowCount() {
			from = c.part.of(in, begin, n)
		}
		err := c.use(from, begin)
		switch {
		case errors.Is(err, fn.ErrCut):
			c.rows = n / 2
			continue
		case err != nil:
			return err
		}
		begin += n
		if c.rows *= 2; c.rows >= in.rowCount() {
			c.rows = 0
		}
	}
	return nil
}

// part is some rows of a source.
type part struct {
	in    source
	rows  []int32
	slots []vector.Vector
	read  []bool // by slot
}

// of makes p the n rows from begin on, and returns it.
func (p *part) of(in source, begin, n int) source {
	p.in, p.rows = in, p.rows[:0]
	for i := range n {
		p.rows = append(p.rows, int32(begin+i))
	}
	clear(p.read)
	return p
}

func (p *part) rowCount() int { return len(p.rows) }

func (p *part) column(slot int) (vector.Vector, error) {
	for slot >= len(p.slots) {
		p.slots, p.read = append(p.slots, nil), append(p.read, false)
	}
	if p.read[slot] {
		return p.slots[slot], nil
	}
	v, err := p.in.column(slot)
	if err != nil {
		return nil, err
	}
	if p.slots[slot] == nil {
		p.slots[slot] = vector.MakeLike(v)
	}
	p.read[slot] = true
	return p.slots[slot], vector.Gather(p.slots[slot], v, p.rows)
}

// partsNode evaluates an expression whose own values are small and whose
// arguments may not be.
type partsNode struct {
	arg    node
	cut    cutter
	total  int
	result vector.Vector
	joined vector.Vector // of several parts
}

// newParts gives an expression of fixed width over texts or arrays that functions
// make the chance to be worked out part by part.
func newParts(n node, e *plan.Call, meter *fn.Meter) node {
	if isLong(e.Type()) || !makesLong(e.Args...) {
		return n
	}
	p := &partsNode{arg: n, cut: cutter{meter: meter}}
	p.cut.use = p.use
	return p
}

func isLong(t fn.Type) bool { return t.Textual() || t.Array() || t == fn.BigDecimal }

// makesLong reports whether a function in one of the expressions gives texts or
// arrays.
func makesLong(exprs ...plan.Expr) bool {
	found := false
	for _, e := range exprs {
		if call, ok := e.(*plan.Call); ok && isLong(call.Type()) {
			return true
		}
		plan.Children(e, func(sub plan.Expr) { found = found || makesLong(sub) })
	}
	return found
}

func (p *partsNode) eval(in source) (vector.Vector, error) {
	p.total = in.rowCount()
	if p.total == 0 {
		return p.arg.eval(in)
	}
	p.result = nil
	err := p.cut.each(in, 0, p.total)
	return p.result, err
}

func (p *partsNode) use(in source, begin int) error {
	v, err := p.arg.eval(in)
	if err != nil || in.rowCount() == p.total {
		p.result = v
		return err
	}
	if p.joined == nil {
		p.joined = vector.MakeLike(v)
	}
	if begin == 0 {
		p.joined.Reset()
	}
	p.result = p.joined
	return vector.AppendRows(p.joined, v)
}
