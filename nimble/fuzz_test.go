package nimble

import (
	"bytes"
	"context"
	"testing"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// FuzzReadFile reads whatever bytes as a file, in all ways: it must end, without
// a panic, with rows or with an error. Rows that can be read must be the same in
// batches of another size, and can be written and read again.
func FuzzReadFile(f *testing.F) {
	const largestSeedBytes = 5000
	for _, c := range goldenFiles(f) {
		if len(c.data) <= largestSeedBytes {
			f.Add(c.data)
		}
	}
	s := NewSession(pool.New(pool.Options{}))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Open(bytes.NewReader(data), int64(len(data)), &OpenOptions{ElementsLimit: 1 << 16, LimitBytes: 1 << 20})
		if err != nil {
			return
		}
		const rowsLimit = 2000 // a few bytes can stand for any number
		if file.Rows() > rowsLimit {
			readSome(t, s, file)
			return
		}
		findings, err := file.Verify(context.Background(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := readFile(file, 1000)
		got, err2 := readFile(file, 7)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("in large batches %v, in small ones %v", err, err2)
		}
		if err != nil {
			if len(findings) == 0 {
				t.Fatalf("verify finds nothing, reading fails: %v", err)
			}
			return
		}
		if len(want) != len(got) || int64(len(want)) != file.Rows() {
			t.Fatalf("%d and %d rows of %d", len(want), len(got), file.Rows())
		}
		if _, err := rebuild(file, data, &WriterOptions{Workers: 1, Encoding: &encoding.EncodeOptions{}}, nil); err != nil {
			t.Logf("cannot be written: %v", err)
		}
	})
}

// readSome reads the first rows of each column.
func readSome(t *testing.T, s *Session, f *File) {
	if f.NumStripes() == 0 {
		t.Fatalf("%d rows without a stripe", f.Rows())
	}
	r, err := f.OpenStripe(s, 0, nil)
	if err != nil {
		return
	}
	defer r.Close()
	for col := range f.Schema().Children {
		n := min(r.Rows(), vector.DefaultBatchRows)
		v, err := r.Read(col, n)
		if err != nil {
			continue
		}
		if err := vector.Check(v); err != nil || v.Len() != n {
			t.Fatalf("%d rows instead of %d: %v", v.Len(), n, err)
		}
	}
}
