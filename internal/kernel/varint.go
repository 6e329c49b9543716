package kernel

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Varints are LEB128: seven bits a byte, least significant group first, the
// high bit of a byte says that another follows. Forms longer than needed are
// accepted, up to maxVarintBytes.

const (
	maxVarintBytes = 10
	highBits       = 0x8080808080808080
	// gatherHighBits times the high bits of eight bytes, shifted down to bit 0
	// of each, has them together in its top byte.
	gatherHighBits = 0x0102040810204080
	// varintReach is how far from a window's start its decoding may look.
	varintReach = 16
	// fewValues is how many values a block of 64 bytes may hold to be decoded by
	// their ends and not by windows.
	fewValues = 24
	// twoByteBlock is the high bits of 64 bytes that hold 32 values.
	twoByteBlock = 0x5555555555555555
)

// What the eight bytes of a window hold, from its start on.
const (
	oneLong    = iota // the start of a value of more than eight bytes
	oneWhole          // one value
	twoShort          // two values of up to four bytes
	fourTiny          // four values of up to two bytes
	eightBytes        // eight values of one byte
)

// varintWindow says how to decode a window, by the high bits of its bytes.
type varintWindow struct {
	what  uint8
	bytes uint8 // of the values together, 0 with oneLong
	// shift has the first bits of the values.
	shift [4]uint8
	// second has, for values of up to two bytes, the bits of the second one.
	second [4]uint16
	_      [2]byte // a power of two
}

var varintWindows = makeVarintWindows()

func makeVarintWindows() (table [256]varintWindow) {
	for more := range table {
		var ends []int // the bits behind each whole value
		longest := []int{0}
		for i, start := 0, 0; i < 8; i++ {
			if more>>i&1 == 0 {
				ends = append(ends, 8*(i+1))
				longest = append(longest, max(longest[len(longest)-1], i+1-start))
				start = i + 1
			}
		}
		w := &table[more]
		count := 0
		switch {
		case len(ends) == 8:
			w.what, count = eightBytes, 8
		case len(ends) >= 4 && longest[4] <= 2:
			w.what, count = fourTiny, 4
		case len(ends) >= 2 && longest[2] <= 4:
			w.what, count = twoShort, 2
		case len(ends) >= 1:
			w.what, count = oneWhole, 1
		}
		if count == 0 {
			continue
		}
		w.bytes = uint8(ends[count-1] / 8)
		for i := 1; i < min(count, 4); i++ {
			w.shift[i] = uint8(ends[i-1])
		}
		for i := range min(count, 4) {
			if ends[i]-int(w.shift[i]) == 16 {
				w.second[i] = 0x3f80
			}
		}
	}
	return table
}

// Varints decodes len(dst) varints from the front of src, adds base to each in
// T's arithmetic, and returns the bytes they take, or -1 if src ends before or
// a varint is too long. Bits beyond T's width are cut off.
func Varints[T uint32 | uint64](dst []T, src []byte, base T) int {
	done, at := varintsVector(dst, src, base)
	dst = dst[done:]
	// A window decodes up to eight values, and a block of 64 bytes has no more
	// windows than values.
	for len(dst) >= 8 && len(src)-at >= 64+varintReach {
		rest, n := varintBlock(dst, (*[64 + varintReach]byte)(src[at:]), base)
		if n < 0 {
			return -1
		}
		dst = rest
		at += n
	}
	return varintsTail(dst, src, at, base)
}

// varintBlock decodes the values that start in the first 57 bytes of src, as
// long as there is room for eight, and returns what is left of dst and the
// bytes that were taken, or -1.
func varintBlock[T uint32 | uint64](dst []T, src *[64 + varintReach]byte, base T) ([]T, int) {
	more := highBitsOf(src, 0) | highBitsOf(src, 8)<<8 | highBitsOf(src, 16)<<16 | highBitsOf(src, 24)<<24 |
		highBitsOf(src, 32)<<32 | highBitsOf(src, 40)<<40 | highBitsOf(src, 48)<<48 | highBitsOf(src, 56)<<56
	if more == 0 && len(dst) >= 64 {
		for i := 0; i < 64; i += 8 {
			eightValues((*[8]T)(dst[i:]), binary.LittleEndian.Uint64(src[i:]), base)
		}
		return dst[64:], 64
	}
	if more == twoByteBlock && len(dst) >= 32 {
		for i := 0; i < 64; i += 8 {
			x := binary.LittleEndian.Uint64(src[i:])
			x = x&0x007f007f007f007f | x>>1&0x3f803f803f803f80
			d := (*[4]T)(dst[i/2:])
			d[0], d[1], d[2], d[3] = T(x&0xffff)+base, T(x>>16&0xffff)+base, T(x>>32&0xffff)+base, T(x>>48)+base
		}
		return dst[32:], 64
	}
	if bits.OnesCount64(^more) <= fewValues && len(dst) >= fewValues {
		return varintsByEnd(dst, src, ^more, base)
	}
	at := 0
	for at <= 56 && len(dst) >= 8 {
		w := &varintWindows[uint8(more>>at)]
		x := binary.LittleEndian.Uint64(src[at&63:])
		at += int(w.bytes)
		switch w.what {
		case eightBytes:
			eightValues((*[8]T)(dst), x, base)
			dst = dst[8:]
		case fourTiny:
			d := (*[4]T)(dst)
			d[0] = tiny[T](x, w.second[0]) + base
			d[1] = tiny[T](x>>(w.shift[1]&63), w.second[1]) + base
			d[2] = tiny[T](x>>(w.shift[2]&63), w.second[2]) + base
			d[3] = tiny[T](x>>(w.shift[3]&63), w.second[3]) + base
			dst = dst[4:]
		case twoShort:
			// Both in a half of their own.
			beyond := -w.bytes * 8 & 63
			split := w.shift[1] & 63
			first := x & (1<<split - 1)
			both := squeezeHalves(first | x<<beyond>>beyond>>split<<32)
			d := (*[2]T)(dst)
			d[0], d[1] = T(uint32(both))+base, T(both>>32)+base
			dst = dst[2:]
		case oneWhole:
			beyond := -w.bytes * 8 & 63
			dst[0] = T(squeeze(x<<beyond>>beyond)) + base
			dst = dst[1:]
		default:
			v, n := longVarint(x, src[at+8], src[at+9])
			if n == 0 {
				return nil, -1
			}
			dst[0] = T(v) + base
			dst = dst[1:]
			at += n
		}
	}
	return dst, at
}

