package exec

import (
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// sink takes in the surviving rows of a worker's splits, one split after
// another.
type sink interface {
	// consume takes in the rows of f, which begin at the given row of the table.
	consume(f *frame, at rowID) error
	// merge adds what another worker's sink of the same kind took in.
	merge(o sink) error
}

// rowID orders rows of a table: split, then place in the split.
type rowID uint64

const rowsOfSplitBits = 40

func newRowID(split int, row int64) rowID {
	return rowID(split)<<rowsOfSplitBits | rowID(row)
}

// groupSink keeps groups and their aggregates.
type groupSink struct {
	groups groups
	keys   []node
	aggs   []*accumulator
	vecs   []vector.Vector
}

func newGroupSink(q *plan.Query, slotOf slots) (*groupSink, error) {
	s := &groupSink{vecs: make([]vector.Vector, len(q.Keys))}
	for _, e := range q.Keys {
		n, err := newNode(e, slotOf)
		if err != nil {
			return nil, err
		}
		k, err := newKeyColumn(e.Type())
		if err != nil {
			return nil, err
		}
		s.keys = append(s.keys, n)
		s.groups.keys = append(s.groups.keys, k)
	}
	if len(q.Keys) > 1 {
		s.groups.pairs = make([]pairTable, len(q.Keys)-1)
	}
	for _, a := range q.Aggs {
		acc, err := newAccumulator(a, slotOf)
		if err != nil {
			return nil, err
		}
		s.aggs = append(s.aggs, acc)
	}
	s.reset()
	return s, nil
}

// reset forgets all groups and keeps the memory.
func (s *groupSink) reset() {
	s.groups.reset()
	for _, a := range s.aggs {
		a.reset()
		if len(s.keys) == 0 {
			a.grow(1)
		}
	}
}

func (s *groupSink) consume(f *frame, _ rowID) error {
	var ids []uint32
	if len(s.keys) > 0 {
		for i, k := range s.keys {
			v, err := k.eval(f)
			if err != nil {
				return err
			}
			s.vecs[i] = v
		}
		var err error
		if ids, err = s.groups.number(f.n, s.vecs); err != nil {
			return err
		}
	}
	for _, a := range s.aggs {
		a.grow(s.groups.len())
		if err := a.add(f, ids); err != nil {
			return err
		}
	}
	return nil
}

func (s *groupSink) merge(other sink) error {
	o := other.(*groupSink)
	ids, err := s.groups.merge(&o.groups)
	if err != nil {
		return err
	}
	for i, a := range s.aggs {
		a.grow(s.groups.len())
		a.merge(o.aggs[i], ids)
	}
	return nil
}

// result returns the groups as a frame: a slot for each key, then one for each
// aggregate.
func (s *groupSink) result() (*frame, error) {
	ids := make([]uint32, 0, s.groups.len())
	for g := range uint32(s.groups.len()) {
		if s.groups.present(g) {
			ids = append(ids, g)
		}
	}
	f := &frame{n: len(ids)}
	for i, k := range s.groups.keys {
		v := k.vector()
		if err := k.fill(v, s.groups.keyIDs(i, ids)); err != nil {
			return nil, err
		}
		f.slots = append(f.slots, v)
	}
	for _, a := range s.aggs {
		f.slots = append(f.slots, a.result(ids))
	}
	return f, nil
}
