package kernel

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// packed returns n values of width bits, low bit first, with slop bytes behind.
func packed(values []uint64, width, slop int) []byte {
	out := make([]byte, (len(values)*width+7)/8+slop)
	for i, v := range values {
		for k := range width {
			if v>>k&1 != 0 {
				bit := i*width + k
				out[bit/8] |= 1 << (bit % 8)
			}
		}
	}
	return out
}

func TestUnpack(t *testing.T) {
	for width := 0; width <= 64; width++ {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(0, 70).Draw(t, "n")
			values := make([]uint64, n)
			for i := range values {
				values[i] = rapid.Uint64().Draw(t, "value")
				if width < 64 {
					values[i] &= 1<<width - 1
				}
			}
			src := packed(values, width, rapid.SampledFrom([]int{0, 1, 7}).Draw(t, "slop"))
			begin := rapid.IntRange(0, n).Draw(t, "begin")
			end := rapid.IntRange(begin, n).Draw(t, "end")
			base := rapid.Uint64().Draw(t, "base")
			checkUnpack[uint8](t, values, src, begin, end, width, base)
			checkUnpack[uint16](t, values, src, begin, end, width, base)
			checkUnpack[uint32](t, values, src, begin, end, width, base)
			checkUnpack[uint64](t, values, src, begin, end, width, base)
		})
	}
}

func checkUnpack[T Integer](t *rapid.T, values []uint64, src []byte, begin, end, width int, base uint64) {
	want := make([]T, 0, end-begin)
	for _, v := range values[begin:end] {
		want = append(want, T(v)+T(base))
	}
	got := make([]T, end-begin)
	Unpack(got, src, begin, width, T(base))
	if !slices.Equal(got, want) {
		t.Fatalf("width %d, [%d, %d) as %T: got %v, not %v", width, begin, end, T(0), got, want)
	}
	clear(got)
	UnpackFrom(got, src, begin*width, width, T(base))
	if !slices.Equal(got, want) {
		t.Fatalf("width %d, from bit %d: got %v, not %v", width, begin*width, got, want)
	}
	rows := make([]int32, 0, len(want))
	for i := range want {
		rows = append(rows, int32(i))
	}
	clear(got)
	Pick(got, src, begin, width, T(base), rows)
	if !slices.Equal(got, want) {
		t.Fatalf("width %d, picked from %d: got %v, not %v", width, begin, got, want)
	}
}

func TestVarints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Lengths in runs, so that windows of all kinds occur.
		var values []uint64
		var src []byte
		for range rapid.IntRange(0, 12).Draw(t, "runs") {
			most := rapid.IntRange(1, 64).Draw(t, "bits")
			for range rapid.IntRange(0, 20).Draw(t, "run") {
				v := rapid.Uint64().Draw(t, "value") >> (64 - most)
				values = append(values, v)
				src = binary.AppendUvarint(src, v)
				if rapid.IntRange(0, 9).Draw(t, "padded") == 0 && len(src) > 0 && v < 1<<56 {
					src[len(src)-1] |= 0x80
					src = append(src, 0)
				}
			}
		}
		size := len(src)
		src = append(src, make([]byte, rapid.IntRange(0, 20).Draw(t, "behind"))...)
		base := rapid.Uint64().Draw(t, "base")
		checkVarints[uint32](t, values, src, size, base)
		checkVarints[uint64](t, values, src, size, base)
		if got := SkipVarints(src, len(values)); got != size {
			t.Fatalf("skipped %d bytes, not %d", got, size)
		}
		if got := SkipVarints(src[:size], len(values)+1); got != -1 {
			t.Fatalf("skipped past the end: %d", got)
		}
		if len(values) > 0 {
			if got := Varints(make([]uint64, len(values)), src[:size-1], 0); got != -1 {
				t.Fatalf("decoded a value that is cut off: %d", got)
			}
		}
	})
}

func checkVarints[T uint32 | uint64](t *rapid.T, values []uint64, src []byte, size int, base uint64) {
	got := make([]T, len(values))
	if n := Varints(got, src, T(base)); n != size {
		t.Fatalf("%d bytes, not %d", n, size)
	}
	for i, v := range values {
		if got[i] != T(v)+T(base) {
			t.Fatalf("value %d as %T: got %d, not %d", i, T(0), got[i], T(v)+T(base))
		}
	}
}

// TestVarintTooLong has enough bytes for the loops over blocks, and too few.
func TestVarintTooLong(t *testing.T) {
	for _, size := range []int{40, 400} {
		src := bytes.Repeat([]byte{0xff}, size)
		for _, n := range []int{1, 9, 40} {
			if got := Varints(make([]uint64, n), src, 0); got != -1 {
				t.Errorf("%d values of %d bytes: got %d", n, size, got)
			}
		}
	}
}

// TestNothing gives every loop over bytes none at all.
func TestNothing(t *testing.T) {
	for _, n := range []int{1, 100} {
		if got := Varints(make([]uint32, n), nil, 0); got != -1 {
			t.Errorf("%d varints of nothing take %d bytes", n, got)
		}
		if got := SkipVarints(nil, n); got != -1 {
			t.Errorf("%d varints of nothing are %d bytes", n, got)
		}
	}
	if got := Varints[uint64](nil, nil, 0); got != 0 {
		t.Errorf("no varints take %d bytes", got)
	}
	for width := range 65 {
		Unpack[uint32](nil, nil, 0, width, 1)
	}
	Fill[uint64](nil, 1)
	FillEnds[uint64](nil, nil, nil)
	if runs, rows := Runs(nil, []uint64{1}, []uint32{1}); runs != 0 || rows != 0 {
		t.Errorf("%d runs of %d rows fit nowhere", runs, rows)
	}
}

