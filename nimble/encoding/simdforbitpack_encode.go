package encoding

import (
	"encoding/binary"
	"fmt"
)

// encodeGroupRows is how many values SimdForBitpack packs together.
const encodeGroupRows = 32

// SimdForBitpack holds what the values have beyond the smallest one, in as few
// bits as that takes, in groups of 32 values; the last group is filled with
// zeros.
//
//	prefix | baseline | u8 width | uvarint rows of the first group | groups

func estimateSimdForBitpack[T Integer](st *stats[T]) (uint64, bool) {
	scanNumbers(st)
	first := min(st.rows(), encodeGroupRows)
	return estimatedPrefixBytes + uint64(sizeOf[T]()) + 1 + varintBytes(uint64(first)) +
		groupBytes(st.rows(), spanBits(st.hi-st.lo)), true
}

func groupBytes(rows, width int) uint64 {
	return uint64((rows+encodeGroupRows-1)/encodeGroupRows) * uint64(encodeGroupRows/8*width)
}

// spanBits is the width of values up to span, 0 if there is but one.
func spanBits(span uint64) int {
	if span == 0 {
		return 0
	}
	return bitsRequired(span)
}

func appendSimdForBitpack[T Integer](st *stats[T], dst []byte, _ encodeNode) ([]byte, error) {
	if st.rows() == 0 {
		return dst, fmt.Errorf("simd for bitpack: no rows: %w", ErrIncompatible)
	}
	scanNumbers(st)
	base, width := T(st.lo), spanBits(st.hi-st.lo)
	dst = st.e.appendPrefix(dst, KindSimdForBitpack, st.dt, st.rows())
	dst = appendScalar(dst, &base, nil)
	dst = append(dst, byte(width))
	dst = binary.AppendUvarint(dst, uint64(min(st.rows(), encodeGroupRows)))
	dst, out := extend(dst, int(groupBytes(st.rows(), width)))
	packBits(out, st.values, base, width)
	return dst, nil
}
