package encoding

import (
	"fmt"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// MainlyConstant holds the most frequent value once, the others in row order,
// and a bool for each row that is true for the former.
//
//	prefix | u32 size | is common | u32 size | others | common value

func estimateMainlyConstant[T Integer](st *stats[T]) (uint64, bool) {
	scanNumbers(st)
	n, width := uint64(st.rows()), sizeOf[T]()
	others := n - st.bounds.common
	return estimatedPrefixBytes + 8 + uint64(width) + st.e.estimateFixed(width, others, st.lo, st.hi) +
		st.e.estimateSparse(n, others), true
}

// estimateMainlyConstantString reckons with the distinct other values, not with
// their rows.
func estimateMainlyConstantString(st *stats[vector.View]) (uint64, bool) {
	scanStrings(st)
	n := uint64(st.rows())
	sparse := st.e.estimateSparse(n, n-st.bounds.common)
	const header = estimatedPrefixBytes + 8 + 4
	if st.seen < st.rows() {
		// The length of the common value moves between two terms of the sum.
		return header + st.e.estimateStrings(max(st.bounds.distinct, 1)-1, st.bounds.bytes, 0, 0) + sparse, true
	}
	common := encodeCommon(st)
	lo, hi := ^uint64(0), uint64(0)
	for id, v := range st.alphabet() {
		if id != common {
			lo, hi = min(lo, uint64(v.Len())), max(hi, uint64(v.Len()))
		}
	}
	if st.distinct == 1 {
		lo = 0
	}
	size := uint64(st.alphabet()[common].Len())
	return header + size + st.e.estimateStrings(uint64(st.distinct)-1, st.uniqueBytes-size, lo, hi) + sparse, true
}

// encodeCommon is the number of the most frequent value, of equally frequent
// ones the smallest. All rows must have been counted, and there must be some.
func encodeCommon[T Physical](st *stats[T]) int {
	alphabet := st.alphabet()
	common := -1
	for id, count := range st.counts() {
		if count == st.maxCount && (common < 0 || lessValue(&alphabet[id], &alphabet[common], st.buffers)) {
			common = id
		}
	}
	return common
}

func appendMainlyConstant[T Physical](st *stats[T], dst []byte, n encodeNode) ([]byte, error) {
	if st.rows() == 0 {
		return dst, fmt.Errorf("mainly constant: no rows: %w", ErrIncompatible)
	}
	countUniques(st)
	commonRule, err := n.child(0)
	if err != nil {
		return dst, err
	}
	othersRule, err := n.child(1)
	if err != nil {
		return dst, err
	}
	common := encodeCommon(st)
	isCommon, others := st.split(uint32(common))
	defer pool.Put(st.e.pool, &isCommon)
	defer pool.Put(st.e.pool, &others)

	dst = st.e.appendPrefix(dst, KindMainlyConstant, st.dt, st.rows())
	dst, at := appendSize(dst)
	if dst, err = appendBoolArray(st.e, dst, isCommon.S, st.rows(), commonRule); err != nil {
		return dst, err
	}
	if dst, err = patchSize(dst, at); err != nil {
		return dst, err
	}
	dst, at = appendSize(dst)
	if dst, err = appendArray(st.e, dst, nestedType(st.dt), others.S, st.buffers, othersRule); err != nil {
		return dst, err
	}
	if dst, err = patchSize(dst, at); err != nil {
		return dst, err
	}
	return appendScalar(dst, &st.alphabet()[common], st.buffers), nil
}

// split returns which rows hold the common value, and the values of the others.
// The caller gives both back.
func (st *stats[T]) split(common uint32) (isCommon pool.Buf[uint64], others pool.Buf[T]) {
	rows := st.rows()
	isCommon = pool.Get[uint64](st.e.pool, vector.Words(rows))
	others = pool.Get[T](st.e.pool, rows-int(st.maxCount))
	at := 0
	for w := range isCommon.S {
		begin := w << 6
		end := min(begin+64, rows)
		var word uint64
		for i, id := range st.ids.S[begin:end] {
			if id == common {
				word |= 1 << i
				continue
			}
			others.S[at] = st.values[begin+i]
			at++
		}
		isCommon.S[w] = word
	}
	return isCommon, others
}
