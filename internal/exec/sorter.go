package exec

import (
	"cmp"
	"math"
	"slices"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// sorter keeps rows in order: all of them, or the first ones.
type sorter struct {
	order   *order
	outputs int // the vectors before those of the order
	keep    int // rows wanted, negative: all
	store   []vector.Vector
	ids     []rowID // of the rows in store, to break ties
	bound   *bound  // raised as rows are dropped; nil: none
	meter   *fn.Meter

	sel    []int32
	gather []vector.Vector
}

const (
	// sortSlack is how many rows beyond twice the wanted ones are kept before the
	// rest is dropped ...
	sortSlack = 1024
	// sortSlackBytes ... unless the rows are larger than this.
	sortSlackBytes = 8 << 20
)

func newSorter(q *plan.Query) *sorter {
	s := &sorter{order: newOrder(q.OrderBy), outputs: len(q.Outputs), keep: -1}
	if q.Limit >= 0 && q.Offset+q.Limit < math.MaxInt32 {
		s.keep = int(q.Offset + q.Limit)
	}
	return s
}

// add takes in n rows of vectors, outputs first.
func (s *sorter) add(vecs []vector.Vector, n int, at rowID) error {
	if s.store == nil {
		for _, v := range vecs {
			s.store = append(s.store, vector.MakeLike(v))
		}
	}
	keys := vecs[s.outputs:]
	for _, v := range keys {
		flatten(v)
	}
	if err := s.order.bind(keys); err != nil {
		return err
	}
	if s.crowded() {
		if err := s.prune(); err != nil {
			return err
		}
	}
	if s.keep >= 0 && s.pruned() {
		return s.addBetter(vecs, n, at)
	}
	for i := range n {
		s.ids = append(s.ids, at+rowID(i))
	}
	return s.appendAll(vecs)
}

// crowded reports whether rows that are not wanted take too much room.
func (s *sorter) crowded() bool {
	n := len(s.ids)
	return s.keep >= 0 && (n > 2*s.keep+sortSlack || n > 2*s.keep && s.bytes() > sortSlackBytes)
}

// bytes returns the memory that the rows take, about.
func (s *sorter) bytes() int {
	bytes := 8 * cap(s.ids)
	for _, v := range s.store {
		bytes += heldBytes(v)
	}
	return bytes
}

// pruned reports whether the row that others must beat is known: it is the last
// of the wanted rows, which prune has put at place keep-1.
func (s *sorter) pruned() bool { return s.gather != nil && s.keep > 0 }

// addBetter takes in only the rows that come before the last of the wanted.
func (s *sorter) addBetter(vecs []vector.Vector, n int, at rowID) error {
	s.sel = s.sel[:0]
	keys, kept := vecs[s.outputs:], s.store[s.outputs:]
	for i := range n {
		if s.order.compare(keys, kept, i, s.keep-1) <= 0 {
			s.sel = append(s.sel, int32(i))
			s.ids = append(s.ids, at+rowID(i))
		}
	}
	if len(s.sel) == 0 {
		return nil
	}
	for i, v := range vecs {
		if err := vector.Gather(s.gather[i], v, s.sel); err != nil {
			return err
		}
	}
	return s.appendAll(s.gather)
}

func (s *sorter) appendAll(vecs []vector.Vector) error {
	for i, v := range vecs {
		if err := vector.AppendRows(s.store[i], v); err != nil {
			return err
		}
	}
	return nil
}

// prune drops all rows but the wanted ones, which it puts in order.
func (s *sorter) prune() error {
	rows := s.sorted()
	rows = rows[:min(len(rows), s.keep)]
	if s.gather == nil {
		for _, v := range s.store {
			s.gather = append(s.gather, vector.MakeLike(v))
		}
	}
	kept := make([]rowID, 0, len(rows))
	for _, r := range rows {
		kept = append(kept, s.ids[r])
	}
	for i, v := range s.store {
		if err := vector.Gather(s.gather[i], v, rows); err != nil {
			return err
		}
		fresh := vector.MakeLike(v)
		if err := vector.AppendRows(fresh, s.gather[i]); err != nil {
			return err
		}
		s.store[i] = fresh
	}
	s.ids = append(s.ids[:0], kept...)
	if s.bound != nil && s.keep > 0 {
		s.bound.raise(s.store[s.outputs], s.keep-1)
	}
	return nil
}

// compareUnits is the work of comparing two rows.
const compareUnits = 32

// sorted returns the rows of the store in order; equal rows in that of the
// table. Once the query has ended the order is any.
func (s *sorter) sorted() []int32 {
	rows := make([]int32, len(s.ids))
	for i := range rows {
		rows[i] = int32(i)
	}
	if s.store == nil {
		return rows
	}
	keys := s.store[s.outputs:]
	ended := false
	slices.SortFunc(rows, func(a, b int32) int {
		// There is no way out of sorting but through it.
		if ended = ended || s.meter.Work(compareUnits) != nil; ended {
			return cmp.Compare(a, b)
		}
		if c := s.order.compare(keys, keys, int(a), int(b)); c != 0 {
			return c
		}
		return cmp.Compare(s.ids[a], s.ids[b])
	})
	return rows
}

func (s *sorter) merge(o *sorter) error {
	if o.store == nil {
		return nil
	}
	if s.store == nil {
		s.store, s.ids = o.store, o.ids
		return s.order.bind(s.store[s.outputs:])
	}
	s.ids = append(s.ids, o.ids...)
	return s.appendAll(o.store)
}
