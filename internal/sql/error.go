package sql

import (
	"errors"
	"fmt"
)

var (
	// ErrSyntax is wrapped by the error of a text that is not in the dialect.
	ErrSyntax = errors.New("syntax error")
	// ErrUnsupported is wrapped by the error of a text that uses a feature of
	// SQL which the single-stage dialect leaves to another engine.
	ErrUnsupported = errors.New("unsupported feature")
)

// Error is what [Parse] and [ParseExpr] return: the place and what was wrong
// there. It wraps [ErrSyntax] or [ErrUnsupported].
type Error struct {
	Line, Column int // both start at 1
	Msg          string
	Err          error
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("sql: line %d column %d: %s", e.Line, e.Column, e.Msg)
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Err }

func syntaxError(at Pos, format string, args ...any) error {
	return &Error{Line: at.Line, Column: at.Column, Msg: fmt.Sprintf(format, args...), Err: ErrSyntax}
}

func unsupported(at Pos, what string) error {
	return &Error{Line: at.Line, Column: at.Column, Msg: what + " not supported", Err: ErrUnsupported}
}
