package exec

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// order compares rows of flat vectors by the criteria of ORDER BY.
type order struct{ keys []orderKey }

type orderKey struct {
	descending, nullsFirst bool
	compare                func(a, b vector.Vector, i, j int) int // of present values
}

func newOrder(by []plan.Order) *order {
	o := &order{}
	for _, b := range by {
		o.keys = append(o.keys, orderKey{descending: b.Descending, nullsFirst: b.NullsFirst})
	}
	return o
}

// bind chooses how the vectors are compared, once their types are known.
func (o *order) bind(vecs []vector.Vector) error {
	for i := range o.keys {
		k := &o.keys[i]
		if k.compare != nil {
			continue
		}
		var err error
		if k.compare, err = comparerOf(vecs[i]); err != nil {
			return err
		}
	}
	return nil
}

// compare orders row i of a and row j of b, lists of flat vectors, one a key.
func (o *order) compare(a, b []vector.Vector, i, j int) int {
	for n := range o.keys {
		k := &o.keys[n]
		if c := k.compareRows(a[n], b[n], i, j); c != 0 {
			return c
		}
	}
	return 0
}

func (k *orderKey) compareRows(a, b vector.Vector, i, j int) int {
	x, y := vector.Valid(a.Validity(), i), vector.Valid(b.Validity(), j)
	if !x || !y {
		switch {
		case x == y:
			return 0
		case x != k.nullsFirst: // a present row before nulls last, or a null first
			return -1
		}
		return 1
	}
	c := k.compare(a, b, i, j)
	if k.descending {
		return -c
	}
	return c
}

func comparerOf(v vector.Vector) (func(a, b vector.Vector, i, j int) int, error) {
	switch v.(type) {
	case *vector.Vec[int8]:
		return compareWhole[int8], nil
	case *vector.Vec[int16]:
		return compareWhole[int16], nil
	case *vector.Vec[int32]:
		return compareWhole[int32], nil
	case *vector.Vec[int64]:
		return compareWhole[int64], nil
	case *vector.Vec[float32]:
		return compareFloat[float32], nil
	case *vector.Vec[float64]:
		return compareFloat[float64], nil
	case *vector.Vec[vector.View]:
		return compareText, nil
	case *vector.Bools:
		return compareBool, nil
	}
	return nil, fmt.Errorf("exec: ORDER BY a %v: %w", v.Kind(), ErrUnsupported)
}

func compareWhole[T int8 | int16 | int32 | int64](a, b vector.Vector, i, j int) int {
	return cmp.Compare(a.(*vector.Vec[T]).Values[i], b.(*vector.Vec[T]).Values[j])
}

// compareFloat is Java's order: -0.0 before 0.0, and NaN last.
func compareFloat[T float32 | float64](a, b vector.Vector, i, j int) int {
	x, y := float64(a.(*vector.Vec[T]).Values[i]), float64(b.(*vector.Vec[T]).Values[j])
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y && x != 0:
		return 0
	}
	if x == 0 && y == 0 {
		return cmp.Compare(signOf(x), signOf(y))
	}
	return cmp.Compare(isNaN(x), isNaN(y))
}

func signOf(x float64) int {
	if math.Signbit(x) {
		return -1
	}
	return 1
}

func isNaN(x float64) int {
	if x != x {
		return 1
	}
	return 0
}

func compareText(a, b vector.Vector, i, j int) int {
	x, y := a.(*vector.Vec[vector.View]), b.(*vector.Vec[vector.View])
	return vector.CompareViews(&x.Values[i], x.Buffers.List(), &y.Values[j], y.Buffers.List())
}

func compareBool(a, b vector.Vector, i, j int) int {
	x, y := vector.Bit(a.(*vector.Bools).Bits, i), vector.Bit(b.(*vector.Bools).Bits, j)
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// flatten makes a vector flat where it has forms at all.
func flatten(v vector.Vector) {
	if f, ok := v.(interface{ Flatten() }); ok {
		f.Flatten()
	}
}

// sorter keeps rows in order: all of them, or the first ones.
type sorter struct {
	order   *order
	outputs int // the vectors before those of the order
	keep    int // rows wanted, negative: all
	store   []vector.Vector
	ids     []rowID // of the rows in store, to break ties

	sel    []int32
	gather []vector.Vector
}

// sortSlack is how many rows beyond twice the wanted ones are kept before the
// rest is dropped.
const sortSlack = 8192

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
	if s.keep >= 0 && len(s.ids) > s.keep+sortSlack+s.keep {
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
	return nil
}

// sorted returns the rows of the store in order; equal rows in that of the
// table.
func (s *sorter) sorted() []int32 {
	rows := make([]int32, len(s.ids))
	for i := range rows {
		rows[i] = int32(i)
	}
	if s.store == nil {
		return rows
	}
	keys := s.store[s.outputs:]
	slices.SortFunc(rows, func(a, b int32) int {
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
