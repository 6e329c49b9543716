//go:build !purego

package kernel

import "unsafe"

// varintSlack is how many values the loop in assembly may write behind the last.
const varintSlack = 32

// varintsVector decodes varints until dst is full, src is nearly at its end or
// a value is too long, and returns their number and the bytes they take.
func varintsVector[T uint32 | uint64](dst []T, src []byte, base T) (values, bytes int) {
	if !hasBMI2 || len(dst) == 0 || len(src) == 0 {
		return 0, 0
	}
	size := int(unsafe.Sizeof(base))
	from := unsafe.Pointer(unsafe.SliceData(src))
	if n := len(dst) - varintSlack; n > 0 {
		values, bytes = varintsBMI2(unsafe.Pointer(unsafe.SliceData(dst)), from, n, len(src), uint64(base), size)
		if values < n {
			return values, bytes
		}
	}
	var last [2 * varintSlack]T
	more, moreBytes := varintsBMI2(unsafe.Pointer(&last), unsafe.Add(from, bytes), len(dst)-values, len(src)-bytes, uint64(base), size)
	copy(dst[values:], last[:more])
	return values + more, bytes + moreBytes
}

//go:noescape
func varintsBMI2(dst, src unsafe.Pointer, n, srcBytes int, base uint64, size int) (values, bytes int)
