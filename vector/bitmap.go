package vector

import "math/bits"

// Words returns the number of 64-bit words of a bitmap over n rows.
func Words(n int) int { return (n + 63) / 64 }

// Bit reports whether bit i of bm is set.
func Bit(bm []uint64, i int) bool { return bm[i>>6]>>(i&63)&1 != 0 }

// SetBit sets bit i of bm.
func SetBit(bm []uint64, i int) { bm[i>>6] |= 1 << (i & 63) }

// ClearBit clears bit i of bm.
func ClearBit(bm []uint64, i int) { bm[i>>6] &^= 1 << (i & 63) }

// Valid reports whether row i is present in a validity bitmap, which may be nil.
func Valid(bm []uint64, i int) bool { return bm == nil || bm[i>>6]>>(i&63)&1 != 0 }

// SetBits sets bits [begin, end) of bm.
func SetBits(bm []uint64, begin, end int) {
	forWords(begin, end, func(w int, mask uint64) { bm[w] |= mask })
}

// ClearBits clears bits [begin, end) of bm.
func ClearBits(bm []uint64, begin, end int) {
	forWords(begin, end, func(w int, mask uint64) { bm[w] &^= mask })
}

// CountBits returns the number of bits set in [begin, end) of bm.
func CountBits(bm []uint64, begin, end int) int {
	count := 0
	forWords(begin, end, func(w int, mask uint64) { count += bits.OnesCount64(bm[w] & mask) })
	return count
}

// CopyBits copies n bits of src, from bit srcBegin on, to dst, from bit
// dstBegin on. The two must not overlap.
func CopyBits(dst []uint64, dstBegin int, src []uint64, srcBegin, n int) {
	for n > 0 {
		to := dstBegin & 63
		take := min(n, 64-to)
		word := load(src, srcBegin, take)
		mask := lowMask(take) << to
		w := dstBegin >> 6
		dst[w] = dst[w]&^mask | word<<to
		dstBegin += take
		srcBegin += take
		n -= take
	}
}

// load returns n (1 to 64) bits of bm from bit begin on.
func load(bm []uint64, begin, n int) uint64 {
	w, shift := begin>>6, begin&63
	word := bm[w] >> shift
	if shift+n > 64 {
		word |= bm[w+1] << (64 - shift)
	}
	return word & lowMask(n)
}

func lowMask(n int) uint64 { return ^uint64(0) >> (64 - n) }

// forWords calls fn with each word of [begin, end) and the mask of its bits.
func forWords(begin, end int, fn func(w int, mask uint64)) {
	for begin < end {
		from := begin & 63
		take := min(end-begin, 64-from)
		fn(begin>>6, lowMask(take)<<from)
		begin += take
	}
}
