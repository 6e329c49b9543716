package exec

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// The expected rows follow from the table of replayRows by hand, with null
// handling on.
var queries = []struct {
	sql  string
	rows []string
}{
	{"SELECT i FROM t WHERE i > 1.5", []string{"2", "3", "4", "5"}},
	{"SELECT i FROM t WHERE i = 2.5", nil},
	{"SELECT i FROM t WHERE i <> 2.5", []string{"1", "2", "3", "4", "5"}},
	{"SELECT i FROM t WHERE i = '1'", []string{"1"}},
	{"SELECT i FROM t WHERE NOT i > 2", []string{"1", "2"}},
	{"SELECT i FROM t WHERE i BETWEEN 2 AND 3.5", []string{"2", "3"}},
	{"SELECT i FROM t WHERE i NOT BETWEEN 2 AND 3.5", []string{"1", "4", "5"}},
	{"SELECT i FROM t WHERE i IN (1, 3, 99)", []string{"1", "3"}},
	{"SELECT i FROM t WHERE i NOT IN (1, 3, 99)", []string{"2", "4", "5"}},
	{"SELECT l FROM t WHERE l = 9007199254740993", []string{"9007199254740993"}},
	{"SELECT l FROM t WHERE l > 9007199254740992", []string{"9007199254740993", "9223372036854775807"}},
	{"SELECT d FROM t WHERE d > 0", []string{"1.5", "2.5"}},
	{"SELECT d FROM t WHERE d <= 0", []string{"-Inf", "0"}},
	{"SELECT i FROM t WHERE d <> 1.5", []string{"2", "3", "4", "5"}},
	{"SELECT i FROM t WHERE NOT d < 2", []string{"2", "4"}},
	{"SELECT f FROM t WHERE f = 0.05", []string{"0.05"}},
	{"SELECT i FROM t WHERE f = 0", []string{"3", "4"}},
	{"SELECT s FROM t WHERE s LIKE 'b_c'", []string{"b_c", "bxc"}},
	{`SELECT s FROM t WHERE s LIKE 'b\_c'`, []string{"b_c"}},
	{"SELECT s FROM t WHERE s LIKE 'b'", nil},
	{"SELECT s FROM t WHERE s LIKE '%B%'", []string{"b_c", "bxc", "O'Brien"}},
	{"SELECT s FROM t WHERE s NOT LIKE '%b%'", []string{"a", ""}},
	{"SELECT s FROM t WHERE s = ''", []string{""}},
	{"SELECT s FROM t WHERE s < 'b'", []string{"a", "", "O'Brien"}},
	{"SELECT s FROM t WHERE s IS NULL", []string{"NULL"}},
	{"SELECT COUNT(*) FROM t WHERE s IS NOT NULL", []string{"5"}},
	{"SELECT i FROM t WHERE bo", []string{"1", "3", "5"}},
	{"SELECT i FROM t WHERE NOT bo", []string{"2", "NULL"}},
	{"SELECT i FROM t WHERE bo = false OR i = 3", []string{"2", "3", "NULL"}},
	{"SELECT i FROM t WHERE bo IS NOT TRUE", []string{"2", "4", "NULL"}},
	{"SELECT i FROM t WHERE bo IN (false)", []string{"2", "NULL"}},
	{"SELECT i FROM t WHERE bo NOT IN (false)", []string{"1", "3", "5"}},
	{"SELECT COUNT(*) FROM t WHERE bo IN (true, false)", []string{"5"}},
	{"SELECT i < 3 FROM t", []string{"true", "true", "false", "false", "NULL", "false"}},
	{"SELECT i + 1, -i, i / 2, i % 2 FROM t WHERE i >= 4", []string{"5|-4|2|0", "6|-5|2.5|1"}},
	{"SELECT i FROM t WHERE i + 1 > l", []string{"3"}},
	{"SELECT i FROM t WHERE l < i", []string{"3"}},
	{"SELECT COUNT(*), COUNT(i), SUM(i), MIN(d), MAX(d), AVG(i) FROM t WHERE i = 999", []string{"0|0|NULL|NULL|NULL|NULL"}},
	{"SELECT COUNT(*), COUNT(i), SUM(i), MIN(i), MAX(i), AVG(i) FROM t", []string{"6|5|15|1|5|3"}},
	{"SELECT MIN(d), MAX(d) FROM t", []string{"NaN|NaN"}},
	{"SELECT bo, COUNT(*), SUM(i) FROM t GROUP BY bo", []string{"false|2|2", "true|3|9", "NULL|1|4"}},
	{"SELECT s, bo, COUNT(*) FROM t GROUP BY s, bo ORDER BY s DESC NULLS LAST", []string{"bxc|NULL|1", "b_c|false|1", "a|true|1", "O'Brien|true|1", "|true|1", "NULL|false|1"}},
	{"SELECT bo, COUNT(*) AS n FROM t GROUP BY bo HAVING n > 1 ORDER BY n DESC LIMIT 1", []string{"true|3"}},
	{"SELECT COUNT(*) FROM t GROUP BY i % 2 ORDER BY 1", []string{"1", "2", "3"}},
	{"SELECT i, COUNT(*) FROM t WHERE i = 999 GROUP BY i", nil},
	{"SELECT DISTINCT bo FROM t ORDER BY bo", []string{"false", "true", "NULL"}},
	{"SELECT i FROM t ORDER BY i DESC", []string{"NULL", "5", "4", "3", "2", "1"}},
	{"SELECT i FROM t ORDER BY i LIMIT 2, 3", []string{"3", "4", "5"}},
	{"SELECT i FROM t LIMIT 10 OFFSET 100", nil},
	{"SELECT i FROM t LIMIT 2 OFFSET 2", []string{"3", "4"}},
	{"SELECT i FROM t LIMIT 0", nil},
	{"SELECT d FROM t ORDER BY d", []string{"-Inf", "0", "1.5", "2.5", "NaN", "NULL"}},
	{"SELECT I, T.S FROM t WHERE t.i = 1", []string{"1|a"}},
	{"SELECT * FROM t WHERE i = 1", []string{"true|1.5|0.05|1|9007199254740993|a"}},
	{"SELECT SUM(i) / COUNT(*), 1 + 2, 'x' FROM t", []string{"2.5|3|x"}},
	{"SELECT 1, 3000000000, 0.5, true, NULL FROM t WHERE i = 1", []string{"1|3000000000|0.5|true|NULL"}},
	{"SELECT $docId, $segmentName FROM t WHERE i IN (1, 5)", []string{"0|first", "2|second"}},
	{"SELECT $segmentName, MAX($docid) FROM t GROUP BY $segmentName", []string{"first|2", "second|2"}},
	{"SELECT CASE WHEN i > 2 THEN 'b' WHEN i > 0 THEN 'a' END FROM t", []string{"a", "a", "b", "b", "NULL", "b"}},
	{"SELECT CAST(f AS STRING), COALESCE(i, -1) FROM t WHERE COALESCE(i, -1) < 2", []string{"0.05|1", "NULL|-1"}},
	{"SELECT DISTINCT 1, i < 3 FROM t WHERE 1 < i", []string{"1|false", "1|true"}},
}

