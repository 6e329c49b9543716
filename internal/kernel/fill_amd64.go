//go:build !purego

package kernel

import (
	"math/bits"
	"unsafe"
)

// vectorFillBytes is from how many bytes on filling by vectors is worth a call.
const vectorFillBytes = 96

// fillVector fills dst if that is worth it, and reports whether it did.
func fillVector[T any](dst []T, x T) bool {
	size := int(unsafe.Sizeof(x))
	bytes := len(dst) * size
	if !hasAVX2 || bytes < vectorFillBytes {
		return false
	}
	var low, high uint64
	switch size {
	case 1, 2, 4, 8:
		low = broadcast(x)
		high = low
	case 16:
		both := *(*[2]uint64)(unsafe.Pointer(&x))
		low, high = both[0], both[1]
	default:
		return false
	}
	fillAVX2(unsafe.Pointer(unsafe.SliceData(dst)), bytes, low, high)
	return true
}

// runsVector writes runs whose lengths, or ends, are bounds, up to those near
// dst's end, and returns like Runs.
func runsVector[T any](dst, values []T, bounds []uint32, lengths bool) (runs, rows int) {
	const least = 64
	var zero T
	size := int(unsafe.Sizeof(zero))
	if !hasAVX2 || len(bounds) == 0 || len(dst) < least || size != 4 && size != 8 && size != 16 {
		return 0, 0
	}
	shift := bits.TrailingZeros(uint(size))
	runs, written := runsAVX2(unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(values[:len(bounds)])),
		unsafe.SliceData(bounds), len(bounds), len(dst)*size, shift, lengths)
	return runs, written >> shift
}

//go:noescape
func fillAVX2(dst unsafe.Pointer, bytes int, low, high uint64)

//go:noescape
func runsAVX2(dst, values unsafe.Pointer, bounds *uint32, count, roomBytes, shift int, lengths bool) (runs, written int)
