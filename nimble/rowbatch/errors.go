package rowbatch

import (
	"errors"
	"fmt"
)

// The errors of this package. Errors of package encoding are passed on with the
// stream that they arose in, and keep what they wrap.
var (
	// ErrCorrupt means that a blob's parts contradict each other.
	ErrCorrupt = errors.New("corrupt batch")
	// ErrUnsupported means that a blob or an option asks for something that is
	// refused by name.
	ErrUnsupported = errors.New("unsupported batch")
	// ErrRange means that rows were asked for that a blob does not have.
	ErrRange = errors.New("rows out of range")
	// ErrSchema means that a schema, a type or vectors do not fit each other.
	ErrSchema = errors.New("schema mismatch")
	// ErrKey means that a map has a key that may not be stored.
	ErrKey = errors.New("invalid flat map key")
)

func corruptf(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrCorrupt}, args...)...)
}

func unsupportedf(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrUnsupported}, args...)...)
}

func schemaf(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrSchema}, args...)...)
}
