package pinot

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/decantdb/decant/datatable"
)

// Contents is all of a table as the Java class TableReader prints it.
type Contents struct {
	Columns    []column          `json:"columns"` // nil = no schema
	Rows       [][]any           `json:"rows"`
	NullRows   [][]int32         `json:"nullRows"`
	Exceptions map[string]string `json:"exceptions"`
	Metadata   map[string]string `json:"metadata"`
}

type column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// ReadContents reads all of a table with package datatable.
func ReadContents(data []byte) (*Contents, error) {
	table, err := datatable.Open(data)
	if err != nil {
		return nil, err
	}
	c := &Contents{Rows: [][]any{}, NullRows: [][]int32{}, Exceptions: map[string]string{}, Metadata: map[string]string{}}
	if table.Columns() != nil {
		c.Columns = []column{}
	}
	for i, col := range table.Columns() {
		c.Columns = append(c.Columns, column{col.Name, col.Type.String()})
		c.NullRows = append(c.NullRows, nullRows(table, i))
	}
	for row := range table.Rows() {
		cells := []any{}
		for col := range c.Columns {
			cell, err := readCell(table, row, col)
			if err != nil {
				return nil, err
			}
			cells = append(cells, cell)
		}
		c.Rows = append(c.Rows, cells)
	}
	for _, e := range table.Exceptions() {
		c.Exceptions[strconv.Itoa(int(e.Code))] = string(e.Message)
	}
	for _, e := range table.Metadata() {
		c.Metadata[e.Key.String()] = e.Value()
	}
	return c, nil
}

// nullRows returns the null rows of a column, nil if there are none.
func nullRows(table *datatable.Table, col int) []int32 {
	valid := table.Validity(col)
	if valid == nil {
		return nil
	}
	var rows []int32
	for row := range table.Rows() {
		if valid[row>>6]>>(row&63)&1 == 0 {
			rows = append(rows, int32(row))
		}
	}
	return rows
}

// readCell returns a cell in the form of the Java class Cells, nil if it is null.
func readCell(table *datatable.Table, row, col int) (any, error) {
	if table.IsNull(row, col) {
		return nil, nil
	}
	switch typ := table.Columns()[col].Type.Stored(); typ {
	case datatable.Int:
		return table.Int(row, col), nil
	case datatable.Long:
		return longText(table.Long(row, col)), nil
	case datatable.Float:
		return floatBits(table.Float(row, col)), nil
	case datatable.Double:
		return doubleBits(table.Double(row, col)), nil
	case datatable.BigDecimal:
		v, err := table.BigDecimal(row, col)
		return decimal{v.Int().String(), v.Scale}, err
	case datatable.String:
		v, err := table.String(row, col)
		return string(v), err
	case datatable.Bytes:
		v, err := table.Bytes(row, col)
		return hex.EncodeToString(v), err
	case datatable.Map:
		entries, err := table.AppendMap(nil, row, col)
		value := map[string]json.RawMessage{}
		for _, e := range entries {
			value[string(e.Key)] = e.JSON
		}
		return mapCell{value}, err
	case datatable.Object:
		id, payload, err := table.Object(row, col)
		return object{id, hex.EncodeToString(payload)}, err
	default:
		return readArray(table, row, col, typ)
	}
}

func readArray(table *datatable.Table, row, col int, typ datatable.Type) (any, error) {
	switch typ {
	case datatable.IntArray:
		v, err := table.AppendInts([]int32{}, row, col)
		return v, err
	case datatable.LongArray:
		v, err := table.AppendLongs(nil, row, col)
		return each(v, longText), err
	case datatable.FloatArray:
		v, err := table.AppendFloats(nil, row, col)
		return each(v, floatBits), err
	case datatable.DoubleArray:
		v, err := table.AppendDoubles(nil, row, col)
		return each(v, doubleBits), err
	case datatable.StringArray:
		v, err := table.AppendStrings(nil, row, col)
		return each(v, func(s []byte) string { return string(s) }), err
	default:
		return nil, fmt.Errorf("row %d of column %d: a cell of type %v", row, col, typ)
	}
}

type bits struct {
	Bits string `json:"bits"`
}

type decimal struct {
	Unscaled string `json:"unscaled"`
	Scale    int16  `json:"scale"`
}

type object struct {
	Type int32  `json:"type"`
	Hex  string `json:"hex"`
}

type mapCell struct {
	JSON any `json:"json"`
}

func longText(x int64) string { return strconv.FormatInt(x, 10) }

func floatBits(x float32) bits { return bits{fmt.Sprintf("%08x", math.Float32bits(x))} }

func doubleBits(x float64) bits { return bits{fmt.Sprintf("%016x", math.Float64bits(x))} }

func each[T, U any](values []T, fn func(T) U) []U {
	out := make([]U, len(values))
	for i, x := range values {
		out[i] = fn(x)
	}
	return out
}
