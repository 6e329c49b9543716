package encoding

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/decantdb/decant/pool"
)

// PFOR packs what the values have beyond the smallest one in a width that fits
// nine tenths of them. The others are exceptions: zero among the packed, and
// listed apart.
//
//	prefix | baseline | u8 width | uvarint exceptions
//	       | uvarint size | positions | uvarint size | residuals | bits | slop
//
// Without exceptions both sizes are 0.

// pforWidth returns the width of most values and the number of those that need
// more. It looks at bit lengths in steps of seven.
func pforWidth[T Integer](st *stats[T]) (width, exceptions int) {
	scanNumbers(st)
	var buckets [10]int
	base := T(st.lo)
	for _, v := range st.values {
		buckets[(max(bits.Len64(uint64(v-base)), 1)-1)/7]++
	}
	enough := int(float64(st.rows()) * 0.9)
	covered, k := buckets[0], 0
	for covered < enough {
		k++
		covered += buckets[k]
	}
	need := bitsRequired(st.hi - st.lo)
	if width = min(7*(k+1), 64); width >= need {
		return need, 0
	}
	return width, st.rows() - covered
}

func estimatePFOR[T Integer](st *stats[T]) (uint64, bool) {
	width, exceptions := pforWidth(st)
	n, s, e := uint64(st.rows()), uint64(sizeOf[T]()), uint64(exceptions)
	const trivial = estimatedPrefixBytes + 1
	positions := min(trivial+4*e, st.e.estimateFixed4(e, 0, n-1))
	residuals := min(trivial+s*e, st.e.estimateFixed(int(s), e, st.lo, st.hi))
	return estimatedPrefixBytes + s + 1 + varintBytes(e) + varintBytes(positions) + varintBytes(residuals) +
		positions + residuals + packedBytes(st.rows(), width), true
}

func appendPFOR[T Integer](st *stats[T], dst []byte, n encodeNode) ([]byte, error) {
	if st.rows() == 0 {
		return dst, fmt.Errorf("pfor: no rows: %w", ErrIncompatible)
	}
	width, count := pforWidth(st)
	p, base := st.e.pool, T(st.lo)
	packed := pool.Get[T](p, st.rows())
	defer pool.Put(p, &packed)
	positions := pool.Get[uint32](p, count)
	defer pool.Put(p, &positions)
	residuals := pool.Get[T](p, count)
	defer pool.Put(p, &residuals)
	at, highest := 0, T(0)
	for i, v := range st.values {
		x := v - base
		if uint64(x)>>width != 0 {
			positions.S[at], residuals.S[at] = uint32(i), x
			at++
			x = 0
		}
		packed.S[i] = x
		highest = max(highest, x)
	}
	if st.e.opts.ExactBits {
		width = bitsRequired(uint64(highest))
	}
	dst = st.e.appendPrefix(dst, KindPFOR, st.dt, st.rows())
	dst = appendScalar(dst, &base, nil)
	dst = append(dst, byte(width))
	dst = binary.AppendUvarint(dst, uint64(count))
	if count == 0 {
		dst = append(dst, 0, 0)
		return appendPacked(dst, packed.S, 0, width), nil
	}
	var err error
	if dst, err = appendChild(st.e, dst, n, 0, Uint32, positions.S); err != nil {
		return dst, err
	}
	if dst, err = appendChild(st.e, dst, n, 1, physicalType(st.dt), residuals.S); err != nil {
		return dst, err
	}
	return appendPacked(dst, packed.S, 0, width), nil
}
