package exec

import (
	"fmt"
	"math"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/vector"
)

// keyColumn numbers the values of one group key: 0 is null, others follow in
// the order of their first appearance. Equal numbers mean equal values.
type keyColumn interface {
	// ids writes the number of each row's value to dst.
	ids(dst []uint32, v vector.Vector) error
	// len returns how many numbers there are, null included.
	len() int
	// fill makes dst the values of the numbers that ids lists.
	fill(dst vector.Vector, ids []uint32) error
	// vector returns an empty vector for fill.
	vector() vector.Vector
	// merge writes to dst the number here of each number of o.
	merge(dst []uint32, o keyColumn) error
	// bytes returns the memory that is held, about.
	bytes() int
	reset()
	// limitTo bounds the numbers from now on; 0 is no bound. A value that has none
	// is numbered noGroup.
	limitTo(n int)
}

func newKeyColumn(t fn.Type) (keyColumn, error) {
	switch t {
	case fn.Int, fn.Long, fn.Timestamp, fn.Boolean:
		return &wholeKey{t: t}, nil
	case fn.Float, fn.Double:
		return &floatKey{t: t}, nil
	case fn.String, fn.JSON, fn.Bytes, fn.BigDecimal, fn.Unknown:
		return &textKey{texts: newTextTable()}, nil
	}
	return nil, fmt.Errorf("exec: GROUP BY a %v: %w", t, ErrUnsupported)
}

// keyScratch numbers an encoded vector's values once each and spreads the
// numbers over its rows.
type keyScratch struct{ values []uint32 }

// numberRows calls loop for the values of v, each once where v is encoded and has
// fewer values than rows, and writes the numbers of all rows to dst. Null rows
// get 0.
func numberRows[T vector.Value](s *keyScratch, dst []uint32, v *vector.Vec[T], loop func(dst []uint32, values []T)) {
	n := v.N
	if v.Form != vector.Flat && len(v.Values) > n {
		v.Flatten()
	}
	if v.Form == vector.Flat {
		if v.Valid == nil {
			loop(dst[:n], v.Values[:n])
			return
		}
		numberPresent(dst, v, loop)
		return
	}
	m := len(v.Values)
	if cap(s.values) < m {
		s.values = make([]uint32, m)
	}
	ids := s.values[:m]
	loop(ids, v.Values)
	spreadIDs(dst[:n], v, ids)
	dropNulls(dst[:n], v.Valid)
}

// numberPresent numbers runs of present rows, so that what null rows hold gets
// no number.
func numberPresent[T vector.Value](dst []uint32, v *vector.Vec[T], loop func(dst []uint32, values []T)) {
	for i := 0; i < v.N; {
		if !vector.Bit(v.Valid, i) {
			dst[i] = 0
			i++
			continue
		}
		end := i + 1
		for end < v.N && vector.Bit(v.Valid, end) {
			end++
		}
		loop(dst[i:end], v.Values[i:end])
		i = end
	}
}

func spreadIDs[T vector.Value](dst []uint32, v *vector.Vec[T], ids []uint32) {
	switch v.Form {
	case vector.Constant:
		for i := range dst {
			dst[i] = ids[0]
		}
	case vector.Dictionary:
		for i, x := range v.Index[:len(dst)] {
			dst[i] = ids[x]
		}
	case vector.RunLength:
		begin := 0
		for r, end := range v.Ends {
			for i := begin; i < int(end); i++ {
				dst[i] = ids[r]
			}
			begin = int(end)
		}
	case vector.Sparse:
		for i := range dst {
			dst[i] = ids[0]
		}
		for i, row := range v.Positions {
			dst[row] = ids[i+1]
		}
	}
}

func dropNulls(dst []uint32, valid []uint64) {
	if valid == nil {
		return
	}
	for i := range dst {
		if !vector.Bit(valid, i) {
			dst[i] = 0
		}
	}
}

// wholeKey numbers integers, moments and bools.
type wholeKey struct {
	t       fn.Type
	table   denseTable
	scratch keyScratch
}

func (k *wholeKey) len() int { return k.table.len() + 1 }
func (k *wholeKey) reset()   { k.table.reset() }

func (k *wholeKey) limitTo(n int) { k.table.table.limit = n }

func (k *wholeKey) ids(dst []uint32, v vector.Vector) error {
	switch v := v.(type) {
	case *vector.Vec[int8]:
		numberRows(&k.scratch, dst, v, func(dst []uint32, values []int8) { numberWhole(&k.table, dst, values) })
	case *vector.Vec[int16]:
		numberRows(&k.scratch, dst, v, func(dst []uint32, values []int16) { numberWhole(&k.table, dst, values) })
	case *vector.Vec[int32]:
		numberRows(&k.scratch, dst, v, func(dst []uint32, values []int32) { numberWhole(&k.table, dst, values) })
	case *vector.Vec[int64]:
		numberRows(&k.scratch, dst, v, func(dst []uint32, values []int64) { numberWhole(&k.table, dst, values) })
	case *vector.Bools:
		for i := range v.N {
			dst[i] = 0
			if vector.Valid(v.Valid, i) {
				dst[i] = k.table.id(v.Bits[i>>6]>>(i&63)&1) + 1
			}
		}
	default:
		return fmt.Errorf("exec: GROUP BY a %v column: %w", v.Kind(), ErrUnsupported)
	}
	return nil
}

