package nimble

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/pool"
)

// TestFileIsSharedByGoroutines scans one file from several goroutines, each with
// its own session and stripes.
func TestFileIsSharedByGoroutines(t *testing.T) {
	schema := mustSchema(t, allKinds)
	f := mustOpen(t, writeFile(t, schema, &WriterOptions{StripeRows: 100}, fixedBatch(schema, 800)))
	want, err := readFile(f, 64)
	if err != nil {
		t.Fatal(err)
	}
	got := make([][]any, f.NumStripes())
	var workers sync.WaitGroup
	for stripe := range f.NumStripes() {
		workers.Go(func() {
			scan, err := f.Scan(ScanOptions{
				FirstStripe: stripe, EndStripe: stripe + 1, Session: NewSession(pool.New(pool.Options{})),
			})
			if err != nil {
				t.Error(err)
				return
			}
			b, err := scan.Next()
			if err != nil {
				t.Error(err)
				return
			}
			got[stripe] = batchValues(b)
			if err := scan.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	workers.Wait()
	var all []any
	for _, rows := range got {
		all = append(all, rows...)
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestScanOptions(t *testing.T) {
	schema := mustSchema(t, "n BIGINT, s VARCHAR")
	f := mustOpen(t, writeFile(t, schema, &WriterOptions{StripeRows: 10}, fixedBatch(schema, 35)))
	for _, o := range []ScanOptions{
		{Columns: []int{2}},
		{Columns: []int{-1}},
		{BatchRows: -1},
		{FirstStripe: 3, EndStripe: 2},
		{FirstStripe: -1},
		{EndStripe: 5},
	} {
		if _, err := f.Scan(o); err == nil {
			t.Errorf("a scan of %+v starts", o)
		}
	}
	scan, err := f.Scan(ScanOptions{FirstStripe: 1, EndStripe: 3, Columns: []int{1, 1, 0}, BatchRows: 4})
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for {
		b, err := scan.Next()
		if err != nil {
			break
		}
		if len(b.Columns) != 3 {
			t.Fatalf("%d columns", len(b.Columns))
		}
		sizes = append(sizes, b.N)
	}
	if diff := cmp.Diff([]int{4, 4, 2, 4, 4, 2}, sizes); diff != "" {
		t.Errorf("batches (-want +got):\n%s", diff)
	}
}
