package decant

import (
	"fmt"
	"slices"

	"github.com/decantdb/decant/internal/exec"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
)

// table is files with the same columns, one after the other. It implements
// exec.Table.
type table struct {
	name    string
	memory  *exec.Memory
	files   []tableFile
	fields  []field
	columns []plan.TableColumn
	splits  []place
}

var _ exec.Table = (*table)(nil)

// place is a split of one of a table's files.
type place struct{ file, split int }

// add adds a file, which must have the columns of those before.
func (t *table) add(f tableFile) error {
	if len(t.files) > 0 {
		first := t.files[0]
		if err := sameColumns(first.schema(), f.schema()); err != nil {
			return fmt.Errorf("table %s: %s and %s: %w: %w", t.name, first.path(), f.path(), ErrSchemas, err)
		}
	} else {
		t.fields = fieldsOf(f.schema())
		for i := range t.fields {
			t.columns = append(t.columns, t.fields[i].column())
		}
	}
	for i := range f.splits() {
		t.splits = append(t.splits, place{len(t.files), i})
	}
	t.files = append(t.files, f)
	return nil
}

// sameColumns compares the names and types of two schemas, and nothing else
// that they say.
func sameColumns(a, b *nimble.Type) error {
	if !slices.Equal(a.Names, b.Names) {
		return fmt.Errorf("columns %q and %q", a.Names, b.Names)
	}
	for i, name := range a.Names {
		if x, y := a.Children[i].String(), b.Children[i].String(); x != y {
			return fmt.Errorf("column %s is %s and %s", name, x, y)
		}
	}
	return nil
}

// Columns returns what queries may name.
func (t *table) Columns() []plan.TableColumn { return t.columns }

// Splits returns the number of splits of all files.
func (t *table) Splits() int { return len(t.splits) }

// NewCursor returns a cursor over some of the columns.
func (t *table) NewCursor(s *nimble.Session, columns []int) (exec.Cursor, error) {
	return newCursor(t, s, columns)
}
