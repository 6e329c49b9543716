package exec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// manyRows is a table of enough rows that rows are dropped before the end, with
// nulls, NaN and both zeros.
func manyRows() *memoryTable {
	random := rand.New(rand.NewPCG(1, 2))
	table := &memoryTable{columns: []plan.TableColumn{
		{Name: "i", Type: fn.Int}, {Name: "d", Type: fn.Double}, {Name: "s", Type: fn.String}, {Name: "n", Type: fn.Long},
	}}
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1)}
	for split := range 4 {
		var batches []*vector.Batch
		for batch := range 5 {
			ints, doubles := vector.NewVec[int32](nil), vector.NewVec[float64](nil)
			texts, numbers := vector.NewVec[vector.View](nil), vector.NewVec[int64](nil)
			for row := range 1000 {
				numbers.Append(int64(split*5000 + batch*1000 + row))
				if random.IntN(100) == 0 {
					ints.AppendNull()
					doubles.AppendNull()
					texts.AppendNull()
					continue
				}
				ints.Append(random.Int32N(1000) - 500)
				vector.AppendString(texts, fmt.Appendf(nil, "some text with number %d", random.IntN(500)))
				if random.IntN(50) == 0 {
					doubles.Append(special[random.IntN(len(special))])
				} else {
					doubles.Append(random.NormFloat64())
				}
			}
			b := vector.NewBatch(nil, ints, doubles, texts, numbers)
			b.N = 1000
			batches = append(batches, b)
		}
		table.splits = append(table.splits, batches)
	}
	return table
}

// TestFirstRowsAreThoseOfTheWholeOrder compares a query with a limit to the
// start of the same query without one.
func TestFirstRowsAreThoseOfTheWholeOrder(t *testing.T) {
	table := manyRows()
	orders := []string{
		"d NULLS FIRST, i DESC", "s DESC NULLS LAST", "i DESC", "i", "i NULLS FIRST", "i DESC NULLS LAST", "d", "d DESC",
		"d DESC NULLS LAST", "s", "s, d DESC, i", "i + 1 DESC NULLS LAST, s", "i < 0, d", "n DESC",
	}
	if testing.Short() {
		orders = orders[:3]
	}
	for _, order := range orders {
		all := answer(t, table, 1, "SELECT n, i, d, s FROM t ORDER BY "+order)
		if len(all) != 20000 {
			t.Fatalf("%s: %d rows", order, len(all))
		}
		for _, workers := range []int{1, 2} {
			for _, limit := range []int{1, 7, 300, 6000} {
				text := fmt.Sprintf("SELECT n, i, d, s FROM t ORDER BY %s LIMIT %d OFFSET 3", order, limit)
				if got := answer(t, table, workers, text); !slices.Equal(got, all[3:3+limit]) {
					t.Errorf("%s with %d workers: first rows %q, want %q", text, workers, got[:1], all[3:4])
				}
			}
			filtered := answer(t, table, workers, "SELECT n FROM t WHERE i > 0 AND d < 1 ORDER BY "+order+" LIMIT 5")
			if want := answer(t, table, 1, "SELECT n FROM t WHERE i > 0 AND d < 1 ORDER BY "+order)[:5]; !slices.Equal(filtered, want) {
				t.Errorf("filtered, ORDER BY %s: %q, want %q", order, filtered, want)
			}
		}
	}
}
