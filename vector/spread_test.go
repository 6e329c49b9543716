package vector

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/pool"
)

// rowText returns row i of v as text, so that rows of any kind compare.
func rowText(v Vector, i int) string {
	if !Valid(v.Validity(), i) {
		return "null"
	}
	switch v := v.(type) {
	case *Vec[int32]:
		x, _ := v.At(i)
		return fmt.Sprint(x)
	case *Vec[View]:
		x, _ := v.At(i)
		return string(x.Bytes(v.Buffers.List()))
	case *Bools:
		x, _ := v.At(i)
		return fmt.Sprint(x)
	case *Timestamps:
		x, _ := v.Micros.At(i)
		if v.Nanos == nil {
			return fmt.Sprint(x)
		}
		return fmt.Sprint(x, v.Nanos[i])
	case *List:
		begin, end := v.Span(i)
		return fmt.Sprint(rowTexts(v.Elem, begin, end))
	case *Map:
		begin, end := v.Span(i)
		return fmt.Sprint(rowTexts(v.Keys, begin, end), rowTexts(v.Values, begin, end))
	case *Row:
		var fields []string
		for _, f := range v.Fields {
			fields = append(fields, rowText(f, i))
		}
		return fmt.Sprint(fields)
	}
	return "?"
}

func rowTexts(v Vector, begin, end int) []string {
	texts := []string{}
	for i := begin; i < end; i++ {
		texts = append(texts, rowText(v, i))
	}
	return texts
}

// drawVec draws a vector of n rows in any form, its memory borrowed or its own.
func drawVec(t *rapid.T, p *pool.Pool, n int) *Vec[int32] {
	v := NewVec[int32](p)
	if rapid.Bool().Draw(t, "own") {
		for range n {
			v.Append(rapid.Int32().Draw(t, "value"))
		}
		return v
	}
	v.N = n
	v.Form = rapid.SampledFrom([]Form{Flat, Constant, Dictionary, RunLength, Sparse}).Draw(t, "form")
	if v.Form == Dictionary || v.Form == RunLength {
		if n == 0 {
			v.Form = Flat
		}
	}
	values := rapid.SliceOfN(rapid.Int32(), n+1, n+1).Draw(t, "values")
	v.Values = values
	switch v.Form {
	case Flat:
		v.Values = values[:n]
	case Dictionary:
		v.Values = values[:max(1, n/2)]
		for range n {
			v.Index = append(v.Index, rapid.Uint32Range(0, uint32(len(v.Values)-1)).Draw(t, "index"))
		}
	case RunLength:
		for end := 0; end < n; {
			end = rapid.IntRange(end+1, n).Draw(t, "end")
			v.Ends = append(v.Ends, uint32(end))
		}
		v.Values = values[:len(v.Ends)]
	case Sparse:
		for row := range n {
			if rapid.Bool().Draw(t, "exception") {
				v.Positions = append(v.Positions, uint32(row))
			}
		}
		v.Values = values[:len(v.Positions)+1]
	}
	if rapid.Bool().Draw(t, "nulls") {
		v.Valid = drawBits(t, n)
	}
	return v
}

func drawBits(t *rapid.T, n int) []uint64 {
	return rapid.SliceOfN(rapid.Uint64(), Words(n), Words(n)).Draw(t, "bits")
}

// drawVector draws a vector of n rows of some kind, at most depth levels deep.
func drawVector(t *rapid.T, p *pool.Pool, n, depth int) Vector {
	last := 3
	if depth > 1 {
		last = 6
	}
	switch rapid.IntRange(0, last).Draw(t, "kind") {
	case 0:
		return drawVec(t, p, n)
	case 1:
		v := NewVec[View](p)
		for range n {
			if s := rapid.StringN(0, 20, 20).Draw(t, "string"); s == "" {
				v.AppendNull()
			} else {
				AppendString(v, []byte(s))
			}
		}
		return v
	case 2:
		v := NewBools(p)
		v.N, v.Bits = n, drawBits(t, n)
		if rapid.Bool().Draw(t, "nulls") {
			v.Valid = drawBits(t, n)
		}
		return v
	case 3:
		v := NewTimestamps(p)
		for i := range n {
			v.Append(int64(i), rapid.Uint16Range(0, 999).Draw(t, "nanos"))
		}
		return v
	case 4, 5:
		lengths := rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(t, "lengths")
		total := 0
		for _, l := range lengths {
			total += l
		}
		l := NewList(p, drawVector(t, p, total, depth-1))
		m := NewMap(p, drawVec(t, p, total), l.Elem)
		end := 0
		for _, length := range lengths {
			end += length
			l.appendRow(end, length > 0 || rapid.Bool().Draw(t, "empty"))
		}
		if rapid.Bool().Draw(t, "list") {
			return l
		}
		m.N, m.Valid, m.Offsets = l.N, l.Valid, l.Offsets
		if n == 0 {
			m.Offsets = nil
		}
		return m
	default:
		v := NewRow(p, drawVector(t, p, n, depth-1), drawVector(t, p, n, depth-1))
		v.N = n
		return v
	}
}

func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 150).Draw(t, "n")
		present := drawBits(t, n)
		p := pool.New(pool.Options{})
		v := drawVector(t, p, CountBits(present, 0, n), 3)
		var want []string
		row := 0
		for i := range n {
			if Bit(present, i) {
				want = append(want, rowText(v, row))
				row++
			} else {
				want = append(want, "null")
			}
		}
		Spread(v, present, n)
		checkRows(t, v, want)
		v.Release()
	})
}

func TestKeep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 150).Draw(t, "n")
		p := pool.New(pool.Options{})
		v := drawVector(t, p, n, 3)
		var sel []int32
		var want []string
		for i := range n {
			if rapid.Bool().Draw(t, "selected") {
				sel = append(sel, int32(i))
				want = append(want, rowText(v, i))
			}
		}
		Keep(v, sel)
		checkRows(t, v, want)
		v.Release()
	})
}

func checkRows(t *rapid.T, v Vector, want []string) {
	t.Helper()
	if v.Len() != len(want) {
		t.Fatalf("%d rows, want %d", v.Len(), len(want))
	}
	for i := range want {
		if got := rowText(v, i); got != want[i] {
			t.Fatalf("row %d is %s, want %s", i, got, want[i])
		}
		if f, ok := v.(*Row); ok && want[i] == "null" {
			for _, field := range f.Fields {
				if Valid(field.Validity(), i) {
					t.Fatalf("row %d is null and a field of it is not", i)
				}
			}
		}
	}
}
