package kernel

import (
	"encoding/binary"
	"unsafe"
)

//go:generate go run gen_unpack.go

// PackedBytes returns the bytes that n values of width bits take.
func PackedBytes(n, width int) int { return int((uint64(n)*uint64(width) + 7) / 8) }

// Unpack decodes len(dst) values of width bits (0 to 64), starting with value
// number begin of src, and adds base to each, in T's arithmetic:
//
//	value i is bits [i*width, (i+1)*width) of src,
//	bit k being bit k&7, least significant first, of byte k>>3
//
// Bits beyond T's width are cut off. src holds at least
// PackedBytes(begin+len(dst), width) bytes; it is a little faster with 15 more.
func Unpack[T Integer](dst []T, src []byte, begin, width int, base T) {
	UnpackFrom(dst, src, begin*width, width, base)
}

// UnpackFrom is Unpack for values that start at the given bit of src.
func UnpackFrom[T Integer](dst []T, src []byte, bit, width int, base T) {
	if width == 0 {
		Fill(dst, base)
		return
	}
	if done := unpackVector(dst, src, bit, width, base); done > 0 {
		dst, bit = dst[done:], bit+done*width
	}
	if len(dst) > 0 {
		unpackScalar(dst, src, bit, width, base)
	}
}

// UnpackFrames is UnpackFrom for frames of so many rows that follow each other,
// with a base for each: len(bases)*rows values in all.
func UnpackFrames[T Integer](dst []T, src []byte, bit, width, rows int, bases []T) {
	done := 0
	if width > 0 && rows > 0 && rows%8 == 0 {
		done = framesVector(dst, src, bit, width, rows/8, bases)
	}
	for i := done; i < len(bases); i++ {
		UnpackFrom(dst[i*rows:(i+1)*rows], src, bit+i*rows*width, width, bases[i])
	}
}

// unpackScalar decodes values in groups of eight from the first on that starts
// with a byte, and what is in front and behind one by one.
func unpackScalar[T Integer](dst []T, src []byte, bit, width int, base T) {
	head := 0
	for at := bit; at&7 != 0 && head < len(dst); at += width {
		head++
		if head == 8 {
			// None ever does.
			head = len(dst)
		}
	}
	unpackEach(dst[:head], src, bit, width, base)
	dst, bit = dst[head:], bit+head*width
	if len(dst) == 0 {
		return
	}
	packed := src[bit>>3:]
	groups := min(len(dst)/8, (len(packed)-sevenBytes(width))/width)
	if groups > 0 {
		// The only check of all loads and stores of these loops.
		unpackGroups(unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(packed)), groups, width, base)
	}
	done := 8 * max(groups, 0)
	unpackEach(dst[done:], packed, done*width, width, base)
}

// sevenBytes returns how many bytes behind the values the loops over groups may
// load: those of whole words load just them.
func sevenBytes(width int) int {
	if width >= 8 && width&(width-1) == 0 {
		return 0
	}
	return 7
}

// unpackEach decodes value by value.
func unpackEach[T Integer](dst []T, src []byte, bit, width int, base T) {
	mask := ^uint64(0) >> (64 - width)
	for i := range dst {
		dst[i] = T(bitsAt(src, bit, width)&mask) + base
		bit += width
	}
}

// bitsAt returns at least width bits of src from the given one on.
func bitsAt(src []byte, bit, width int) uint64 {
	at, shift := bit>>3, bit&7
	if at+8 <= len(src) {
		x := binary.LittleEndian.Uint64(src[at:]) >> shift
		if shift+width > 64 {
			x |= uint64(src[at+8]) << (64 - shift)
		}
		return x
	}
	var x uint64
	for i, b := range src[at:] {
		x |= uint64(b) << (8 * i)
	}
	return x >> shift
}

// Bits returns the value of width bits (1 to 64) at the given bit of src.
func Bits(src []byte, bit, width int) uint64 {
	return bitsAt(src, bit, width) & (^uint64(0) >> (64 - width))
}

// Pick decodes the values numbered first+rows[i], like Unpack.
func Pick[T Integer](dst []T, src []byte, first, width int, base T, rows []int32) {
	if width == 0 {
		Fill(dst[:len(rows)], base)
		return
	}
	mask := ^uint64(0) >> (64 - width)
	dst = dst[:len(rows)]
	for i, row := range rows {
		dst[i] = T(bitsAt(src, (first+int(row))*width, width)&mask) + base
	}
}

// Load copies len(dst) little-endian values from the front of src, which holds
// at least as many bytes.
func Load[T Integer](dst []T, src []byte) {
	copyBytes(Bytes(dst), src)
}

// Bytes returns the memory of values.
func Bytes[T Integer](values []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(zero)))
}

// copyBytes fills dst from src in pieces: moving 2 KiB and more at once from
// an odd address is slower.
func copyBytes(dst, src []byte) {
	const piece = 1024
	src = src[:len(dst)]
	for len(dst) > piece {
		copy(dst[:piece], src)
		dst, src = dst[piece:], src[piece:]
	}
	copy(dst, src)
}

// widen converts groups of eight whole values that are narrower or wider than T.
func widen[T, S Integer](dst, src unsafe.Pointer, groups int, base T) {
	var zero S
	for i := range groups {
		s := (*[8]S)(unsafe.Add(src, 8*int(unsafe.Sizeof(zero))*i))
		d := (*[8]T)(unsafe.Add(dst, 8*int(unsafe.Sizeof(base))*i))
		d[0], d[1] = T(s[0])+base, T(s[1])+base
		d[2], d[3] = T(s[2])+base, T(s[3])+base
		d[4], d[5] = T(s[4])+base, T(s[5])+base
		d[6], d[7] = T(s[6])+base, T(s[7])+base
	}
}

// Raw returns the memory of one value without pointers.
func Raw[T any](x *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(x)), int(unsafe.Sizeof(*x)))
}
