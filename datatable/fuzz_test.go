package datatable_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/internal/golden"
)

// addGoldens adds the small tables of the project's own golden set.
func addGoldens(f *testing.F) {
	for _, sub := range []string{"pinot/datatable", "pinot/datatable_head", "pinot/broker/wire"} {
		paths, err := filepath.Glob(filepath.Join(golden.Roots(f)[0], sub, "*.bin"))
		if err != nil || len(paths) == 0 {
			f.Fatalf("no tables in %s: %v", sub, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			if len(data) < 4096 {
				f.Add(data)
			}
		}
	}
}

// slackBytes is what the fuzzer's own goroutines may allocate meanwhile.
const slackBytes = 256 << 10

// FuzzOpen reads everything of whatever opens, and builds it again.
func FuzzOpen(f *testing.F) {
	addGoldens(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		table, err := datatable.Open(data)
		runtime.ReadMemStats(&after)
		if err != nil {
			if !errors.Is(err, datatable.ErrCorrupt) && !errors.Is(err, datatable.ErrVersion) {
				t.Fatalf("an error of no type: %v", err)
			}
			return
		}
		rows := table.Rows()
		if limit := uint64(64*rows + 16*len(data) + slackBytes); after.TotalAlloc-before.TotalAlloc > limit {
			t.Fatalf("%d bytes allocated for %d rows in %d bytes", after.TotalAlloc-before.TotalAlloc, rows, len(data))
		}
		if len(table.Columns()) == 0 && rows > 1000 {
			return // as many rows as one likes take no space
		}
		readable := true
		for row := range rows {
			for col := range table.Columns() {
				if _, err := cellText(table, row, col); err != nil {
					readable = false
					if !errors.Is(err, datatable.ErrCorrupt) && table.Columns()[col].Type != datatable.Unknown {
						t.Fatalf("an error of no type: %v", err)
					}
				}
			}
		}
		if readable {
			rebuild(t, table)
		}
	})
}

// rebuild builds a table with the cells of another and compares the two.
func rebuild(t *testing.T, table *datatable.Table) {
	b, err := datatable.NewBuilder(nil, table.Columns(), datatable.Options{Release: datatable.ReleaseHead})
	if err != nil {
		t.Fatal(err)
	}
	copyRows(b, table)
	data, err := b.AppendTo(nil)
	if errors.Is(err, datatable.ErrMisuse) {
		return // a UUID that has not 16 bytes
	}
	again := mustOpen(t, data)
	for row := range table.Rows() {
		for col := range table.Columns() {
			if table.IsNull(row, col) {
				if !again.IsNull(row, col) {
					t.Fatalf("row %d column %d is not null again", row, col)
				}
				continue
			}
			want, _ := cellText(table, row, col)
			if got, err := cellText(again, row, col); err != nil || !sameText(table.Columns()[col].Type, got, want) {
				t.Fatalf("row %d column %d is %s, %v, not %s", row, col, got, err, want)
			}
		}
	}
}

// sameText compares two cells. Arrays of floats lose the payload of NaNs.
func sameText(typ datatable.Type, got, want string) bool {
	return got == want || (typ == datatable.FloatArray || typ == datatable.DoubleArray) && len(got) == len(want)
}

// FuzzMutatedNulls puts arbitrary bytes in the place of a null bitmap.
func FuzzMutatedNulls(f *testing.F) {
	f.Add([]byte{0x3a, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0})
	f.Add([]byte{0x3b, 0x30, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0})
	b := newBuilder(f, nil, datatable.Int)
	for range 100 {
		b.StartRow()
		b.FinishRow()
	}
	b.SetNullRows(0, []int32{0})
	data := mustAppend(f, b)
	f.Fuzz(func(t *testing.T, blob []byte) {
		// The bitmap of 18 bytes is all of the variable section, 8 bytes before
		// the end.
		begin := len(data) - 8 - 18
		mutated := append(bytes.Clone(data[:begin]), blob...)
		mutated = append(mutated, data[len(data)-8:]...)
		putUint32(mutated[48:], len(blob))
		putUint32(mutated[begin-4:], len(blob))
		table, err := datatable.Open(mutated)
		if err != nil {
			if !errors.Is(err, datatable.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		for row := range table.Rows() {
			table.IsNull(row, 0)
		}
	})
}

func putUint32(dst []byte, n int) {
	dst[0], dst[1], dst[2], dst[3] = byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
}
