package convert

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// arrowReader makes a vector of Arrow arrays of one type, again and again. The
// vector borrows from the array where both hold values in the same way.
type arrowReader struct {
	typ        *nimble.Type
	logical    nimble.Logical
	vec        vector.Vector
	children   []*arrowReader
	buffers    vector.Buffers // the one buffer of an array of strings
	bufferID   uint32
	dictionary *arrowDictionary // nil before the first array that has one
	live       vector.Vector    // room for the rows of a child of which others are no list's
}

func newArrowReader(t *nimble.Type) (*arrowReader, error) {
	l, err := nimble.ParseLogical(t.Logical)
	if err != nil {
		return nil, err
	}
	r := &arrowReader{typ: t, logical: l}
	for _, c := range t.Children {
		child, err := newArrowReader(c)
		if err != nil {
			return nil, err
		}
		r.children = append(r.children, child)
	}
	switch t.Kind {
	case nimble.Boolean:
		r.vec = vector.NewBools(nil)
	case nimble.TinyInt:
		r.vec = vector.NewVec[int8](nil)
	case nimble.SmallInt:
		r.vec = vector.NewVec[int16](nil)
	case nimble.Integer:
		r.vec = vector.NewVec[int32](nil)
	case nimble.BigInt:
		r.vec = vector.NewVec[int64](nil)
	case nimble.Real:
		r.vec = vector.NewVec[float32](nil)
	case nimble.Double:
		r.vec = vector.NewVec[float64](nil)
	case nimble.Varchar, nimble.Varbinary:
		r.vec = vector.NewVec[vector.View](nil)
		r.bufferID = r.buffers.Add(nil)
	case nimble.Timestamp:
		r.vec = vector.NewTimestamps(nil)
	case nimble.Array:
		r.vec = vector.NewList(nil, r.children[0].vec)
	case nimble.Map:
		r.vec = vector.NewMap(nil, r.children[0].vec, r.children[1].vec)
	case nimble.Row:
		fields := make([]vector.Vector, len(r.children))
		for i, c := range r.children {
			fields[i] = c.vec
		}
		r.vec = vector.NewRow(nil, fields...)
	default:
		return nil, fmt.Errorf("arrow: %w: %v", nimble.ErrSchema, t)
	}
	return r, nil
}

// read makes the vector the rows of arr. Where outer is not nil, rows that are
// not in it are null as well.
func (r *arrowReader) read(arr arrow.Array, outer []uint64) error {
	if ext, ok := arr.(array.ExtensionArray); ok {
		arr = ext.Storage()
	}
	r.vec.Reset()
	if coded, ok := arr.(*array.Dictionary); ok {
		return r.readDictionary(coded, outer)
	}
	if err := checkBits(arr, 0); err != nil {
		return err
	}
	switch v := r.vec.(type) {
	case *vector.Bools:
		return readBools(v, arr, outer)
	case *vector.Vec[int8]:
		return readSame(v, arr, outer)
	case *vector.Vec[int16]:
		return readInt16s(v, arr, outer)
	case *vector.Vec[int32]:
		return readInt32s(v, arr, outer)
	case *vector.Vec[int64]:
		return r.readInt64s(v, arr, outer)
	case *vector.Vec[float32]:
		return readSame(v, arr, outer)
	case *vector.Vec[float64]:
		return readSame(v, arr, outer)
	case *vector.Vec[vector.View]:
		return r.readStrings(v, arr, outer)
	case *vector.Timestamps:
		return readTimestamps(v, arr, outer)
	case *vector.List:
		return r.readList(v, arr, outer)
	case *vector.Map:
		return r.readMap(v, arr, outer)
	case *vector.Row:
		return r.readRow(v, arr, outer)
	}
	return mismatch(r.vec.Kind(), arr)
}

func mismatch(kind vector.Kind, arr arrow.Array) error {
	return fmt.Errorf("arrow: an array of %v for a vector of kind %v", arr.DataType(), kind)
}

// checkBits makes sure that a bitmap of arr reaches over its rows. Bitmap 0, which says
// what is null, may be missing.
func checkBits(arr arrow.Array, bitmap int) error {
	data := arr.Data()
	size := 0
	if bitmap < len(data.Buffers()) && data.Buffers()[bitmap] != nil {
		size = data.Buffers()[bitmap].Len()
	}
	if (size > 0 || bitmap > 0) && (data.Offset()+arr.Len()+7)/8 > size {
		return fmt.Errorf("arrow: %w: a bitmap of %d bytes for %d rows of %v", ErrCorrupt, size, arr.Len(), arr.DataType())
	}
	return nil
}

// readValid returns the validity of arr, restricted to outer, in room of the
// vector's own, or nil if all rows are present.
func readValid(v interface{ ReserveValid(n int) []uint64 }, arr arrow.Array, outer []uint64) []uint64 {
	if arr.NullN() == 0 && outer == nil {
		return nil
	}
	n := arr.Len()
	valid := v.ReserveValid(n)
	switch bits := arr.NullBitmapBytes(); {
	case arr.DataType().ID() == arrow.NULL:
		clear(valid)
	case len(bits) == 0:
		vector.SetBits(valid, 0, n)
	default:
		bitutil.CopyBitmap(bits, arr.Data().Offset(), n, bitmapBytes(valid), 0)
	}
	if outer != nil {
		for i := range valid {
			valid[i] &= outer[i]
		}
	}
	return valid
}

