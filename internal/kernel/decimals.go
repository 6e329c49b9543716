package kernel

import "math"

// Decimals makes floats, as their bits, of decimals: dst[i] is the integer whose
// zigzag form src[i] is, × up, each rounded to a double, then / down, rounded
// to the type that T has the bits of. dst is no longer than src.
func Decimals[T uint32 | uint64](dst []T, src []uint64, up, down float64) {
	done := decimalsVector(dst, src, up, down)
	src = src[:len(dst)]
	for i := done; i < len(src); i++ {
		dst[i] = floatBits[T](decimal(src[i], up, down))
	}
}

func decimal(x uint64, up, down float64) float64 {
	return float64(float64(int64(x>>1)^-int64(x&1))*up) / down
}

func floatBits[T uint32 | uint64](x float64) T {
	var zero T
	if any(zero) == any(uint32(0)) {
		return T(math.Float32bits(float32(x)))
	}
	return T(math.Float64bits(x))
}
