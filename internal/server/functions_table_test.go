package server

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/decantdb/decant/internal/exec"
	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// functionTable is a table in memory, one batch a segment.
type functionTable struct {
	columns  []plan.TableColumn
	segments []*vector.Batch
}

func (t *functionTable) Columns() []plan.TableColumn { return t.columns }
func (t *functionTable) Splits() int                 { return len(t.segments) }

func (t *functionTable) NewCursor(_ *nimble.Session, columns []int) (exec.Cursor, error) {
	return &functionCursor{table: t, columns: columns}, nil
}

type functionCursor struct {
	table   *functionTable
	columns []int
	segment int
	ended   bool
}

func (c *functionCursor) Open(split int) error {
	c.segment, c.ended = split, false
	return nil
}

func (c *functionCursor) Next() (int, error) {
	if c.ended {
		return 0, nil
	}
	c.ended = true
	return c.table.segments[c.segment].N, nil
}

func (c *functionCursor) Read(column int) (vector.Vector, error) {
	all := make([]int32, c.table.segments[c.segment].N)
	for i := range all {
		all[i] = int32(i)
	}
	return c.ReadSel(column, all)
}

func (c *functionCursor) ReadSel(column int, sel []int32) (vector.Vector, error) {
	v := c.table.segments[c.segment].Columns[c.columns[column]]
	out := vector.MakeLike(v)
	return out, vector.Gather(out, v, sel)
}

func (c *functionCursor) Close() {}

// readFunctionTables reads table.json.
func readFunctionTables(t *testing.T, dir string) map[string]*functionTable {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "table.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Tables  map[string]struct{ Segments [][2]int }
		Columns []struct {
			Name, Type string
			MultiValue bool
		}
		Rows [][]any
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	var columns []plan.TableColumn
	for _, c := range file.Columns {
		typ, ok := fn.ParseType(c.Type)
		if !ok {
			t.Fatalf("type %s", c.Type)
		}
		column := plan.TableColumn{Name: c.Name, Type: typ}
		if typ == fn.BigDecimal {
			column.Scale = plan.DecimalText
		}
		if c.MultiValue {
			column.Type, _ = fn.ArrayOf(typ)
		}
		columns = append(columns, column)
	}
	tables := map[string]*functionTable{}
	for name, described := range file.Tables {
		table := &functionTable{columns: columns}
		for _, s := range described.Segments {
			table.segments = append(table.segments, functionSegment(t, columns, file.Rows[s[0]:s[1]]))
		}
		tables[name] = table
	}
	return tables
}

func functionSegment(t *testing.T, columns []plan.TableColumn, rows [][]any) *vector.Batch {
	t.Helper()
	b := &vector.Batch{N: len(rows)}
	for i, c := range columns {
		v := fn.NewVector(c.Type)
		for _, row := range rows {
			functionValue(t, c.Type, row[i]).Append(v)
		}
		b.Columns = append(b.Columns, v)
	}
	return b
}

func functionValue(t *testing.T, typ fn.Type, cell any) fn.Value {
	t.Helper()
	v := fn.Value{Type: typ}
	var err error
	switch cell := cell.(type) {
	case nil:
		v.Null = true
	case bool:
		v.B = cell
	case []any:
		for _, e := range cell {
			v.List = append(v.List, functionValue(t, typ.Elem(), e))
		}
	case json.Number:
		if typ == fn.Float || typ == fn.Double {
			bits := 64
			if typ == fn.Float {
				bits = 32
			}
			v.F, err = strconv.ParseFloat(cell.String(), bits)
		} else {
			v.I, err = cell.Int64()
		}
	case string:
		switch typ {
		case fn.Float, fn.Double:
			v.F, err = strconv.ParseFloat(cell, 64)
		case fn.Bytes:
			var raw []byte
			raw, err = hex.DecodeString(cell)
			v.S = string(raw)
		default:
			v.S = cell
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}
