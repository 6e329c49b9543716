package decant

import (
	"fmt"

	"github.com/decantdb/decant/internal/exec"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// reader reads splits of one file: for each batch the columns that are asked
// for, others not at all. Columns are named by their place in the list that the
// reader was made with. What it returns is valid until the next batch. It
// belongs to one goroutine.
type reader interface {
	open(split int) error
	// next goes to the next batch and returns its rows, 0 at the end.
	next() (int, error)
	read(column int) (vector.Vector, error)
	// readSel returns the rows in sel, which ascend.
	readSel(column int, sel []int32) (vector.Vector, error)
	close()
}

// cursor reads columns of a table, split by split. It implements exec.Cursor.
type cursor struct {
	table   *table
	session *nimble.Session
	columns []*cursorColumn
	bases   []int // columns of the files, each once
	readers []reader
	current reader
	batch   int           // number of the current one
	whole   []wholeColumn // by base
}

var _ exec.Cursor = (*cursor)(nil)

// cursorColumn is a column that a cursor reads.
type cursorColumn struct {
	field   *field
	base    int      // in cursor.bases
	recasts []recast // by file
	recast  recast   // of the current one
	// kept holds selected rows of what is read whole, once there were any.
	kept vector.Vector
}

// wholeColumn is a column of the file that several columns of the cursor are
// parts of. It is read whole, at most once a batch.
type wholeColumn struct {
	shared bool
	batch  int // of vec
	vec    vector.Vector
}

func newCursor(t *table, s *nimble.Session, columns []int) (*cursor, error) {
	c := &cursor{table: t, session: s, bases: []int{}, readers: make([]reader, len(t.files))}
	place := map[int]int{}
	for _, i := range columns {
		if i < 0 || i >= len(t.fields) {
			return nil, fmt.Errorf("decant: table %s has no column %d", t.name, i)
		}
		f := &t.fields[i]
		base, seen := place[f.base]
		if !seen {
			base = len(c.bases)
			place[f.base] = base
			c.bases = append(c.bases, f.base)
			c.whole = append(c.whole, wholeColumn{})
		}
		c.whole[base].shared = c.whole[base].shared || seen || len(f.path) > 0
		col := &cursorColumn{field: f, base: base}
		for _, widenings := range t.widenings {
			col.recasts = append(col.recasts, f.newRecast(widenings[f.base]))
		}
		c.columns = append(c.columns, col)
	}
	return c, nil
}

// Open goes to the start of a split.
func (c *cursor) Open(split int) error {
	at := c.table.splits[split]
	file := c.table.files[at.file]
	if c.readers[at.file] == nil {
		r, err := file.newReader(c.session, c.bases)
		if err != nil {
			return fmt.Errorf("%s: %w", file.path(), err)
		}
		c.readers[at.file] = r
	}
	c.current = c.readers[at.file]
	for _, col := range c.columns {
		col.recast = col.recasts[at.file]
	}
	if err := c.current.open(at.split); err != nil {
		return fmt.Errorf("%s: %w", file.path(), err)
	}
	return nil
}

// Next goes to the next batch.
func (c *cursor) Next() (int, error) {
	c.batch++
	return c.current.next()
}

// Read returns a column of the batch.
func (c *cursor) Read(column int) (vector.Vector, error) {
	col := c.columns[column]
	if !c.whole[col.base].shared {
		v, err := c.current.read(col.base)
		return col.shape(v, err)
	}
	return col.shape(c.inside(col))
}

// ReadSel returns some rows of a column of the batch.
func (c *cursor) ReadSel(column int, sel []int32) (vector.Vector, error) {
	col := c.columns[column]
	if !c.whole[col.base].shared {
		v, err := c.current.readSel(col.base, sel)
		return col.shape(v, err)
	}
	v, err := c.inside(col)
	if err != nil {
		return nil, err
	}
	if col.kept == nil {
		col.kept = vector.MakeLike(v)
	}
	return col.shape(col.kept, vector.Gather(col.kept, v, sel))
}

// inside reads the whole column of the file, unless this batch has it already,
// and returns the field that col names.
func (c *cursor) inside(col *cursorColumn) (vector.Vector, error) {
	w := &c.whole[col.base]
	if w.batch != c.batch {
		v, err := c.current.read(col.base)
		if err != nil {
			return nil, err
		}
		w.vec, w.batch = v, c.batch
	}
	v := w.vec
	for _, i := range col.field.path {
		row, ok := v.(*vector.Row)
		if !ok || i >= len(row.Fields) {
			return nil, fmt.Errorf("column %s: %w", col.field.name, errShape(v, "rows"))
		}
		v = row.Fields[i]
	}
	return v, nil
}

// shape makes of a stored vector what the engine takes.
func (col *cursorColumn) shape(v vector.Vector, err error) (vector.Vector, error) {
	if err != nil || col.recast == nil {
		return v, err
	}
	v, err = col.recast.apply(v)
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", col.field.name, err)
	}
	return v, nil
}

// Close gives the readers' memory back.
func (c *cursor) Close() {
	for _, r := range c.readers {
		if r != nil {
			r.close()
		}
	}
	clear(c.readers)
}
