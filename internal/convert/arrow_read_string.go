package convert

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/decantdb/decant/vector"
)

// readStrings reads everything that is stored in bytes.
func (r *arrowReader) readStrings(v *vector.Vec[vector.View], arr arrow.Array, outer []uint64) error {
	v.N = arr.Len()
	v.Valid = readValid(v, arr, outer)
	switch arr := arr.(type) {
	case *array.Null:
		v.Buffers, v.Form, v.Values = &r.buffers, vector.Constant, v.ReserveValues(1)
		v.Values[0] = vector.View{}
		return nil
	case *array.String, *array.Binary:
		return readViews[int32](r, v, arr)
	case *array.LargeString, *array.LargeBinary:
		return readViews[int64](r, v, arr)
	case *array.StringView:
		return copyViews(v, arr, arr.Value)
	case *array.BinaryView:
		return copyViews(v, arr, arr.Value)
	case *array.FixedSizeBinary:
		return r.readFixed(v, arr)
	case *array.Decimal128:
		readDecimal128s(v, arr)
		return nil
	case *array.Decimal256:
		readDecimal256s(v, arr)
		return nil
	}
	return mismatch(v.Kind(), arr)
}

// readViews makes views of the bytes of arr, which has offsets of that type.
func readViews[T int32 | int64](r *arrowReader, v *vector.Vec[vector.View], arr arrow.Array) error {
	values := v.ReserveValues(v.N)
	if v.N == 0 {
		return nil
	}
	offsets := arrow.GetOffsets[T](arr.Data(), 1)
	base, end := offsets[0], offsets[v.N]
	if int64(end)-int64(base) > math.MaxUint32 {
		return fmt.Errorf("arrow: strings of %d bytes in one batch", int64(end)-int64(base))
	}
	var text []byte
	if buf := arr.Data().Buffers()[2]; buf != nil {
		text = buf.Bytes()[base:end]
	}
	v.Buffers = r.lend(text)
	for i := range values {
		from, to := offsets[i]-base, offsets[i+1]-base
		values[i] = vector.MakeView(text[from:to], r.bufferID, uint32(from))
	}
	return nil
}

// copyViews copies the strings of arr, which may be anywhere.
func copyViews[S string | []byte](v *vector.Vec[vector.View], arr arrow.Array, value func(i int) S) error {
	n, valid := v.N, v.Valid
	v.N, v.Valid = 0, nil
	for i := range n {
		var text []byte
		if vector.Valid(valid, i) {
			text = []byte(value(i))
		}
		if vector.StringBytes(v)+len(text) > vector.MaxStringBytes {
			return fmt.Errorf("arrow: strings of more than %d bytes in one batch", vector.MaxStringBytes)
		}
		vector.AppendString(v, text)
	}
	v.Valid = valid
	return nil
}

// lend makes text the buffer of the vector's views.
func (r *arrowReader) lend(text []byte) *vector.Buffers {
	r.buffers.Replace(r.bufferID, text)
	return &r.buffers
}

func (r *arrowReader) readFixed(v *vector.Vec[vector.View], arr *array.FixedSizeBinary) error {
	width := arr.DataType().(*arrow.FixedSizeBinaryType).ByteWidth
	if v.N == 0 {
		return nil
	}
	if int64(width)*int64(v.N) > math.MaxUint32 {
		return fmt.Errorf("arrow: %d strings of %d bytes in one batch", v.N, width)
	}
	begin := arr.Data().Offset() * width
	text := arr.Data().Buffers()[1].Bytes()[begin : begin+v.N*width]
	v.Buffers = r.lend(text)
	values := v.ReserveValues(v.N)
	for i := range values {
		from := i * width
		values[i] = vector.MakeView(text[from:from+width], r.bufferID, uint32(from))
	}
	return nil
}

func readDecimal128s(v *vector.Vec[vector.View], arr *array.Decimal128) {
	valid := v.Valid
	v.N, v.Valid = 0, nil
	for _, x := range arr.Values() {
		var b [16]byte
		binary.BigEndian.PutUint64(b[0:], uint64(x.HighBits()))
		binary.BigEndian.PutUint64(b[8:], x.LowBits())
		vector.AppendString(v, shortest(b[:]))
	}
	v.Valid = valid
}

func readDecimal256s(v *vector.Vec[vector.View], arr *array.Decimal256) {
	valid := v.Valid
	v.N, v.Valid = 0, nil
	for _, x := range arr.Values() {
		var b [32]byte
		for w, word := range x.Array() {
			binary.BigEndian.PutUint64(b[24-8*w:], word)
		}
		vector.AppendString(v, shortest(b[:]))
	}
	v.Valid = valid
}

// shortest returns the last bytes of a big-endian two's complement, as few as
// hold its sign.
func shortest(b []byte) []byte {
	for len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:]
	}
	return b
}
