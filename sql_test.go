package decant_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/decantdb/decant"
	"github.com/decantdb/decant/internal/convert"
)

// flights is the table that the logic tests ask.
const flights = "examples/flights.nimble"

// sqlCase is one query of a logic test with the rows that it must give.
type sqlCase struct {
	name, sql string
	line      int
	rows      [][]string
}

// readCases reads a file of logic tests:
//
//	# comments, at the top only
//
//	query NAME
//	SQL, on one or more lines
//	----
//	rows, their fields separated by tabs, up to an empty line
func readCases(t *testing.T, path string) []sqlCase {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []sqlCase
	const between, inQuery, inRows = 0, 1, 2
	state := between
	scanner := bufio.NewScanner(f)
	for n := 1; scanner.Scan(); n++ {
		line := scanner.Text()
		switch {
		case state == between && strings.HasPrefix(line, "query "):
			cases = append(cases, sqlCase{name: strings.TrimPrefix(line, "query "), line: n})
			state = inQuery
		case state == between && (line == "" || len(cases) == 0 && strings.HasPrefix(line, "#")):
		case state == inQuery && line == "----":
			state = inRows
		case state == inQuery:
			cases[len(cases)-1].sql += line + "\n"
		case state == inRows && line == "":
			state = between
		case state == inRows:
			c := &cases[len(cases)-1]
			c.rows = append(c.rows, strings.Split(line, "\t"))
		default:
			t.Fatalf("%s:%d: %q belongs to no query", path, n, line)
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	if state == inQuery || len(cases) == 0 {
		t.Fatalf("%s: no rows after the last query", path)
	}
	return cases
}

// TestSQL asks every query of testdata/sql in each way of reading the table: with
// one worker, with two, and of two files with one table's rows between them. In
// short mode it is with two workers only.
func TestSQL(t *testing.T) {
	files, err := filepath.Glob("testdata/sql/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of logic tests: %v", len(files), err)
	}
	first, second := splitFlights(t)
	ways := []struct {
		name    string
		options decant.Options
		specs   []string
	}{
		{"one worker", decant.Options{Workers: 1}, []string{flights}},
		{"two workers", decant.Options{Workers: 2}, []string{flights}},
		{"two files", decant.Options{Workers: 2}, []string{"flights=" + first, "flights=" + second}},
	}
	if testing.Short() {
		ways = ways[1:2]
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			db, err := decant.Open(context.Background(), way.options, way.specs...)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			count := 0
			for _, file := range files {
				for _, c := range readCases(t, file) {
					count++
					if err := c.check(db); err != nil {
						t.Errorf("%s:%d: %s: %v", file, c.line, c.name, err)
					}
				}
			}
			t.Logf("%d queries in %d files", count, len(files))
		})
	}
}

// splitFlights writes the table as two files, one Nimble and one Parquet.
func splitFlights(t *testing.T) (first, second string) {
	t.Helper()
	const firstRows = 300_003 // cuts a batch
	dir := t.TempDir()
	first, second = filepath.Join(dir, "first.nimble"), filepath.Join(dir, "second.parquet")
	copyPart(t, first, convert.FormatNimble, 0, firstRows)
	copyPart(t, second, convert.FormatParquet, firstRows, math.MaxInt64)
	return first, second
}

// check runs the query and compares its rows.
func (c *sqlCase) check(db *decant.DB) error {
	rows, err := db.Query(context.Background(), c.sql)
	if err != nil {
		return err
	}
	defer rows.Close()
	values := make([]any, len(rows.Columns()))
	places := make([]any, len(values))
	for i := range values {
		places[i] = &values[i]
	}
	n := 0
	for ; rows.Next(); n++ {
		if err := rows.Scan(places...); err != nil {
			return err
		}
		if n >= len(c.rows) {
			continue
		}
		if len(c.rows[n]) != len(values) {
			return fmt.Errorf("row %d has %d columns, want %d", n+1, len(values), len(c.rows[n]))
		}
		for i, want := range c.rows[n] {
			if !sameField(values[i], want) {
				return fmt.Errorf("row %d column %d is %v, want %s", n+1, i+1, values[i], want)
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if n != len(c.rows) {
		return fmt.Errorf("%d rows, want %d", n, len(c.rows))
	}
	return nil
}

// sameField compares a value with the text of a field: as numbers if that is the
// text of a double, else as text.
func sameField(value any, want string) bool {
	switch value := value.(type) {
	case nil:
		return want == "NULL"
	case float64:
		return strings.ContainsAny(want, ".eENI") && sameDouble(value, want)
	case float32:
		return strings.ContainsAny(want, ".eENI") && sameDouble(float64(value), want)
	}
	return fmt.Sprint(value) == want
}

func sameDouble(x float64, want string) bool {
	y, err := strconv.ParseFloat(want, 64)
	if err != nil {
		return false
	}
	if math.IsNaN(y) || math.IsInf(y, 0) {
		return math.IsNaN(x) && math.IsNaN(y) || x == y
	}
	return math.Abs(x-y) <= 1e-9*math.Max(math.Abs(x), math.Abs(y))
}
