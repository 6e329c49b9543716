package decant

import (
	"context"
	"errors"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/internal/sql"
)

// SQLError is what is wrong at one place of a query: Line and Column, from 1,
// and a message. It wraps one of the sentinels of this package.
type SQLError = sql.Error

// The classes of errors of queries. A [*SQLError] wraps each but the last two.
var (
	// ErrSyntax means that a text is not in the dialect.
	ErrSyntax = sql.ErrSyntax
	// ErrUnsupported means that a text uses a feature of SQL that is not in the
	// dialect, such as a join.
	ErrUnsupported = sql.ErrUnsupported
	// ErrNotRun means that a query is in the dialect but is not run yet.
	ErrNotRun = plan.ErrNotRun
	// ErrUnknownColumn means that a name is no column of the table.
	ErrUnknownColumn = plan.ErrUnknownColumn
	// ErrUnknownFunction means that there is no function of that name, or none
	// with that number of arguments.
	ErrUnknownFunction = plan.ErrUnknownFunction
	// ErrType means that a value has a type that does not fit.
	ErrType = plan.ErrType
	// ErrInvalid means that the parts of a query do not fit together.
	ErrInvalid = plan.ErrInvalid
	// ErrMemory means that a query needed more memory than it, or all queries
	// together, may have.
	ErrMemory = fn.ErrMemory
	// ErrUnknownTable means that a query names a table that is not there.
	ErrUnknownTable = errors.New("unknown table")
	// ErrSchemas means that files of one table do not have the same columns.
	ErrSchemas = errors.New("files of one table differ in their columns")
	// ErrClosed means that a database or an answer was used after Close.
	ErrClosed = errors.New("already closed")
)

// ErrorCode returns the number that a Pinot broker gives an error of a query, such
// as 150 for one of the syntax and 710 for an unknown column.
func ErrorCode(err error) int {
	if errors.Is(err, ErrUnknownTable) {
		return 190
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return 250
	}
	if errors.Is(err, context.Canceled) {
		return 503
	}
	return plan.Code(err)
}
