//go:build !unix

package kernel

import "testing"

// fenced returns two pieces of memory of the given size. Where access faults at
// their ends is tested on other systems.
func fenced(_ testing.TB, size int) (atEnd, atStart []byte) {
	return make([]byte, size), make([]byte, size)
}
