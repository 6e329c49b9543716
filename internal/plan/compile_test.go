package plan

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

var testColumns = []TableColumn{
	{Name: "i", Type: fn.Int},
	{Name: "l", Type: fn.Long},
	{Name: "f", Type: fn.Float},
	{Name: "d", Type: fn.Double},
	{Name: "s", Type: fn.String},
	{Name: "by", Type: fn.Bytes},
	{Name: "ts", Type: fn.Timestamp},
	{Name: "bo", Type: fn.Boolean},
	{Name: "tags", Type: fn.StringArray},
	{Name: "a.b", Type: fn.Int, Hidden: true},
	{Name: "price", Type: fn.BigDecimal, Scale: 2, Hidden: true},
	{Name: "big", Type: fn.BigDecimal, Scale: -1, Hidden: true},
}

func compile(text string) (*Query, error) {
	statement, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	return Compile(statement, "t", testColumns, Options{DefaultLimit: -1})
}

// testOf returns the test of a query's WHERE, which must be one leaf.
func testOf(t *testing.T, where string) (Test, bool) {
	t.Helper()
	q, err := compile("SELECT i FROM t WHERE " + where)
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	leaf, ok := q.Where.(*Leaf)
	if !ok {
		t.Fatalf("%s: a %T, not a leaf", where, q.Where)
	}
	return leaf.Test, leaf.Negate
}

func TestConditionsBecomeTestsOnOneValue(t *testing.T) {
	const least, most = -1 << 63, 1<<63 - 1
	for _, c := range []struct {
		where  string
		want   Test
		negate bool
	}{
		{"i > 1.5", IntRange{2, most}, false},
		{"i >= 2", IntRange{2, most}, false},
		{"i < 1.5", IntRange{least, 1}, false},
		{"i < 1", IntRange{least, 0}, false},
		{"1 > i", IntRange{least, 0}, false},
		{"i = 2.5", IntRange{1, 0}, false},
		{"i <> 7", IntRange{7, 7}, true},
		{"NOT i = 7", IntRange{7, 7}, true},
		{"i > 1e30", IntRange{1, 0}, false},
		{"i < 1e30", IntRange{least, most}, false},
		{"i BETWEEN 2 AND 5", IntRange{2, 5}, false},
		{"i NOT BETWEEN 2 AND 5", IntRange{2, 5}, true},
		{"i IN (3, '1', 2.0, 3)", IntSet{[]int64{1, 2, 3}}, false},
		{"l = 9007199254740993", IntRange{9007199254740993, 9007199254740993}, false},
		{"d = 0.1", FloatRange{0.1, 0.1}, false},
		{"f = 0.1", FloatRange{float64(float32(0.1)), float64(float32(0.1))}, false},
		{"d = 'NaN'", FloatSet{}, false},
		{"s = 5", TextSet{[]string{"5"}}, false},
		{"s IN ('b', 'a', 'b')", TextSet{[]string{"a", "b"}}, false},
		{"s >= 'm'", TextRange{Lo: "m", HasLo: true}, false},
		{"s < 'm'", TextRange{Hi: "m", HasHi: true, StrictHi: true}, false},
		{"by = 'dead'", TextSet{[]string{"\xde\xad"}}, false},
		{"ts = '2024-01-02 03:04:05'", IntRange{1704164645000, 1704164645000}, false},
		{"ts >= '2024-01-02T03:04:05Z'", IntRange{1704164645000, most}, false},
		{"ts < 1704164645000", IntRange{least, 1704164644999}, false},
		{"price > 5", IntRange{501, most}, false},
		{"price = 9.99", IntRange{999, 999}, false},
		{"price <> 9.999", IntRange{1, 0}, true},
		{"price <= 9.999", IntRange{least, 999}, false},
		{"price > -0.005", IntRange{0, most}, false},
		{"price < '10.00'", IntRange{least, 999}, false},
		{"price BETWEEN 0 AND 10", IntRange{0, 1000}, false},
		{"price IN (1, 0.5, 0.001)", IntSet{[]int64{50, 100}}, false},
		{"price < 1e300", IntRange{least, most}, false},
		{"price = 0.0 / 0.0", IntRange{1, 0}, false},
		{"bo", IsTrue{}, false},
		{"NOT bo", IsTrue{}, true},
		{"bo = 'TRUE'", IsTrue{}, false},
		{"bo <> true", IsTrue{}, true},
		{"s IS NULL", IsNull{}, false},
		{"s IS NOT NULL", IsNull{}, true},
	} {
		got, negate := testOf(t, c.where)
		if diff := cmp.Diff(c.want, got); diff != "" || negate != c.negate {
			t.Errorf("%s: negated %v, want %v; test (-want +got):\n%s", c.where, negate, c.negate, diff)
		}
	}
}

