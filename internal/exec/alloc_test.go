package exec

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/internal/sql"
	"github.com/decantdb/decant/vector"
)

// warmRounds is how often warm work is repeated while allocations are counted.
const warmRounds = 100

// mustNotAllocate runs work a few times and then warmRounds times, in which
// nothing may be allocated.
func mustNotAllocate(t *testing.T, work func()) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for range 3 {
		work()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range warmRounds {
		work()
	}
	runtime.ReadMemStats(&after)
	if n, b := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc; n != 0 || b != 0 {
		t.Errorf("%d rounds made %d allocations of %d bytes", warmRounds, n, b)
	}
}

// warmWorker returns the only worker of a query over t.
func warmWorker(t testing.TB, table Table, columns []plan.TableColumn, text string) *worker {
	t.Helper()
	statement, err := sql.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	q, err := plan.Compile(statement, "t", columns, plan.Options{DefaultLimit: -1})
	if err != nil {
		t.Fatal(err)
	}
	r := &run{query: q, table: table, memory: &Memory{}, emitter: newEmitter(q, func(*vector.Batch) error { return nil })}
	w, err := newWorker(r, 0, fn.NewMeter(context.Background(), nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	return w
}

func TestWarmQueriesAllocateNothing(t *testing.T) {
	table := replayTable()
	for _, text := range []string{
		"SELECT i, l, f, d, s, bo FROM t",
		"SELECT i, s FROM t WHERE i > 1 AND s LIKE '%b%' OR d IN (0, 2.5) OR bo",
		"SELECT i * 2 + l, i < 3 FROM t WHERE i < l",
		"SELECT COUNT(*), COUNT(s), SUM(i), MIN(d), MAX(l), AVG(f) FROM t",
		"SELECT s, bo, i % 2, COUNT(*), SUM(i), MIN(d), MAX(l), AVG(f) FROM t WHERE i IS NOT NULL GROUP BY s, bo, i % 2",
		"SELECT d, COUNT(d) FROM t GROUP BY d",
		"SELECT CAST(i AS DOUBLE), ABS(d), SQRT(i) + POWER(f, 2), GREATEST(i, l), INTDIV(l, 7), ROUNDDECIMAL(d) FROM t",
		"SELECT UPPER(s), SUBSTR(s, 1), CONCAT(s, '-', 'x'), LENGTH(s), REPLACE(s, 'b', 'long enough to be outside'), CAST(i AS STRING) FROM t",
		"SELECT CASE WHEN i > 2 THEN s WHEN bo THEN 'x' END, COALESCE(i, l, 0), s IS DISTINCT FROM 'a' FROM t",
		"SELECT i FROM t WHERE YEAR(l) = 1970 AND LIKE(s, 'a%') OR UPPER(s) IN ('A', 'B_C') OR STRPOS(s, 'b') > 0",
		"SET enableNullHandling = false; SELECT s, bo, SUM(i), MIN(d) FROM t WHERE f < 1 GROUP BY s, bo",
	} {
		t.Run(text, func(t *testing.T) {
			w := warmWorker(t, table, table.columns, text)
			mustNotAllocate(t, func() {
				if g, ok := w.sink.(*groupSink); ok {
					g.reset()
				}
				for split := range table.Splits() {
					if err := w.readSplit(context.Background(), split); err != nil {
						t.Fatal(err)
					}
				}
			})
		})
	}
}
