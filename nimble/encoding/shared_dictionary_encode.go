package encoding

import (
	"encoding/binary"
	"fmt"
)

// AppendShared appends an array of type dt whose values are given as indices
// into an alphabet that other arrays share, which the reader finds by scope and
// id. The alphabet itself is an array by [Append], with a fixed row count.
//
//	prefix | u8 scope | uvarint id | indices
func AppendShared(e *Encoder, dst []byte, dt DataType, scope DictionaryScope, id uint32, indices []uint32) ([]byte, error) {
	if err := checkEncodeRows(len(indices)); err != nil {
		return dst, err
	}
	if len(indices) == 0 || isFloat(dt) || dt == Bool || dt.Bytes() == 0 {
		return dst, fmt.Errorf("shared dictionary: %d rows of %v: %w", len(indices), dt, ErrIncompatible)
	}
	if scope == 1 || scope > ScopeExternal || id == noDictionary {
		return dst, fmt.Errorf("shared dictionary %d of scope %d: %w", id, scope, ErrIncompatible)
	}
	n := encodeNode{kind: KindSharedDictionary}
	if l := e.opts.Layout; l != nil && l.Kind == KindSharedDictionary {
		n.rule.layout = l
	}
	rule, err := n.child(0)
	if err != nil {
		return dst, err
	}
	out := e.appendPrefix(dst, KindSharedDictionary, dt, len(indices))
	out = binary.AppendUvarint(append(out, byte(scope)), uint64(id))
	out, err = appendArray(e, out, Uint32, indices, nil, rule)
	return encoded(dst, out, err)
}
