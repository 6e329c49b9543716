//go:build invariants

package pool_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/decantdb/decant/pool"
)

// mustPanic runs fn, which must panic with a text that contains part.
func mustPanic(t *testing.T, part string, fn func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := fmt.Sprint(recover()); !strings.Contains(got, part) {
			t.Errorf("panic %q does not say %q", got, part)
		}
	}()
	fn()
}

func TestDoubleReleasePanics(t *testing.T) {
	p := pool.New(pool.Options{})
	b := pool.Get[byte](p, 100)
	stale, stale2 := b, b
	pool.Put(p, &b)
	pool.Put(p, &b) // empty by now, so this is no release
	mustPanic(t, "double release", func() { pool.Put(p, &stale) })
	b = pool.Get[byte](p, 100)
	mustPanic(t, "double release", func() { pool.Put(p, &stale2) })
	pool.Put(p, &b)
}

func TestForeignReleasePanics(t *testing.T) {
	p, q := pool.New(pool.Options{}), pool.New(pool.Options{})
	b := pool.Get[byte](p, 100)
	other := b
	mustPanic(t, "foreign release", func() { pool.Put(q, &b) })
	mustPanic(t, "foreign release", func() { pool.Put(nil, &other) })
}

func TestWriteAfterReleaseIsFound(t *testing.T) {
	p := pool.New(pool.Options{})
	b := pool.Get[byte](p, 100)
	stale := b.S
	pool.Put(p, &b)
	stale[50] = 1
	mustPanic(t, "use after release", func() { pool.Get[byte](p, 100) })
}

func TestReleasedMemoryIsPoisoned(t *testing.T) {
	for _, limit := range []int{0, -1} { // kept, and left to the garbage collector
		p := pool.New(pool.Options{LimitBytes: limit})
		b := pool.Get[byte](p, 100)
		stale := b.S
		clear(stale)
		pool.Put(p, &b)
		for i, x := range stale {
			if x != 0xdb {
				t.Fatalf("limit %d: byte %d of a released buffer is %#x", limit, i, x)
			}
		}
	}
}