// varintMasks keep the first bytes of eight, by their number.
var varintMasks = [16]uint64{
	1: 0xff, 2: 0xffff, 3: 0xffffff, 4: 0xffffffff, 5: 0xffffffffff, 6: 0xffffffffffff, 7: 0xffffffffffffff,
	8: math.MaxUint64, 9: math.MaxUint64, 10: math.MaxUint64,
}

// varintsByEnd decodes the values whose last bytes, among 64, are those set in
// ends, and returns like varintBlock. Where a value starts depends on ends
// alone, so that values do not wait for each other.
func varintsByEnd[T uint32 | uint64](dst []T, src *[64 + varintReach]byte, ends uint64, base T) ([]T, int) {
	start := 0
	for i := range dst {
		if ends == 0 {
			dst = dst[i:]
			break
		}
		end := bits.TrailingZeros64(ends) + 1
		ends &= ends - 1
		n := end - start
		v := squeeze(binary.LittleEndian.Uint64(src[start&63:]) & varintMasks[n&15])
		if n > 8 {
			if n > maxVarintBytes {
				return nil, -1
			}
			last := uint64(src[start+9]) & -uint64(n-9)
			v |= uint64(src[start+8]&0x7f)<<56 | last<<63
		}
		dst[i] = T(v) + base
		start = end
	}
	if start == 0 {
		return nil, -1
	}
	return dst, start
}

// highBitsOf returns the high bits of the eight bytes from i on.
func highBitsOf(src *[64 + varintReach]byte, i int) uint64 {
	return binary.LittleEndian.Uint64(src[i:]) & highBits >> 7 * gatherHighBits >> 56
}

// eightValues decodes eight values of one byte each.
func eightValues[T uint32 | uint64](d *[8]T, x uint64, base T) {
	d[0], d[1] = T(x&0x7f)+base, T(x>>8&0x7f)+base
	d[2], d[3] = T(x>>16&0x7f)+base, T(x>>24&0x7f)+base
	d[4], d[5] = T(x>>32&0x7f)+base, T(x>>40&0x7f)+base
	d[6], d[7] = T(x>>48&0x7f)+base, T(x>>56)+base
}

// tiny returns a value of one byte, or of two if second has the bits of the
// second, moved next to those of the first.
func tiny[T uint32 | uint64](x uint64, second uint16) T {
	return T(uint32(x)&0x7f | uint32(x)>>1&uint32(second))
}

// squeezeHalves removes the high bit of each byte, in both halves apart.
func squeezeHalves(x uint64) uint64 {
	x = x&0x007f007f007f007f | x>>1&0x3f803f803f803f80
	return x&0x00003fff00003fff | x>>2&0x0fffc0000fffc000
}

// squeeze removes the high bit of each of eight bytes.
func squeeze(x uint64) uint64 {
	x = squeezeHalves(x)
	return x&0x000000000fffffff | x>>4&0x00fffffff0000000
}

// longVarint returns the value of a varint that starts with eight bytes x that
// are all continued, with the next two bytes, and its size, or 0 if it is too
// long.
func longVarint(x uint64, next, last byte) (v uint64, n int) {
	more := uint64(next >> 7)
	if last&-byte(more) >= 0x80 {
		return 0, 0
	}
	return squeeze(x) | uint64(next&0x7f)<<56 | (uint64(last)&-more)<<63, 9 + int(more)
}

// varintsTail decodes value by value.
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
	if len(src) >= 8 {
		x := binary.LittleEndian.Uint64(src)
		if ends := ^x & highBits; ends != 0 {
			end := bits.TrailingZeros64(ends) + 1
			return squeeze(x << (-end & 63) >> (-end & 63)), end / 8
		}
	}
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
