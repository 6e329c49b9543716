package convert

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"pgregory.net/rapid"

	"github.com/decantdb/decant/vector"
)

// readArrow returns the records of an Arrow file or stream.
func readArrow(data []byte, stream bool) ([]arrow.RecordBatch, error) {
	var read func() (arrow.RecordBatch, error)
	if stream {
		r, err := ipc.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		read = r.Read
	} else {
		r, err := ipc.NewFileReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		read = r.Read
	}
	var records []arrow.RecordBatch
	for {
		r, err := read()
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return nil, err
		}
		r.Retain()
		records = append(records, r)
	}
}

// Random rows of every type come back from Arrow's own reader, by way of the
// readers of its arrays, as JSON lines tell them.
func TestArrowRoundTrip(t *testing.T) {
	schema := parseSchema(t, everyType)
	dir := t.TempDir()
	for _, format := range []Format{FormatArrow, FormatArrowStream} {
		rapid.Check(t, func(t *rapid.T) {
			var batches []*vector.Batch
			for range rapid.IntRange(0, 3).Draw(t, "batches") {
				batches = append(batches, drawBatch(t, schema, rapid.IntRange(1, 9).Draw(t, "rows")))
			}
			path := filepath.Join(dir, "file")
			writeBatches(t, path, format, schema, batches...)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			records, err := readArrow(data, format == FormatArrowStream)
			if err != nil || len(records) != len(batches) {
				t.Fatalf("%d records of %d batches, %v", len(records), len(batches), err)
			}
			var read []*vector.Batch
			for _, r := range records {
				read = append(read, batchOf(t, r))
			}
			if got, want := jsonOf(t, schema, read...), jsonOf(t, schema, batches...); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
}

// batchOf returns a record as a batch of the types that everyType has.
func batchOf(t *rapid.T, r arrow.RecordBatch) *vector.Batch {
	t.Helper()
	types, err := typesOfArrow(r.Schema().Fields())
	if err != nil {
		t.Fatal(err)
	}
	b := vector.NewBatch(nil)
	b.N = int(r.NumRows())
	for i, typ := range types.Children {
		reader, err := newArrowReader(typ)
		if err != nil {
			t.Fatal(err)
		}
		if err := reader.read(array.NewSlice(r.Column(i), 0, r.NumRows()), nil); err != nil {
			t.Fatal(err)
		}
		b.Columns = append(b.Columns, reader.vec)
	}
	return b
}
