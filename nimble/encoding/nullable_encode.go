package encoding

import (
	"fmt"

	"github.com/decantdb/decant/vector"
)

// Nullable holds the present values and, for each row, whether it has one.
//
//	prefix | u32 size | values | present
//
// Nobody selects it: it is what values with nulls are encoded as.

// nullableRules returns the rules for the present values and for the bools.
func (e *Encoder) nullableRules() (data, present encodeRule, err error) {
	l := e.opts.Layout
	if l != nil && l.Kind != KindNullable {
		return encodeRule{layout: l}, encodeRule{}, nil
	}
	n := encodeNode{kind: KindNullable, rule: encodeRule{layout: l}}
	if data, err = n.child(0); err != nil {
		return data, present, err
	}
	present, err = n.child(1)
	return data, present, err
}

// appendNullable writes n rows of which values are the present ones.
func appendNullable[T Physical](e *Encoder, dst []byte, dt DataType, values []T, buffers [][]byte, valid []uint64, n int) ([]byte, error) {
	data, present, err := e.nullableRules()
	if err != nil {
		return dst, err
	}
	dst = e.appendPrefix(dst, KindNullable, dt, n)
	dst, at := appendSize(dst)
	if dst, err = appendArray(e, dst, physicalType(dt), values, buffers, data); err != nil {
		return dst, err
	}
	if dst, err = patchSize(dst, at); err != nil {
		return dst, err
	}
	return appendBoolArray(e, dst, valid, n, present)
}

// appendNullableBools is appendNullable for bools: the first count of words.
func appendNullableBools(e *Encoder, dst []byte, words []uint64, count int, valid []uint64, n int) ([]byte, error) {
	data, present, err := e.nullableRules()
	if err != nil {
		return dst, err
	}
	dst = e.appendPrefix(dst, KindNullable, Bool, n)
	dst, at := appendSize(dst)
	if dst, err = appendBoolArray(e, dst, words, count, data); err != nil {
		return dst, err
	}
	if dst, err = patchSize(dst, at); err != nil {
		return dst, err
	}
	return appendBoolArray(e, dst, valid, n, present)
}

// checkPresent reports values that do not fit the bitmap of their rows.
func checkPresent(values int, valid []uint64, n int) error {
	if len(valid) < vector.Words(n) {
		return fmt.Errorf("nullable: validity of %d rows has %d words: %w", n, len(valid), ErrIncompatible)
	}
	if present := vector.CountBits(valid, 0, n); values != present {
		return fmt.Errorf("nullable: %d values for %d present rows: %w", values, present, ErrIncompatible)
	}
	return nil
}
