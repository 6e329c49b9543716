package exec

import (
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// ErrUnsupported means that a query asks for what the engine does not run.
var ErrUnsupported = plan.ErrNotRun

// Table is rows in splits that can be read side by side. It may be used by
// several goroutines at once.
type Table interface {
	Columns() []plan.TableColumn
	// Splits returns the number of splits; their order is the order of rows.
	Splits() int
	// NewCursor returns a cursor over some of the table's columns, by their
	// indexes, that takes its memory from s.
	NewCursor(s *nimble.Session, columns []int) (Cursor, error)
}

// Cursor reads batches of one split after another. It belongs to one goroutine.
// Columns are named by their place in the list that the cursor was made with.
type Cursor interface {
	// Open goes to the start of a split.
	Open(split int) error
	// Next goes to the next batch and returns its rows, 0 at the end of the
	// split. It ends what Read and ReadSel returned before.
	Next() (int, error)
	// Read returns a column of the batch, in the form that it is stored.
	// A column is read at most once a batch.
	Read(column int) (vector.Vector, error)
	// ReadSel returns those rows of a column that sel lists in ascending order.
	ReadSel(column int, sel []int32) (vector.Vector, error)
	// Close gives the cursor's memory back.
	Close()
}
