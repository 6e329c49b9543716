package datatable

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt is what a table that is not well formed is rejected with,
	// wrapped in a [FormatError].
	ErrCorrupt = errors.New("corrupt table")
	// ErrVersion is what a table of another version than 4 is rejected with,
	// wrapped in a [FormatError].
	ErrVersion = errors.New("unsupported version")
	// ErrType says that a column's type does not exist, or not in the release
	// that a table is built for.
	ErrType = errors.New("unsupported type")
	// ErrTooLarge says that a section or the table would exceed 2 GiB, the reach
	// of its 32-bit offsets.
	ErrTooLarge = errors.New("table exceeds 2 GiB")
	// ErrMisuse says that a builder's methods were called in a way that makes no
	// table: a column that does not exist or is of another type, a row that was
	// not started or not finished.
	ErrMisuse = errors.New("misuse of the builder")
)

// FormatError tells where a table is damaged.
type FormatError struct {
	Section string // "header", "exceptions", "dictionary", "schema", "fixed", "variable" or "metadata"
	Offset  int    // bytes from the begin of the section
	Reason  string
	Err     error // ErrCorrupt or ErrVersion
}

// Error returns the place and the reason.
func (e *FormatError) Error() string {
	return fmt.Sprintf("datatable: %s at byte %d: %s", e.Section, e.Offset, e.Reason)
}

// Unwrap returns e.Err.
func (e *FormatError) Unwrap() error { return e.Err }

func corrupt(section string, offset int, format string, args ...any) error {
	return &FormatError{Section: section, Offset: offset, Reason: fmt.Sprintf(format, args...), Err: ErrCorrupt}
}