func numberWhole[T int8 | int16 | int32 | int64](t *denseTable, dst []uint32, values []T) {
	dst = dst[:len(values)]
	for i, x := range values {
		dst[i] = t.id(uint64(int64(x))) + 1
	}
}

func (k *wholeKey) vector() vector.Vector {
	switch k.t {
	case fn.Int:
		return vector.NewVec[int32](nil)
	case fn.Boolean:
		return vector.NewBools(nil)
	}
	return vector.NewVec[int64](nil)
}

func (k *wholeKey) fill(dst vector.Vector, ids []uint32) error {
	dst.Reset()
	switch d := dst.(type) {
	case *vector.Vec[int32]:
		fillKey(d, ids, func(id uint32) int32 { return int32(k.table.table.keys[id]) })
	case *vector.Vec[int64]:
		fillKey(d, ids, func(id uint32) int64 { return int64(k.table.table.keys[id]) })
	case *vector.Bools:
		for _, id := range ids {
			if id == 0 {
				d.AppendNull()
			} else {
				d.Append(k.table.table.keys[id-1] != 0)
			}
		}
	}
	return nil
}

// fillKey makes dst the values of ids. It runs once per group, not per row.
func fillKey[T vector.Value](dst *vector.Vec[T], ids []uint32, value func(id uint32) T) {
	for _, id := range ids {
		if id == 0 {
			dst.AppendNull()
		} else {
			dst.Append(value(id - 1))
		}
	}
}

func (k *wholeKey) merge(dst []uint32, o keyColumn) error {
	other, ok := o.(*wholeKey)
	if !ok {
		return errKeyMismatch
	}
	dst[0] = 0
	for i, key := range other.table.table.keys {
		dst[i+1] = k.table.id(key) + 1
	}
	return nil
}

// floatKey numbers floats. All NaNs are one value, and -0.0 is another than 0.0:
// so it is in Java's order of doubles.
type floatKey struct {
	t       fn.Type
	table   denseTable
	scratch keyScratch
}

func (k *floatKey) len() int { return k.table.len() + 1 }
func (k *floatKey) reset()   { k.table.reset() }

func (k *floatKey) limitTo(n int) { k.table.table.limit = n }

func (k *floatKey) ids(dst []uint32, v vector.Vector) error {
	switch v := v.(type) {
	case *vector.Vec[float32]:
		numberRows(&k.scratch, dst, v, func(dst []uint32, values []float32) {
			for i, x := range values {
				dst[i] = k.table.id(doubleKey(float64(x))) + 1
			}
		})
	case *vector.Vec[float64]:
		numberRows(&k.scratch, dst, v, func(dst []uint32, values []float64) {
			for i, x := range values {
				dst[i] = k.table.id(doubleKey(x)) + 1
			}
		})
	default:
		return fmt.Errorf("exec: GROUP BY a %v column: %w", v.Kind(), ErrUnsupported)
	}
	return nil
}

func doubleKey(x float64) uint64 {
	if x != x {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(x)
}

func (k *floatKey) vector() vector.Vector {
	if k.t == fn.Float {
		return vector.NewVec[float32](nil)
	}
	return vector.NewVec[float64](nil)
}

func (k *floatKey) fill(dst vector.Vector, ids []uint32) error {
	dst.Reset()
	keys := k.table.table.keys
	switch d := dst.(type) {
	case *vector.Vec[float32]:
		fillKey(d, ids, func(id uint32) float32 { return float32(math.Float64frombits(keys[id])) })
	case *vector.Vec[float64]:
		fillKey(d, ids, func(id uint32) float64 { return math.Float64frombits(keys[id]) })
	}
	return nil
}

func (k *floatKey) merge(dst []uint32, o keyColumn) error {
	other, ok := o.(*floatKey)
	if !ok {
		return errKeyMismatch
	}
	dst[0] = 0
	for i, key := range other.table.table.keys {
		dst[i+1] = k.table.id(key) + 1
	}
	return nil
}

// textKey numbers texts and bytes.
type textKey struct {
	texts   *textTable
	scratch keyScratch
}

func (k *textKey) len() int { return k.texts.len() + 1 }
func (k *textKey) reset()   { k.texts.reset() }

func (k *textKey) limitTo(n int) { k.texts.limit = n }

func (k *textKey) ids(dst []uint32, v vector.Vector) error {
	d, ok := v.(*vector.Vec[vector.View])
	if !ok {
		return fmt.Errorf("exec: GROUP BY a %v column: %w", v.Kind(), ErrUnsupported)
	}
	buffers := d.Buffers.List()
	numberRows(&k.scratch, dst, d, func(dst []uint32, values []vector.View) {
		for i := range values {
			dst[i] = k.texts.id(values[i].Bytes(buffers)) + 1
		}
	})
	return nil
}

func (k *textKey) vector() vector.Vector { return vector.NewVec[vector.View](nil) }

func (k *textKey) fill(dst vector.Vector, ids []uint32) error {
	dst.Reset()
	d := dst.(*vector.Vec[vector.View])
	for _, id := range ids {
		if id == 0 {
			d.AppendNull()
		} else {
			vector.AppendString(d, k.texts.text(id-1))
		}
	}
	return nil
}

func (k *textKey) merge(dst []uint32, o keyColumn) error {
	other, ok := o.(*textKey)
	if !ok {
		return errKeyMismatch
	}
	dst[0] = 0
	for i := range other.texts.len() {
		dst[i+1] = k.texts.id(other.texts.text(uint32(i))) + 1
	}
	return nil
}
