package datatable

import (
	"encoding/binary"
	"math"
)

// elements returns the bytes of an array's elements, of size bytes each.
func (t *Table) elements(row, col int, stored Type, size int) ([]byte, error) {
	offset, n := slotRange(t.slot(row, col, stored))
	if n < 0 || n > math.MaxInt32/size {
		return nil, t.cellError(row, col, "an array of %d elements", n)
	}
	cell, ok := cut(t.variable, offset, n*size)
	if !ok {
		return nil, t.rangeError(row, col, offset, n*size)
	}
	return cell, nil
}

// AppendInts appends the elements of a cell of type IntArray or BooleanArray to
// dst.
func (t *Table) AppendInts(dst []int32, row, col int) ([]int32, error) {
	cell, err := t.elements(row, col, IntArray, 4)
	for ; len(cell) > 0; cell = cell[4:] {
		dst = append(dst, int32(binary.BigEndian.Uint32(cell)))
	}
	return dst, err
}

// AppendLongs appends the elements of a cell of type LongArray or TimestampArray
// to dst.
func (t *Table) AppendLongs(dst []int64, row, col int) ([]int64, error) {
	cell, err := t.elements(row, col, LongArray, 8)
	for ; len(cell) > 0; cell = cell[8:] {
		dst = append(dst, int64(binary.BigEndian.Uint64(cell)))
	}
	return dst, err
}

// AppendFloats appends the elements of a cell of type FloatArray to dst.
func (t *Table) AppendFloats(dst []float32, row, col int) ([]float32, error) {
	cell, err := t.elements(row, col, FloatArray, 4)
	for ; len(cell) > 0; cell = cell[4:] {
		dst = append(dst, math.Float32frombits(binary.BigEndian.Uint32(cell)))
	}
	return dst, err
}

// AppendDoubles appends the elements of a cell of type DoubleArray to dst.
func (t *Table) AppendDoubles(dst []float64, row, col int) ([]float64, error) {
	cell, err := t.elements(row, col, DoubleArray, 8)
	for ; len(cell) > 0; cell = cell[8:] {
		dst = append(dst, math.Float64frombits(binary.BigEndian.Uint64(cell)))
	}
	return dst, err
}

// AppendStrings appends the elements of a cell of type StringArray to dst. They
// are part of the table.
func (t *Table) AppendStrings(dst [][]byte, row, col int) ([][]byte, error) {
	cell, err := t.elements(row, col, StringArray, 4)
	for ; len(cell) > 0; cell = cell[4:] {
		id := int(int32(binary.BigEndian.Uint32(cell)))
		if uint(id) >= uint(len(t.strings)) {
			return dst, t.cellError(row, col, "string %d of %d", id, len(t.strings))
		}
		dst = append(dst, t.DictString(id))
	}
	return dst, err
}

// AppendBlobs appends the elements of a cell of type BytesArray or UUIDArray to
// dst. They are part of the table.
func (t *Table) AppendBlobs(dst [][]byte, row, col int) ([][]byte, error) {
	r, n, err := t.blobs(row, col, BytesArray)
	if err != nil {
		return dst, err
	}
	for range n {
		blob := r.blob()
		if r.err != nil {
			return dst, t.cellError(row, col, "%v", r.err)
		}
		dst = append(dst, blob)
	}
	return dst, nil
}

// AppendBigDecimals appends the elements of a cell of type BigDecimalArray to
// dst. Their bytes are part of the table.
func (t *Table) AppendBigDecimals(dst []Decimal, row, col int) ([]Decimal, error) {
	r, n, err := t.blobs(row, col, BigDecimalArray)
	if err != nil {
		return dst, err
	}
	for range n {
		blob := r.blob()
		if r.err != nil {
			return dst, t.cellError(row, col, "%v", r.err)
		}
		d, err := t.decimal(row, col, blob)
		if err != nil {
			return dst, err
		}
		dst = append(dst, d)
	}
	return dst, nil
}

// blobs returns a reader of an array of n lbytes.
func (t *Table) blobs(row, col int, stored Type) (r sectionReader, n int, err error) {
	offset, n := slotRange(t.slot(row, col, stored))
	if n < 0 || offset < 0 || offset > len(t.variable) {
		return r, 0, t.rangeError(row, col, offset, n)
	}
	return sectionReader{name: "variable", data: t.variable, at: offset}, n, nil
}
