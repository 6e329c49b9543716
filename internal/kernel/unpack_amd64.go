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
	groups := groupsWithin[T](len(dst)/8, src, bit, width)
	if groups < vectorGroups {
		return 0
	}
	unpackAVX2(dst, src, bit, width, groups, []T{base})
	return 8 * groups
}

// framesVector is unpackVector for whole frames of that many groups, each with
// its base. It returns the number of frames.
func framesVector[T Integer](dst []T, src []byte, bit, width, groups int, bases []T) int {
	frames := groupsWithin[T](groups*len(bases), src, bit, width) / groups
	if frames == 0 {
		return 0
	}
	unpackAVX2(dst, src, bit, width, groups, bases[:frames])
	return frames
}

// groupsWithin returns how many of the groups can be decoded here.
func groupsWithin[T Integer](groups int, src []byte, bit, width int) int {
	if !hasAVX2 {
		return 0
	}
	phase := bit & 7
	// The last load of a group starts at byte last.
	var last int
	switch unsafe.Sizeof(T(0)) {
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
	return max(0, min(groups, (len(src)-bit>>3-last-vectorLoad+width)/width))
}

// unpackAVX2 decodes frames of that many groups, one for each of bases.
func unpackAVX2[T Integer](dst []T, src []byte, bit, width, groups int, bases []T) {
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src[bit>>3:]))
	first := unsafe.Pointer(unsafe.SliceData(bases))
	if unsafe.Sizeof(bases[0]) == 8 {
		unpack64AVX2(to, from, groups, width, bit&7, first, len(bases))
	} else {
		unpack32AVX2(to, from, groups, width, bit&7, first, len(bases))
	}
}

//go:noescape
func unpack64AVX2(dst, src unsafe.Pointer, groups, width, phase int, bases unsafe.Pointer, frames int)

//go:noescape
func unpack32AVX2(dst, src unsafe.Pointer, groups, width, phase int, bases unsafe.Pointer, frames int)
