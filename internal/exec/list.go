package exec

import (
	"github.com/decantdb/decant/vector"
)

// constantList is an array that is the same in all rows.
type constantList struct {
	list *vector.List // of one row
	out  *vector.List
}

func (n *constantList) eval(in source) (vector.Vector, error) {
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
