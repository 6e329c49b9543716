package kernel

import "math/bits"

// Positions writes the positions, plus first, of the bits among the first n of
// words that are set, or with invert of those that are clear, to dst, and
// returns their number. dst has room for eight more than there are.
func Positions(dst []uint32, words []uint64, n int, invert bool, first uint32) int {
	var flip uint64
	if invert {
		flip = ^flip
	}
	count := 0
	for w := 0; w*64 < n; w++ {
		word := words[w] ^ flip
		if rest := n - w*64; rest < 64 {
			word &= 1<<rest - 1
		}
		count += wordPositions(dst[count:], word, first+uint32(w*64))
	}
	return count
}

// wordPositions writes the positions of the bits set in word, plus first, and
// returns their number. Positions are written eight at a time without a
// branch; what is too much is garbage.
func wordPositions(dst []uint32, word uint64, first uint32) int {
	count := bits.OnesCount64(word)
	for at := 0; at < count; at += 8 {
		d := (*[8]uint32)(dst[at:])
		for i := range d {
			d[i] = first + uint32(bits.TrailingZeros64(word))
			word &= word - 1
		}
	}
	return count
}
