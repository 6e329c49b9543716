package convert

import (
	"errors"
	"fmt"
)

// ErrValue means that a text is not a value of its column's type.
var ErrValue = errors.New("not a value of the type")

// PlaceError is what is wrong at one place of a text file.
type PlaceError struct {
	File   string
	Line   int // from 1; of the first line, where a field has several
	Column int // from 1: the number of a field of CSV, the byte of a line of JSON; 0 = all of it
	Err    error
}

// Error returns file:line:column and what is wrong there.
func (e *PlaceError) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

// Unwrap returns e.Err.
func (e *PlaceError) Unwrap() error { return e.Err }

// valueError is a text that is not of a type. It wraps [ErrValue].
type valueError struct{ text, typ string }

func (e *valueError) Error() string {
	return fmt.Sprintf("%q is not %s %s", e.text, article(e.typ), e.typ)
}

func (e *valueError) Is(target error) bool { return target == ErrValue }

func article(noun string) string {
	switch noun[0] {
	case 'A', 'E', 'I', 'O':
		return "an"
	default:
		return "a"
	}
}
