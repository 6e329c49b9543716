package exec

import (
	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/vector"
)

// constantList is an array that is the same in all rows.
type constantList struct {
	list  *vector.List // of one row
	bytes int
	once  bool // the one row is given for all of them, which kernels take
	out   *vector.List
	meter *fn.Meter
	held  int // bytes that the meter knows of
}

func newConstantList(v fn.Value, meter *fn.Meter) *constantList {
	n := &constantList{list: fn.NewVector(v.Type).(*vector.List), meter: meter}
	v.Append(n.list)
	n.out = vector.MakeLike(n.list).(*vector.List)
	for _, e := range v.List {
		n.bytes += valueBytes + len(e.S)
	}
	return n
}

// valueBytes is what an element takes at the most, apart from its text.
const valueBytes = 16

func (n *constantList) eval(in source) (vector.Vector, error) {
	if n.once {
		return n.list, nil
	}
	total := n.bytes * in.rowCount()
	if err := n.meter.Cut(total, in.rowCount()); err != nil {
		return nil, err
	}
	if total > n.held {
		if err := n.meter.Hold(total - n.held); err != nil {
			return nil, err
		}
		n.held = total
	}
	n.out.Reset()
	for range in.rowCount() {
		if err := vector.AppendRows(n.out, n.list); err != nil {
			return nil, err
		}
	}
	return n.out, nil
}

// listNode applies a node to the elements of lists.
type listNode struct {
	arg  node
	elem elementNode
	held given
	list vector.List
}

// elementNode is a node whose argument may be set.
type elementNode interface {
	node
	setArgument(n node)
}

func (n *millisNode) setArgument(arg node) { n.arg = arg }
func (n *intNode) setArgument(arg node)    { n.arg = arg }

// given is a node that gives a vector at hand.
type given struct{ v vector.Vector }

func (n *given) eval(source) (vector.Vector, error) { return n.v, nil }

func (n *listNode) eval(in source) (vector.Vector, error) {
	v, err := n.arg.eval(in)
	if err != nil {
		return nil, err
	}
	list, ok := v.(*vector.List)
	if !ok {
		return v, nil
	}
	n.held.v = list.Elem
	n.elem.setArgument(&n.held)
	elem, err := n.elem.eval(in)
	if err != nil || elem == list.Elem {
		return v, err
	}
	n.list.N, n.list.Valid, n.list.Offsets, n.list.Elem = list.N, list.Valid, list.Offsets, elem
	return &n.list, nil
}
