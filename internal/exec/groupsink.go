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
	within groupLimit
	rows   []int64 // by group
	accs   []*accumulator
	calls  []*callAggregate
	aggs   []aggregate
	split  int
	// nullsOff makes an aggregate over no values its Empty instead of null.
	nullsOff bool
}

// aggregate is one aggregate of the query: a simple one with the accumulator of
// its argument, of which nil counts rows, or a call.
type aggregate struct {
	simple *fn.Simple
	acc    *accumulator
	call   *callAggregate
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
	s.groups.limitTo(q.GroupsLimit)
	s.within.limit = q.GroupsLimit
	s.reset()
	return s, nil
}

// addAggregates makes one accumulator for all simple aggregates of one argument.
func (s *groupSink) addAggregates(aggs []plan.Agg, slotOf slots) error {
	need := map[plan.Expr]fn.Need{}
	for _, a := range aggs {
		if a.Simple != nil {
			need[a.Arg] |= a.Simple.Need
		}
	}
	byArg := map[plan.Expr]*accumulator{nil: nil}
	for _, a := range aggs {
		if a.Simple == nil {
			call, err := newCallAggregate(a, slotOf)
			if err != nil {
				return err
			}
			s.calls = append(s.calls, call)
			s.aggs = append(s.aggs, aggregate{call: call})
			continue
		}
		acc, seen := byArg[a.Arg]
		if !seen {
			var err error
			if acc, err = newAccumulator(a.Arg, need[a.Arg], slotOf); err != nil {
				return err
			}
			byArg[a.Arg] = acc
			s.accs = append(s.accs, acc)
		}
		s.aggs = append(s.aggs, aggregate{simple: a.Simple, acc: acc})
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
	for _, c := range s.calls {
		c.state.Reset()
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
	for _, c := range s.calls {
		c.state.Grow(n)
	}
}

func (s *groupSink) consume(f *frame, at rowID) error {
	if split := at.split(); split != s.split {
		s.split = split
		for _, c := range s.calls {
			c.state.NextSegment()
		}
	}
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
		if f, ids, err = s.within.apply(f, ids); err != nil {
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
	for _, c := range s.calls {
		if err := c.add(f, ids); err != nil {
			return err
		}
	}
	return nil
}

func (s *groupSink) merge(other sink) error {
	o := other.(*groupSink)
	s.groups.limitTo(0) // what the others kept is kept; the result has the limit again
	s.within.reached = s.within.reached || o.within.reached
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
	for i, c := range s.calls {
		if err := c.state.Merge(o.calls[i].state, ids); err != nil {
			return err
		}
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
	ids = s.within.cut(ids)
	f := &frame{n: len(ids)}
	for i, k := range s.groups.keys {
		v := k.vector()
		if err := k.fill(v, s.groups.keyIDs(i, ids)); err != nil {
			return nil, err
		}
		f.slots = append(f.slots, v)
	}
	for _, a := range s.aggs {
		if a.call == nil {
			f.slots = append(f.slots, s.simple(a, ids))
			continue
		}
		v, err := a.call.state.Results(ids, s.nullsOff)
		if err != nil {
			return nil, err
		}
		f.slots = append(f.slots, v)
	}
	return f, nil
}

// simple returns a simple aggregate's value for each of the groups. Without a
// value it is null, a count 0.
func (s *groupSink) simple(a aggregate, ids []uint32) vector.Vector {
	if a.simple.Final == nil {
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
			out.Append(a.simple.Final(k))
		case s.nullsOff:
			out.Append(a.simple.Empty)
		default:
			out.AppendNull()
		}
	}
	return out
}
