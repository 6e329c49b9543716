package decant

// Options say how files are read and queries are run. The zero value is the
// default.
type Options struct {
	// Workers is how many goroutines read for one query. 0 means as many as
	// there are processors that may be used.
	Workers int
	// PoolLimitBytes bounds the scratch memory that each worker keeps for reuse.
	// 0 means 64 MiB.
	PoolLimitBytes int
	// QueryMemoryBytes bounds what one query holds, as groups, rows to be sorted,
	// results of functions. Passing it ends the query with [ErrMemory]. 0 means
	// 1 GiB, negative is no bound. What reading takes is not part of it.
	QueryMemoryBytes int64
	// MemoryBytes bounds the same for all queries of a database together. 0 means
	// 4 GiB, negative is no bound.
	MemoryBytes int64
	// PinotDefaults makes queries behave as Pinot does when nothing is said: an
	// answer has ten rows, a query keeps 100,000 groups, and columns have their
	// default value in place of null.
	PinotDefaults bool
	// HandleNulls makes nulls be nulls although PinotDefaults is set.
	HandleNulls bool
	// ZeroKeys shows null keys and aggregates of GROUP BY as Pinot 1.5 does with null
	// handling on: as an empty text, false or zero. The groups are the same.
	ZeroKeys bool
	// Nulls are texts that stand for null in CSV files where they are not
	// quoted, besides the empty one.
	Nulls []string
}

// The bounds of memory when nothing is said.
const (
	defaultQueryMemoryBytes = 1 << 30
	defaultMemoryBytes      = 4 << 30
)

// limitOr returns a limit as budgets have it: 0 is none there.
func limitOr(limit, byDefault int64) int64 {
	switch {
	case limit == 0:
		return byDefault
	case limit < 0:
		return 0
	}
	return limit
}
