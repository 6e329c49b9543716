package sql

import (
	"math"
	"slices"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Trees are drawn as the parser makes them: canonical names, no AND in an AND,
// a number in a Long only where an Int cannot hold it.

var drawName = rapid.OneOf(
	rapid.SampledFrom([]string{"a", "B", "a.b", "a[0].c", "*", "end", "SELECT", "array", "1x", `q"q`, "x", "日本", "$docId"}),
	rapid.StringN(1, 12, -1),
)

func drawLiteral(t *rapid.T) Expr {
	switch rapid.IntRange(0, 6).Draw(t, "literal") {
	case 0:
		return &Literal{}
	case 1:
		return &Literal{Type: Boolean, Value: rapid.Bool().Draw(t, "bool")}
	case 2:
		return &Literal{Type: Int, Value: rapid.Int32().Draw(t, "int")}
	case 3:
		v := rapid.Int64().Filter(func(v int64) bool { return v != int64(int32(v)) }).Draw(t, "long")
		return &Literal{Type: Long, Value: v}
	case 4:
		v := rapid.Float64().Filter(func(v float64) bool { return v != 0 || !math.Signbit(v) }).Draw(t, "double")
		return &Literal{Type: Double, Value: v}
	default:
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`('|a|\\|--|"){0,8}`)).Draw(t, "string")
		return &Literal{Type: String, Value: text}
	}
}

func drawString(t *rapid.T, samples ...string) Expr {
	text := rapid.OneOf(rapid.SampledFrom(samples), rapid.StringN(1, 6, -1)).Draw(t, "word")
	return &Literal{Type: String, Value: text}
}

func drawExprs(t *rapid.T, depth, low, high int) []Expr {
	args := make([]Expr, rapid.IntRange(low, high).Draw(t, "arguments"))
	for i := range args {
		args[i] = drawExpr(t, depth)
	}
	return args
}

func drawExpr(t *rapid.T, depth int) Expr {
	switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case depth == 0 && kind < 5, kind < 2:
		return &Identifier{Name: drawName.Draw(t, "name")}
	case depth == 0, kind < 4:
		return drawLiteral(t)
	case kind < 8:
		return drawOperator(t, depth-1)
	default:
		return drawFunction(t, depth-1)
	}
}

// drawOperator draws a call in the shape of an operator or a special form.
func drawOperator(t *rapid.T, depth int) Expr {
	one := func() Expr { return drawExpr(t, depth) }
	many := func(low, high int) []Expr { return drawExprs(t, depth, low, high) }
	shape := rapid.IntRange(0, 12).Draw(t, "shape")
	switch shape {
	case 0:
		b := rapid.SampledFrom(binaries).Draw(t, "binary")
		return &Call{Name: b.name, Args: many(2, 2)}
	case 1:
		name := rapid.SampledFrom([]string{OpAnd, OpOr}).Draw(t, "chain")
		return &Call{Name: name, Args: flatten(name, many(2, 4))}
	case 2:
		name := rapid.SampledFrom([]string{OpIsNull, OpIsNotNull, OpIsTrue, OpIsNotTrue, OpIsFalse, OpIsNotFalse}).Draw(t, "suffix")
		return &Call{Name: name, Args: many(1, 1)}
	case 3:
		return &Call{Name: OpNot, Args: many(1, 1)}
	case 4:
		return &Call{Name: rapid.SampledFrom([]string{OpIn, OpNotIn}).Draw(t, "in"), Args: many(2, 4)}
	case 5:
		return &Call{Name: OpLike, Args: many(2, 3)}
	case 6:
		return &Call{Name: OpBetween, Args: many(3, 3)}
	case 7:
		return &Call{Name: OpCase, Args: append(append(many(2, 2), many(2, 2)...), one())}
	case 8:
		return &Call{Name: OpCast, Args: []Expr{one(), drawString(t, "LONG", "INT", "date", "DATE", "x y")}}
	case 9:
		return &Call{Name: OpExtract, Args: []Expr{drawString(t, "YEAR", "year"), one()}}
	case 10:
		return &Call{Name: OpTrim, Args: append([]Expr{&Literal{Type: String, Value: "BOTH"}}, many(2, 2)...)}
	case 11:
		return &Call{Name: OpFilter, Args: []Expr{drawFunction(t, depth), one()}}
	default:
		return &Call{Name: OpItem, Args: many(2, 2)}
	}
}

