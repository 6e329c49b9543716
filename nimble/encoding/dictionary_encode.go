package encoding

import (
	"fmt"

	"github.com/decantdb/decant/vector"
)

// Dictionary holds the distinct values in the order of their first occurrence,
// and for each row the number of its value.
//
//	prefix | u32 size | alphabet | indices

func estimateDictionary[T Integer](st *stats[T]) (uint64, bool) {
	scanNumbers(st)
	u, width := st.bounds.distinct, sizeOf[T]()
	alphabet := min(estimatedPrefixBytes+1+u*uint64(width), st.e.estimateFixed(width, u, st.lo, st.hi))
	if st.e.opts.NestedALP && isFloat(st.dt) {
		if st.seen < st.rows() {
			alphabet = 0 // not to be known before all are counted
		} else {
			alphabet = min(alphabet, estimateALPOf(st.e, st.alphabet()))
		}
	}
	return estimatedPrefixBytes + 4 + alphabet +
		st.e.estimateFixed4(uint64(st.rows()), 0, max(u, 1)-1), true
}

func estimateDictionaryString(st *stats[vector.View]) (uint64, bool) {
	scanStrings(st)
	return estimateAlphabetStrings(st, uint64(st.rows())), true
}

func appendDictionary[T Physical](st *stats[T], dst []byte, n encodeNode) ([]byte, error) {
	if st.rows() == 0 {
		return dst, fmt.Errorf("dictionary: no rows: %w", ErrIncompatible)
	}
	countUniques(st)
	alphabetRule, err := n.child(0)
	if err != nil {
		return dst, err
	}
	indicesRule, err := n.child(1)
	if err != nil {
		return dst, err
	}
	dst = st.e.appendPrefix(dst, KindDictionary, st.dt, st.rows())
	dst, at := appendSize(dst)
	if dst, err = appendArray(st.e, dst, nestedType(st.dt), st.alphabet(), st.buffers, alphabetRule); err != nil {
		return dst, err
	}
	if dst, err = patchSize(dst, at); err != nil {
		return dst, err
	}
	return appendArray(st.e, dst, Uint32, st.ids.S, nil, indicesRule)
}
