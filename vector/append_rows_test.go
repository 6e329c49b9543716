package vector

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func TestAppendRowsTakesEveryForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dst := NewVec[int64](nil)
		var want []string
		for range rapid.IntRange(1, 4).Draw(t, "batches") {
			rows := rapid.SliceOfN(rapid.Int64Range(0, 3), 1, 100).Draw(t, "rows")
			forms := formsOf(rows)
			src := forms[rapid.IntRange(0, len(forms)-1).Draw(t, "form")]
			if rapid.Bool().Draw(t, "nulls") {
				src.Valid = make([]uint64, Words(len(rows)))
				SetBit(src.Valid, 0)
			}
			for i := range rows {
				value, present := src.At(i)
				want = append(want, fmt.Sprint(value, present))
			}
			if err := AppendRows(dst, src); err != nil {
				t.Fatal(err)
			}
		}
		if dst.N != len(want) {
			t.Fatalf("%d rows, want %d", dst.N, len(want))
		}
		for i := range want {
			value, present := dst.At(i)
			if got := fmt.Sprint(value, present); got != want[i] {
				t.Fatalf("row %d = %s, want %s", i, got, want[i])
			}
		}
	})
}

func TestAppendRowsCopiesStringsAndPartsOfLists(t *testing.T) {
	texts := NewVec[View](nil)
	lists := NewList(nil, texts)
	for i := range 5 {
		for j := range i {
			AppendString(texts, fmt.Appendf(nil, "a text too long for a view %d %d", i, j))
		}
		lists.Append()
	}
	tail := &List{spans: spans{N: 2, Offsets: lists.Offsets[3:]}, Elem: texts}
	dst := MakeLike(lists).(*List)
	for range 2 {
		if err := AppendRows(dst, tail); err != nil {
			t.Fatal(err)
		}
	}
	lists.Release()
	begin, end := dst.Span(3)
	elem := dst.Elem.(*Vec[View])
	if end-begin != 4 || elem.N != 14 {
		t.Fatalf("row 3 has %d elements of %d, want 4 of 14", end-begin, elem.N)
	}
	if got := string(elem.Values[begin+3].Bytes(elem.Buffers.List())); got != "a text too long for a view 4 3" {
		t.Errorf("last element = %q", got)
	}
}
