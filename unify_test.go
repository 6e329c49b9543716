package decant_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/decantdb/decant"
	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
	"github.com/google/go-cmp/cmp"
)

// writeColumn writes a table with a column n as Nimble, as Parquet, or as CSV where
// the type is to be inferred, and returns the file.
func writeColumn(t *testing.T, ext, ddl, values string) string {
	t.Helper()
	dir := t.TempDir()
	csv := writeText(t, dir, "t.csv", "n\n"+values)
	if ext == ".csv" {
		return csv
	}
	schema, err := nimble.ParseSchema("n " + ddl)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "t"+ext)
	if _, err := convert.Convert(context.Background(), csv, out, convert.Options{Schema: schema, Nulls: []string{"NA"}}, nil); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTypesWiden wants the values of files of one table in the least type that has
// them all, whatever the order and the formats.
func TestTypesWiden(t *testing.T) {
	type column struct{ ext, ddl, values string }
	for name, c := range map[string]struct {
		a, b column
		typ  string
		want []any
	}{
		"integers": {
			column{".nimble", "TINYINT", "-128\nNA\n"},
			column{".nimble", "SMALLINT", "300\n"},
			"INT",
			[]any{int32(-128), nil, int32(300)},
		},
		"to BIGINT": {
			column{".nimble", "SMALLINT", "-7\n"},
			column{".parquet", "BIGINT", "9007199254740993\n"},
			"LONG",
			[]any{int64(-7), int64(9007199254740993)},
		},
		"to BIGINT in CSV": {
			column{".csv", "", "-7\n8\n"},
			column{".csv", "", "9007199254740993\n"},
			"LONG",
			[]any{int64(-7), int64(8), int64(9007199254740993)},
		},
		"INTEGER to DOUBLE": {
			column{".csv", "", "2147483647\n"},
			column{".csv", "", "0.5\n"},
			"DOUBLE",
			[]any{2147483647.0, 0.5},
		},
		"REAL to DOUBLE": {
			column{".nimble", "REAL", "0.5\n"},
			column{".parquet", "DOUBLE", "0.1\n"},
			"DOUBLE",
			[]any{0.5, 0.1},
		},
		"REAL and TINYINT": {
			column{".nimble", "REAL", "0.5\n"},
			column{".nimble", "TINYINT", "3\n"},
			"DOUBLE",
			[]any{0.5, 3.0},
		},
		"nulls alone": {
			column{".csv", "", "NA\n"},
			column{".nimble", "BIGINT", "5\n"},
			"LONG",
			[]any{nil, int64(5)},
		},
		"no rows": {
			column{".csv", "", ""},
			column{".csv", "", "true\n"},
			"BOOLEAN",
			[]any{true},
		},
	} {
		for _, turned := range []bool{false, true} {
			a, b := writeColumn(t, c.a.ext, c.a.ddl, c.a.values), writeColumn(t, c.b.ext, c.b.ddl, c.b.values)
			specs := []string{"t=" + a, "t=" + b}
			if turned {
				specs[0], specs[1] = specs[1], specs[0]
			}
			db, err := decant.Open(context.Background(), decant.Options{Nulls: []string{"NA"}}, specs...)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			defer db.Close()
			for _, query := range []string{"SELECT n FROM t", "SELECT n FROM t WHERE n = n OR n IS NULL"} {
				rows, err := db.Query(context.Background(), query)
				if err != nil {
					t.Fatalf("%s: %s: %v", name, query, err)
				}
				if got := rows.Columns()[0].Type; got != c.typ {
					t.Errorf("%s: %s, want %s", name, got, c.typ)
				}
				if err := rows.Close(); err != nil {
					t.Error(err)
				}
				got := map[any]int{}
				for _, row := range ask(t, db, query) {
					got[row[0]]++
				}
				want := map[any]int{}
				for _, x := range c.want {
					want[x]++
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, turned %v: %s: %s", name, turned, query, diff)
				}
			}
		}
	}
}

// TestThreeFilesWiden wants the same columns in each order of the files, though two
// of them alone would have another type.
func TestThreeFilesWiden(t *testing.T) {
	files := [3]string{
		"t=" + writeColumn(t, ".nimble", "TINYINT", "1\n"),
		"t=" + writeColumn(t, ".nimble", "REAL", "0.5\n"),
		"t=" + writeColumn(t, ".csv", "", "0.25\n"),
	}
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		db := open(t, files[order[0]], files[order[1]], files[order[2]])
		got := ask(t, db, "SELECT n, COUNT(*) FROM t GROUP BY n ORDER BY n")
		want := [][]any{{0.25, int64(1)}, {0.5, int64(1)}, {1.0, int64(1)}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: %s", order, diff)
		}
	}
}

func TestDatesWidenToMoments(t *testing.T) {
	a := writeColumn(t, ".csv", "", "2013-01-31\n")
	b := writeColumn(t, ".csv", "", "2013-01-31T08:30:00Z\n")
	for _, specs := range [][]string{{"t=" + a, "t=" + b}, {"t=" + b, "t=" + a}} {
		got := ask(t, open(t, specs...), "SELECT COUNT(*) FROM t WHERE n >= '2013-01-31' AND n < '2013-01-31 08:30:00'")
		if diff := cmp.Diff([][]any{{int64(1)}}, got); diff != "" {
			t.Error(diff)
		}
	}
}

// TestTypesThatDoNotWiden wants an error that names both files and what to do where
// a value would lose something.
func TestTypesThatDoNotWiden(t *testing.T) {
	for _, c := range []struct{ a, b, types string }{
		{"9007199254740993\n", "0.5\n", "column n is BIGINT and DOUBLE"},
		{"007\n", "7\n", "column n is VARCHAR and INTEGER"},
		{"NA\nx\n", "1\n", "column n is VARCHAR and INTEGER"},
		{"true\n", "1\n", "column n is BOOLEAN and INTEGER"},
		{"2013-01-31\n", "1\n", "column n is DATE and INTEGER"},
	} {
		a, b := writeColumn(t, ".csv", "", c.a), writeColumn(t, ".csv", "", c.b)
		_, err := decant.Open(context.Background(), decant.Options{Nulls: []string{"NA"}}, "t="+a, "t="+b)
		if !errors.Is(err, decant.ErrSchemas) {
			t.Errorf("%q and %q: %v", c.a, c.b, err)
			continue
		}
		for _, want := range []string{a, b, c.types, "convert --schema"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q and %q: %v, without %s", c.a, c.b, err, want)
			}
		}
	}
}
