package datatable

import (
	"errors"
	"math"
	"testing"
)

// Sections end where an i32 does, before any memory is taken for more.
func TestSectionsHaveALimit(t *testing.T) {
	b, err := NewBuilder(nil, []Column{{Name: "b", Type: Bytes}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b.StartRow()
	b.SetBytes(0, []byte{1})
	if dst := b.extend(&b.variable, math.MaxInt32); dst != nil || !errors.Is(b.err, ErrTooLarge) {
		t.Errorf("%d bytes, error %v", len(dst), b.err)
	}
	b.FinishRow()
	if table, err := b.AppendTo(nil); table != nil || !errors.Is(err, ErrTooLarge) {
		t.Errorf("a table of %d bytes, error %v", len(table), err)
	}
	b.Reset()
	b.StartRow()
	if dst := b.array(b.row, math.MaxInt32/8+1, 8); dst != nil || !errors.Is(b.err, ErrTooLarge) {
		t.Errorf("%d bytes, error %v", len(dst), b.err)
	}
	b.Reset()
	b.rows = math.MaxInt32
	b.StartRow()
	if !errors.Is(b.err, ErrTooLarge) || b.inRow {
		t.Errorf("a row too many: %v", b.err)
	}
}
