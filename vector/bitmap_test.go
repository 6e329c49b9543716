package vector_test

import (
	"testing"

	"github.com/decantdb/decant/vector"
	"pgregory.net/rapid"
)

// drawBits draws a bitmap and the bools it stands for.
func drawBits(t *rapid.T, n int, label string) ([]uint64, []bool) {
	words := rapid.SliceOfN(rapid.Uint64(), vector.Words(n), vector.Words(n)).Draw(t, label)
	bools := make([]bool, n)
	for i := range bools {
		bools[i] = words[i/64]&(1<<(i%64)) != 0
	}
	return words, bools
}

func checkBits(t *rapid.T, bm []uint64, want []bool) {
	t.Helper()
	for i, w := range want {
		if vector.Bit(bm, i) != w {
			t.Fatalf("bit %d is %v", i, !w)
		}
	}
}

func TestBitmapRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "n")
		begin := rapid.IntRange(0, n).Draw(t, "begin")
		end := rapid.IntRange(begin, n).Draw(t, "end")
		bm, bools := drawBits(t, n, "bits")
		count := 0
		for _, b := range bools[begin:end] {
			if b {
				count++
			}
		}
		if got := vector.CountBits(bm, begin, end); got != count {
			t.Fatalf("%d bits of [%d, %d), not %d", got, begin, end, count)
		}
		set := rapid.Bool().Draw(t, "set")
		for i := begin; i < end; i++ {
			bools[i] = set
		}
		if set {
			vector.SetBits(bm, begin, end)
		} else {
			vector.ClearBits(bm, begin, end)
		}
		checkBits(t, bm, bools)
	})
}

func TestCopyBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 300)
		src, srcBools := drawBits(t, size.Draw(t, "srcBits"), "src")
		dst, dstBools := drawBits(t, size.Draw(t, "dstBits"), "dst")
		from := rapid.IntRange(0, len(srcBools)).Draw(t, "from")
		to := rapid.IntRange(0, len(dstBools)).Draw(t, "to")
		n := rapid.IntRange(0, min(len(srcBools)-from, len(dstBools)-to)).Draw(t, "n")
		copy(dstBools[to:to+n], srcBools[from:])
		vector.CopyBits(dst, to, src, from, n)
		checkBits(t, dst, dstBools)
		checkBits(t, src, srcBools)
	})
}

func TestSingleBits(t *testing.T) {
	bm := make([]uint64, 2)
	vector.SetBit(bm, 0)
	vector.SetBit(bm, 127)
	if bm[0] != 1 || bm[1] != 1<<63 {
		t.Errorf("set: %x", bm)
	}
	if !vector.Valid(bm, 127) || vector.Valid(bm, 126) || !vector.Valid(nil, 126) {
		t.Error("validity differs from the bits")
	}
	vector.ClearBit(bm, 127)
	if bm[1] != 0 {
		t.Errorf("cleared: %x", bm)
	}
	for _, c := range []struct{ bits, words int }{{0, 0}, {1, 1}, {64, 1}, {65, 2}} {
		if got := vector.Words(c.bits); got != c.words {
			t.Errorf("%d bits take %d words", c.bits, got)
		}
	}
}

func TestBools(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := vector.NewBools(nil)
		type cell struct{ value, present bool }
		var want []cell
		for range rapid.IntRange(0, 200).Draw(t, "rows") {
			c := cell{rapid.Bool().Draw(t, "value"), rapid.IntRange(0, 9).Draw(t, "null") > 0}
			if c.present {
				v.Append(c.value)
			} else {
				v.AppendNull()
				c.value = false
			}
			want = append(want, c)
		}
		detached := vector.Detach(v).(*vector.Bools)
		for _, got := range []*vector.Bools{v, detached} {
			if got.Len() != len(want) || got.Kind() != vector.KindBool {
				t.Fatalf("%d rows of %v", got.Len(), got.Kind())
			}
			for i, w := range want {
				if value, present := got.At(i); value != w.value || present != w.present {
					t.Fatalf("row %d is %v, %v", i, value, present)
				}
			}
		}
	})
}
