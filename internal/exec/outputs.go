package exec

import (
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// outputs evaluates the columns of the answer, and what it is ordered by.
type outputs struct {
	nodes   []node
	vectors []vector.Vector // the last evaluation, outputs first
}

func newOutputs(q *plan.Query, slotOf slots) (*outputs, error) {
	o := &outputs{}
	for _, out := range q.Outputs {
		n, err := newNode(out.Expr, slotOf)
		if err != nil {
			return nil, err
		}
		o.nodes = append(o.nodes, n)
	}
	for _, order := range q.OrderBy {
		n, err := newNode(order.Expr, slotOf)
		if err != nil {
			return nil, err
		}
		o.nodes = append(o.nodes, n)
	}
	o.vectors = make([]vector.Vector, len(o.nodes))
	return o, nil
}

// eval returns the vectors of a source's rows, valid until the next call.
func (o *outputs) eval(in source) ([]vector.Vector, error) {
	for i, n := range o.nodes {
		v, err := n.eval(in)
		if err != nil {
			return nil, err
		}
		o.vectors[i] = v
	}
	return o.vectors, nil
}
