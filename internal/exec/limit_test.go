package exec

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/internal/sql"
	"github.com/decantdb/decant/vector"
)

// wideTable has so many rows of an INT that is the row's number and a text.
func wideTable(rows int) *memoryTable {
	t := &memoryTable{columns: []plan.TableColumn{{Name: "i", Type: fn.Int}, {Name: "s", Type: fn.String}}}
	for begin := 0; begin < rows; begin += vector.DefaultBatchRows {
		numbers, texts := vector.NewVec[int32](nil), vector.NewVec[vector.View](nil)
		n := min(rows-begin, vector.DefaultBatchRows)
		for i := range n {
			numbers.Append(int32(begin + i))
			vector.AppendString(texts, fmt.Appendf(nil, "row %d", begin+i))
		}
		t.splits = append(t.splits, []*vector.Batch{{N: n, Columns: []vector.Vector{numbers, texts}}})
	}
	return t
}

// runWithin runs a query with a memory limit, 0 being none.
func runWithin(ctx context.Context, t *memoryTable, limitBytes int64, text string, emit func(*vector.Batch) error) (Stats, *fn.Budget, error) {
	statement, err := sql.Parse(text)
	if err != nil {
		return Stats{}, nil, err
	}
	budget := fn.NewBudget("the query", limitBytes, nil)
	q, err := plan.Compile(statement, "t", t.columns, plan.Options{DefaultLimit: -1, Meter: fn.NewMeter(ctx, budget)})
	if err != nil {
		return Stats{}, budget, err
	}
	stats, err := Run(ctx, q, t, Options{Workers: 2, Budget: budget}, emit)
	return stats, budget, err
}

// Batches of large results are cut: what is held at a time stays small, and the
// answer is whole.
func TestLargeResultsAreCut(t *testing.T) {
	table := wideTable(2048)
	for _, query := range []string{
		"SELECT REPEAT(s, 8000) FROM t",
		"SELECT i, REPEAT(s, 8000) FROM t WHERE LENGTH(REPEAT(s, 8000)) > 10",
		"SELECT LENGTH(REPEAT(s, 8000)) + 1 FROM t ORDER BY i",
		"SELECT i FROM t WHERE REPEAT(s, 8000) LIKE 'row%'",
		"SELECT LENGTH(REPEAT(s, 8000)), COUNT(*) FROM t GROUP BY LENGTH(REPEAT(s, 8000)), i",
		"SELECT SUM(LENGTH(REPEAT(s, 8000))) FROM t GROUP BY i",
		"SELECT ARRAY[" + strings.Repeat("1,", 9999) + "1] FROM t",
	} {
		rows, next := 0, true
		_, budget, err := runWithin(t.Context(), table, 200<<20, query, func(b *vector.Batch) error {
			rows += b.N
			next = next && b.N > 0
			return nil
		})
		if err != nil || rows != 2048 || !next {
			t.Errorf("%.80s: %d rows, %v", query, rows, err)
		}
		if used := budget.UsedBytes(); used == 0 {
			t.Errorf("%.80s: nothing was counted", query)
		}
	}
}

// A constant array is one for all rows where a function takes it.
func TestConstantArraysAreNotRepeated(t *testing.T) {
	query := "SELECT ARRAYCONTAINSINT(ARRAY[" + strings.Repeat("1,", 99_999) + "7], i) FROM t WHERE i < 10"
	_, budget, err := runWithin(t.Context(), wideTable(2048), 64<<20, query, func(*vector.Batch) error { return nil })
	if err != nil || budget.UsedBytes() > 4<<20 {
		t.Errorf("%d bytes, %v", budget.UsedBytes(), err)
	}
}

// No other rows are evaluated than LIMIT asks for.
func TestLimitEvaluatesWhatItNeeds(t *testing.T) {
	table := wideTable(2048)
	for query, want := range map[string]string{
		"SELECT i / (3 - i) FROM t LIMIT 3": "0 0.5 2",
		"SELECT CODEPOINT(SUBSTR(s, CASE WHEN i = 1 THEN 0 ELSE 50 END)) FROM t LIMIT 1 OFFSET 1": "114",
	} {
		var rows []string
		_, _, err := runWithin(t.Context(), table, 0, query, func(b *vector.Batch) error {
			for i := range b.N {
				rows = append(rows, cell(b.Columns[0], i))
			}
			return nil
		})
		if err != nil || strings.Join(rows, " ") != want {
			t.Errorf("%s: %v, %v", query, rows, err)
		}
	}
}

// Whatever a query holds is counted, and too much of it ends the query.
func TestMemoryLimitEndsTheQuery(t *testing.T) {
	table := wideTable(100_000)
	for _, query := range []string{
		"SELECT s, COUNT(*) FROM t GROUP BY s",
		"SELECT i, SUM(i), MIN(i) FROM t GROUP BY i",
		"SELECT DISTINCT s, i FROM t",
		"SELECT DISTINCTCOUNT(s) FROM t",
		"SELECT ARRAY_AGG(s, 'STRING') FROM t",
		"SELECT PERCENTILE(i, 50) FROM t",
		"SELECT s, i FROM t ORDER BY s",
		"SELECT REPEAT(s, 100), i FROM t ORDER BY i LIMIT 50000",
		"SELECT COUNT(*) FROM t GROUP BY REPEAT(s, 100)",
	} {
		_, budget, err := runWithin(t.Context(), table, 1<<20, query, func(*vector.Batch) error { return nil })
		if !errors.Is(err, fn.ErrMemory) || plan.Code(err) != 245 {
			t.Errorf("%s: %v", query, err)
		}
		if used := budget.UsedBytes(); used > 1<<20 {
			t.Errorf("%s: %d bytes", query, used)
		}
		if _, _, err := runWithin(t.Context(), table, 512<<20, query, func(*vector.Batch) error { return nil }); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// The first rows of an order hold about their own size, however large the rows.
func TestFirstRowsOfLargeOnes(t *testing.T) {
	rows := 0
	_, budget, err := runWithin(t.Context(), wideTable(1024), 100<<20, "SELECT REPEAT(s, 40000) FROM t ORDER BY i DESC LIMIT 5", func(b *vector.Batch) error {
		rows += b.N
		return nil
	})
	if err != nil || rows != 5 {
		t.Errorf("%d rows, %d bytes, %v", rows, budget.UsedBytes(), err)
	}
}

func TestGroupsLimit(t *testing.T) {
	table := wideTable(10_000)
	for _, keys := range []string{"i", "s", "i, s", "i - i, s", "i / 1"} {
		for _, limit := range []int{1, 100, 9_999, 10_000, 20_000} {
			counted, groups := int64(0), 0
			query := fmt.Sprintf("SET numGroupsLimit = %d; SELECT COUNT(*) FROM t GROUP BY %s", limit, keys)
			stats, _, err := runWithin(t.Context(), table, 0, query, func(b *vector.Batch) error {
				groups += b.N
				for i := range b.N {
					n, _ := b.Columns[0].(*vector.Vec[int64]).At(i)
					counted += n
				}
				return nil
			})
			if want := min(limit, 10_000); err != nil || groups != want || counted != int64(want) || stats.GroupsLimitReached != (limit < 10_000) {
				t.Errorf("%s: %d groups of %d rows, reached %v, %v", query, groups, counted, stats.GroupsLimitReached, err)
			}
		}
	}
}
