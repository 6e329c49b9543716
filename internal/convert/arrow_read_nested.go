package convert

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/decantdb/decant/vector"
)

// elements writes where the lists of arr begin and end among their elements, and
// returns these. Nulls may have elements in Arrow: then live lists those of the others,
// among all, and is nil if that is all.
func elements(offsets []uint32, arr array.ListLike, valid []uint64) (elems arrow.Array, live []int32, err error) {
	offsets[0] = 0
	n := arr.Len()
	if n == 0 {
		return array.NewSlice(arr.ListValues(), 0, 0), nil, nil
	}
	first, _ := arr.ValueOffsets(0)
	_, last := arr.ValueOffsets(n - 1)
	if first < 0 || last < first || last > int64(arr.ListValues().Len()) {
		return nil, nil, fmt.Errorf("arrow: %w: a %v whose elements are elsewhere", ErrCorrupt, arr.DataType())
	}
	if last-first > maxArrowOffset {
		return nil, nil, fmt.Errorf("arrow: %d elements in one batch", last-first)
	}
	end := first
	for i := range n {
		from, to := arr.ValueOffsets(i)
		if from != end || to < from {
			return nil, nil, fmt.Errorf("arrow: %w: a %v that ends before it begins", ErrCorrupt, arr.DataType())
		}
		end = to
		present := vector.Valid(valid, i)
		if !present && to > from && live == nil {
			live = make([]int32, 0, last-first)
			for e := range from - first {
				live = append(live, int32(e))
			}
		}
		if present {
			offsets[i+1] = offsets[i] + uint32(to-from)
			for e := from; e < to && live != nil; e++ {
				live = append(live, int32(e-first))
			}
		} else {
			offsets[i+1] = offsets[i]
		}
	}
	return array.NewSlice(arr.ListValues(), first, last), live, nil
}

// readChild makes a vector of the rows of a child, or of those of them that live lists.
func (r *arrowReader) readChild(arr arrow.Array, live []int32) (vector.Vector, error) {
	if err := r.read(arr, nil); err != nil || live == nil {
		return r.vec, err
	}
	if err := vector.Check(r.vec); err != nil {
		return nil, fmt.Errorf("arrow: %w: %w", ErrCorrupt, err)
	}
	if r.live == nil {
		r.live = vector.MakeLike(r.vec)
	}
	return r.live, vector.Gather(r.live, r.vec, live)
}

func (r *arrowReader) readList(v *vector.List, arr arrow.Array, outer []uint64) error {
	list, ok := arr.(array.ListLike)
	if !ok {
		return mismatch(v.Kind(), arr)
	}
	v.N = arr.Len()
	v.Valid = readValid(v, arr, outer)
	elems, live, err := elements(v.ReserveOffsets(v.N), list, v.Valid)
	if err != nil {
		return err
	}
	v.Elem, err = r.children[0].readChild(elems, live)
	return err
}

func (r *arrowReader) readMap(v *vector.Map, arr arrow.Array, outer []uint64) error {
	m, ok := arr.(*array.Map)
	if !ok {
		return mismatch(v.Kind(), arr)
	}
	v.N = arr.Len()
	v.Valid = readValid(v, arr, outer)
	entries, live, err := elements(v.ReserveOffsets(v.N), m, v.Valid)
	if err != nil {
		return err
	}
	pairs, ok := entries.(*array.Struct)
	if !ok || pairs.NumField() != 2 {
		return mismatch(v.Kind(), arr)
	}
	if v.Keys, err = r.children[0].readChild(pairs.Field(0), live); err != nil {
		return err
	}
	v.Values, err = r.children[1].readChild(pairs.Field(1), live)
	return err
}

func (r *arrowReader) readRow(v *vector.Row, arr arrow.Array, outer []uint64) error {
	row, ok := arr.(*array.Struct)
	if !ok || row.NumField() != len(r.children) {
		return mismatch(v.Kind(), arr)
	}
	v.N = arr.Len()
	v.Valid = readValid(v, arr, outer)
	for i, c := range r.children {
		if err := c.read(row.Field(i), v.Valid); err != nil {
			return err
		}
	}
	return nil
}
