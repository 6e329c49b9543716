//go:build !race

// The race detector makes sync.Pool forget at random, so decompressors are made
// anew.

package exec

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// stripeTable is a Nimble file, with a split for each stripe.
type stripeTable struct {
	file    *nimble.File
	columns []plan.TableColumn
}

func openFlights(t *testing.T) *stripeTable {
	t.Helper()
	data, err := os.ReadFile("../../examples/flights.nimble")
	if err != nil {
		t.Fatal(err)
	}
	file, err := nimble.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	table := &stripeTable{file: file}
	types := map[nimble.Kind]fn.Type{
		nimble.Integer: fn.Int, nimble.Varchar: fn.String, nimble.Timestamp: fn.Timestamp,
	}
	schema := file.Schema()
	for i, c := range schema.Children {
		typ, ok := types[c.Kind]
		if !ok {
			t.Fatalf("column %s is %v", schema.Names[i], c)
		}
		table.columns = append(table.columns, plan.TableColumn{Name: schema.Names[i], Type: typ})
	}
	return table
}

func (t *stripeTable) Columns() []plan.TableColumn { return t.columns }
func (t *stripeTable) Splits() int                 { return t.file.NumStripes() }

func (t *stripeTable) NewCursor(s *nimble.Session, columns []int) (Cursor, error) {
	r, err := t.file.OpenStripe(s, 0, columns)
	return &stripeCursor{file: t.file, columns: columns, stripe: r}, err
}

// stripeCursor reads stripes, one after the other, with one reader.
type stripeCursor struct {
	file     *nimble.File
	columns  []int
	stripe   *nimble.StripeReader
	begin, n int // the batch
}

func (c *stripeCursor) Open(split int) error {
	c.begin, c.n = 0, 0
	return c.stripe.Reset(c.file, split, c.columns)
}

func (c *stripeCursor) Next() (int, error) {
	c.begin += c.n
	c.n = min(c.stripe.Rows()-c.begin, vector.DefaultBatchRows)
	return c.n, nil
}

// catchUp skips the rows of batches that did not need the column.
func (c *stripeCursor) catchUp(column int) error {
	if behind := c.begin - c.stripe.Pos(column); behind > 0 {
		return c.stripe.Skip(column, behind)
	}
	return nil
}

func (c *stripeCursor) Read(column int) (vector.Vector, error) {
	if err := c.catchUp(column); err != nil {
		return nil, err
	}
	return c.stripe.Read(column, c.n)
}

func (c *stripeCursor) ReadSel(column int, sel []int32) (vector.Vector, error) {
	if err := c.catchUp(column); err != nil {
		return nil, err
	}
	return c.stripe.ReadSel(column, c.n, sel)
}

func (c *stripeCursor) Close() { c.stripe.Close() }

func TestWarmFlightsAllocateNothing(t *testing.T) {
	table := openFlights(t)
	for _, c := range []struct {
		name, query   string
		rows, matched int64 // of a round
	}{
		{
			"scan", "SELECT * FROM t",
			336_776, 336_776,
		},
		{
			"filter", "SELECT month, day, dep_time, tailnum, dest, arr_delay, time_hour FROM t" +
				" WHERE carrier = 'UA' AND arr_delay > 60 AND dest LIKE '%O%'",
			336_776, 1_465,
		},
		{
			"group", "SELECT carrier, origin, month, COUNT(*), COUNT(tailnum), SUM(arr_delay), MIN(dep_delay)," +
				" MAX(air_time), AVG(arr_time) FROM t GROUP BY carrier, origin, month",
			336_776, 336_776,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := warmWorker(t, table, table.columns, c.query)
			rounds := int64(0)
			mustNotAllocate(t, func() {
				rounds++
				if g, ok := w.sink.(*groupSink); ok {
					g.reset()
				}
				for split := range table.Splits() {
					if err := w.readSplit(context.Background(), split); err != nil {
						t.Fatal(err)
					}
				}
			})
			got := fmt.Sprintf("%d of %d", w.scan.rowsKept/rounds, w.scan.rowsRead/rounds)
			if want := fmt.Sprintf("%d of %d", c.matched, c.rows); got != want {
				t.Errorf("a round has %s rows, want %s", got, want)
			}
		})
	}
}
