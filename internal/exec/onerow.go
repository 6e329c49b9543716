package exec

import (
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// oneRow is the table of a query without one: a row without columns.
type oneRow struct{}

func (oneRow) Columns() []plan.TableColumn { return nil }

func (oneRow) Splits() int { return 1 }

func (oneRow) NewCursor(*nimble.Session, []int) (Cursor, error) { return &oneRowCursor{}, nil }

type oneRowCursor struct{ rows int }

func (c *oneRowCursor) Open(int) error {
	c.rows = 1
	return nil
}

func (c *oneRowCursor) Next() (int, error) {
	n := c.rows
	c.rows = 0
	return n, nil
}

func (*oneRowCursor) Read(int) (vector.Vector, error) { return nil, errNoColumn }

func (*oneRowCursor) ReadSel(int, []int32) (vector.Vector, error) { return nil, errNoColumn }

func (*oneRowCursor) Close() {}
