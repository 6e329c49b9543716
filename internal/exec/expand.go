package exec

import (
	"fmt"

	"github.com/decantdb/decant/vector"
)

// expansion repeats rows for group keys that have several values: a row counts
// once for each of them and, with several such keys, for each combination.
type expansion struct {
	frame frame
	rows  []int32   // row of the source by row here
	elems [][]int32 // by key the element
	keys  []vector.Vector
}

// apply returns the rows of f repeated, and changes keys, whose vectors are over
// f, to those of the repeated rows. It returns f if no key has several values.
func (x *expansion) apply(f *frame, keys []vector.Vector) (*frame, error) {
	several := false
	for _, v := range keys {
		if _, ok := v.(*vector.List); ok {
			several = true
		}
	}
	if !several {
		return f, nil
	}
	if err := x.combine(f.n, keys); err != nil {
		return nil, err
	}
	x.frame.n = len(x.rows)
	if x.frame.slots == nil {
		x.frame.slots = make([]vector.Vector, len(f.slots))
		x.keys = make([]vector.Vector, len(keys))
	}
	for i, v := range f.slots {
		if v == nil {
			continue
		}
		if x.frame.slots[i] == nil {
			x.frame.slots[i] = vector.MakeLike(v)
		}
		if err := vector.Gather(x.frame.slots[i], v, x.rows); err != nil {
			return nil, err
		}
	}
	for i, v := range keys {
		at := x.rows
		if list, ok := v.(*vector.List); ok {
			v, at = list.Elem, x.elems[i]
		}
		if x.keys[i] == nil {
			x.keys[i] = vector.MakeLike(v)
		}
		if err := vector.Gather(x.keys[i], v, at); err != nil {
			return nil, err
		}
		keys[i] = x.keys[i]
	}
	return &x.frame, nil
}

// maxExpansion bounds the rows that the rows of one batch may become.
const maxExpansion = 1 << 24

// combine lists the combinations of the values of the keys, row by row.
func (x *expansion) combine(n int, keys []vector.Vector) error {
	x.rows = x.rows[:0]
	if x.elems == nil {
		x.elems = make([][]int32, len(keys))
	}
	for i := range x.elems {
		x.elems[i] = x.elems[i][:0]
	}
	for row := range n {
		count := 1
		for _, v := range keys {
			if list, ok := v.(*vector.List); ok {
				begin, end := list.Span(row)
				count *= end - begin
			}
			if count > maxExpansion-len(x.rows) {
				return fmt.Errorf("exec: GROUP BY of columns with too many values a row: %w", ErrUnsupported)
			}
		}
		for range count {
			x.rows = append(x.rows, int32(row))
		}
		period := count
		for i, v := range keys {
			list, ok := v.(*vector.List)
			if !ok {
				continue
			}
			begin, end := list.Span(row)
			if end > begin {
				period /= end - begin
			}
			for c := range count {
				x.elems[i] = append(x.elems[i], int32(begin+c/period%(end-begin)))
			}
		}
	}
	return nil
}
