package sql

import (
	"errors"
	"strings"
	"testing"
)

// exprTests are expressions with the column name, which shows the tree, and the
// form in which they are printed.
var exprTests = []struct{ text, name, printed string }{
	{"a", "a", "a"},
	{`"a b"`, "a b", `"a b"`},
	{`"say ""hi"""`, `say "hi"`, `"say ""hi"""`},
	{"$docId", "$docId", "$docId"},
	{"1_000", "1_000", `"1_000"`},
	{"0x10", "0x10", `"0x10"`},
	{"t.a", "t.a", "t.a"},
	{"a.b[0].c", "a.b[0].c", `"a.b[0].c"`},
	{"m['k']", "item(m,'k')", "m['k']"},
	{"m['k'][1]", "item(item(m,'k'),'1')", "m['k'][1]"},
	{"item(a, 1)", "item(a,'1')", "item(a, 1)"},
	{"f(a)[1]", "item(f(a),'1')", "item(f(a), 1)"},
	{"year", "year", "year"},
	{"end", "end", `"end"`},
	{"1 + 2 * 3", "plus('1',times('2','3'))", "1 + 2 * 3"},
	{"(1 + 2) * 3", "times(plus('1','2'),'3')", "(1 + 2) * 3"},
	{"a - b - c", "minus(minus(a,b),c)", "a - b - c"},
	{"a - (b - c)", "minus(a,minus(b,c))", "a - (b - c)"},
	{"a - -1", "minus(a,'-1')", "a - -1"},
	{"-a", "negate(a)", "negate(a)"},
	{"+a", "a", "a"},
	{"a % 2 = 1", "equals(mod(a,'2'),'1')", "a % 2 = 1"},
	{"a || b", "||(a,b)", "a || b"},
	{"a != 1", "not_equals(a,'1')", "a <> 1"},
	{"greaterThan(a, 1)", "greater_than(a,'1')", "a > 1"},
	{"IS_NULL(a)", "is_null(a)", "a IS NULL"},
	{"a AND b AND c", "and(a,b,c)", "a AND b AND c"},
	{"a AND (b AND c)", "and(a,b,c)", "a AND b AND c"},
	{"a OR b AND c", "or(a,and(b,c))", "a OR b AND c"},
	{"(a OR b) AND c", "and(or(a,b),c)", "(a OR b) AND c"},
	{"and(true, true, false)", "and('true','true','false')", "TRUE AND TRUE AND FALSE"},
	{"NOT a = 1", "not(equals(a,'1'))", "NOT a = 1"},
	{"NOT a AND b", "and(not(a),b)", "NOT a AND b"},
	{"a = b IS NULL", "is_null(equals(a,b))", "a = b IS NULL"},
	{"a IN (1, 2)", "in(a,'1','2')", "a IN (1, 2)"},
	{"a NOT IN ('x')", "not_in(a,'x')", "a NOT IN ('x')"},
	{"a BETWEEN 1 AND 2 AND b", "and(between(a,'1','2'),b)", "a BETWEEN 1 AND 2 AND b"},
	{"a NOT BETWEEN 1 AND 2", "not(between(a,'1','2'))", "NOT a BETWEEN 1 AND 2"},
	{"a LIKE 'x%'", "like(a,'x%')", "a LIKE 'x%'"},
	{"a NOT LIKE 'x!%' ESCAPE '!'", "not(like(a,'x!%','!'))", "NOT a LIKE 'x!%' ESCAPE '!'"},
	{"a IS NOT NULL", "is_not_null(a)", "a IS NOT NULL"},
	{"a IS UNKNOWN", "is_null(a)", "a IS NULL"},
	{"a IS NOT TRUE", "isnottrue(a)", "a IS NOT TRUE"},
	{"a IS FALSE", "isfalse(a)", "a IS FALSE"},
	{"a IS NOT DISTINCT FROM b", "isnotdistinctfrom(a,b)", "a IS NOT DISTINCT FROM b"},
	{"a AT TIME ZONE 'UTC' = b", "equals(attimezone(a,'UTC'),b)", "a AT TIME ZONE 'UTC' = b"},
	{"CASE WHEN a THEN 1 END", "case(a,'1','null')", "CASE WHEN a THEN 1 ELSE NULL END"},
	{"case a when 1 then 'x' when 2, 3 then 'y' else 'z' end", "case(equals(a,'1'),'x',in(a,'2','3'),'y','z')", "CASE WHEN a = 1 THEN 'x' WHEN a IN (2, 3) THEN 'y' ELSE 'z' END"},
	{"CAST(a AS BIGINT)", "cast(a,'LONG')", "CAST(a AS LONG)"},
	{"CAST(a AS decimal(10, 2))", "cast(a,'DECIMAL')", "CAST(a AS DECIMAL)"},
	{"CAST(a AS DOUBLE PRECISION)", "cast(a,'DOUBLE')", "CAST(a AS DOUBLE)"},
	{"CAST(a AS timestamp)", "cast(a,'TIMESTAMP')", "CAST(a AS TIMESTAMP)"},
	{`CAST(a AS "int")`, "cast(a,'int')", `CAST(a AS "int")`},
	{"EXTRACT(year FROM ts)", "extract('YEAR',ts)", "EXTRACT(YEAR FROM ts)"},
	{"TIMESTAMPADD(DAY, 1, ts)", "timestampadd('DAY','1',ts)", "TIMESTAMPADD(DAY, 1, ts)"},
	{"TRIM(s)", "trim('BOTH',' ',s)", "TRIM(BOTH ' ' FROM s)"},
	{"TRIM(LEADING FROM s)", "trim('LEADING',' ',s)", "TRIM(LEADING ' ' FROM s)"},
	{"TRIM('x' FROM s)", "trim('BOTH','x',s)", "TRIM(BOTH 'x' FROM s)"},
	{"SUBSTRING(s FROM 2 FOR 3)", "substring(s,'2','3')", "substring(s, 2, 3)"},
	{"CEILING(a)", "ceil(a)", "ceil(a)"},
	{"FLOOR(ts TO day)", "floor(ts,'DAY')", "FLOOR(ts TO DAY)"},
	{"COUNT(*)", "count(*)", "count(*)"},
	{"COUNT(DISTINCT a)", "distinctcount(a)", "distinctcount(a)"},
	{"MIN(DISTINCT a)", "min(a)", "min(DISTINCT a)"},
	{"SUM(ALL a)", "sum(a)", "sum(a)"},
	{"SUM(a) FILTER (WHERE b > 5)", "sum(a) FILTER(WHERE b > '5')", "sum(a) FILTER (WHERE b > 5)"},
	{"DATE_TRUNC('DAY', ts)", "datetrunc('DAY',ts)", "datetrunc('DAY', ts)"},
	{"left(s, 2)", "left(s,'2')", `"left"(s, 2)`},
	{`"CAST"(a)`, "cast(a)", `"cast"(a)`},
	{"ARRAY[1, 2]", "arrayvalueconstructor('1','2')", "ARRAY[1, 2]"},
	{"DATE '2024-01-02'", "'2024-01-02'", "'2024-01-02'"},
	{"TIMESTAMP '2024-01-02 03:04:05'", "'2024-01-02 03:04:05'", "'2024-01-02 03:04:05'"},
	{"INTERVAL '1' DAY", "'1'", "'1'"},
	{"X'deadbeef'", "'11011110101011011011111011101111'", "'11011110101011011011111011101111'"},
	{"a /* b */ + -- c\n 1 // d", "plus(a,'1')", "a + 1"},
}

