package tablet

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt is wrapped by the errors of damaged files.
	ErrCorrupt = errors.New("corrupt file")
	// ErrUnsupported is wrapped by the errors of files that use something this
	// package does not know or is told not to accept.
	ErrUnsupported = errors.New("unsupported")
	// ErrChecksum is the error of [Tablet.VerifyChecksum] for a file whose bytes
	// have changed. It wraps [ErrCorrupt].
	ErrChecksum = fmt.Errorf("%w: checksum differs", ErrCorrupt)
)

// A PlaceError says in which part of a file an error was found.
type PlaceError struct {
	// Part names the part: "footer", "stripe group 3", "section columnar.schema".
	Part string
	// Pos is where the part begins in the file.
	Pos uint64
	Err error
}

func (e *PlaceError) Error() string {
	return fmt.Sprintf("tablet: %s at byte %d: %v", e.Part, e.Pos, e.Err)
}

func (e *PlaceError) Unwrap() error { return e.Err }

// at puts the place to err, which may be nil.
func at(part string, pos uint64, err error) error {
	if err == nil {
		return nil
	}
	return &PlaceError{Part: part, Pos: pos, Err: err}
}

func corruptf(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrCorrupt, fmt.Errorf(format, args...))
}

func unsupportedf(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrUnsupported, fmt.Errorf(format, args...))
}

// corrupt puts a parser's error, which may be nil, under ErrCorrupt.
func corrupt(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrCorrupt, err)
}
