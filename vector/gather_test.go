package vector

import (
	"testing"

	"pgregory.net/rapid"
)

// formsOf returns the same rows in every form.
func formsOf(rows []int64) []*Vec[int64] {
	flat := &Vec[int64]{N: len(rows), Values: rows}
	dict := &Vec[int64]{Form: Dictionary, N: len(rows)}
	runs := &Vec[int64]{Form: RunLength, N: len(rows)}
	sparse := &Vec[int64]{Form: Sparse, N: len(rows), Values: []int64{rows[0]}}
	place := map[int64]uint32{}
	for i, x := range rows {
		if _, ok := place[x]; !ok {
			place[x] = uint32(len(dict.Values))
			dict.Values = append(dict.Values, x)
		}
		dict.Index = append(dict.Index, place[x])
		if n := len(runs.Values); n == 0 || runs.Values[n-1] != x {
			runs.Values = append(runs.Values, x)
			runs.Ends = append(runs.Ends, 0)
		}
		runs.Ends[len(runs.Ends)-1] = uint32(i + 1)
		if x != rows[0] {
			sparse.Positions = append(sparse.Positions, uint32(i))
			sparse.Values = append(sparse.Values, x)
		}
	}
	return []*Vec[int64]{flat, dict, runs, sparse}
}

func TestGatherTakesTheSameRowsFromEveryForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Int64Range(0, 3), 1, 200).Draw(t, "rows")
		sel := rapid.SliceOfN(rapid.Int32Range(0, int32(len(rows)-1)), 0, 100).Draw(t, "sel")
		valid := make([]uint64, Words(len(rows)))
		for i := range rows {
			if rapid.Bool().Draw(t, "present") {
				SetBit(valid, i)
			}
		}
		for _, src := range formsOf(rows) {
			src.Valid = valid
			dst := NewVec[int64](nil)
			if err := Gather(dst, src, sel); err != nil {
				t.Fatal(err)
			}
			if dst.N != len(sel) {
				t.Fatalf("%v: %d rows, want %d", src.Form, dst.N, len(sel))
			}
			for i, row := range sel {
				got, present := dst.At(i)
				if present != Bit(valid, int(row)) || present && got != rows[row] {
					t.Fatalf("%v: row %d = %d, %v; want row %d = %d", src.Form, i, got, present, row, rows[row])
				}
			}
		}
	})
}

func TestGatherNested(t *testing.T) {
	elem := NewVec[int64](nil)
	lists := NewList(nil, elem)
	for i := range 4 {
		for j := range i {
			elem.Append(int64(10*i + j))
		}
		lists.Append()
	}
	lists.AppendNull()
	rows := NewRow(nil, lists)
	for range 5 {
		rows.Append(true)
	}
	dst := MakeLike(rows).(*Row)
	if err := Gather(dst, rows, []int32{3, 4, 0, 2}); err != nil {
		t.Fatal(err)
	}
	got := dst.Fields[0].(*List)
	wantLengths := []int{3, 0, 0, 2}
	for i, want := range wantLengths {
		if begin, end := got.Span(i); end-begin != want {
			t.Errorf("row %d has %d elements, want %d", i, end-begin, want)
		}
	}
	if Valid(got.Valid, 1) || !Valid(got.Valid, 2) {
		t.Error("the null list is not where it should be")
	}
	if x, _ := got.Elem.(*Vec[int64]).At(3); x != 20 {
		t.Errorf("element 3 = %d, want 20", x)
	}
	if err := Gather(NewBools(nil), rows, nil); err == nil {
		t.Error("gathering rows into bools: no error")
	}
}
