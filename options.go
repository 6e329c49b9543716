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
	// PinotDefaults makes queries behave as Pinot does when nothing is said: an
	// answer has ten rows, and columns have their default value in place of null.
	PinotDefaults bool
	// HandleNulls makes nulls be nulls although PinotDefaults is set.
	HandleNulls bool
	// ZeroKeys shows a null group key as Pinot 1.5 does with null handling on: as
	// an empty text, false or zero. The groups are the same.
	ZeroKeys bool
	// Nulls are texts that stand for null in CSV files where they are not
	// quoted, besides the empty one.
	Nulls []string
}