// drawFunction draws a call with any name and any number of arguments.
func drawFunction(t *rapid.T, depth int) Expr {
	names := []string{"f", "count", "||", "select", "date", "cube", "x", "a b"}
	for name := range suffixes {
		names = append(names, name)
	}
	for name := range specialForms {
		names = append(names, Canonical(name))
	}
	for _, b := range binaries {
		names = append(names, b.name)
	}
	name := Canonical(rapid.OneOf(rapid.SampledFrom(names), rapid.StringN(1, 6, -1)).Draw(t, "function"))
	if name == "" || !utf8.ValidString(name) {
		name = "f"
	}
	c := &Call{Name: name, Args: drawExprs(t, depth, 0, 3)}
	if len(c.Args) > 0 && !slices.Contains([]string{"count", "sum", "avg"}, name) {
		c.Distinct = rapid.Bool().Draw(t, "distinct")
	}
	if (name == OpAnd || name == OpOr) && len(c.Args) > 1 && !c.Distinct {
		c.Args = flatten(name, c.Args)
	}
	return c
}

func drawQuery(t *rapid.T, depth int) *Query {
	optional := func(name string) bool { return rapid.Bool().Draw(t, name) }
	alias := rapid.OneOf(rapid.Just(""), drawName)
	q := &Query{Distinct: optional("distinct")}
	for range rapid.IntRange(1, 3).Draw(t, "items") {
		item := SelectItem{Expr: drawExpr(t, 3), Alias: alias.Draw(t, "alias")}
		if id, ok := item.Expr.(*Identifier); ok && id.Name == item.Alias {
			item.Alias = ""
		}
		q.Select = append(q.Select, item)
	}
	if optional("from") {
		q.From = &Source{Alias: alias.Draw(t, "source alias")}
		if depth > 0 && optional("nested") {
			q.From.Query = drawQuery(t, depth-1)
		} else {
			q.From.Table = drawName.Draw(t, "table")
		}
		if optional("where") {
			q.Where = drawExpr(t, 3)
		}
		if optional("group") {
			q.GroupBy = drawExprs(t, 2, 1, 3)
		}
		if optional("having") {
			q.Having = drawExpr(t, 2)
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "keys") {
		q.OrderBy = append(q.OrderBy, OrderItem{
			Expr:  drawExpr(t, 2),
			Desc:  optional("desc"),
			Nulls: NullOrder(rapid.IntRange(0, 2).Draw(t, "nulls")),
		})
	}
	count := rapid.Int64Range(0, math.MaxInt32)
	if optional("limit") {
		n := count.Draw(t, "limit")
		q.Limit = &n
	}
	if optional("offset") {
		n := count.Draw(t, "offset")
		q.Offset = &n
	}
	return q
}

func TestPrintParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &Statement{Query: drawQuery(t, 2), Explain: rapid.Bool().Draw(t, "explain")}
		for range rapid.IntRange(0, 2).Draw(t, "options") {
			s.Options = append(s.Options, Option{Key: drawName.Draw(t, "key"), Value: rapid.String().Draw(t, "value")})
		}
		printed := s.String()
		again, err := Parse(printed)
		if err != nil {
			t.Fatalf("%s\n%v", printed, err)
		}
		if !s.Equal(again) {
			t.Fatalf("printed %s\nread as %s", printed, again)
		}
		if twice := again.String(); twice != printed {
			t.Fatalf("printed %s\nand then %s", printed, twice)
		}
	})
}

// FuzzParse checks that no text makes the parser panic, and that what it accepts
// is printed so that it reads back.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"SELECT * FROM t",
		"SET a = 1; SELECT DISTINCT a.b[0], m['k'] AS x FROM (SELECT 1) WHERE NOT a BETWEEN 1 AND 2 OPTION(k=v)",
		"EXPLAIN PLAN FOR SELECT count(*) FILTER (WHERE a IS NOT TRUE) FROM t GROUP BY 1 HAVING x > 1e3 ORDER BY 1 DESC NULLS LAST LIMIT 1, 2",
		"SELECT CASE a WHEN 1, 2 THEN -1 ELSE X'0f' END, CAST(a AS INT), EXTRACT(YEAR FROM t), TRIM(BOTH 'x' FROM s) -- end",
		"SELECT 'it''s', \"q\"\"q\", ARRAY[1, 2.5], INTERVAL '1' DAY, TIMESTAMPADD(DAY, 1, ts), FLOOR(ts TO HOUR) FROM t",
		"INSERT INTO a.b FROM FILE 'x', ARCHIVE 'y'",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		printed := s.String()
		if len(printed) > maxTextBytes {
			return
		}
		again, err := Parse(printed)
		if err != nil {
			t.Fatalf("%q\nprinted as %q\n%v", text, printed, err)
		}
		if !s.Equal(again) || again.String() != printed {
			t.Fatalf("%q\nprinted as %q\nread as %q", text, printed, again)
		}
	})
}
