package decant

import (
	"path/filepath"
	"strings"

	"github.com/decantdb/decant/internal/exec"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
)

// table is files with the same columns, one after the other: all are added, and
// then unify finds the columns. It implements exec.Table.
type table struct {
	name    string
	memory  *exec.Memory
	files   []tableFile
	fields  []field
	columns []plan.TableColumn
	splits  []place
	// widenings make, by file and column of the file, a recast to the type that
	// the column has in the table; nil where it has it already.
	widenings [][]func() recast
}

var (
	_ exec.Table     = (*table)(nil)
	_ exec.Segmented = (*table)(nil)
)

// place is a split of one of a table's files.
type place struct{ file, split int }

// add adds a file.
func (t *table) add(f tableFile) {
	for i := range f.splits() {
		t.splits = append(t.splits, place{len(t.files), i})
	}
	t.files = append(t.files, f)
}

// Columns returns what queries may name.
func (t *table) Columns() []plan.TableColumn { return t.columns }

// Splits returns the number of splits of all files.
func (t *table) Splits() int { return len(t.splits) }

// Segment returns the name of a split's file, without the folder and what
// follows the last dot, and the number in it of the split's first row.
func (t *table) Segment(split int) (name string, begin int64) {
	at := t.splits[split]
	file := t.files[at.file]
	name = filepath.Base(file.path())
	return strings.TrimSuffix(name, filepath.Ext(name)), file.firstRow(at.split)
}

// NewCursor returns a cursor over some of the columns.
func (t *table) NewCursor(s *nimble.Session, columns []int) (exec.Cursor, error) {
	return newCursor(t, s, columns)
}