// bitmapBytes returns the bytes of a bitmap in Arrow's order, which is that of
// the words of a little-endian machine.
func bitmapBytes(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}

func readBools(v *vector.Bools, arr arrow.Array, outer []uint64) error {
	if arr.DataType().ID() != arrow.BOOL {
		return mismatch(v.Kind(), arr)
	}
	if err := checkBits(arr, 1); err != nil {
		return err
	}
	v.N = arr.Len()
	v.Valid = readValid(v, arr, outer)
	bits := v.ReserveBits(v.N)
	if v.N == 0 {
		return nil
	}
	bitutil.CopyBitmap(arr.Data().Buffers()[1].Bytes(), arr.Data().Offset(), v.N, bitmapBytes(bits), 0)
	return nil
}

// arrowValues returns the values of arr; an array of nulls may have none.
func arrowValues[T arrow.FixedWidthType](arr arrow.Array) []T {
	values := arrow.GetValues[T](arr.Data(), 1)
	if len(values) < arr.Len() {
		return make([]T, arr.Len())
	}
	return values
}

// readSame reads an array that holds what the vector holds.
func readSame[T int8 | int16 | int32 | int64 | float32 | float64](v *vector.Vec[T], arr arrow.Array, outer []uint64) error {
	fixed, ok := arr.DataType().(arrow.FixedWidthDataType)
	if !ok || fixed.BitWidth() != int(unsafe.Sizeof(T(0)))*8 {
		return mismatch(v.Kind(), arr)
	}
	v.N = arr.Len()
	v.Valid = readValid(v, arr, outer)
	v.Values = arrowValues[T](arr)
	return nil
}

// readWider reads an array of narrower integers.
func readWider[T int16 | int32 | int64, U uint8 | uint16 | uint32 | int32](v *vector.Vec[T], arr arrow.Array, outer []uint64) error {
	v.N = arr.Len()
	v.Valid = readValid(v, arr, outer)
	values := v.ReserveValues(v.N)
	for i, x := range arrowValues[U](arr) {
		values[i] = T(x)
	}
	return nil
}

func readInt16s(v *vector.Vec[int16], arr arrow.Array, outer []uint64) error {
	if arr.DataType().ID() == arrow.UINT8 {
		return readWider[int16, uint8](v, arr, outer)
	}
	return readSame(v, arr, outer)
}

func readInt32s(v *vector.Vec[int32], arr arrow.Array, outer []uint64) error {
	if arr.DataType().ID() == arrow.UINT16 {
		return readWider[int32, uint16](v, arr, outer)
	}
	return readSame(v, arr, outer)
}

func (r *arrowReader) readInt64s(v *vector.Vec[int64], arr arrow.Array, outer []uint64) error {
	switch arr := arr.(type) {
	case *array.Uint32:
		return readWider[int64, uint32](v, arr, outer)
	case *array.Time32:
		return readWider[int64, int32](v, arr, outer)
	case *array.Decimal32:
		return readWider[int64, int32](v, arr, outer)
	case *array.Decimal128:
		v.N = arr.Len()
		v.Valid = readValid(v, arr, outer)
		values := v.ReserveValues(v.N)
		for i, x := range arr.Values() {
			values[i] = int64(x.LowBits())
			if x.HighBits() != values[i]>>63 && vector.Valid(v.Valid, i) {
				return fmt.Errorf("arrow: a decimal of more than %d digits", r.logical.Precision)
			}
		}
		return nil
	default:
		return readSame(v, arr, outer)
	}
}

func readTimestamps(v *vector.Timestamps, arr arrow.Array, outer []uint64) error {
	dt, ok := arr.DataType().(*arrow.TimestampType)
	if !ok {
		return mismatch(v.Kind(), arr)
	}
	n := arr.Len()
	v.Micros.N = n
	v.Micros.Valid = readValid(&v.Micros, arr, outer)
	values := arrowValues[int64](arr)
	switch dt.Unit {
	case arrow.Nanosecond:
		micros, nanos := v.Micros.ReserveValues(n), v.ReserveNanos(n)
		for i, x := range values {
			quotient, rest := floorDiv(x, 1000)
			micros[i], nanos[i] = quotient, uint16(rest)
		}
		return nil
	case arrow.Microsecond:
		v.Micros.Values = values
		return nil
	}
	factor := int64(1000)
	if dt.Unit == arrow.Second {
		factor = 1_000_000
	}
	micros := v.Micros.ReserveValues(n)
	for i, x := range values {
		if (x > math.MaxInt64/factor || x < math.MinInt64/factor) && vector.Valid(v.Micros.Valid, i) {
			return fmt.Errorf("arrow: %d%v is beyond what microseconds hold", x, dt.Unit)
		}
		micros[i] = x * factor
	}
	return nil
}
