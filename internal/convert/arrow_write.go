package convert

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// arrowWriter makes Arrow arrays of the vectors of one type. An array borrows
// from its vector and from the writer: it is valid until the next one is made.
type arrowWriter struct {
	typ      *nimble.Type
	logical  nimble.Logical
	arrow    arrow.DataType
	children []*arrowWriter

	values   // room for the rows of vectors that are not flat
	uint8s   []uint8
	uint16s  []uint16
	uint32s  []uint32
	text     []byte
	offsets  []int32
	gathered vector.Vector // room for selected rows
}

func newArrowWriter(t *nimble.Type) (*arrowWriter, error) {
	l, err := nimble.ParseLogical(t.Logical)
	if err != nil {
		return nil, err
	}
	w := &arrowWriter{typ: t, logical: l}
	if w.arrow, err = arrowType(t); err != nil {
		return nil, err
	}
	for _, c := range t.Children {
		child, err := newArrowWriter(c)
		if err != nil {
			return nil, err
		}
		w.children = append(w.children, child)
	}
	return w, nil
}

// writeSelected returns the array of the rows of v that sel lists, nil being all.
func (w *arrowWriter) writeSelected(v vector.Vector, sel []int32) (arrow.Array, error) {
	if sel == nil {
		return w.write(v)
	}
	if w.gathered == nil {
		r, err := newArrowReader(w.typ)
		if err != nil {
			return nil, err
		}
		w.gathered = r.vec
	}
	if err := vector.Gather(w.gathered, v, sel); err != nil {
		return nil, err
	}
	return w.write(w.gathered)
}

// write returns the array of v's rows.
func (w *arrowWriter) write(v vector.Vector) (arrow.Array, error) {
	switch v := v.(type) {
	case *vector.Bools:
		return w.make(v, borrow(v.Bits)), nil
	case *vector.Vec[int8]:
		return w.make(v, borrow(rowsOf(v, &w.int8s))), nil
	case *vector.Vec[int16]:
		rows := rowsOf(v, &w.int16s)
		if w.logical.Kind == nimble.LogicalUnsigned {
			return narrow(w, v, rows, &w.uint8s)
		}
		return w.make(v, borrow(rows)), nil
	case *vector.Vec[int32]:
		rows := rowsOf(v, &w.int32s)
		if w.logical.Kind == nimble.LogicalUnsigned {
			return narrow(w, v, rows, &w.uint16s)
		}
		return w.make(v, borrow(rows)), nil
	case *vector.Vec[int64]:
		return w.writeInt64s(v)
	case *vector.Vec[float32]:
		return w.make(v, borrow(rowsOf(v, &w.float32s))), nil
	case *vector.Vec[float64]:
		return w.make(v, borrow(rowsOf(v, &w.float64s))), nil
	case *vector.Vec[vector.View]:
		return w.writeStrings(v)
	case *vector.Timestamps:
		return w.writeTimestamps(v)
	case *vector.List:
		return w.writeList(v)
	case *vector.Map:
		return w.writeMap(v)
	case *vector.Row:
		return w.writeRow(v)
	}
	return nil, fmt.Errorf("arrow: %w: a vector of kind %v", nimble.ErrSchema, v.Kind())
}

// borrow returns a buffer of the memory of values.
func borrow[T any](values []T) *memory.Buffer {
	var zero T
	first := (*byte)(unsafe.Pointer(unsafe.SliceData(values)))
	return memory.NewBufferBytes(unsafe.Slice(first, len(values)*int(unsafe.Sizeof(zero))))
}

// make returns the array of v's rows whose buffers after the validity are given.
func (w *arrowWriter) make(v vector.Vector, buffers ...*memory.Buffer) arrow.Array {
	return w.makeNested(v, nil, buffers...)
}

func (w *arrowWriter) makeNested(v vector.Vector, children []arrow.ArrayData, buffers ...*memory.Buffer) arrow.Array {
	nulls, n := 0, v.Len()
	all := []*memory.Buffer{nil}
	if valid := v.Validity(); valid != nil {
		nulls = n - vector.CountBits(valid, 0, n)
		all[0] = borrow(valid)
	}
	return array.MakeFromData(array.NewData(w.arrow, n, append(all, buffers...), children, nulls, 0))
}

// narrow writes integers as unsigned ones of half their size.
func narrow[T int16 | int32 | int64, U uint8 | uint16 | uint32](w *arrowWriter, v vector.Vector, rows []T, room *[]U) (arrow.Array, error) {
	*room = resized(*room, len(rows))
	valid := v.Validity()
	for i, x := range rows {
		(*room)[i] = U(x)
		if T(U(x)) != x && vector.Valid(valid, i) {
			return nil, fmt.Errorf("arrow: %d is not of %s", x, w.typ.Logical)
		}
	}
	return w.make(v, borrow(*room)), nil
}

