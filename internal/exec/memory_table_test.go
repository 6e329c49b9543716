package exec

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/internal/sql"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// memoryTable is a table of batches in memory; a split is a list of them.
type memoryTable struct {
	columns []plan.TableColumn
	splits  [][]*vector.Batch
}

func (t *memoryTable) Columns() []plan.TableColumn { return t.columns }
func (t *memoryTable) Splits() int                 { return len(t.splits) }

// Segment says that each split is a segment.
func (t *memoryTable) Segment(split int) (string, int64) {
	return []string{"first", "second"}[split%2], 0
}

func (t *memoryTable) NewCursor(_ *nimble.Session, columns []int) (Cursor, error) {
	c := &memoryCursor{table: t, columns: columns}
	for _, i := range columns {
		like := t.splits[0][0].Columns[i]
		c.copies = append(c.copies, vector.MakeLike(like))
	}
	return c, nil
}

type memoryCursor struct {
	table   *memoryTable
	columns []int
	rest    []*vector.Batch
	batch   *vector.Batch
	copies  []vector.Vector
}

func (c *memoryCursor) Open(split int) error {
	c.rest = c.table.splits[split]
	return nil
}

func (c *memoryCursor) Next() (int, error) {
	if len(c.rest) == 0 {
		return 0, nil
	}
	c.batch, c.rest = c.rest[0], c.rest[1:]
	return c.batch.N, nil
}

// Read lends the rows in the form that they have: operators may flatten what
// they are given.
func (c *memoryCursor) Read(column int) (vector.Vector, error) {
	switch v := c.batch.Columns[c.columns[column]].(type) {
	case *vector.Vec[int32]:
		lend(c.copies[column], v)
	case *vector.Vec[float64]:
		lend(c.copies[column], v)
	case *vector.Vec[vector.View]:
		lend(c.copies[column], v)
	default:
		return v, nil
	}
	return c.copies[column], nil
}

// lend makes dst the rows of v without copying them.
func lend[T vector.Value](dst vector.Vector, v *vector.Vec[T]) {
	d := dst.(*vector.Vec[T])
	d.Form, d.N, d.Valid, d.Values, d.Buffers = v.Form, v.N, v.Valid, v.Values, v.Buffers
	d.Index, d.Ends, d.Positions = v.Index, v.Ends, v.Positions
}

func (c *memoryCursor) ReadSel(column int, sel []int32) (vector.Vector, error) {
	return c.copies[column], vector.Gather(c.copies[column], c.batch.Columns[c.columns[column]], sel)
}

func (c *memoryCursor) Close() {}

// answer runs a query over t and returns its rows as text.
func answer(tb testing.TB, t *memoryTable, workers int, text string) []string {
	tb.Helper()
	rows, err := tryAnswer(t, workers, text)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return rows
}

func tryAnswer(t *memoryTable, workers int, text string) ([]string, error) {
	statement, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	q, err := plan.Compile(statement, "t", t.columns, plan.Options{DefaultLimit: -1})
	if err != nil {
		return nil, err
	}
	var rows []string
	_, err = Run(context.Background(), q, t, Options{Workers: workers}, func(b *vector.Batch) error {
		for i := range b.N {
			var cells []string
			for _, c := range b.Columns {
				cells = append(cells, cell(c, i))
			}
			rows = append(rows, strings.Join(cells, "|"))
		}
		return nil
	})
	return rows, err
}

func cell(v vector.Vector, i int) string {
	if !vector.Valid(v.Validity(), i) {
		return "NULL"
	}
	switch v := v.(type) {
	case *vector.Vec[int8]:
		x, _ := v.At(i)
		return fmt.Sprint(x)
	case *vector.Vec[int32]:
		x, _ := v.At(i)
		return fmt.Sprint(x)
	case *vector.Vec[int64]:
		x, _ := v.At(i)
		return fmt.Sprint(x)
	case *vector.Vec[float32]:
		x, _ := v.At(i)
		return fmt.Sprint(x)
	case *vector.Vec[float64]:
		x, _ := v.At(i)
		return fmt.Sprint(x)
	case *vector.Vec[vector.View]:
		x, _ := v.At(i)
		return string(x.Bytes(v.Buffers.List()))
	case *vector.Bools:
		return fmt.Sprint(vector.Bit(v.Bits, i))
	}
	return v.Kind().String()
}

// replayTable is six rows with every kind of value that people met faults with.
func replayTable() *memoryTable {
	columns := []plan.TableColumn{
		{Name: "i", Type: fn.Int},
		{Name: "l", Type: fn.Long},
		{Name: "f", Type: fn.Float},
		{Name: "d", Type: fn.Double},
		{Name: "s", Type: fn.String},
		{Name: "bo", Type: fn.Boolean},
	}
	return &memoryTable{columns: columns, splits: [][]*vector.Batch{{replayRows(0, 3)}, {replayRows(3, 5), replayRows(5, 6)}}}
}
