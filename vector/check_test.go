package vector_test

import (
	"strings"
	"testing"

	"github.com/decantdb/decant/vector"
	"pgregory.net/rapid"
)

// TestCheckRefuses names what is wrong with vectors that break one promise each.
func TestCheckRefuses(t *testing.T) {
	numbers := func(form vector.Form, n int, values []int64, parts ...[]uint32) vector.Vector {
		v := &vector.Vec[int64]{Form: form, N: n, Values: values}
		for _, p := range parts {
			v.Index, v.Ends, v.Positions = p, p, p
		}
		return v
	}
	two := numbers(vector.Flat, 2, []int64{1, 2})
	list := func(n int, offsets ...uint32) vector.Vector {
		v := vector.NewList(nil, two)
		v.N, v.Offsets = n, offsets
		return v
	}
	long := vector.MakeView([]byte("longer than a view is"), 0, 3)
	text := func(size int) vector.Vector {
		v := &vector.Vec[vector.View]{N: 1, Values: []vector.View{long}, Buffers: &vector.Buffers{}}
		v.Buffers.Add(make([]byte, size))
		return v
	}
	pairs := vector.NewMap(nil, two, numbers(vector.Flat, 1, []int64{1}))
	fields := vector.NewRow(nil, two, list(1, 0, 2))
	fields.N = 2
	moments := &vector.Timestamps{Nanos: make([]uint16, 1)}
	moments.Micros.N, moments.Micros.Values = 2, make([]int64, 2)
	for _, c := range []struct {
		name string
		v    vector.Vector
		want string
	}{
		{"flat", two, ""},
		{"too few values", numbers(vector.Flat, 3, []int64{1, 2}), "2 values where 3 are needed"},
		{"constant of nothing", numbers(vector.Constant, 3, nil), "0 values where 1 are needed"},
		{"constant of no rows", numbers(vector.Constant, 0, nil), ""},
		{"no alphabet", numbers(vector.Dictionary, 1, nil, []uint32{0}), "row 0 has index 0 of 0 values"},
		{"too few indices", numbers(vector.Dictionary, 2, []int64{1}, []uint32{0}), "1 indices"},
		{"index outside", numbers(vector.Dictionary, 2, []int64{1}, []uint32{0, 1}), "row 1 has index 1 of 1 values"},
		{"runs", numbers(vector.RunLength, 3, []int64{1, 2}, []uint32{1, 3}), ""},
		{"no runs", numbers(vector.RunLength, 3, nil, nil), "the last run ends at 0"},
		{"runs that fall", numbers(vector.RunLength, 3, []int64{1, 2, 3}, []uint32{1, 1, 3}), "run 1 ends at 1"},
		{"runs without end", numbers(vector.RunLength, 3, []int64{1, 2}, []uint32{1, 2}), "the last run ends at 2"},
		{"runs without values", numbers(vector.RunLength, 3, []int64{1}, []uint32{1, 3}), "1 values where 2 are needed"},
		{"exceptions", numbers(vector.Sparse, 3, []int64{0, 1, 2}, []uint32{0, 2}), ""},
		{"exceptions without values", numbers(vector.Sparse, 3, []int64{0, 1}, []uint32{0, 2}), "2 values where 3 are needed"},
		{"exceptions that fall", numbers(vector.Sparse, 3, []int64{0, 1, 2}, []uint32{2, 2}), "exception 1 is at row 2"},
		{"exceptions behind the end", numbers(vector.Sparse, 3, []int64{0, 1}, []uint32{3}), "exception 0 is at row 3"},
		{"unknown form", numbers(9, 3, []int64{0, 1, 2}), "form 9 is not known"},
		{"validity", &vector.Vec[int64]{N: 65, Values: make([]int64, 65), Valid: make([]uint64, 1)}, "validity of 1 words"},
		{"bits", &vector.Bools{N: 65, Bits: make([]uint64, 1)}, "1 words for 65 rows"},
		{"text", text(3 + long.Len()), ""},
		{"text cut off", text(2 + long.Len()), "row 0 has 21 bytes at 3 of buffer 0"},
		{"text without buffers", &vector.Vec[vector.View]{N: 1, Values: []vector.View{long}}, "buffer 0, which is not there"},
		{"moments", moments, "1 nanoseconds for 2 rows"},
		{"list", list(2, 0, 1, 2), ""},
		{"list that falls", list(2, 0, 2, 1), "row 1 ends at element 1 and begins at 2"},
		{"list behind its elements", list(2, 0, 1, 3), "rows end at element 3 of 2"},
		{"list without offsets", list(2, 0, 1), "2 offsets for 2 rows"},
		{"map", pairs, "2 keys and 1 values"},
		{"row", fields, "field 1 has 1 rows of 2"},
	} {
		err := vector.Check(c.v)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestCheckAccepts checks vectors in every form, also as fields and elements.
func TestCheckAccepts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, rows := drawForm(t, nil)
		list := vector.NewList(nil, v)
		if len(rows) > 0 {
			list.Append()
		}
		for _, v := range []vector.Vector{v, list} {
			if err := vector.Check(v); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestCheckProtects expands whatever vectors pass: none may be out of range.
func TestCheckProtects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.SliceOfN(rapid.Uint32Range(0, 4), 0, 4)
		v := &vector.Vec[int64]{
			Form:      vector.Form(rapid.IntRange(0, 4).Draw(t, "form")),
			N:         rapid.IntRange(0, 4).Draw(t, "rows"),
			Values:    rapid.SliceOfN(rapid.Int64(), 0, 4).Draw(t, "values"),
			Index:     small.Draw(t, "index"),
			Ends:      small.Draw(t, "ends"),
			Positions: small.Draw(t, "positions"),
		}
		if vector.Check(v) != nil || v.N == 0 {
			return
		}
		expanded := make([]int64, v.N)
		v.Expand(expanded)
		for i, want := range expanded {
			if x, ok := v.At(i); !ok || x != want {
				t.Fatalf("row %d: %d, %t instead of %d", i, x, ok, want)
			}
		}
	})
}