func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func (w *arrowWriter) writeInt64s(v *vector.Vec[int64]) (arrow.Array, error) {
	rows := rowsOf(v, &w.int64s)
	switch w.logical.Kind {
	case nimble.LogicalUnsigned:
		if w.logical.Bits == 32 {
			return narrow(w, v, rows, &w.uint32s)
		}
	case nimble.LogicalDecimal:
		return w.writeShortDecimals(v, rows)
	case nimble.LogicalTime:
		if w.logical.Unit == nimble.Second || w.logical.Unit == nimble.Millisecond {
			return w.writeTimes(v, rows)
		}
	}
	return w.make(v, borrow(rows)), nil
}

// writeTimes writes times of day in 32 bits.
func (w *arrowWriter) writeTimes(v *vector.Vec[int64], rows []int64) (arrow.Array, error) {
	w.offsets = resized(w.offsets, len(rows))
	for i, x := range rows {
		if (x < 0 || x > math.MaxInt32) && vector.Valid(v.Valid, i) {
			return nil, fmt.Errorf("arrow: %d is not of %s", x, w.typ.Logical)
		}
		w.offsets[i] = int32(x)
	}
	return w.make(v, borrow(w.offsets)), nil
}

func (w *arrowWriter) writeTimestamps(v *vector.Timestamps) (arrow.Array, error) {
	rows := rowsOf(&v.Micros, &w.int64s)
	unit := w.arrow.(*arrow.TimestampType).Unit
	if unit == arrow.Microsecond && v.Nanos == nil {
		return w.make(v, borrow(rows)), nil
	}
	out := resized(w.int64s, len(rows))
	w.int64s = out
	for i, x := range rows {
		m := moment{micros: x}
		if v.Nanos != nil {
			m.nanos = v.Nanos[i]
		}
		t, ok := m.in(unit)
		if !ok && vector.Valid(v.Micros.Valid, i) {
			text := appendMoment(nil, m, momentForm{separator: 'T', digits: 9, zone: 'Z'})
			return nil, fmt.Errorf("arrow: %s does not fit an int64 of unit %v", text, unit)
		}
		out[i] = t
	}
	return w.make(v, borrow(out)), nil
}

// in returns m in a unit, which must hold it exactly.
func (m moment) in(unit arrow.TimeUnit) (t int64, ok bool) {
	switch unit {
	case arrow.Nanosecond:
		t = m.micros*1000 + int64(m.nanos)
		back, rest := floorDiv(t, 1000)
		return t, back == m.micros && rest == int64(m.nanos)
	case arrow.Microsecond:
		return m.micros, m.nanos == 0
	case arrow.Second:
		t, rest := floorDiv(m.micros, 1_000_000)
		return t, rest == 0 && m.nanos == 0
	default:
		t, rest := floorDiv(m.micros, 1000)
		return t, rest == 0 && m.nanos == 0
	}
}

func (w *arrowWriter) writeList(v *vector.List) (arrow.Array, error) {
	elem, err := w.children[0].write(v.Elem)
	if err != nil {
		return nil, err
	}
	offsets, err := arrowOffsets(v.N, v.Offsets)
	if err != nil {
		return nil, err
	}
	return w.makeNested(v, []arrow.ArrayData{elem.Data()}, offsets), nil
}

func (w *arrowWriter) writeMap(v *vector.Map) (arrow.Array, error) {
	keys, err := w.children[0].write(v.Keys)
	if err != nil {
		return nil, err
	}
	values, err := w.children[1].write(v.Values)
	if err != nil {
		return nil, err
	}
	offsets, err := arrowOffsets(v.N, v.Offsets)
	if err != nil {
		return nil, err
	}
	pairs := array.NewData(w.arrow.(*arrow.MapType).Elem(), keys.Len(), []*memory.Buffer{nil},
		[]arrow.ArrayData{keys.Data(), values.Data()}, 0, 0)
	return w.makeNested(v, []arrow.ArrayData{pairs}, offsets), nil
}

// arrowOffsets returns a buffer of the offsets of n lists.
func arrowOffsets(n int, offsets []uint32) (*memory.Buffer, error) {
	if n == 0 {
		return borrow([]int32{0}), nil
	}
	if offsets[n] > maxArrowOffset {
		return nil, fmt.Errorf("arrow: %d elements in one batch", offsets[n])
	}
	return borrow(offsets[:n+1]), nil
}

func (w *arrowWriter) writeRow(v *vector.Row) (arrow.Array, error) {
	fields := make([]arrow.ArrayData, len(v.Fields))
	for i, f := range v.Fields {
		arr, err := w.children[i].write(f)
		if err != nil {
			return nil, err
		}
		fields[i] = arr.Data()
	}
	return w.makeNested(v, fields), nil
}
