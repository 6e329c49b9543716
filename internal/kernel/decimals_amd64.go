//go:build !purego

package kernel

import "unsafe"

// decimalsVector decodes whole groups of four and returns the number of values.
func decimalsVector[T uint32 | uint64](dst []T, src []uint64, up, down float64) int {
	groups := len(dst) / 4
	if !hasAVX2 || groups == 0 {
		return 0
	}
	_ = src[4*groups-1]
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))
	if unsafe.Sizeof(T(0)) == 8 {
		decimals64AVX2(to, from, groups, up, down)
	} else {
		decimals32AVX2(to, from, groups, up, down)
	}
	return 4 * groups
}

//go:noescape
func decimals64AVX2(dst, src unsafe.Pointer, groups int, up, down float64)

//go:noescape
func decimals32AVX2(dst, src unsafe.Pointer, groups int, up, down float64)
