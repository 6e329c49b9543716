//go:build !race

// The race detector makes the codecs' pools forget at random.

package nimble

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// rounds is how often a warm measurement is repeated.
const rounds = 100

// quiet keeps the collector and other processors out of a test that measures
// allocations: the collector empties the pools of the codecs.
func quiet(t *testing.T) {
	processors, percent := runtime.GOMAXPROCS(1), debug.SetGCPercent(-1)
	// What was used before is collected and its finalizers have run.
	runtime.GC()
	time.Sleep(20 * time.Millisecond)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		runtime.GOMAXPROCS(processors)
	})
}

// checkNoAllocs runs fn until it is warm and then fails if it allocates.
func checkNoAllocs(t *testing.T, name string, fn func()) {
	t.Helper()
	for range 20 {
		fn()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		fn()
	}
	runtime.ReadMemStats(&after)
	if after.Mallocs != before.Mallocs || after.TotalAlloc != before.TotalAlloc {
		t.Errorf("%s: %d allocations of %d bytes in %d warm rounds", name,
			after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc, rounds)
	}
}

// scanStripes reads all stripes of a file in three ways.
func scanStripes(t *testing.T, r *StripeReader, f *File, sel []int32) {
	for stripe := range f.NumStripes() {
		if err := r.Reset(f, stripe, nil); err != nil {
			t.Fatal(err)
		}
		for col := range f.Schema().Children {
			for left, i := r.Rows(), 0; left > 0; i++ {
				n := min(left, 100)
				var err error
				switch {
				case i%3 == 1 && n == 100:
					_, err = r.ReadSel(col, n, sel)
				case i%3 == 2:
					err = r.Skip(col, n)
				default:
					_, err = r.Read(col, n)
				}
				if err != nil {
					t.Fatal(err)
				}
				left -= n
			}
		}
	}
}

func TestWarmScanDoesNotAllocate(t *testing.T) {
	quiet(t)
	schema, err := ParseSchema("b BOOLEAN, i INTEGER, n BIGINT, d DOUBLE, s VARCHAR, at TIMESTAMP, " +
		"a ARRAY<VARCHAR>, m MAP<INTEGER, DOUBLE>, r ROW<x BIGINT, s VARCHAR, at BOOLEAN>, rr ARRAY<ROW<x BIGINT>>")
	if err != nil {
		t.Fatal(err)
	}
	var batches []*vector.Batch
	for range 4 {
		batches = append(batches, fixedBatch(schema, 777))
	}
	data := writeFile(t, schema, &WriterOptions{StripeRows: 1500, ChunkBytes: 3000}, batches...)
	f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSession(pool.New(pool.Options{}))
	sel := []int32{3, 50, 99}
	var r StripeReader
	r.session = s
	checkNoAllocs(t, "stripes", func() { scanStripes(t, &r, f, sel) })
	r.Close()
	scan, err := f.Scan(ScanOptions{Session: s})
	if err != nil {
		t.Fatal(err)
	}
	checkNoAllocs(t, "scan", func() {
		scan.Rewind()
		for {
			if _, err := scan.Next(); err != nil {
				if errors.Is(err, io.EOF) {
					return
				}
				t.Fatal(err)
			}
		}
	})
	if err := scan.Close(); err != nil {
		t.Error(err)
	}
	s.Release()
	if held := s.Pool().Stats(); held.Outstanding != 0 {
		t.Errorf("after everything is closed %d buffers are out", held.Outstanding)
	}
}

// TestGoldenFilesScanDoesNotAllocate scans all golden files, of which each has
// encodings of its own, one after the other with one session.
func TestGoldenFilesScanDoesNotAllocate(t *testing.T) {
	quiet(t)
	s := NewSession(pool.New(pool.Options{}))
	var readers []*StripeReader
	var files []*File
	refused := 0
	for _, c := range goldenFiles(t) {
		f := c.open(t)
		r := &StripeReader{session: s}
		if err := tryScan(r, f); err != nil {
			if !errors.Is(err, encoding.ErrUnsupported) {
				t.Errorf("%s: %v", c.Name, err)
			}
			refused++
			r.Close()
			continue
		}
		readers, files = append(readers, r), append(files, f)
	}
	for i, r := range readers {
		name := fmt.Sprint(files[i].Schema())
		checkNoAllocs(t, name, func() {
			if err := tryScan(r, files[i]); err != nil {
				t.Fatal(err)
			}
		})
	}
	t.Logf("%d files, %d refused", len(files), refused)
	if len(files) == 0 {
		t.Error("no file was scanned")
	}
}

// tryScan reads a file column by column.
func tryScan(r *StripeReader, f *File) error {
	for stripe := range f.NumStripes() {
		if err := r.Reset(f, stripe, nil); err != nil {
			return err
		}
		for col := range f.Schema().Children {
			for left := r.Rows(); left > 0; {
				n := min(left, 64)
				if _, err := r.Read(col, n); err != nil {
					return err
				}
				left -= n
			}
		}
	}
	return nil
}
