package nimble

import "errors"

// The errors of this package. Errors of the packages below are passed on with
// the place where they happened, and keep the errors they wrap.
var (
	// ErrCorrupt means that a file's parts contradict each other.
	ErrCorrupt = errors.New("corrupt file")
	// ErrUnsupported means that a file uses something that is refused by name.
	ErrUnsupported = errors.New("unsupported")
	// ErrSchema means that a type is not valid or does not fit what it is for.
	ErrSchema = errors.New("invalid schema")
	// ErrClosed means that a reader or a writer was used after Close.
	ErrClosed = errors.New("already closed")
)
