//go:build !invariants

package pool_test

import (
	"testing"

	"github.com/decantdb/decant/pool"
)

func TestDoubleReleaseHasNoEffect(t *testing.T) {
	p := pool.New(pool.Options{})
	b := pool.Get[byte](p, 100)
	stale := b
	pool.Put(p, &b)
	pool.Put(p, &b) // empty by now
	before := p.Stats()
	pool.Put(p, &stale)
	wantStats(t, p, before)

	// Nor once the storage has a new owner.
	b = pool.Get[byte](p, 100)
	stale2 := stale
	before = p.Stats()
	pool.Put(p, &stale2)
	wantStats(t, p, before)
	pool.Put(p, &b)
}

func TestStaleReleaseAfterDropHasNoEffect(t *testing.T) {
	p := pool.New(pool.Options{LimitBytes: -1})
	b := pool.Get[byte](p, 100)
	stale := b
	pool.Put(p, &b)
	other := pool.Get[byte](p, 5000) // in the header that was dropped
	before := p.Stats()
	pool.Put(p, &stale)
	wantStats(t, p, before)
	pool.Put(p, &other)
}

func TestForeignReleaseHasNoEffect(t *testing.T) {
	p, q := pool.New(pool.Options{}), pool.New(pool.Options{})
	b := pool.Get[byte](p, 100)
	other := b
	pool.Put(q, &b)
	wantStats(t, q, pool.Stats{})
	wantStats(t, p, pool.Stats{Gets: 1, Allocs: 1, Outstanding: 1, OutstandingBytes: 112})
	pool.Put(nil, &other)
	wantStats(t, p, pool.Stats{Gets: 1, Allocs: 1, Outstanding: 1, OutstandingBytes: 112})
}
