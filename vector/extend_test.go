package vector

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/pool"
)

func TestExtend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := pool.New(pool.Options{})
		n := rapid.IntRange(0, 80).Draw(t, "n")
		src := drawVector(t, p, n, 3)
		dst := MakeLike(src)
		var want []string
		for range rapid.IntRange(0, 3).Draw(t, "times") {
			begin := rapid.IntRange(0, n).Draw(t, "begin")
			end := rapid.IntRange(begin, n).Draw(t, "end")
			if err := Extend(dst, src, begin, end); err != nil {
				t.Fatal(err)
			}
			want = append(want, rowTexts(src, begin, end)...)
		}
		checkRows(t, dst, want)
	})
}

func TestExtendMismatch(t *testing.T) {
	for _, src := range []Vector{
		NewVec[int8](nil), NewVec[View](nil), NewBools(nil), NewTimestamps(nil), NewList(nil, NewBools(nil)),
		NewMap(nil, NewBools(nil), NewBools(nil)), NewRow(nil, NewBools(nil)),
	} {
		if err := Extend(NewVec[uint64](nil), src, 0, 0); err == nil {
			t.Errorf("rows of a %v were appended to a uint64", src.Kind())
		}
	}
}
