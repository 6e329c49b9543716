package convert

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/decantdb/decant/vector"
)

// readOffsets writes where the lists of arr, of which there are some, begin and
// end, the first one beginning at 0.
func readOffsets(dst []uint32, arr array.ListLike) {
	switch arr := arr.(type) {
	case *array.List:
		rebase(dst, arrow.GetOffsets[int32](arr.Data(), 1))
	case *array.Map:
		rebase(dst, arrow.GetOffsets[int32](arr.Data(), 1))
	case *array.LargeList:
		rebase(dst, arrow.GetOffsets[int64](arr.Data(), 1))
	default: // of one size
		begin, end := arr.ValueOffsets(0)
		for i := range dst {
			dst[i] = uint32(int64(i) * (end - begin))
		}
	}
}

func rebase[O int32 | int64](dst []uint32, offsets []O) {
	for i := range dst {
		dst[i] = uint32(offsets[i] - offsets[0])
	}
}

// elements returns the elements of the lists of arr and writes the offsets of
// the rows in them. Elements of null rows, which a vector does not have, are
// left out.
func elements(offsets []uint32, arr array.ListLike, valid []uint64) (arrow.Array, error) {
	n := arr.Len()
	if n == 0 {
		offsets[0] = 0
		return array.NewSlice(arr.ListValues(), 0, 0), nil
	}
	readOffsets(offsets, arr)
	first, _ := arr.ValueOffsets(0)
	slice := func(begin, end uint32) arrow.Array {
		return array.NewSlice(arr.ListValues(), first+int64(begin), first+int64(end))
	}
	var parts []arrow.Array
	begin, dropped := uint32(0), uint32(0) // begin: of what is in no part yet
	for i := range n {
		from, to := offsets[i], offsets[i+1]
		offsets[i] -= dropped
		if to > from && !vector.Valid(valid, i) {
			parts = append(parts, slice(begin, from))
			begin = to
			dropped += to - from
		}
	}
	end := offsets[n]
	offsets[n] -= dropped
	if dropped == 0 {
		return slice(0, end), nil
	}
	return array.Concatenate(append(parts, slice(begin, end)), memory.DefaultAllocator)
}

func (r *arrowReader) readList(v *vector.List, arr arrow.Array, outer []uint64) error {
	list, ok := arr.(array.ListLike)
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