func TestQueries(t *testing.T) {
	table := replayTable()
	for _, q := range queries {
		for _, workers := range []int{1, 2} {
			if got := answer(t, table, workers, q.sql); !slices.Equal(got, q.rows) {
				t.Errorf("%s with %d workers:\n%s\nwant\n%s", q.sql, workers, strings.Join(got, "\n"), strings.Join(q.rows, "\n"))
			}
		}
	}
}

// Without null handling a null is its column's default, except to IS NULL. The
// answers over no rows are those of Pinot 1.5.0.
var queriesWithoutNulls = []struct {
	sql  string
	rows []string
}{
	{"SELECT i, l, f, d, s, bo FROM t WHERE i IS NULL", []string{"-2147483648|10|-Inf|-Inf|null|false"}},
	{"SELECT l FROM t WHERE l IS NULL OR s IS NULL", []string{"-9223372036854775808", "10"}},
	{"SELECT s FROM t WHERE i < 2", []string{"a", "null"}},
	{"SELECT i FROM t WHERE s = 'null'", []string{"-2147483648"}},
	{"SELECT COUNT(i), COUNT(*), MIN(i), MAX(d) FROM t", []string{"6|6|-2.147483648e+09|NaN"}},
	{"SELECT COUNT(*), SUM(i), MIN(d), MAX(d), AVG(d) FROM t WHERE i = 999", []string{"0|0|+Inf|-Inf|-Inf"}},
	{"SELECT i, COUNT(*) FROM t WHERE i = 999 GROUP BY i", nil},
	{"SELECT bo, COUNT(*) FROM t GROUP BY bo", []string{"false|3", "true|3"}},
	{"SELECT i FROM t ORDER BY i LIMIT 2", []string{"-2147483648", "1"}},
	{"SELECT i FROM t WHERE NOT bo", []string{"2", "4", "-2147483648"}},
	{"SELECT i + 1 FROM t WHERE f < -5", []string{"-2.147483647e+09"}},
	{"SELECT i FROM t WHERE i + 1 IS NULL", []string{"-2147483648"}},
}

