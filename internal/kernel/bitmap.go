package kernel

import (
	"encoding/binary"
	"math/bits"
)

// A bitmap here is packed bytes: bit i is bit i&7, least significant first, of
// byte i>>3. Bitmaps of words are the same bytes, eight at a time.

// LoadBits copies n bits of src, from bit from on, to bits [begin, begin+n) of
// dst and leaves dst's other bits alone.
func LoadBits(dst []uint64, begin int, src []byte, from, n int) {
	for n > 0 {
		to := begin & 63
		take := min(n, 64-to)
		mask := ^uint64(0) >> (64 - take) << to
		word := bitsAt(src, from, take)
		w := begin >> 6
		dst[w] = dst[w]&^mask | word<<to&mask
		begin += take
		from += take
		n -= take
	}
}

// CountBits returns the number of bits set in [from, from+n) of src.
func CountBits(src []byte, from, n int) int {
	count := 0
	for ; n > 0 && from&63 != 0; n, from = n-1, from+1 {
		count += int(src[from>>3] >> (from & 7) & 1)
	}
	for ; n >= 64; n, from = n-64, from+64 {
		count += bits.OnesCount64(binary.LittleEndian.Uint64(src[from>>3:]))
	}
	if n > 0 {
		count += bits.OnesCount64(Bits(src, from, n))
	}
	return count
}

// Spread moves the first present values of dst, whose number is that of the
// bits set in [begin, begin+len(dst)) of valid, to the places of these bits,
// in order, and sets the other places to zero.
func Spread[T any](dst []T, valid []uint64, begin, present int) {
	var zero T
	i := len(dst)
	for i > present {
		// Down to the start of a word of valid.
		stop := max(i-((begin+i-1)&63+1), 0)
		word := valid[(begin+i-1)>>6]
		for ; i > stop && i > present; i-- {
			if word>>((begin+i-1)&63)&1 == 0 {
				dst[i-1] = zero
				continue
			}
			present--
			dst[i-1] = dst[present]
		}
	}
}
