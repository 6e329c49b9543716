//go:build unix

package kernel

import (
	"syscall"
	"testing"
)

// fenced returns two pieces of memory of the given size that do not give room:
// one that ends where access faults, and one, perhaps the same, that starts behind
// such a place.
func fenced(t testing.TB, size int) (atEnd, atStart []byte) {
	t.Helper()
	page := syscall.Getpagesize()
	inner := (size + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, inner+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	for _, fence := range [][]byte{m[:page], m[page+inner:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return m[page+inner-size : page+inner : page+inner], m[page : page+size : page+size]
}