func TestParseExpr(t *testing.T) {
	for _, test := range exprTests {
		e, err := ParseExpr(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := ColumnName(e); got != test.name {
			t.Errorf("%s: name %s, want %s", test.text, got, test.name)
		}
		if got := e.String(); got != test.printed {
			t.Errorf("%s: printed %s, want %s", test.text, got, test.printed)
		}
		if again, err := ParseExpr(e.String()); err != nil || !Equal(e, again) {
			t.Errorf("%s: printed %s, read as %v (%v)", test.text, e, again, err)
		}
	}
}

func TestLiterals(t *testing.T) {
	tests := []struct {
		text string
		want Literal
	}{
		{"1", Literal{Type: Int, Value: int32(1)}},
		{"-2147483648", Literal{Type: Int, Value: int32(-2147483648)}},
		{"2147483648", Literal{Type: Long, Value: int64(2147483648)}},
		{"9223372036854775808", Literal{Type: Long, Value: int64(-9223372036854775808)}},
		{"-9223372036854775808", Literal{Type: Long, Value: int64(-9223372036854775808)}},
		{"100000000000000000000", Literal{Type: Long, Value: int64(7766279631452241920)}},
		{"1.50", Literal{Type: Double, Value: 1.5}},
		{".5", Literal{Type: Double, Value: 0.5}},
		{"1.", Literal{Type: Double, Value: 1.0}},
		{"1e3", Literal{Type: Double, Value: 1000.0}},
		{"-1.5E-3", Literal{Type: Double, Value: -0.0015}},
		{"-0.0", Literal{Type: Double, Value: 0.0}},
		{"'it''s'", Literal{Type: String, Value: "it's"}},
		{`'a\_b'`, Literal{Type: String, Value: `a\_b`}},
		{"''''''", Literal{Type: String, Value: "'"}},
		{"''", Literal{Type: String, Value: ""}},
		{"true", Literal{Type: Boolean, Value: true}},
		{"Null", Literal{Type: Null}},
	}
	for _, test := range tests {
		e, err := ParseExpr(test.text)
		if err != nil || !Equal(e, &test.want) {
			t.Errorf("%s: got %#v (%v)", test.text, e, err)
			continue
		}
		if again, err := ParseExpr(e.String()); err != nil || !Equal(e, again) {
			t.Errorf("%s: printed %s, read as %v (%v)", test.text, e, again, err)
		}
	}
	if e, err := ParseExpr("1E400"); err != nil || ColumnName(e) != "'Infinity'" {
		t.Errorf("1E400: %v (%v)", e, err)
	}
}

func TestParse(t *testing.T) {
	tests := []struct{ text, printed string }{
		{"select A, b as C from t", "SELECT A, b AS C FROM t"},
		{"SELECT a a, b b2 FROM t", "SELECT a, b AS b2 FROM t"},
		{"SELECT * FROM default.t;", `SELECT * FROM default.t`},
		{`SELECT t.*, 1 FROM "default.t" x`, `SELECT *, 1 FROM default.t AS x`},
		{"SELECT DISTINCT a FROM t", "SELECT DISTINCT a FROM t"},
		{"SELECT 1", "SELECT 1"},
		{
			"SELECT a, count(*) c FROM t WHERE a > 1 GROUP BY a, 2 HAVING count(*) > 1 ORDER BY c DESC NULLS LAST, a ASC NULLS FIRST LIMIT 5 OFFSET 7",
			"SELECT a, count(*) AS c FROM t WHERE a > 1 GROUP BY a, 2 HAVING count(*) > 1 ORDER BY c DESC NULLS LAST, a NULLS FIRST LIMIT 5 OFFSET 7",
		},
		{"SELECT a FROM t LIMIT 7, 5", "SELECT a FROM t LIMIT 5 OFFSET 7"},
		{"SELECT a FROM t LIMIT ALL", "SELECT a FROM t"},
		{"SELECT a FROM t OFFSET 3 ROWS FETCH NEXT 2 ROWS ONLY", "SELECT a FROM t LIMIT 2 OFFSET 3"},
		{"SET a = 1; SET \"b.c\" = 'x''y'; SELECT 1; SET d = -2", `SET "a" = '1'; SET "b.c" = 'x''y'; SET "d" = '-2'; SELECT 1`},
		{"SELECT a FROM t OPTION(timeoutMs=10, skip = a=b&c) option ( x = 1 )", `SET "timeoutMs" = '10'; SET "skip" = 'a=b&c'; SET "x" = '1'; SELECT a FROM t`},
		{"EXPLAIN PLAN FOR SELECT a FROM t", "EXPLAIN PLAN FOR SELECT a FROM t"},
		{"SELECT a FROM (SELECT b FROM t LIMIT 5) AS s", "SELECT a FROM (SELECT b FROM t LIMIT 5) AS s"},
		{"INSERT INTO db.t FROM FILE 'a', ARCHIVE 'b'", "INSERT INTO db.t FROM FILE 'a', ARCHIVE 'b'"},
	}
	for _, test := range tests {
		s, err := Parse(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := s.String(); got != test.printed {
			t.Errorf("%s\ngot  %s\nwant %s", test.text, got, test.printed)
		}
		checkRoundTrip(t, test.text, s)
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		text string
		want string
	}{
		{"", `line 1 column 1: expected statement, found end of input`},
		{"SELEC a", `line 1 column 1: expected SELECT, found "SELEC"`},
		{"SELECT COUNT(* FROM t", `line 1 column 14: expected expression, found "*"`},
		{"SELECT a,\n  FROM t", `line 2 column 3: expected expression, found "FROM"`},
		{"SELECT é, \tFROM t", `line 1 column 12: expected expression, found "FROM"`},
		{"SELECT a FROM t WHERE", `line 1 column 22: expected expression, found end of input`},
		{"SELECT a FROM t; SELECT b FROM t", `line 1 column 18: expected end of input after one statement, found "SELECT"`},
		{"SELECT a FROM t WHERE a IN ()", `line 1 column 29: expected expression, found ")"`},
		{"SELECT a FROM t LIMIT -1", `line 1 column 23: expected number of rows, found "-"`},
		{"SELECT a FROM t LIMIT 2147483648", `line 1 column 23: number of rows 2147483648 exceeds 2147483647`},
		{"SELECT 'a FROM t", `line 1 column 8: quote ' is not closed`},
		{`SELECT "" FROM t`, `line 1 column 8: identifier is empty`},
		{"SELECT a /* b", `line 1 column 10: comment is not closed`},
		{"SELECT `a` FROM t", "line 1 column 8: unexpected character '`'"},
		{"SELECT \xff", `line 1 column 8: invalid UTF-8`},
		{"SELECT a FROM t OPTION(b)", `line 1 column 23: expected key=value in OPTION, found "b"`},
		{"SELECT a 'x' FROM t", `line 1 column 10: expected end of statement, found string 'x'`},
		{"SELECT X'0g'", `line 1 column 8: expected hexadecimal digits, found "0g"`},
		{"SELECT a FROM t WHERE a IS 1", `line 1 column 28: expected NULL, TRUE, FALSE or DISTINCT FROM, found "1"`},
	}
	for _, test := range tests {
		_, err := Parse(test.text)
		var where *Error
		if !errors.Is(err, ErrSyntax) || !errors.As(err, &where) || err.Error() != "sql: "+test.want {
			t.Errorf("%s\ngot  %v\nwant sql: %s", test.text, err, test.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct{ text, want string }{
		{"SELECT a FROM t JOIN u ON t.a = u.a", "line 1 column 17: joins (JOIN) are not supported"},
		{"SELECT a FROM t, u", "line 1 column 16: joins (several tables in FROM) are not supported"},
		{"SELECT a FROM t LEFT JOIN u", "line 1 column 17: joins (LEFT JOIN) are not supported"},
		{"SELECT a FROM t UNION ALL SELECT a FROM u", "line 1 column 17: set operations (UNION) are not supported"},
		{"WITH x AS (SELECT 1) SELECT * FROM x", "line 1 column 1: common table expressions (WITH) are not supported"},
		{"SELECT row_number() OVER (ORDER BY a) FROM t", "line 1 column 21: window functions (OVER) are not supported"},
		{"SELECT a FROM t WHERE a IN (SELECT b FROM u)", "line 1 column 29: sub-queries in expressions are not supported"},
		{"SELECT a FROM t WHERE EXISTS (SELECT b FROM u)", "line 1 column 23: sub-queries in expressions (EXISTS) are not supported"},
		{"SELECT a FROM t GROUP BY ROLLUP(a)", "line 1 column 26: grouping sets (ROLLUP) are not supported"},
		{"SELECT (a, b) FROM t", "line 1 column 8: row values are not supported"},
		{"SELECT a FROM t WHERE a = ?", "line 1 column 27: parameters are not supported"},
		{"DROP TABLE t", "line 1 column 1: DROP is not supported"},
		{"EXPLAIN IMPLEMENTATION PLAN FOR SELECT 1", "line 1 column 9: EXPLAIN IMPLEMENTATION PLAN is not supported"},
	}
	for _, test := range tests {
		_, err := Parse(test.text)
		if !errors.Is(err, ErrUnsupported) || err.Error() != "sql: "+test.want {
			t.Errorf("%s\ngot  %v\nwant sql: %s", test.text, err, test.want)
		}
	}
}

func TestPositions(t *testing.T) {
	s, err := Parse("SELECT sum(a) + 1\nFROM t WHERE b LIKE 'x'")
	if err != nil {
		t.Fatal(err)
	}
	var got []Pos
	for _, e := range []Expr{s.Query.Select[0].Expr, s.Query.Where} {
		Walk(e, func(e Expr) bool {
			got = append(got, e.Pos())
			return true
		})
	}
	want := []Pos{{1, 15}, {1, 8}, {1, 12}, {1, 17}, {2, 16}, {2, 14}, {2, 21}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("node %d at %v, want %v", i, got[i], want[i])
		}
	}
}

// TestLimits checks that every limit is met at its place and not before, and
// that what is just within can be printed and read again.
func TestLimits(t *testing.T) {
	repeat := strings.Repeat
	tests := []struct {
		name         string
		within, over string
	}{
		{"name", repeat("a", 1024), repeat("a", 1025)},
		{"quoted name in UTF-16 units", `"` + repeat("😀", 512) + `"`, `"` + repeat("😀", 513) + `"`},
		{"chain", "a" + repeat(" - a", 500), "a" + repeat(" - a", 501)},
		{"right-deep tree", repeat("a - (", 500) + "a" + repeat(")", 500), repeat("a - (", 501) + "a" + repeat(")", 501)},
		{"prefixes", repeat("NOT ", 500) + "a", repeat("NOT ", 501) + "a"},
		{"calls", repeat("f(", 500) + repeat(")", 500), repeat("f(", 501) + repeat(")", 501)},
		{"parentheses", repeat("(", 1500) + "a" + repeat(")", 1500), repeat("(", 100_000) + "a" + repeat(")", 100_000)},
		{"shared value of CASE", nestedCase(8), nestedCase(30)},
		{"flat list", "a IN (1" + repeat(",1", 100_000) + ")", repeat(" ", maxTextBytes) + "a"},
		{"flat chain", "a" + repeat(" AND a", 100_000), repeat("-", maxTextBytes) + "a"},
	}
	for _, test := range tests {
		e, err := ParseExpr(test.within)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if again, err := ParseExpr(e.String()); err != nil || !Equal(e, again) {
			t.Errorf("%s: is not read again: %v", test.name, err)
		}
		if _, err := ParseExpr(test.over); !errors.Is(err, ErrSyntax) {
			t.Errorf("%s: error %v", test.name, err)
		}
	}
	nested := func(n int) string { return repeat("SELECT a FROM (", n-1) + "SELECT 1" + repeat(")", n-1) }
	if _, err := Parse(nested(maxQueryDepth)); err != nil {
		t.Error(err)
	}
	if _, err := Parse(nested(maxQueryDepth + 1)); !errors.Is(err, ErrSyntax) {
		t.Errorf("nested queries: %v", err)
	}
}

// nestedCase has its innermost value 3^depth times in its tree.
func nestedCase(depth int) string {
	return strings.Repeat("CASE ", depth) + "a" + strings.Repeat(" WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 3 END", depth)
}

// TestWords uses every word of the grammar that is not reserved as a name.
func TestWords(t *testing.T) {
	for _, word := range strings.Fields(`all and array as asc at between both by cast count day desc else end escape
		exists extract false_ file filter first floor for last leading like month nulls only option or plan position
		second set_ show substring to trailing trim true_ value year zone`) {
		s, err := Parse("SELECT " + word + " FROM t ORDER BY t." + word)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := ColumnName(s.Query.Select[0].Expr); got != word {
			t.Errorf("%s: got %s", word, got)
		}
		checkRoundTrip(t, word, s)
	}
	for word := range reserved {
		if _, err := Parse("SELECT a AS " + word + " FROM t"); !errors.Is(err, ErrSyntax) {
			t.Errorf("alias %s: %v", word, err)
		}
		if s, err := Parse(`SELECT a AS "` + word + `" FROM t`); err != nil || s.Query.Select[0].Alias != word {
			t.Errorf("quoted alias %s: %v", word, err)
		}
	}
}
