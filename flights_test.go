package decant_test

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/vector"
)

// copyPart writes rows begin up to end of the flights table as a file.
func copyPart(t *testing.T, path string, format convert.Format, begin, end int64) {
	t.Helper()
	src, err := convert.OpenSource(context.Background(), flights, convert.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	sink, err := convert.NewSink(f, format, src.Schema(), convert.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for first := int64(0); ; {
		b, err := src.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		part := vector.Batch{N: b.N, Columns: b.Columns}
		sel := part.ReserveSel(0)
		for row := range b.N {
			if at := first + int64(row); at >= begin && at < end {
				sel = append(sel, int32(row))
			}
		}
		part.Sel = sel
		first += int64(b.N)
		if err := sink.Write(&part); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(sink.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}
