package encoding

// FixedBitWidth holds what the values have beyond the smallest one, all in the
// same number of bits.
//
//	prefix | u8 compression | baseline | u8 width | bits | 7 bytes of slop

func estimateFixedBitWidth[T Integer](st *stats[T]) (uint64, bool) {
	scanNumbers(st)
	return st.e.estimateFixed(sizeOf[T](), uint64(st.rows()), st.lo, st.hi), true
}

func appendFixedBitWidth[T Integer](st *stats[T], dst []byte, n encodeNode) ([]byte, error) {
	scanNumbers(st)
	base := T(st.lo)
	width := st.e.fixedBits(st.hi - st.lo)
	dst = st.e.appendPrefix(dst, KindFixedBitWidth, st.dt, st.rows())
	at := len(dst)
	dst = append(dst, 0)
	dst = appendScalar(dst, &base, nil)
	dst = append(dst, byte(width))
	start := len(dst)
	dst = appendPacked(dst, st.values, base, width)
	return st.e.appendCompressed(dst, at, start, n.codec)
}
