package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestDecimals compares with the arithmetic of Go, over all exponents of ten that
// the format has and integers of all sizes, where nothing lies behind source and
// result.
func TestDecimals(t *testing.T) {
	t.Run("uint32", decimals[uint32])
	t.Run("uint64", decimals[uint64])
}

func decimals[T uint32 | uint64](t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var zero T
	raw, _ := fenced(t, 8*mostValues)
	room, _ := fenced(t, mostValues*int(unsafe.Sizeof(zero)))
	all := valuesIn[uint64](raw)
	corners := []uint64{0, 1, 2, 3, math.MaxUint64, math.MaxUint64 - 1, 1 << 63, 1<<63 - 1, 1 << 53, 1<<53 + 1, 1<<54 - 1, 1<<54 + 2}
	for n := range mostValues + 1 {
		src, got := all[mostValues-n:], valuesIn[T](room)[mostValues-n:]
		for i := range src {
			src[i] = random.Uint64() >> random.UintN(64)
			if random.UintN(4) == 0 {
				src[i] = corners[random.IntN(len(corners))]
			}
		}
		up, down := math.Pow10(random.IntN(24)), math.Pow10(random.IntN(24))
		Decimals(got, src, up, down)
		for i, x := range src {
			// Both roundings are written out: no fused operation may skip one.
			product := float64(float64(int64(x>>1)^-int64(x&1)) * up)
			if want := floatBits[T](product / down); got[i] != want {
				t.Fatalf("%d of %d: %#x * %g / %g: %#x, not %#x", i, n, x, up, down, got[i], want)
			}
		}
	}
}

func BenchmarkDecimals(b *testing.B) {
	src, dst := make([]uint64, 1024), make([]uint64, 1024)
	for i := range src {
		src[i] = uint64(i * 31)
	}
	b.SetBytes(8 * 1024)
	for b.Loop() {
		Decimals(dst, src, 1, 100)
	}
}