func TestOutputNamesAndTypes(t *testing.T) {
	for _, c := range []struct{ query, names, types string }{
		{"SELECT i, T.S, l AS n FROM t", "i,s,n", "INT,STRING,LONG"},
		{"SELECT COUNT(*), SUM(i), AVG(l) FROM t", "count(*),sum(i),avg(l)", "LONG,DOUBLE,DOUBLE"},
		{"SELECT l + 0, i < 5, ts FROM t", "plus(l,'0'),less_than(i,'5'),ts", "DOUBLE,BOOLEAN,TIMESTAMP"},
		{"SELECT MIN(ts), MAX(bo) FROM t", "min(ts),max(bo)", "DOUBLE,DOUBLE"},
		{"SELECT 1, 'x', 2.5 FROM t", "1,'x',2.5", "INT,STRING,DOUBLE"},
		{"SELECT a.b FROM t", "a.b", "INT"},
		{"SELECT 1 + 2, i FROM t", "'3',i", "LONG,INT"},
		{"SELECT * FROM t", "bo,by,d,f,i,l,s,tags,ts", "BOOLEAN,BYTES,DOUBLE,FLOAT,INT,LONG,STRING,STRING_ARRAY,TIMESTAMP"},
	} {
		q, err := compile(c.query)
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		var names, types []string
		for _, o := range q.Outputs {
			names, types = append(names, o.Name), append(types, o.Expr.Type().String())
		}
		if got := strings.Join(names, ","); got != c.names {
			t.Errorf("%s: names %s, want %s", c.query, got, c.names)
		}
		if got := strings.Join(types, ","); got != c.types {
			t.Errorf("%s: types %s, want %s", c.query, got, c.types)
		}
	}
}

func TestErrorsNameTheClassAndThePlace(t *testing.T) {
	for _, c := range []struct {
		query string
		class error
		place [2]int
	}{
		{"SELECT nosuch FROM t", ErrUnknownColumn, [2]int{1, 8}},
		{"SELECT i\nFROM t WHERE\n  nosuch = 1", ErrUnknownColumn, [2]int{3, 3}},
		{"SELECT frobnicate(i) FROM t", ErrUnknownFunction, [2]int{1, 8}},
		{"SELECT sum(i, l) FROM t", ErrUnknownFunction, [2]int{1, 8}},
		{"SELECT i FROM t WHERE i = 'abc'", ErrType, [2]int{1, 27}},
		{"SELECT i FROM t WHERE by = 'xy'", ErrType, [2]int{1, 28}},
		{"SELECT i FROM t WHERE i = NULL", ErrInvalid, [2]int{1, 27}},
		{"SELECT MAX(SUM(i)) FROM t", ErrInvalid, [2]int{1, 12}},
		{"SELECT MIN(DISTINCT i) FROM t", ErrInvalid, [2]int{1, 8}},
		{"SELECT s, DISTINCTCOUNTOFFHEAP(i) FROM t GROUP BY s", fn.ErrValue, [2]int{1, 11}},
		{"SELECT MAX(NULL) FROM t", ErrType, [2]int{1, 8}},
		{"SELECT i AS a, l AS a FROM t", ErrInvalid, [2]int{1, 16}},
		{"SELECT s FROM t GROUP BY i", ErrInvalid, [2]int{1, 8}},
		{"SELECT CAST(i AS NUMBERS) FROM t", ErrType, [2]int{1, 8}},
		{"SELECT 1 + 'a' FROM t", ErrConstant, [2]int{1, 10}},
		{"SELECT abs(tags) FROM t", ErrUnknownFunction, [2]int{1, 8}},
		{"SELECT normalize(s) FROM t", ErrNotRun, [2]int{1, 8}},
		{"SELECT i FROM t WHERE big > 1", ErrNotRun, [2]int{1, 27}},
		{"SELECT big + 1 FROM t", ErrNotRun, [2]int{1, 12}},
		{"SELECT SUM(big) FROM t", ErrNotRun, [2]int{1, 12}},
		{"SELECT i FROM t ORDER BY big", ErrNotRun, [2]int{1, 26}},
		{"SELECT i FROM t WHERE price = 'x'", ErrType, [2]int{1, 31}},
		{"EXPLAIN PLAN FOR SELECT i FROM t", ErrNotRun, [2]int{1, 1}},
	} {
		_, err := compile(c.query)
		var at *sql.Error
		if !errors.Is(err, c.class) || !errors.As(err, &at) {
			t.Errorf("%s: error %v, want one of class %v", c.query, err, c.class)
			continue
		}
		if got := [2]int{at.Line, at.Column}; got != c.place {
			t.Errorf("%s: %v at %v, want %v", c.query, err, got, c.place)
		}
	}
}

