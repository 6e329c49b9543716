//go:build !race

// The race detector makes sync.Pool forget at random, so decompressors are made
// anew.

package decant

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/pool"
)

// TestWarmScanDoesNotAllocate reads all columns of the flights table again and
// again with one cursor.
func TestWarmScanDoesNotAllocate(t *testing.T) {
	const warmRounds, rounds = 2, 100
	db, err := OpenFiles("examples/flights.nimble")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	flights := db.tables[0]
	columns := make([]int, len(flights.columns))
	for i := range columns {
		columns[i] = i
	}
	c, err := flights.NewCursor(nimble.NewSession(pool.New(pool.Options{})), columns)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	scan := func() (rows int) {
		for split := range flights.Splits() {
			if err := c.Open(split); err != nil {
				t.Fatal(err)
			}
			for {
				n, err := c.Next()
				if err != nil {
					t.Fatal(err)
				}
				if n == 0 {
					break
				}
				rows += n
				for i := range columns {
					if _, err := c.Read(i); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		return rows
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for range warmRounds {
		scan()
	}
	var before, after runtime.MemStats
	rows := 0
	runtime.ReadMemStats(&before)
	for range rounds {
		rows += scan()
	}
	runtime.ReadMemStats(&after)
	if want := rounds * 336_776; rows != want {
		t.Errorf("%d rows, want %d", rows, want)
	}
	if mallocs, bytes := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc; mallocs != 0 || bytes != 0 {
		t.Errorf("%d allocations of %d bytes in %d warm rounds", mallocs, bytes, rounds)
	}
}
