package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// mostValues is the lengths that twins are compared over.
const mostValues = 200

// valuesIn returns the memory of raw, whose address suits T, as values.
func valuesIn[T Integer](raw []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(raw))), len(raw)/int(unsafe.Sizeof(zero)))
}

// TestUnpackTwins compares what Unpack does with value by value decoding, over
// all widths, first bits and lengths, where nothing lies behind source and result.
func TestUnpackTwins(t *testing.T) {
	t.Run("uint8", unpackTwins[uint8])
	t.Run("uint16", unpackTwins[uint16])
	t.Run("uint32", unpackTwins[uint32])
	t.Run("uint64", unpackTwins[uint64])
}

func unpackTwins[T Integer](t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	size := PackedBytes(mostValues+1, 64)
	src, _ := fenced(t, size)
	for i := range src {
		src[i] = byte(random.Uint32())
	}
	var zero T
	room, _ := fenced(t, mostValues*int(unsafe.Sizeof(zero)))
	base := T(random.Uint64())
	for width := 1; width <= 64; width++ {
		for phase := range 8 {
			for n := range mostValues + 1 {
				packed := src[size-PackedBytes(n*width+phase, 1):]
				got := valuesIn[T](room)[mostValues-n:]
				UnpackFrom(got, packed, phase, width, base)
				for i, x := range got {
					if want := T(Bits(packed, phase+i*width, width)) + base; x != want {
						t.Fatalf("width %d, bit %d, value %d of %d: got %#x, not %#x", width, phase, i, n, x, want)
					}
				}
			}
		}
	}
}

// TestUnpackFrames compares frames with the same ones decoded one by one, where
// nothing lies behind source and result.
func TestUnpackFrames(t *testing.T) {
	t.Run("uint16", unpackFrames[uint16])
	t.Run("uint32", unpackFrames[uint32])
	t.Run("uint64", unpackFrames[uint64])
}

func unpackFrames[T Integer](t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	size := PackedBytes(mostValues+1, 64)
	src, _ := fenced(t, size)
	for i := range src {
		src[i] = byte(random.Uint32())
	}
	var zero T
	room, _ := fenced(t, mostValues*int(unsafe.Sizeof(zero)))
	bases := make([]T, 25)
	for i := range bases {
		bases[i] = T(random.Uint64())
	}
	for width := range 65 {
		for phase := range 8 {
			for _, rows := range []int{1, 7, 8, 16, 24, 40} {
				for frames := range mostValues/max(rows, 8) + 1 {
					n := rows * frames
					packed := src[size-PackedBytes(n*width+phase, 1):]
					got := valuesIn[T](room)[mostValues-n:]
					UnpackFrames(got, packed, phase, width, rows, bases[:frames])
					for i, x := range got {
						want := bases[i/rows]
						if width > 0 {
							want += T(Bits(packed, phase+i*width, width))
						}
						if x != want {
							t.Fatalf("width %d, bit %d, value %d of %d frames of %d: got %#x, not %#x", width, phase, i, frames, rows, x, want)
						}
					}
				}
			}
		}
	}
}

// TestUnpackStaysInside wants nothing written behind the result.
func TestUnpackStaysInside(t *testing.T) {
	src := make([]byte, 8*mostValues+64)
	for width := 1; width <= 64; width++ {
		for n := range mostValues + 1 {
			got := make([]uint32, n+8)
			Unpack(got[:n], src, 0, width, 7)
			if slices.ContainsFunc(got[n:], func(x uint32) bool { return x != 0 }) {
				t.Fatalf("width %d: written behind %d values", width, n)
			}
		}
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte("packed values, some of which are decoded in groups of eight"), uint8(7), uint8(3), uint64(1))
	f.Add(make([]byte, 600), uint8(57), uint8(7), uint64(1<<63))
	f.Fuzz(func(t *testing.T, src []byte, width, phase uint8, base uint64) {
		w, bit := int(width%64)+1, int(phase&7)
		n := max(8*len(src)-bit, 0) / w
		narrow, wide := make([]uint32, n), make([]uint64, n)
		UnpackFrom(narrow, src, bit, w, uint32(base))
		UnpackFrom(wide, src, bit, w, base)
		for i := range n {
			want := Bits(src, bit+i*w, w)
			if narrow[i] != uint32(want)+uint32(base) || wide[i] != want+base {
				t.Fatalf("value %d of %d bits from bit %d on: %#x and %#x, not %#x", i, w, bit, narrow[i], wide[i], want+base)
			}
		}
	})
}
