package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/google/go-cmp/cmp"
)

const trips = `name,n,price,at
a,1,1.50,2013-01-31T08:30:00Z
b,2,,2013-02-01T00:00:00Z
"",3,-0.25,
`

func TestQueryFormats(t *testing.T) {
	csv := write(t, "trips.csv", trips)
	const query = "SELECT name, n, price * 2 AS twice, at FROM trips ORDER BY n"
	for _, c := range []struct{ format, want string }{
		{"table", "" +
			"name  n  twice  at\n" +
			"----  -  -----  ------------------------\n" +
			"a     1    3.0  2013-01-31T08:30:00.000Z\n" +
			"b     2   NULL  2013-02-01T00:00:00.000Z\n" +
			"      3   -0.5  NULL\n"},
		{"csv", "name,n,twice,at\na,1,3.0,2013-01-31T08:30:00.000Z\nb,2,,2013-02-01T00:00:00.000Z\n\"\",3,-0.5,\n"},
		{"jsonl", `{"name":"a","n":1,"twice":3.0,"at":"2013-01-31T08:30:00.000Z"}` + "\n" +
			`{"name":"b","n":2,"twice":null,"at":"2013-02-01T00:00:00.000Z"}` + "\n" +
			`{"name":"","n":3,"twice":-0.5,"at":null}` + "\n"},
	} {
		if diff := cmp.Diff(c.want, mustRun(t, "query", "--format", c.format, query, csv)); diff != "" {
			t.Errorf("%s: %s", c.format, diff)
		}
	}
	var response struct {
		ResultTable struct{ Rows [][]any }
	}
	if err := json.Unmarshal([]byte(mustRun(t, "query", "--format", "json", query, csv)), &response); err != nil {
		t.Fatal(err)
	}
	want := [][]any{
		{"a", 1.0, 3.0, "2013-01-31 08:30:00.0"},
		{"b", 2.0, nil, "2013-02-01 00:00:00.0"},
		{"", 3.0, -0.5, nil},
	}
	if diff := cmp.Diff(want, response.ResultTable.Rows); diff != "" {
		t.Error(diff)
	}
	table, err := datatable.Open([]byte(mustRun(t, "query", "--format", "datatable", query, csv)))
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows() != 3 || len(table.Columns()) != 4 {
		t.Errorf("%d rows of %v", table.Rows(), table.Columns())
	}
}

func TestQueryNullText(t *testing.T) {
	csv := write(t, "t.csv", "a,b\nNA,1\nx,NA\n")
	got := mustRun(t, "query", "--null", "NA", "--format", "csv", "SELECT b, a FROM t", csv)
	if want := "b,a\n1,NA\nNA,x\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestQueryOfManyFiles(t *testing.T) {
	one := write(t, "one.csv", "a\n1\n2\n")
	two := write(t, "two.csv", "a\n3\n")
	got := mustRun(t, "query", "--format", "csv", "SELECT SUM(a) FROM t", "t="+one, "t="+two)
	if want := "sum(a)\n6.0\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	_, stderr, code := run(t, "query", "SELECT a FROM t", "t="+one, "t="+write(t, "text.csv", "a\nx\n"))
	if code != ExitFailed || !strings.Contains(stderr, "one.csv") || !strings.Contains(stderr, "text.csv") {
		t.Errorf("files that differ: code %d, %s", code, stderr)
	}
}

func TestQueryErrorHasAPlace(t *testing.T) {
	_, stderr, code := run(t, "query", "SELECT origin,\n\tcarier FROM flights", flights)
	if code != ExitFailed {
		t.Errorf("code %d", code)
	}
	if want := "  \tcarier FROM flights\n  \t^\n"; !strings.HasSuffix(stderr, want) {
		t.Errorf("stderr is\n%s\nwithout\n%s", stderr, want)
	}
}

func TestQueryOfAFile(t *testing.T) {
	csv, query := write(t, "t.csv", "a\n1\n2\n"), write(t, "q.sql", "-- the greatest\nSELECT MAX(a)\nFROM t;\n")
	if got, want := mustRun(t, "query", "--format", "csv", "@"+query, csv), "max(a)\n2.0\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	_, stderr, code := run(t, "query", "@"+write(t, "wrong.sql", "SELECT a\nFROM u"), csv)
	if code != ExitFailed || !strings.HasSuffix(stderr, "  FROM u\n       ^\n") {
		t.Errorf("code %d, %s", code, stderr)
	}
	if _, stderr, code := run(t, "query", "@"+query+".no", csv); code != ExitFailed || !strings.Contains(stderr, "q.sql.no") {
		t.Errorf("code %d, %s", code, stderr)
	}
}

func TestUnknownTableNamesTheOthers(t *testing.T) {
	a, b := write(t, "a.csv", "n\n1\n"), write(t, "b.csv", "n\n1\n")
	_, stderr, code := run(t, "query", "SELECT n FROM c", a, b)
	if code != ExitFailed || !strings.Contains(stderr, `unknown table "c", there are a, b`) {
		t.Errorf("code %d, %s", code, stderr)
	}
}

func TestQueryStats(t *testing.T) {
	_, stderr, code := run(t, "query", "--stats", "SELECT COUNT(*) FROM flights WHERE month = 2", flights)
	if code != ExitOK || !strings.Contains(stderr, "336,776 rows read") || !strings.Contains(stderr, "24,951 matched, 1 returned") {
		t.Errorf("code %d, %s", code, stderr)
	}
}

func TestPinotDefaults(t *testing.T) {
	nulls := mustRun(t, "query", "--pinot-defaults", "--format", "csv", "SELECT COUNT(dep_time), MIN(dep_time) FROM flights WHERE dep_time IS NULL", flights)
	if want := "count(*),min(dep_time)\n8255,-2147483648.0\n"; nulls != want {
		t.Errorf("without null handling: %q, want %q", nulls, want)
	}
	got := mustRun(t, "query", "--pinot-defaults", "--format", "csv", "SET enableNullHandling = true; SELECT carrier FROM flights", flights)
	if n := strings.Count(got, "\n"); n != 11 {
		t.Errorf("%d lines, want a header and ten rows", n)
	}
}
