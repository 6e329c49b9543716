package exec

// sink takes in the surviving rows of a worker's splits, one split after
// another.
type sink interface {
	// consume takes in the rows of f, which begin at the given row of the table.
	consume(f *frame, at rowID) error
	// merge adds what another worker's sink of the same kind took in.
	merge(o sink) error
	// bytes returns the memory that is held, about.
	bytes() int
}

// rowID orders rows of a table: split, then place in the split.
type rowID uint64

const rowsOfSplitBits = 40

func newRowID(split int, row int64) rowID {
	return rowID(split)<<rowsOfSplitBits | rowID(row)
}

func (r rowID) split() int { return int(r >> rowsOfSplitBits) }