func TestComparisonsOfLiterals(t *testing.T) {
	for where, want := range map[string]bool{
		"1 < 2": true, "2 <= 1.5": false, "9007199254740993 = 9007199254740992": false, "0.0 / 0.0 = 1.0": false,
		"0.0 / 0.0 <> 0.0 / 0.0": true, "'a' < 'b'": true, "0.0 = 0": true,
	} {
		q, err := compile("SELECT i FROM t WHERE " + where)
		if err != nil {
			t.Errorf("%s: %v", where, err)
			continue
		}
		if lit, ok := q.Where.(*Literal); !ok || lit.B != want {
			t.Errorf("%s: %#v, want %v", where, q.Where, want)
		}
	}
}

func TestGroupingSharesKeysAndAggregates(t *testing.T) {
	q, err := compile("SELECT s AS x, SUM(i), SUM(i) / COUNT(*) FROM t GROUP BY x, 1 HAVING SUM(I) > 2 ORDER BY count(*) DESC")
	if err != nil {
		t.Fatal(err)
	}
	if len(q.Keys) != 1 || len(q.Aggs) != 2 {
		t.Errorf("%d keys and %d aggregates, want 1 and 2", len(q.Keys), len(q.Aggs))
	}
	if len(q.OrderBy) != 1 || !q.OrderBy[0].Descending || !q.OrderBy[0].NullsFirst {
		t.Errorf("order %+v, want one descending criterion with nulls first", q.OrderBy)
	}
	reads := Columns(append(q.Keys, q.Aggs[0].Arg)...)
	if len(reads) != 2 || len(q.Reads()) != 2 {
		t.Errorf("reads %v, want s and i", q.Reads())
	}
}

// TestFunctionsThatAreNotRunAreNamed tells Pinot's functions from what is none.
func TestFunctionsThatAreNotRunAreNamed(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT PERCENTILEKLL(i, 95) FROM t": "function percentilekll is not run yet",
		"SELECT NORMALIZE(s) FROM t":         "function normalize is not run yet",
		"SELECT tags['k'] FROM t":            "an element by [ ] is not run yet",
		"SELECT frobnicate(s) FROM t":        "unknown function frobnicate",
		"SELECT SUM(frobnicate(i)) FROM t":   "unknown function frobnicate",
	} {
		_, err := compile(query)
		var at *sql.Error
		if !errors.As(err, &at) || at.Msg != want {
			t.Errorf("%s: %v, want %s", query, err, want)
		}
		if class := errors.Is(err, ErrNotRun); class != strings.Contains(want, "not run") {
			t.Errorf("%s: %v is of another class", query, err)
		}
	}
}
