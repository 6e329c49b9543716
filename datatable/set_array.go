package datatable

import (
	"encoding/binary"
	"math"
)

// What Java writes for any NaN in an array.
const (
	canonicalNaN32 = 0x7fc00000
	canonicalNaN64 = 0x7ff8000000000000
)

// SetIntArray sets a column of type IntArray or BooleanArray (0 or 1 each).
func (b *Builder) SetIntArray(col int, v []int32) {
	if slot := b.slot(col, IntArray); slot != nil {
		putInts(b, slot, v)
	}
}

// SetLongArray sets a column of type LongArray or TimestampArray.
func (b *Builder) SetLongArray(col int, v []int64) {
	if slot := b.slot(col, LongArray); slot != nil {
		b.putLongs(slot, v)
	}
}

// SetFloatArray sets a column of type FloatArray. NaNs lose their payload.
func (b *Builder) SetFloatArray(col int, v []float32) {
	if slot := b.slot(col, FloatArray); slot != nil {
		b.putFloats(slot, v)
	}
}

// SetDoubleArray sets a column of type DoubleArray. NaNs lose their payload.
func (b *Builder) SetDoubleArray(col int, v []float64) {
	if slot := b.slot(col, DoubleArray); slot != nil {
		b.putDoubles(slot, v)
	}
}

// SetStringArray sets a column of type StringArray to the texts v, of which
// those that the table does not have yet are copied.
func (b *Builder) SetStringArray(col int, v [][]byte) {
	slot := b.slot(col, StringArray)
	if slot == nil {
		return
	}
	ids := b.array(slot, len(v), 4)
	for i := range len(ids) / 4 {
		b.putString(ids[4*i:], v[i])
	}
}

// SetBytesArray sets a column of type BytesArray or UUIDArray (16 bytes each)
// to copies of v.
func (b *Builder) SetBytesArray(col int, v [][]byte) {
	slot := b.slot(col, BytesArray)
	if slot == nil {
		return
	}
	b.begin(slot)
	for _, x := range v {
		if !b.checkUUID(b.columns[col].typ, x) {
			return
		}
		b.addBlob(x)
	}
	putLength(slot, len(v))
}

// SetBigDecimalArray sets a column of type BigDecimalArray.
func (b *Builder) SetBigDecimalArray(col int, v []Decimal) {
	slot := b.slot(col, BigDecimalArray)
	if slot == nil {
		return
	}
	b.begin(slot)
	for _, x := range v {
		b.addDecimalBlob(x)
	}
	putLength(slot, len(v))
}

// addDecimalBlob adds v with its length before it to the variable section.
func (b *Builder) addDecimalBlob(v Decimal) {
	b.addUint32(uint32(2 + max(1, len(v.minimal()))))
	b.addDecimal(v)
}

// array adds room for n elements of size bytes to the variable section, points
// slot to it and returns it, or nil after an error.
func (b *Builder) array(slot []byte, n, size int) []byte {
	b.begin(slot)
	putLength(slot, n)
	if n > math.MaxInt32/size {
		b.fail(ErrTooLarge)
		return nil
	}
	return b.extend(&b.variable, n*size)
}

// putInts writes signed numbers of at most 32 bits.
func putInts[T int8 | int16 | int32](b *Builder, slot []byte, v []T) {
	dst := b.array(slot, len(v), 4)
	for i := range len(dst) / 4 {
		binary.BigEndian.PutUint32(dst[4*i:], uint32(v[i]))
	}
}

func (b *Builder) putLongs(slot []byte, v []int64) {
	dst := b.array(slot, len(v), 8)
	for i := range len(dst) / 8 {
		binary.BigEndian.PutUint64(dst[8*i:], uint64(v[i]))
	}
}

func (b *Builder) putFloats(slot []byte, v []float32) {
	dst := b.array(slot, len(v), 4)
	for i := range len(dst) / 4 {
		bits := math.Float32bits(v[i])
		if v[i] != v[i] {
			bits = canonicalNaN32
		}
		binary.BigEndian.PutUint32(dst[4*i:], bits)
	}
}

func (b *Builder) putDoubles(slot []byte, v []float64) {
	dst := b.array(slot, len(v), 8)
	for i := range len(dst) / 8 {
		bits := math.Float64bits(v[i])
		if v[i] != v[i] {
			bits = canonicalNaN64
		}
		binary.BigEndian.PutUint64(dst[8*i:], bits)
	}
}
