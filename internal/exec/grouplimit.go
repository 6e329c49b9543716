package exec

import (
	"slices"

	"github.com/decantdb/decant/vector"
)

// groupLimit leaves out the rows whose groups are more than a query may have.
type groupLimit struct {
	limit   int  // of the groups; 0: none
	reached bool // rows were left out
	sel     []int32
	ids     []uint32
	frame   frame
}

// apply returns the rows of f that have groups, and these. What it returns is valid
// until the next call.
func (l *groupLimit) apply(f *frame, ids []uint32) (*frame, []uint32, error) {
	if l.limit == 0 || !slices.Contains(ids, noGroup) {
		return f, ids, nil
	}
	l.reached = true
	l.sel, l.ids = l.sel[:0], l.ids[:0]
	for row, g := range ids {
		if g != noGroup {
			l.sel, l.ids = append(l.sel, int32(row)), append(l.ids, g)
		}
	}
	l.frame.n = len(l.sel)
	if l.frame.slots == nil {
		l.frame.slots = make([]vector.Vector, len(f.slots))
	}
	for i, v := range f.slots {
		if v == nil {
			continue
		}
		if l.frame.slots[i] == nil {
			l.frame.slots[i] = vector.MakeLike(v)
		}
		if err := vector.Gather(l.frame.slots[i], v, l.sel); err != nil {
			return nil, nil, err
		}
	}
	return &l.frame, l.ids, nil
}

// cut returns as many of the groups as there may be.
func (l *groupLimit) cut(groups []uint32) []uint32 {
	if l.limit == 0 || len(groups) <= l.limit {
		return groups
	}
	l.reached = true
	return groups[:l.limit]
}
