package encoding

import (
	"errors"
	"fmt"
	"strings"
)

// failure is an error that says where and what, and is one of the package's
// sentinels to errors.Is.
type failure struct {
	text  string
	class error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.class }

func corrupt(format string, args ...any) error {
	return &failure{fmt.Sprintf(format, args...), ErrCorrupt}
}

func unsupported(format string, args ...any) error {
	return &failure{fmt.Sprintf(format, args...), ErrUnsupported}
}

// within puts the array or the part that an error comes from before it. That a
// child has fewer rows than its parent takes from it is the array's fault and
// not the caller's.
func within(place string, err error) error {
	class := ErrCorrupt
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrUnsupported):
		class = ErrUnsupported
	case errors.Is(err, ErrPastEnd):
		err = errors.New("fewer rows than are taken from it")
	}
	return &failure{place + ": " + err.Error(), class}
}

// within puts the kind, and the part of the array that is concerned, before err.
func (k Kind) within(part string, err error) error {
	if err == nil {
		return nil
	}
	return within(k.label()+": "+part, err)
}

// label is the kind's name as error texts have it.
func (k Kind) label() string { return strings.ToLower(k.String()) }
