package kernel

import (
	"encoding/binary"
	"math/bits"
)

// Varints are LEB128: seven bits a byte, least significant group first, the
// high bit of a byte says that another follows. Forms longer than needed are
// accepted, up to maxVarintBytes.

const (
	maxVarintBytes = 10
	highBits       = 0x8080808080808080
)

// Varints decodes len(dst) varints from the front of src, adds base to each in
// T's arithmetic, and returns the bytes they take, or -1 if src ends before or
// a varint is too long. Bits beyond T's width are cut off.
func Varints[T uint32 | uint64](dst []T, src []byte, base T) int {
	at := 0
	for len(dst) > 0 {
		if len(src)-at < 16 {
			return varintsTail(dst, src, at, base)
		}
		x := binary.LittleEndian.Uint64(src[at:])
		more := x & highBits
		if more == 0 && len(dst) >= 8 {
			d := (*[8]T)(dst)
			for i := range d {
				d[i] = T(x>>(8*i)&0x7f) + base
			}
			dst = dst[8:]
			at += 8
			continue
		}
		ends := ^more & highBits
		if ends == 0 {
			v, n := uvarint(src[at:])
			if n == 0 {
				return -1
			}
			dst[0] = T(v) + base
			dst = dst[1:]
			at += n
			continue
		}
		// As many values as end within the eight bytes.
		used := 0
		for ; ends != 0 && len(dst) > 0; ends &= ends - 1 {
			end := bits.TrailingZeros64(ends) + 1
			cut := 64 - end + used
			dst[0] = T(squeeze(x>>used<<cut>>cut)) + base
			dst = dst[1:]
			used = end
		}
		at += used / 8
	}
	return at
}

// squeeze removes the high bit of each byte of a varint of up to eight bytes.
func squeeze(x uint64) uint64 {
	x &= ^uint64(highBits)
	x = x&0x007f007f007f007f | x&0x7f007f007f007f00>>1
	x = x&0x00003fff00003fff | x&0x3fff00003fff0000>>2
	return x&0x000000000fffffff | x&0x0fffffff00000000>>4
}

func varintsTail[T uint32 | uint64](dst []T, src []byte, at int, base T) int {
	for i := range dst {
		v, n := uvarint(src[at:])
		if n == 0 {
			return -1
		}
		dst[i] = T(v) + base
		at += n
	}
	return at
}

// uvarint is binary.Uvarint, except that what exceeds 64 bits is cut off.
func uvarint(src []byte) (x uint64, n int) {
	for i, b := range src[:min(len(src), maxVarintBytes)] {
		x |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return x, i + 1
		}
	}
	return 0, 0
}

// SkipVarints returns the bytes that n varints at the front of src take, or -1
// if src ends before.
func SkipVarints(src []byte, n int) int {
	at := 0
	for n > 0 && len(src)-at >= 8 {
		ends := ^binary.LittleEndian.Uint64(src[at:]) & highBits
		count := bits.OnesCount64(ends)
		if count >= n {
			// The word may hold the start of the first value to keep.
			break
		}
		n -= count
		at += 8
	}
	for ; n > 0; at++ {
		if at == len(src) {
			return -1
		}
		if src[at] < 0x80 {
			n--
		}
	}
	return at
}
