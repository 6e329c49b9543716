package exec

import (
	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// groupSink keeps groups and their aggregates.
type groupSink struct {
	groups groups
	keys   []node
	vecs   []vector.Vector
	expand expansion
	rows   []int64 // by group
	accs   []*accumulator
	aggs   []aggregate
	// nullsOff makes an aggregate over no values its Empty instead of null.
	nullsOff bool
}

// aggregate is one aggregate of the query and the accumulator that has its
// argument; nil counts rows.
type aggregate struct {
	fn  *fn.Aggregate
	acc *accumulator
}

func newGroupSink(q *plan.Query, slotOf slots) (*groupSink, error) {
	s := &groupSink{vecs: make([]vector.Vector, len(q.Keys)), nullsOff: q.NullsOff}
	for _, e := range q.Keys {
		n, err := newNode(e, slotOf)
		if err != nil {
			return nil, err
		}
		t := e.Type()
		if t.Array() {
			t = t.Elem()
		}
		k, err := newKeyColumn(t)
		if err != nil {
			return nil, err
		}
		s.keys = append(s.keys, n)
		s.groups.keys = append(s.groups.keys, k)
	}
	if len(q.Keys) > 1 {
		s.groups.pairs = make([]pairTable, len(q.Keys)-1)
	}
	if err := s.addAggregates(q.Aggs, slotOf); err != nil {
		return nil, err
	}
	s.reset()
	return s, nil
}

// addAggregates makes one accumulator for all aggregates of one argument.
func (s *groupSink) addAggregates(aggs []plan.Agg, slotOf slots) error {
	need := map[plan.Expr]fn.Need{}
	for _, a := range aggs {
		need[a.Arg] |= a.Fn.Need
	}
	byArg := map[plan.Expr]*accumulator{nil: nil}
	for _, a := range aggs {
		acc, seen := byArg[a.Arg]
		if !seen {
			var err error
			if acc, err = newAccumulator(a.Arg, need[a.Arg], slotOf); err != nil {
				return err
			}
			byArg[a.Arg] = acc
			s.accs = append(s.accs, acc)
		}
		s.aggs = append(s.aggs, aggregate{a.Fn, acc})
	}
	return nil
}

// reset forgets all groups and keeps the memory.
func (s *groupSink) reset() {
	s.groups.reset()
	s.rows = s.rows[:0]
	for _, a := range s.accs {
		a.reset()
	}
	if len(s.keys) == 0 {
		s.grow(1)
	}
}

func (s *groupSink) grow(n int) {
	s.rows = extend(s.rows, n, 0)
	for _, a := range s.accs {
		a.grow(n)
	}
}

func (s *groupSink) consume(f *frame, _ rowID) error {
	var ids []uint32
	if len(s.keys) == 0 {
		s.rows[0] += int64(f.n)
	} else {
		for i, k := range s.keys {
			v, err := k.eval(f)
			if err != nil {
				return err
			}
			s.vecs[i] = v
		}
		var err error
		if f, err = s.expand.apply(f, s.vecs); err != nil {
			return err
		}
		if ids, err = s.groups.number(f.n, s.vecs); err != nil {
			return err
		}
		s.grow(s.groups.len())
		for _, g := range ids {
			s.rows[g]++
		}
	}
	for _, a := range s.accs {
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
	s.grow(s.groups.len())
	for i, n := range o.rows {
		s.rows[ids[i]] += n
	}
	for i, a := range s.accs {
		a.merge(o.accs[i], ids)
	}
	return nil
}

// result returns the groups as a frame: a slot for each key, then one for each
// aggregate. A key also numbers null, and entries of dictionaries that no row
// uses: those have no rows and are no groups. Without keys there is one group,
// with or without rows.
func (s *groupSink) result() (*frame, error) {
	ids := make([]uint32, 0, len(s.rows))
	for g, n := range s.rows {
		if n > 0 || len(s.keys) == 0 {
			ids = append(ids, uint32(g))
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
		f.slots = append(f.slots, s.aggregate(a, ids))
	}
	return f, nil
}

// aggregate returns an aggregate's value for each of the groups. Without a
// value it is null, a count 0.
func (s *groupSink) aggregate(a aggregate, ids []uint32) vector.Vector {
	if a.fn.Final == nil {
		counts := vector.NewVec[int64](nil)
		for _, g := range ids {
			n := s.rows[g]
			if a.acc != nil {
				n -= a.acc.nulls[g]
			}
			counts.Append(n)
		}
		return counts
	}
	out := vector.NewVec[float64](nil)
	for _, g := range ids {
		k := a.acc.kept(g, s.rows[g])
		switch {
		case k.Count > 0:
			out.Append(a.fn.Final(k))
		case s.nullsOff:
			out.Append(a.fn.Empty)
		default:
			out.AppendNull()
		}
	}
	return out
}