func TestGather(t *testing.T) {
	table := []uint64{10, 11, 12}
	got := make([]uint64, 4)
	if n := Gather(got, table, []uint8{2, 0, 3, 1}); n != 2 || got[0] != 12 || got[1] != 10 {
		t.Errorf("got %d entries, %v", n, got)
	}
	if n := Gather(got, table, []uint32{0, 1, 2, 2, 9}); n != 4 || !slices.Equal(got, []uint64{10, 11, 12, 12}) {
		t.Errorf("got %d entries, %v", n, got)
	}
	if n := GatherPairs(got, table, []byte{2, 0, 1, 0, 0, 1, 0, 0}); n != 2 || got[0] != 12 || got[1] != 11 {
		t.Errorf("got %d entries by pairs, %v", n, got)
	}
	if n := Gather(got, nil, []uint32{0, 0, 0, 0}); n != 0 {
		t.Errorf("got %d entries of an empty table", n)
	}
}

func TestBitmaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n")
		bitsOf := make([]bool, n)
		src := make([]byte, (n+7)/8+rapid.SampledFrom([]int{0, 7}).Draw(t, "slop"))
		for i := range bitsOf {
			if bitsOf[i] = rapid.Bool().Draw(t, "bit"); bitsOf[i] {
				src[i/8] |= 1 << (i % 8)
			}
		}
		from := rapid.IntRange(0, n).Draw(t, "from")
		count := rapid.IntRange(0, n-from).Draw(t, "count")
		begin := rapid.IntRange(0, 130).Draw(t, "begin")
		want := new(big.Int)
		set := 0
		var places, clears []uint32
		for i := range count {
			if bitsOf[from+i] {
				want.SetBit(want, begin+i, 1)
				set++
				places = append(places, uint32(5+i))
			} else {
				clears = append(clears, uint32(5+i))
			}
		}
		words := make([]uint64, (begin+count+63)/64+1)
		for i := range words {
			words[i] = rapid.Uint64().Draw(t, "word")
		}
		before := slices.Clone(words)
		LoadBits(words, begin, src, from, count)
		for i := range len(words) * 64 {
			got, inside := words[i/64]>>(i%64)&1, i >= begin && i < begin+count
			if inside && got != uint64(want.Bit(i)) || !inside && got != before[i/64]>>(i%64)&1 {
				t.Fatalf("bit %d is %d", i, got)
			}
		}
		if got := CountBits(src, from, count); got != set {
			t.Fatalf("%d bits, not %d", got, set)
		}
		clear(words)
		LoadBits(words, 0, src, from, count)
		room := make([]uint32, count+8)
		if got := room[:Positions(room, words, count, false, 5)]; !slices.Equal(got, places) {
			t.Fatalf("positions %v, not %v", got, places)
		}
		if got := room[:Positions(room, words, count, true, 5)]; !slices.Equal(got, clears) {
			t.Fatalf("clear positions %v, not %v", got, clears)
		}
		checkSpread(t, words, count, set)
	})
}

func checkSpread(t *rapid.T, words []uint64, n, set int) {
	got := make([]uint32, n)
	for i := range set {
		got[i] = uint32(i + 1)
	}
	Spread(got, words, 0, set)
	next := uint32(0)
	for i, x := range got {
		var want uint32
		if words[i/64]>>(i%64)&1 != 0 {
			next++
			want = next
		}
		if x != want {
			t.Fatalf("entry %d is %d, not %d", i, x, want)
		}
	}
}

func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Uint16()).Draw(t, "values")
		first := rapid.Uint16().Draw(t, "first")
		sum, most := first, uint16(0)
		want := make([]uint16, len(values))
		for i, x := range values {
			sum += x
			want[i] = sum
			most = max(most, x)
		}
		if got := Max(values); got != most {
			t.Fatalf("the largest is %d, not %d", got, most)
		}
		if got := PrefixSum(values, first); got != sum || !slices.Equal(values, want) {
			t.Fatalf("sums %v to %d, not %v to %d", values, got, want, sum)
		}
	})
}

func TestScatter(t *testing.T) {
	got := make([]uint8, 5)
	Scatter(got, []uint8{7, 8}, []uint32{1, 4})
	if !slices.Equal(got, []uint8{0, 7, 0, 0, 8}) {
		t.Errorf("got %v", got)
	}
}

func TestRestate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Uint32()).Draw(t, "values")
		restated := make([]uint64, len(want)/64+1)
		var deltas, restatements []uint32
		last := uint32(5)
		for i, x := range want {
			if rapid.Bool().Draw(t, "restated") {
				restated[i/64] |= 1 << (i % 64)
				restatements = append(restatements, x)
			} else {
				deltas = append(deltas, x-last)
			}
			last = x
		}
		got := make([]uint32, len(want))
		if end := Restate(got, append(deltas, 0), append(restatements, 0), restated, 5); end != last || !slices.Equal(got, want) {
			t.Fatalf("got %v to %d, not %v", got, end, want)
		}
	})
}