func TestQueriesWithoutNullHandling(t *testing.T) {
	table := replayTable()
	for _, q := range queriesWithoutNulls {
		for _, workers := range []int{1, 2} {
			if got := answer(t, table, workers, "SET enableNullHandling = false; "+q.sql); !slices.Equal(got, q.rows) {
				t.Errorf("%s with %d workers:\n%s\nwant\n%s", q.sql, workers, strings.Join(got, "\n"), strings.Join(q.rows, "\n"))
			}
		}
	}
}

// decimalTable has a narrow integer with nulls in its first batch only, and
// decimals of two digits.
func decimalTable() *memoryTable {
	small, price := vector.NewVec[int8](nil), vector.NewVec[int64](nil)
	small.AppendNull()
	small.Append(5)
	price.Append(1050)
	price.Append(999)
	later, more := vector.NewVec[int8](nil), vector.NewVec[int64](nil)
	later.Append(-3)
	later.Append(7)
	more.Append(10)
	more.Append(-200)
	first, second := vector.NewBatch(nil, small, price), vector.NewBatch(nil, later, more)
	first.N, second.N = 2, 2
	return &memoryTable{
		columns: []plan.TableColumn{{Name: "b", Type: fn.Int}, {Name: "p", Type: fn.BigDecimal, Scale: 2}},
		splits:  [][]*vector.Batch{{first, second}},
	}
}

func TestDecimalsAndNarrowIntegers(t *testing.T) {
	for text, want := range map[string][]string{
		"SELECT p FROM t WHERE p > 5":                                                    {"1050", "999"},
		"SELECT p FROM t WHERE p = 9.99":                                                 {"999"},
		"SELECT p FROM t WHERE NOT p < 5":                                                {"1050", "999"},
		"SELECT p FROM t ORDER BY p":                                                     {"-200", "10", "999", "1050"},
		"SELECT p * 2 FROM t WHERE p IN (0.1)":                                           {"0.20"},
		"SELECT MAX(p), MIN(p), COUNT(p) FROM t":                                         {"10.5|-2|4"},
		"SELECT p FROM t WHERE p > b":                                                    {"999", "10"},
		"SELECT b FROM t ORDER BY b":                                                     {"-3", "5", "7", "NULL"},
		"SET enableNullHandling=false; SELECT b FROM t ORDER BY b":                       {"-2147483648", "-3", "5", "7"},
		"SET enableNullHandling=false; SELECT b, p FROM t ORDER BY p DESC LIMIT 2":       {"-2147483648|1050", "5|999"},
		"SET enableNullHandling=false; SELECT b, COUNT(*) FROM t WHERE b < 6 GROUP BY b": {"-2147483648|1", "-3|1", "5|1"},
	} {
		if got := answer(t, decimalTable(), 1, text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestSumsAreTheSameEachTime runs a sum whose value hangs on the order of its
// parts.
func TestSumsAreTheSameEachTime(t *testing.T) {
	table := manyRows()
	first := answer(t, table, 3, "SELECT SUM(d), AVG(d) FROM t WHERE d < 1e300 AND d > -1e300")
	for range 30 {
		if again := answer(t, table, 3, "SELECT SUM(d), AVG(d) FROM t WHERE d < 1e300 AND d > -1e300"); !slices.Equal(again, first) {
			t.Fatalf("%q after %q", again, first)
		}
	}
}

func TestQueriesThatAreRefused(t *testing.T) {
	for text, want := range map[string]error{
		"SELECT nosuch FROM t":                 plan.ErrUnknownColumn,
		"SELECT nosuch(i) FROM t":              plan.ErrUnknownFunction,
		"SELECT i FROM t WHERE i = 'abc'":      plan.ErrType,
		"SELECT i FROM t WHERE i IN (1, NULL)": plan.ErrInvalid,
		"SELECT SUM(s) FROM t":                 plan.ErrType,
		"SELECT i, COUNT(*) FROM t":            plan.ErrInvalid,
		"SELECT i FROM t WHERE SUM(i) > 1":     plan.ErrInvalid,
		"SELECT ABS(i, i) FROM t":              plan.ErrUnknownFunction,
		"SELECT s + 1 FROM t":                  fn.ErrValue,
		"SELECT i FROM t ORDER BY 3":           plan.ErrInvalid,
	} {
		if _, err := tryAnswer(replayTable(), 1, text); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", text, err, want)
		}
	}
}
