package nimble

import (
	"errors"
	"strings"
	"testing"
)

// Columns that are stored as keys of the cluster index alone are refused by name, with
// a warning; the others are read.
func TestGoldenOmittedColumns(t *testing.T) {
	files := 0
	for _, c := range goldenFiles(t) {
		f := c.open(t)
		if len(f.omitted) == 0 {
			continue
		}
		files++
		for _, name := range f.omitted {
			if f.Schema().Field(name) >= 0 {
				t.Errorf("%s: column %s is in the schema", c.Name, name)
			}
			as := &Type{Kind: Row, Names: []string{name}, Children: []*Type{{Kind: BigInt}}}
			if _, err := f.Scan(ScanOptions{As: as}); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: column %s: %v", c.Name, name, err)
			}
			if warnings := strings.Join(f.Warnings(), "\n"); !strings.Contains(warnings, "column "+name+" ") {
				t.Errorf("%s: warnings %q", c.Name, warnings)
			}
		}
		if rows, err := readFile(f, 100); err != nil || int64(len(rows)) != f.Rows() {
			t.Errorf("%s: %d of %d rows, %v", c.Name, len(rows), f.Rows(), err)
		}
	}
	if files == 0 {
		t.Error("no file omits a column")
	}
	t.Logf("%d files", files)
}
