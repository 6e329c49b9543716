package decant_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/decantdb/decant"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// writeText writes a file into a folder.
func writeText(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens files with the default options.
func open(t *testing.T, specs ...string) *decant.DB {
	t.Helper()
	db, err := decant.OpenFiles(specs...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// ask returns all rows of a query.
func ask(t *testing.T, db *decant.DB, query string) [][]any {
	t.Helper()
	rows, err := db.Query(context.Background(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	all := [][]any{}
	for rows.Next() {
		values := make([]any, len(rows.Columns()))
		places := make([]any, len(values))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		all = append(all, values)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return all
}

func TestSpecs(t *testing.T) {
	dir := t.TempDir()
	plain := writeText(t, dir, "trips.2013.csv", "a\n1\n")
	equals := writeText(t, dir, "year=2014/part.csv", "a\n2\n")
	for _, c := range []struct {
		spec, table string
		value       int32
	}{
		{plain, "trips.2013", 1},
		{"t=" + plain, "t", 1},
		{equals, "part", 2},
		{"t=" + equals, "t", 2},
	} {
		db := open(t, c.spec)
		if diff := cmp.Diff([]string{c.table}, db.Tables()); diff != "" {
			t.Errorf("%s: %s", c.spec, diff)
		}
		got := ask(t, db, `SELECT a FROM "`+c.table+`"`)
		if diff := cmp.Diff([][]any{{c.value}}, got); diff != "" {
			t.Errorf("%s: %s", c.spec, diff)
		}
	}
	if _, err := decant.OpenFiles("=" + plain); err == nil || !strings.Contains(err.Error(), "NAME=FILE") {
		t.Errorf("a table without a name: %v", err)
	}
}

func TestTableNameInAnyCase(t *testing.T) {
	dir := t.TempDir()
	db := open(t, writeText(t, dir, "Trips.csv", "a\n1\n"), "TRIPS="+writeText(t, dir, "b.csv", "a\n2\n"))
	for name, want := range map[string]int32{"Trips": 1, "TRIPS": 2, "trips": 1} {
		if diff := cmp.Diff([][]any{{want}}, ask(t, db, "SELECT a FROM "+name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestFilesOfOneTable(t *testing.T) {
	dir := t.TempDir()
	one := writeText(t, dir, "one.csv", "a,b\n1,x\n")
	for name, text := range map[string]string{
		"other type": "a,b\ny,x\n", "other name": "a,c\n1,x\n", "other order": "b,a\nx,1\n", "fewer": "a\n1\n",
	} {
		two := writeText(t, dir, strings.ReplaceAll(name, " ", "-")+".csv", text)
		_, err := decant.OpenFiles("t="+one, "t="+two)
		if !errors.Is(err, decant.ErrSchemas) || !strings.Contains(err.Error(), one) || !strings.Contains(err.Error(), two) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// typed is a file with a column of every kind of type.
const typed = "b BOOLEAN, i8 TINYINT, u8 UINT8, u16 UINT16, u32 UINT32, u64 UINT64, n BIGINT, r REAL, x DOUBLE," +
	" s VARCHAR, j JSON, bin VARBINARY, id UUID, d DATE, at TIMESTAMP, price DECIMAL(10,2), big DECIMAL(30,3)," +
	" tags ARRAY<VARCHAR>, days ARRAY<DATE>, m MAP<VARCHAR, BIGINT>, p ROW<x BIGINT, q ROW<y VARCHAR>>"

// writeTyped writes a file of the given columns: a row of values and one of nulls.
func writeTyped(t *testing.T, columns string) string {
	t.Helper()
	schema, err := nimble.ParseSchema(columns)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t.nimble")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := nimble.NewWriter(f, schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &vector.Batch{N: 2}
	for i, c := range schema.Children {
		v := makeVector(t, c)
		appendTyped(t, v, c, schema.Names[i])
		appendNull(v)
		b.Columns = append(b.Columns, v)
	}
	if err := errors.Join(w.WriteBatch(b), w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func makeVector(t *testing.T, typ *nimble.Type) vector.Vector {
	t.Helper()
	var children []vector.Vector
	for _, c := range typ.Children {
		children = append(children, makeVector(t, c))
	}
	switch typ.Kind {
	case nimble.Array:
		return vector.NewList(nil, children[0])
	case nimble.Map:
		return vector.NewMap(nil, children[0], children[1])
	case nimble.Row:
		return vector.NewRow(nil, children...)
	}
	v, err := vector.Make(nil, nimble.VectorKind(typ.Kind))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// appendTyped appends a value that tells the column from others.
func appendTyped(t *testing.T, v vector.Vector, typ *nimble.Type, name string) {
	t.Helper()
	switch v := v.(type) {
	case *vector.Bools:
		v.Append(true)
	case *vector.Vec[int8]:
		v.Append(-8)
	case *vector.Vec[int16]:
		v.Append(200)
	case *vector.Vec[int32]:
		v.Append(40_000)
	case *vector.Vec[int64]:
		v.Append(map[string]int64{"u64": -1, "price": -1250}[name])
	case *vector.Vec[float32]:
		v.Append(0.1)
	case *vector.Vec[float64]:
		v.Append(0.1)
	case *vector.Timestamps:
		v.Append(-1, 999)
	case *vector.Vec[vector.View]:
		vector.AppendString(v, map[string][]byte{
			"id": []byte("\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"), "big": {0xff},
			"j": []byte(`{"a":1}`),
		}[name])
		if v.Values[v.N-1].Len() == 0 {
			v.Reset()
			vector.AppendString(v, []byte("a text that is not held inline"))
		}
	case *vector.List:
		appendTyped(t, v.Elem, typ.Children[0], "")
		v.Append()
	case *vector.Map:
		appendTyped(t, v.Keys, typ.Children[0], "")
		appendTyped(t, v.Values, typ.Children[1], "")
		v.Append()
	case *vector.Row:
		for i, f := range v.Fields {
			appendTyped(t, f, typ.Children[i], "")
		}
		v.Append(true)
	default:
		t.Fatalf("no value for %v", typ)
	}
}

func appendNull(v vector.Vector) {
	if row, ok := v.(*vector.Row); ok {
		for _, f := range row.Fields {
			appendNull(f)
		}
		row.Append(false)
		return
	}
	v.(interface{ AppendNull() }).AppendNull()
}

func TestTypes(t *testing.T) {
	db := open(t, writeTyped(t, typed))
	const text = "a text that is not held inline"
	day := time.Unix(40_000*86_400, 0).UTC()
	for _, c := range []struct {
		column, typ string
		want        any
	}{
		{"b", "BOOLEAN", true},
		{"i8", "INT", int32(-8)},
		{"u8", "LONG", int64(200)},
		{"u16", "LONG", int64(40_000)},
		{"u32", "LONG", int64(0)},
		{"u64", "BIG_DECIMAL", "18446744073709551615"},
		{"n", "LONG", int64(0)},
		{"r", "FLOAT", float32(0.1)},
		{"x", "DOUBLE", 0.1},
		{"s", "STRING", text},
		{"j", "JSON", `{"a":1}`},
		{"bin", "BYTES", []byte(text)},
		{"id", "STRING", "00112233-4455-6677-8899-aabbccddeeff"},
		{"d", "TIMESTAMP", day},
		{"at", "TIMESTAMP", time.UnixMilli(-1).UTC()},
		{"price", "BIG_DECIMAL", "-12.50"},
		{"big", "BIG_DECIMAL", "-0.001"},
		{"tags", "STRING_ARRAY", []any{text}},
		{"days", "TIMESTAMP_ARRAY", []any{day}},
		{"m", "JSON", `{"` + text + `":0}`},
		{"p", "JSON", `{"x":0,"q":{"y":"` + text + `"}}`},
		{`"p.x"`, "LONG", int64(0)},
		{"p.q.y", "STRING", text},
	} {
		for _, where := range []string{"", " WHERE b = true"} {
			query := "SELECT " + c.column + " FROM t" + where
			rows, err := db.Query(context.Background(), query)
			if err != nil {
				t.Errorf("%s: %v", query, err)
				continue
			}
			if got := rows.Columns()[0].Type; got != c.typ {
				t.Errorf("%s is %s, want %s", c.column, got, c.typ)
			}
			if err := rows.Close(); err != nil {
				t.Error(err)
			}
			want := [][]any{{c.want}}
			if where == "" {
				want = append(want, []any{nil})
			}
			if diff := cmp.Diff(want, ask(t, db, query)); diff != "" {
				t.Errorf("%s: %s", query, diff)
			}
		}
	}
	got := ask(t, db, "SELECT p.x, p, p.q.y FROM t WHERE p.q.y LIKE 'a text%' AND id = '00112233-4455-6677-8899-aabbccddeeff'")
	want := [][]any{{int64(0), `{"x":0,"q":{"y":"` + text + `"}}`, text}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parts of one row: %s", diff)
	}
}

func TestScan(t *testing.T) {
	dir := t.TempDir()
	db := open(t, writeText(t, dir, "t.csv", "n,x,s,d\n1,2.5,a,2013-01-31\n300000000000,,,\n"))
	rows, err := db.Query(context.Background(), "SELECT n, x, s, d FROM t")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var n int
	var x sql.NullFloat64
	var s *string
	var d any
	if err := rows.Scan(&n, &x, &s, &d); !errors.Is(err, decant.ErrClosed) {
		t.Errorf("Scan before Next: %v", err)
	}
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	if err := rows.Scan(&n, &x, &s, &d); err != nil {
		t.Fatal(err)
	}
	if n != 1 || x.Float64 != 2.5 || !x.Valid || *s != "a" || d != time.Date(2013, 1, 31, 0, 0, 0, 0, time.UTC) {
		t.Errorf("first row: %v %v %v %v", n, x, *s, d)
	}
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	if err := rows.Scan(&n, &x, &s, &d); err != nil {
		t.Fatal(err)
	}
	if n != 300_000_000_000 || x.Valid || s != nil || d != nil {
		t.Errorf("second row: %v %v %v %v", n, x, s, d)
	}
	var small int32
	var text string
	for name, places := range map[string][]any{
		"too large":      {&small, nil, nil, nil},
		"null":           {nil, nil, &text, nil},
		"wrong type":     {&text, nil, nil, nil},
		"no such place":  {&struct{}{}, nil, nil, nil},
		"too few places": {&n},
	} {
		if err := rows.Scan(places...); !errors.Is(err, decant.ErrScan) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := rows.Scan(nil, nil, &text, nil); !strings.Contains(err.Error(), "column s: value does not fit: null in *string; use **string") {
		t.Errorf("null: %v", err)
	}
	if rows.Next() || rows.Err() != nil {
		t.Errorf("after the last row: %v", rows.Err())
	}
	if got := rows.Stats().RowsOut; got != 2 {
		t.Errorf("%d rows out", got)
	}
}

func TestLiteralsHaveTheirTypes(t *testing.T) {
	db := open(t, flights)
	const query = "SELECT 1, 3000000000, 0.5, 'x', true, NULL, 1 + 1, carrier FROM flights LIMIT 1"
	want := [][]any{{int32(1), int64(3_000_000_000), 0.5, "x", true, nil, int64(2), "UA"}}
	if diff := cmp.Diff(want, ask(t, db, query)); diff != "" {
		t.Error(diff)
	}
}

func TestCloseBeforeTheEnd(t *testing.T) {
	db := open(t, flights)
	for read := range 3 {
		rows, err := db.Query(context.Background(), "SELECT carrier, dest FROM flights")
		if err != nil {
			t.Fatal(err)
		}
		for range read {
			if _, err := rows.NextBatch(); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(rows.Close(), rows.Close()); err != nil {
			t.Error(err)
		}
		if _, err := rows.NextBatch(); !errors.Is(err, decant.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	}
}

func TestCancel(t *testing.T) {
	db := open(t, flights)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rows, err := db.Query(ctx, "SELECT carrier, dest FROM flights")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if _, err := rows.NextBatch(); err != nil {
		t.Fatal(err)
	}
	cancel()
	for err == nil {
		_, err = rows.NextBatch()
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestQueryErrors(t *testing.T) {
	db := open(t, flights)
	for query, want := range map[string]error{
		"SELEC":                               decant.ErrSyntax,
		"SELECT a FROM x JOIN y ON 1=1":       decant.ErrUnsupported,
		"SELECT nope FROM flights":            decant.ErrUnknownColumn,
		"SELECT year FROM nope":               decant.ErrUnknownTable,
		"SELECT frob(year) FROM flights":      decant.ErrUnknownFunction,
		"SELECT year = 'x' FROM flights":      decant.ErrType,
		"SELECT NORMALIZE(dest) FROM flights": decant.ErrNotRun,
	} {
		_, err := db.Query(context.Background(), query)
		var at *decant.SQLError
		if !errors.Is(err, want) || !errors.As(err, &at) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestClosed(t *testing.T) {
	db, err := decant.OpenFiles(flights)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Close(), db.Close()); err != nil {
		t.Error(err)
	}
	if _, err := db.Query(context.Background(), "SELECT year FROM flights"); !errors.Is(err, decant.ErrClosed) {
		t.Errorf("%v", err)
	}
}

// TestAnswerAsFile writes an answer with its own schema and reads it again.
func TestAnswerAsFile(t *testing.T) {
	db := open(t, flights)
	const query = "SELECT carrier, time_hour, COUNT(*) AS n, SUM(distance) AS miles FROM flights WHERE month = 1 AND day = 1 GROUP BY carrier, time_hour"
	rows, err := db.Query(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	path := filepath.Join(t.TempDir(), "answer.nimble")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := nimble.NewWriter(f, rows.Schema(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for {
		b, err := rows.NextBatch()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = w.WriteBatch(b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	got := ask(t, open(t, path), "SELECT carrier, time_hour, n, miles FROM answer")
	if diff := cmp.Diff(ask(t, db, query), got); diff != "" || len(got) == 0 {
		t.Errorf("%d rows: %s", len(got), diff)
	}
}
