package convert

import (
	"errors"
	"fmt"
)

// ErrCorrupt means that the parts of a Parquet or an Arrow file contradict each
// other.
var ErrCorrupt = errors.New("corrupt file")

// guard is the name of a format whose library trusts what it reads: of Parquet files
// with one bad byte, about one in a hundred makes it panic.
type guard string

// call calls fn, which reads a file by means of the library. A panic of it is this
// file's error and nobody else's, and nothing that fn has changed is used after it.
// It is the one place where we recover.
func (g guard) call(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %w: %v", g, ErrCorrupt, r)
		}
	}()
	return fn()
}
