package convert

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// arrowDictionary is the dictionary of which an arrowReader reads indices.
type arrowDictionary struct {
	values *arrowReader
	data   arrow.ArrayData // of values, as they were read last
	rows   []int32
}

// readDictionary reads the values that indices stand for.
func (r *arrowReader) readDictionary(arr *array.Dictionary, outer []uint64) error {
	if r.dictionary == nil {
		values, err := newArrowReader(r.typ)
		if err != nil {
			return err
		}
		r.dictionary = &arrowDictionary{values: values}
	}
	d := r.dictionary
	if data := arr.Data().Dictionary(); d.data != data {
		d.data = nil
		if err := d.values.read(arr.Dictionary(), nil); err != nil {
			return err
		}
		if err := vector.Check(d.values.vec); err != nil {
			return fmt.Errorf("arrow: %w: a dictionary: %w", ErrCorrupt, err)
		}
		d.data = data
	}
	if err := checkBits(arr, 0); err != nil {
		return err
	}
	size := d.values.vec.Len()
	d.rows = resized(d.rows, arr.Len())
	for i := range d.rows {
		d.rows[i] = 0
		if arr.IsNull(i) || !vector.Valid(outer, i) {
			continue
		}
		index := arr.GetValueIndex(i)
		if index < 0 || index >= size {
			return fmt.Errorf("arrow: %w: value %d of a dictionary of %d", ErrCorrupt, index, size)
		}
		d.rows[i] = int32(index)
	}
	if size == 0 { // and all rows are null
		return appendNulls(r.vec, arr.Len())
	}
	if err := vector.Gather(r.vec, d.values.vec, d.rows); err != nil {
		return err
	}
	if arr.NullN() > 0 || outer != nil {
		return hideNulls(r.vec, arr, outer)
	}
	return nil
}

// appendNulls adds n null rows to a vector without children.
func appendNulls(v vector.Vector, n int) error {
	leaf, ok := v.(interface{ AppendNull() })
	if !ok {
		return fmt.Errorf("arrow: %w: a dictionary of nested values", nimble.ErrUnsupported)
	}
	for range n {
		leaf.AppendNull()
	}
	return nil
}

// hideNulls makes rows of v null that are null in arr or not in outer.
func hideNulls(v vector.Vector, arr arrow.Array, outer []uint64) error {
	before, n := v.Validity(), v.Len()
	if moments, ok := v.(*vector.Timestamps); ok {
		v = &moments.Micros
	}
	leaf, ok := v.(interface{ ReserveValid(n int) []uint64 })
	if !ok {
		return fmt.Errorf("arrow: %w: a dictionary of nested values", nimble.ErrUnsupported)
	}
	valid := leaf.ReserveValid(n)
	if before == nil {
		vector.SetBits(valid, 0, n)
	}
	for i := range n {
		if arr.IsNull(i) || !vector.Valid(outer, i) {
			vector.ClearBit(valid, i)
		}
	}
	return nil
}
