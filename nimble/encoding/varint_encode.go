package encoding

import "fmt"

// Varint holds what the values have beyond the smallest one as varints.
//
//	prefix | baseline | varints

func estimateVarint[T Integer](st *stats[T]) (uint64, bool) {
	width := sizeOf[T]()
	if width < 4 {
		return 0, false
	}
	return estimatedPrefixBytes + uint64(width) + varintSum(st), true
}

func appendVarint[T Integer](st *stats[T], dst []byte, _ encodeNode) ([]byte, error) {
	if sizeOf[T]() < 4 {
		return dst, fmt.Errorf("varint: values of %d bytes: %w", sizeOf[T](), ErrIncompatible)
	}
	size := int(varintSum(st))
	base := T(st.lo)
	dst = st.e.appendPrefix(dst, KindVarint, st.dt, st.rows())
	dst = appendScalar(dst, &base, nil)
	dst, out := extend(dst, size)
	at := 0
	for _, v := range st.values {
		x := uint64(v - base)
		for x >= 0x80 {
			out[at] = byte(x) | 0x80
			x >>= 7
			at++
		}
		out[at] = byte(x)
		at++
	}
	return dst, nil
}
