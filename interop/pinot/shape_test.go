package pinot_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/internal/golden"
	pinot "github.com/decantdb/decant/interop/pinot"
)

// The hashes are those of tables that Pinot built.
func TestGoldenShapeHashes(t *testing.T) {
	for _, dir := range golden.Dirs(t, "pinot/bench/bytes") {
		hashes, err := os.ReadFile(filepath.Join(dir, "SHA256.txt"))
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		for line := range strings.Lines(string(hashes)) {
			var name, want string
			var rows, size int
			if _, err := fmt.Sscanf(line, "%s rows=%d bytes=%d sha256=%s", &name, &rows, &size, &want); err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			for _, s := range pinot.Shapes {
				if s.Name != name {
					continue
				}
				ran++
				v := s.Values(rows)
				for form, table := range map[string][]byte{"rows": byRows(t, s, v), "batches": byBatches(t, s, v)} {
					sum := sha256.Sum256(table)
					if got := hex.EncodeToString(sum[:]); len(table) != size || got != want {
						t.Errorf("%s of %d rows from %s: %d bytes with hash %s, not %d with %s",
							name, rows, form, len(table), got, size, want)
					}
				}
			}
		}
		if want := 2 * len(pinot.Shapes); ran != want {
			t.Errorf("%d hashes of %d in %s", ran, want, dir)
		}
		t.Logf("%d hashes in %s", ran, dir)
	}
}

func byRows(t *testing.T, s pinot.Shape, v *pinot.Values) []byte {
	b := newBuilder(t, s.Columns(), datatable.Release15)
	v.SetRows(b)
	return appended(t, b)
}

func byBatches(t *testing.T, s pinot.Shape, v *pinot.Values) []byte {
	b := newBuilder(t, s.Columns(), datatable.Release15)
	for _, batch := range v.Batches() {
		if err := b.AppendBatch(batch); err != nil {
			t.Fatal(err)
		}
	}
	return appended(t, b)
}

func newBuilder(tb testing.TB, columns []datatable.Column, release datatable.Release) *datatable.Builder {
	tb.Helper()
	b, err := datatable.NewBuilder(nil, columns, datatable.Options{Release: release})
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func appended(tb testing.TB, b *datatable.Builder) []byte {
	tb.Helper()
	table, err := b.AppendTo(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return table
}
