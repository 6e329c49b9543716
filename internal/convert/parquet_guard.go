package convert

import (
	"errors"
	"fmt"
)

// ErrCorrupt means that the parts of a Parquet file contradict each other.
var ErrCorrupt = errors.New("corrupt file")

// guarded calls fn, which reads a Parquet file by means of a library that trusts
// what it reads: of files with one bad byte, about one in a hundred makes it
// panic. Such a panic is this file's error and nobody else's, and nothing that
// fn has changed is used after it. It is the one place where we recover.
func guarded(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("parquet: %w: %v", ErrCorrupt, r)
		}
	}()
	return fn()
}
