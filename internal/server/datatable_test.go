package server_test

import (
	"bytes"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/internal/server"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

func TestWriteDataTable(t *testing.T) {
	schema, err := nimble.ParseSchema("name VARCHAR, n BIGINT, price DECIMAL(10,2), m MAP<VARCHAR, BIGINT>")
	if err != nil {
		t.Fatal(err)
	}
	name, n, price := vector.NewVec[vector.View](nil), vector.NewVec[int64](nil), vector.NewVec[int64](nil)
	keys, counts := vector.NewVec[vector.View](nil), vector.NewVec[int64](nil)
	m := vector.NewMap(nil, keys, counts)
	vector.AppendString(name, []byte("a"))
	name.AppendNull()
	n.Append(1)
	n.Append(2)
	price.Append(150)
	price.Append(-7)
	vector.AppendString(keys, []byte("k"))
	counts.Append(3)
	m.Append()
	m.AppendNull()
	batch := &vector.Batch{N: 2, Columns: []vector.Vector{name, n, price, m}}

	var out bytes.Buffer
	if err := server.WriteDataTable(&out, answerOf(schema, []string{"STRING", "LONG", "BIG_DECIMAL", "JSON"}, batch)); err != nil {
		t.Fatal(err)
	}
	table, err := datatable.Open(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows() != 2 {
		t.Fatalf("%d rows", table.Rows())
	}
	text := func(row, col int) string {
		b, err := table.String(row, col)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if got := text(0, 0); got != "a" {
		t.Errorf("name is %q", got)
	}
	if got := text(0, 3); got != `{"k":3}` {
		t.Errorf("map is %q", got)
	}
	for col := range 4 {
		null := col == 0 || col == 3
		if got := !vector.Valid(table.Validity(col), 1); got != null {
			t.Errorf("column %d of the second row is null: %t, want %t", col, got, null)
		}
	}
	d, err := table.BigDecimal(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	if d.Int().Int64() != -7 || d.Scale != 2 {
		t.Errorf("price is %v with scale %d", d.Int(), d.Scale)
	}
}

func TestWriteDataTableOfNothing(t *testing.T) {
	schema, err := nimble.ParseSchema("n BIGINT")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := server.WriteDataTable(&out, answerOf(schema, []string{"LONG"})); err != nil {
		t.Fatal(err)
	}
	table, err := datatable.Open(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows() != 0 || len(table.Columns()) != 1 || table.Columns()[0].Type != datatable.Long {
		t.Errorf("%d rows of %v", table.Rows(), table.Columns())
	}
}
