package fn

import (
	"math"
	"slices"
)

// countedState is the distinct numbers of each group, and how often each occurs:
// for MODE.
type countedState struct {
	pairs  numberPairs
	counts []int64 // by pair
	order  []uint32
	begins []int // of each group's pairs in order, once sorted
	groups int
	ties   string
	whole  bool // numbers are LONG, which doubles would mix up
	row    Row
}

func resolveMode(args []Arg) (AggregateCall, error) {
	if len(args) == 0 || len(args) > 2 {
		return AggregateCall{}, wrongNumber(args)
	}
	to, err := doubleArg(args[0], false)
	if err != nil {
		return AggregateCall{}, err
	}
	ties, err := literalText(args, 1, "MIN")
	if err == nil && !slices.Contains([]string{"MIN", "MAX", "AVG"}, ties) {
		err = badValue("MODE of %q: MIN, MAX or AVG", ties)
	}
	whole := args[0].Type.Integral()
	if whole {
		to = Long
	}
	return AggregateCall{Args: []Type{to}, Type: Double, New: func() State {
		return &countedState{ties: ties, whole: whole}
	}}, err
}

func (s *countedState) Grow(n int) { s.groups = max(s.groups, n) }

func (s *countedState) take(group uint32, bits uint64, n int64) {
	id, known := s.pairs.add(group, bits)
	if !known {
		s.counts = append(s.counts, 0)
	}
	s.counts[id] += n
}

func (s *countedState) Add(in *Input, ids []uint32) error {
	s.begins = s.begins[:0]
	return s.row.each(in, ids, func(group uint32) error {
		if s.whole {
			s.take(group, uint64(s.row.Int(0)), 1)
		} else {
			s.take(group, math.Float64bits(canonical(s.row.Float(0))), 1)
		}
		return nil
	})
}

func (s *countedState) Merge(other State, ids []uint32) error {
	o := other.(*countedState)
	for i, key := range o.pairs.keys {
		s.take(ids[o.pairs.groups[i]], key, o.counts[i])
	}
	return nil
}

func (s *countedState) Result(r *Row, group uint32) error {
	if len(s.begins) == 0 {
		s.sort()
	}
	best, sum, ties := int64(0), 0.0, 0
	r.F = math.Inf(-1)
	for _, id := range s.order[s.begins[group]:s.begins[group+1]] {
		x, n := math.Float64frombits(s.pairs.keys[id]), s.counts[id]
		if s.whole {
			x = float64(int64(s.pairs.keys[id]))
		}
		switch {
		case n > best:
			best, sum, ties, r.F = n, x, 1, x
		case n == best:
			sum, ties = sum+x, ties+1
			if s.ties == "MIN" && x < r.F || s.ties == "MAX" && x > r.F {
				r.F = x
			}
		}
	}
	if s.ties == "AVG" && ties > 0 {
		r.F = sum / float64(ties)
	}
	return nil
}

// sort lists the pairs of each group.
func (s *countedState) sort() {
	s.order, s.begins = bucket(s.pairs.groups, s.groups, s.order[:0], s.begins[:0])
}

// bucket lists the indexes of ids by group, and where each group's begin.
func bucket(ids []uint32, groups int, order []uint32, begins []int) ([]uint32, []int) {
	begins = append(begins, make([]int, groups+2)...)
	for _, g := range ids {
		begins[g+2]++
	}
	for g := range groups {
		begins[g+2] += begins[g+1]
	}
	order = append(order, make([]uint32, len(ids))...)
	for i, g := range ids {
		order[begins[g+1]] = uint32(i)
		begins[g+1]++
	}
	return order, begins[:groups+1]
}

func (s *countedState) Reset() {
	s.pairs.reset()
	s.counts, s.begins, s.groups = s.counts[:0], s.begins[:0], 0
}

func (s *countedState) Bytes() int { return s.pairs.bytes() + 8*cap(s.counts) + 4*cap(s.order) }
