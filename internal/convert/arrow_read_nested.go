package convert

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/decantdb/decant/vector"
)

// elements writes where the lists of arr begin and end among their elements,
// and returns these.
func elements(offsets []uint32, arr array.ListLike, valid []uint64) (arrow.Array, error) {
	n := arr.Len()
	if n == 0 {
		offsets[0] = 0
		return array.NewSlice(arr.ListValues(), 0, 0), nil
	}
	from := arrow.GetOffsets[int32](arr.Data(), 1)
	if len(from) < n+1 || from[0] < 0 || int(from[n]) > arr.ListValues().Len() {
		return nil, fmt.Errorf("arrow: %w: a %v whose elements are elsewhere", ErrCorrupt, arr.DataType())
	}
	for i := range offsets {
		if i > 0 && from[i] < from[i-1] {
			return nil, fmt.Errorf("arrow: %w: a %v that ends before it begins", ErrCorrupt, arr.DataType())
		}
		offsets[i] = uint32(from[i] - from[0])
		if i > 0 && from[i] != from[i-1] && !vector.Valid(valid, i-1) {
			return nil, fmt.Errorf("arrow: a null of %v has elements", arr.DataType())
		}
	}
	return array.NewSlice(arr.ListValues(), int64(from[0]), int64(from[n])), nil
}

func (r *arrowReader) readList(v *vector.List, arr arrow.Array, outer []uint64) error {
	list, ok := arr.(*array.List)
	if !ok {
		return mismatch(v.Kind(), arr)
	}
	v.N = arr.Len()
	v.Valid = readValid(v, arr, outer)
	elems, err := elements(v.ReserveOffsets(v.N), list, v.Valid)
	if err != nil {
		return err
	}
	return r.children[0].read(elems, nil)
}

func (r *arrowReader) readMap(v *vector.Map, arr arrow.Array, outer []uint64) error {
	m, ok := arr.(*array.Map)
	if !ok {
		return mismatch(v.Kind(), arr)
	}
	v.N = arr.Len()
	v.Valid = readValid(v, arr, outer)
	entries, err := elements(v.ReserveOffsets(v.N), m, v.Valid)
	if err != nil {
		return err
	}
	pairs, ok := entries.(*array.Struct)
	if !ok || pairs.NumField() != 2 {
		return mismatch(v.Kind(), arr)
	}
	if err := r.children[0].read(pairs.Field(0), nil); err != nil {
		return err
	}
	return r.children[1].read(pairs.Field(1), nil)
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
