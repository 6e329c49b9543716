package kernel

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestVarintTwins compares Varints with decoding one by one, where nothing lies
// behind source and result, for mixes of sizes that take different loops.
func TestVarintTwins(t *testing.T) {
	t.Run("uint32", varintTwins[uint32])
	t.Run("uint64", varintTwins[uint64])
}

func varintTwins[T uint32 | uint64](t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	source, _ := fenced(t, 10*3*mostValues)
	memory, _ := fenced(t, 3*mostValues*int(len(Raw(new(T)))))
	room := valuesIn[T](memory)
	for _, most := range [][2]int{{7, 7}, {14, 14}, {7, 14}, {7, 35}, {7, 64}, {28, 35}, {64, 64}, {56, 64}, {1, 64}} {
		for _, share := range []int{2, 8, 20, 60} {
			for n := 1; n < 3*mostValues; n += 1 + n/40 {
				var src []byte
				for range n {
					bits := most[0]
					if random.IntN(share) == 0 {
						bits = most[1]
					}
					src = binary.AppendUvarint(src, random.Uint64()>>(64-bits))
				}
				// At the end, and with other values behind.
				for _, behind := range []int{0, 1 + random.IntN(120)} {
					packed := source[len(source)-len(src)-behind:]
					if copy(packed, src); behind > 0 {
						for i := range packed[len(src):] {
							packed[len(src)+i] = byte(random.Uint32())
						}
					}
					compareVarints(t, room[len(room)-n:], packed, len(src))
				}
			}
		}
	}
}

func compareVarints[T uint32 | uint64](t *testing.T, got []T, src []byte, size int) {
	t.Helper()
	const base = 11
	if n := Varints(got, src, base); n != size {
		t.Fatalf("%d values: %d bytes, not %d", len(got), n, size)
	}
	at := 0
	for i, x := range got {
		want, n := binary.Uvarint(src[at:])
		if x != T(want)+base {
			t.Fatalf("value %d of %d: got %#x, not %#x", i, len(got), x, T(want)+base)
		}
		at += n
	}
}

func FuzzVarints(f *testing.F) {
	f.Add([]byte{1, 0x80, 1}, uint16(2))
	long := make([]byte, 300)
	for i := range long {
		long[i] = byte(i*37) | 0x80*byte(i&1)
	}
	f.Add(long, uint16(100))
	f.Fuzz(func(t *testing.T, src []byte, count uint16) {
		values := make([]uint64, min(int(count), len(src)))
		got := Varints(values, src, 0)
		at := 0
		for i := range values {
			want, n := uvarint(src[at:])
			if n == 0 {
				if got != -1 {
					t.Fatalf("%d bytes although value %d is none", got, i)
				}
				return
			}
			if got != -1 && values[i] != want {
				t.Fatalf("value %d: got %#x, not %#x", i, values[i], want)
			}
			at += n
		}
		if got != at {
			t.Fatalf("%d bytes, not %d", got, at)
		}
	})
}
