package kernel

import (
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

func TestFill(t *testing.T) {
	t.Run("uint8", func(t *testing.T) { fillTwins(t, uint8(7)) })
	t.Run("uint16", func(t *testing.T) { fillTwins(t, uint16(0x1234)) })
	t.Run("uint32", func(t *testing.T) { fillTwins(t, uint32(0x12345678)) })
	t.Run("uint64", func(t *testing.T) { fillTwins(t, uint64(0x123456789abcdef0)) })
	t.Run("pair", func(t *testing.T) { fillTwins(t, [2]uint64{1, 2}) })
	t.Run("three", func(t *testing.T) { fillTwins(t, [3]uint64{1, 2, 3}) })
}

// fillTwins fills memory of all lengths with a fence behind, and with a fence
// in front.
func fillTwins[T comparable](t *testing.T, x T) {
	var zero T
	const most = 600
	size := most * int(unsafe.Sizeof(x))
	atEnd, _ := fenced(t, size)
	_, atStart := fenced(t, size)
	end, start := unsafe.Slice((*T)(unsafe.Pointer(&atEnd[0])), most), unsafe.Slice((*T)(unsafe.Pointer(&atStart[0])), most)
	for n := range most {
		clear(atEnd)
		clear(atStart)
		Fill(end[most-n:], x)
		Fill(start[:n], x)
		for i := range most {
			wantEnd, wantStart := zero, zero
			if i >= most-n {
				wantEnd = x
			}
			if i < n {
				wantStart = x
			}
			if end[i] != wantEnd || start[i] != wantStart {
				t.Fatalf("%d entries: entry %d is %v and %v", n, i, end[i], start[i])
			}
		}
	}
}

func TestRuns(t *testing.T) {
	t.Run("uint16", func(t *testing.T) { runsOf(t, func(i int) uint16 { return uint16(100 + i) }) })
	t.Run("uint32", func(t *testing.T) { runsOf(t, func(i int) uint32 { return uint32(100 + i) }) })
	t.Run("uint64", func(t *testing.T) { runsOf(t, func(i int) uint64 { return uint64(100 + i) }) })
	t.Run("pair", func(t *testing.T) { runsOf(t, func(i int) [2]uint64 { return [2]uint64{uint64(100 + i), 1} }) })
}

func runsOf[T comparable](t *testing.T, value func(int) T) {
	const most = 4000
	var zero T
	memory, _ := fenced(t, most*int(unsafe.Sizeof(zero)))
	room := unsafe.Slice((*T)(unsafe.Pointer(&memory[0])), most)
	rapid.Check(t, func(t *rapid.T) {
		longest := rapid.SampledFrom([]uint32{2, 10, 40, 130}).Draw(t, "longest")
		lengths := rapid.SliceOfN(rapid.Uint32Range(1, longest), 0, 30).Draw(t, "lengths")
		values := make([]T, len(lengths))
		var want []T
		var ends []uint32
		for i, n := range lengths {
			values[i] = value(i)
			want = append(want, slices.Repeat(values[i:i+1], int(n))...)
			ends = append(ends, uint32(len(want)))
		}
		got := room[most-len(want):]
		FillEnds(got, values, ends)
		if !slices.Equal(got, want) {
			t.Fatalf("ends: got %v, not %v", got, want)
		}
		clear(got)
		space := rapid.IntRange(0, len(want)).Draw(t, "space")
		runs, rows := Runs(got[:space], values, lengths)
		wantRuns, wantRows := 0, 0
		for wantRuns < len(lengths) && wantRows+int(lengths[wantRuns]) <= space {
			wantRows += int(lengths[wantRuns])
			wantRuns++
		}
		if runs != wantRuns || rows != wantRows || !slices.Equal(got[:rows], want[:rows]) {
			t.Fatalf("%d runs of %d rows, not %d of %d: %v", runs, rows, wantRuns, wantRows, got)
		}
		if space < len(got) && got[space] != zero {
			t.Fatal("written outside")
		}
	})
}
