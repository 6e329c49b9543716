package plan

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// The classes of errors that a query can have beside its syntax. Each is
// wrapped by a *sql.Error with the place.
var (
	// ErrUnknownColumn means that a name is no column of the table.
	ErrUnknownColumn = errors.New("unknown column")
	// ErrUnknownFunction means that there is no function of that name, or none
	// with that number of arguments.
	ErrUnknownFunction = errors.New("unknown function")
	// ErrType means that a value has a type that does not fit.
	ErrType = errors.New("type mismatch")
	// ErrConstant means that a call of literals cannot be worked out.
	ErrConstant = errors.New("constant expression")
	// ErrInvalid means that the parts of a query do not fit together.
	ErrInvalid = errors.New("invalid query")
	// ErrNotRun means that a query is in the dialect but is not run yet.
	ErrNotRun = errors.New("not run yet")
)

// Code returns the code that Pinot gives an error of a query's text or run.
func Code(err error) int {
	switch {
	case errors.Is(err, fn.ErrMemory):
		return 245
	case errors.Is(err, ErrUnknownColumn):
		return 710
	case errors.Is(err, ErrUnknownFunction), errors.Is(err, ErrType), errors.Is(err, ErrNotRun):
		return 700
	case errors.Is(err, fn.ErrValue):
		return 200
	}
	var text *sql.Error
	if errors.As(err, &text) {
		return 150
	}
	return 200
}

func errorAt(at sql.Pos, class error, format string, args ...any) error {
	return &sql.Error{Line: at.Line, Column: at.Column, Msg: shortened(fmt.Sprintf(format, args...)), Err: class}
}

// longestMessage bounds a message, which may quote an expression of any length.
const longestMessage = 600

// shortened leaves the middle of a long message out.
func shortened(message string) string {
	if len(message) <= longestMessage {
		return message
	}
	begin, end := longestMessage/2, len(message)-longestMessage/2
	for begin > 0 && !utf8.RuneStart(message[begin]) {
		begin--
	}
	for end < len(message) && !utf8.RuneStart(message[end]) {
		end++
	}
	return message[:begin] + " ... " + message[end:]
}

// notRun names a part of the dialect that is parsed but not run.
func notRun(at sql.Pos, what string) error {
	return errorAt(at, ErrNotRun, "%s is not run yet", what)
}
