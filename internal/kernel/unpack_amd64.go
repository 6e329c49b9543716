//go:build !purego

package kernel

import "unsafe"

const (
	// vectorGroups is the number of groups of eight values from which on setting
	// up is worth it.
	vectorGroups = 2
	// vectorLoad is the bytes of one load.
	vectorLoad = 16
)

// unpackVector decodes values of width bits (1 to 64) that start at the given
// bit of src, and adds base, for whole groups of eight as long as loads stay
// within src. It returns the number of values, which is 0 where other loops have
// to do.
func unpackVector[T Integer](dst []T, src []byte, bit, width int, base T) int {
	groups := len(dst) / 8
	if !hasAVX2 || groups < vectorGroups {
		return 0
	}
	src, phase := src[bit>>3:], bit&7
	// The last load of a group starts at byte last.
	var last int
	switch unsafe.Sizeof(base) {
	case 8:
		last = (6*width + phase) >> 3
		if width == 64 && phase == 0 {
			last = 64 - vectorLoad
		} else if width > 57 {
			return 0
		}
	case 4:
		last = (4*width + phase) >> 3
		if width == 32 && phase == 0 {
			last = 32 - vectorLoad
		} else if width > 31 {
			return 0
		} else if width > 25 {
			last = (6*width + phase) >> 3
		}
	default:
		return 0
	}
	if (groups-1)*width > len(src)-last-vectorLoad {
		if groups = (len(src) - last - vectorLoad + width) / width; groups < vectorGroups {
			return 0
		}
	}
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))
	if unsafe.Sizeof(base) == 8 {
		unpack64AVX2(to, from, groups, width, phase, uint64(base))
	} else {
		unpack32AVX2(to, from, groups, width, phase, uint32(base))
	}
	return 8 * groups
}

//go:noescape
func unpack64AVX2(dst, src unsafe.Pointer, groups, width, phase int, base uint64)

//go:noescape
func unpack32AVX2(dst, src unsafe.Pointer, groups, width, phase int, base uint32)
