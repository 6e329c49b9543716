package encoding

import (
	"fmt"
	"math"

	"github.com/decantdb/decant/vector"
)

// Append appends values as one encoded array of type dt, whose physical type T
// must be: signed integers and floats are passed by their bits. On an error dst
// is returned as it was; the error wraps ErrIncompatible if a layout cannot
// hold the values.
func Append[T Integer](e *Encoder, dst []byte, dt DataType, values []T) ([]byte, error) {
	if err := checkEncodeNumbers[T](dt, len(values)); err != nil {
		return dst, err
	}
	out, err := appendArray(e, dst, dt, values, nil, encodeRule{layout: e.opts.Layout})
	return encoded(dst, out, err)
}

// AppendStrings is [Append] for strings, which are views of buffers. Views and
// buffers are only read.
func AppendStrings(e *Encoder, dst []byte, values []vector.View, buffers [][]byte) ([]byte, error) {
	if err := checkEncodeRows(len(values)); err != nil {
		return dst, err
	}
	out, err := appendArray(e, dst, String, values, buffers, encodeRule{layout: e.opts.Layout})
	return encoded(dst, out, err)
}

// AppendBools is [Append] for bools, the first n bits of bits.
func AppendBools(e *Encoder, dst []byte, bits []uint64, n int) ([]byte, error) {
	if err := checkEncodeBools(len(bits), n); err != nil {
		return dst, err
	}
	out, err := appendBoolArray(e, dst, bits, n, encodeRule{layout: e.opts.Layout})
	return encoded(dst, out, err)
}

// AppendNullable is [Append] for n rows of which those are present whose bit of
// valid is set; values are the present ones only. A nil valid means that all
// are present, which makes it the same as Append.
func AppendNullable[T Integer](e *Encoder, dst []byte, dt DataType, values []T, valid []uint64, n int) ([]byte, error) {
	if valid == nil {
		return Append(e, dst, dt, values)
	}
	if err := checkEncodeNumbers[T](dt, n); err != nil {
		return dst, err
	}
	if err := checkPresent(len(values), valid, n); err != nil {
		return dst, err
	}
	out, err := appendNullable(e, dst, dt, values, nil, valid, n)
	return encoded(dst, out, err)
}

// AppendNullableStrings is [AppendNullable] for strings.
func AppendNullableStrings(e *Encoder, dst []byte, values []vector.View, buffers [][]byte, valid []uint64, n int) ([]byte, error) {
	if valid == nil {
		return AppendStrings(e, dst, values, buffers)
	}
	if err := checkEncodeRows(n); err != nil {
		return dst, err
	}
	if err := checkPresent(len(values), valid, n); err != nil {
		return dst, err
	}
	out, err := appendNullable(e, dst, String, values, buffers, valid, n)
	return encoded(dst, out, err)
}

// AppendNullableBools is [AppendNullable] for bools: the first bits of bits are
// those of the present rows, one for each bit set in valid.
func AppendNullableBools(e *Encoder, dst []byte, bits, valid []uint64, n int) ([]byte, error) {
	if valid == nil {
		return AppendBools(e, dst, bits, n)
	}
	if err := checkEncodeRows(n); err != nil {
		return dst, err
	}
	if len(valid) < vector.Words(n) {
		return dst, checkPresent(0, valid, n)
	}
	present := vector.CountBits(valid, 0, n)
	if err := checkEncodeBools(len(bits), present); err != nil {
		return dst, err
	}
	out, err := appendNullableBools(e, dst, bits, present, valid, n)
	return encoded(dst, out, err)
}

// encoded returns what was appended, or dst as it was if that failed.
func encoded(dst, out []byte, err error) ([]byte, error) {
	if err != nil {
		return dst, err
	}
	return out, nil
}

func checkEncodeRows(n int) error {
	if n < 0 || n > math.MaxUint32 {
		return fmt.Errorf("%d rows: %w", n, ErrIncompatible)
	}
	return nil
}

func checkEncodeNumbers[T Integer](dt DataType, n int) error {
	if dt == Bool || dt.Bytes() != sizeOf[T]() {
		return fmt.Errorf("%v in values of %d bytes: %w", dt, sizeOf[T](), ErrIncompatible)
	}
	return checkEncodeRows(n)
}

func checkEncodeBools(words, n int) error {
	if err := checkEncodeRows(n); err != nil {
		return err
	}
	if words < vector.Words(n) {
		return fmt.Errorf("%d bools in %d words: %w", n, words, ErrIncompatible)
	}
	return nil
}

// nestedType is the type under which alphabets, run values and the like are
// nested: the physical one, but floats stay floats.
func nestedType(dt DataType) DataType {
	switch dt {
	case Int8, Int16, Int32, Int64:
		return dt + 1
	}
	return dt
}

// physicalType is the type that dt is encoded as.
func physicalType(dt DataType) DataType {
	switch dt {
	case Float:
		return Uint32
	case Double:
		return Uint64
	}
	return nestedType(dt)
}
