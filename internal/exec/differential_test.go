package exec

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// encode returns v's rows in a form chosen by the test, with the same nulls.
func encode[T vector.Value](t *rapid.T, v *vector.Vec[T]) *vector.Vec[T] {
	out := &vector.Vec[T]{N: v.N, Valid: v.Valid, Buffers: v.Buffers}
	switch rapid.IntRange(0, 3).Draw(t, "form") {
	case 0:
		return v
	case 1:
		out.Form = vector.Dictionary
		for i := range v.N {
			at := slices.Index(out.Values, v.Values[i])
			if at < 0 {
				at = len(out.Values)
				out.Values = append(out.Values, v.Values[i])
			}
			out.Index = append(out.Index, uint32(at))
		}
	case 2:
		out.Form = vector.RunLength
		for i := range v.N {
			if n := len(out.Values); n == 0 || out.Values[n-1] != v.Values[i] {
				out.Values, out.Ends = append(out.Values, v.Values[i]), append(out.Ends, 0)
			}
			out.Ends[len(out.Ends)-1] = uint32(i + 1)
		}
	case 3:
		out.Form, out.Values = vector.Sparse, []T{v.Values[0]}
		for i := range v.N {
			if v.Values[i] != v.Values[0] {
				out.Positions, out.Values = append(out.Positions, uint32(i)), append(out.Values, v.Values[i])
			}
		}
	}
	return out
}

// randomColumns draws rows of four columns: small integers, doubles, texts and
// bools, all with nulls.
func randomColumns(t *rapid.T) (ints *vector.Vec[int32], doubles *vector.Vec[float64], texts *vector.Vec[vector.View], bools *vector.Bools) {
	ints, doubles = vector.NewVec[int32](nil), vector.NewVec[float64](nil)
	texts, bools = vector.NewVec[vector.View](nil), vector.NewBools(nil)
	nullEvery := rapid.IntRange(2, 9).Draw(t, "nullEvery")
	n := rapid.IntRange(1, 300).Draw(t, "rows")
	seed := rapid.Uint64().Draw(t, "seed")
	for i := range n {
		seed = seed*6364136223846793005 + 1442695040888963407
		x := int(seed >> 33)
		if x%nullEvery == 0 {
			ints.AppendNull()
		} else {
			ints.Append(int32(x % 7))
		}
		if (x/8)%nullEvery == 0 {
			doubles.AppendNull()
			bools.AppendNull()
		} else {
			doubles.Append(float64(x%5) / 2)
			bools.Append(x%3 == 0)
		}
		if (x/64)%nullEvery == 0 || i == 0 {
			texts.AppendNull()
		} else {
			vector.AppendString(texts, fmt.Appendf(nil, "a text of some length %d", x%4))
		}
	}
	return ints, doubles, texts, bools
}

var differentialQueries = []string{
	"SELECT i, d, s, b FROM t",
	"SELECT i, s FROM t WHERE i > 2 AND d <= 1.5",
	"SELECT d FROM t WHERE s LIKE '%1' OR s = 'a text of some length 2' OR b",
	"SELECT i FROM t WHERE NOT (i IN (1, 2) AND d <> 0.5)",
	"SELECT COUNT(*), COUNT(i), SUM(i), MIN(d), MAX(d) FROM t",
	"SELECT i, COUNT(*), SUM(d), MIN(d), MAX(i) FROM t GROUP BY i",
	"SELECT s, i, b, COUNT(*), SUM(i + d) FROM t WHERE d < 2 GROUP BY s, i, b",
	"SELECT s, d FROM t ORDER BY s DESC, d LIMIT 7",
	"SELECT i, i < 3 FROM t WHERE i IS NOT NULL ORDER BY d, s, i LIMIT 5, 20",
	"SELECT DISTINCT s FROM t",
}

// TestFormsAndBatchesMakeNoDifference runs queries over the same rows flat in
// one batch, and encoded in many batches and splits.
func TestFormsAndBatchesMakeNoDifference(t *testing.T) {
	columns := []plan.TableColumn{{Name: "i", Type: fn.Int}, {Name: "d", Type: fn.Double}, {Name: "s", Type: fn.String}, {Name: "b", Type: fn.Boolean}}
	rapid.Check(t, func(t *rapid.T) {
		ints, doubles, texts, bools := randomColumns(t)
		whole := vector.NewBatch(nil, ints, doubles, texts, bools)
		whole.N = ints.N
		flat := &memoryTable{columns: columns, splits: [][]*vector.Batch{{whole}}}
		encoded := &memoryTable{columns: columns, splits: [][]*vector.Batch{{}}}
		for begin := 0; begin < whole.N; {
			end := min(whole.N, begin+rapid.IntRange(1, 120).Draw(t, "batch"))
			var sel []int32
			for row := begin; row < end; row++ {
				sel = append(sel, int32(row))
			}
			part := make([]vector.Vector, 4)
			for i, c := range whole.Columns {
				part[i] = vector.MakeLike(c)
				if err := vector.Gather(part[i], c, sel); err != nil {
					t.Fatal(err)
				}
			}
			b := vector.NewBatch(nil, encode(t, part[0].(*vector.Vec[int32])), encode(t, part[1].(*vector.Vec[float64])),
				encode(t, part[2].(*vector.Vec[vector.View])), part[3])
			b.N = len(sel)
			last := len(encoded.splits) - 1
			encoded.splits[last] = append(encoded.splits[last], b)
			if rapid.Bool().Draw(t, "split") && end < whole.N {
				encoded.splits = append(encoded.splits, nil)
			}
			begin = end
		}
		text := rapid.SampledFrom(differentialQueries).Draw(t, "query")
		want, err := tryAnswer(flat, 1, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 3} {
			got, err := tryAnswer(encoded, workers, text)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s with %d workers:\n%v\nwant\n%v", text, workers, got, want)
			}
		}
	})
}
