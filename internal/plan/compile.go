package plan

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// Options say how a query is understood.
type Options struct {
	// DefaultLimit is the limit of a query that has none; negative means that
	// all rows are wanted.
	DefaultLimit int64
	// NullsOff turns null handling off, as it is in Pinot unless a statement
	// says otherwise: columns have a default value in the place of null.
	NullsOff bool
	// ZeroKeys shows null keys and aggregates of GROUP BY as Pinot does: as the zero
	// of their type.
	ZeroKeys bool
	// GroupsLimit bounds the groups of a query that does not say so itself with
	// numGroupsLimit; 0 is no bound.
	GroupsLimit int
	// Meter watches the work on constant expressions; nil for none.
	Meter *fn.Meter
}

// Compile turns a query over a table into a plan.
func Compile(s *sql.Statement, table string, columns []TableColumn, o Options) (*Query, error) {
	q := s.Query
	switch {
	case s.Insert != nil:
		return nil, notRun(sql.Pos{Line: 1, Column: 1}, "INSERT")
	case s.Explain:
		return nil, notRun(sql.Pos{Line: 1, Column: 1}, "EXPLAIN")
	case q.From == nil:
		return literalsOnly(s, o)
	case q.From.Query != nil:
		return nil, notRun(q.From.At, "a query in FROM")
	}
	c := &statement{query: q, options: s.Options, resolver: newResolver(table, columns), out: &Query{Table: table, Columns: columns}}
	if q.From.Alias != "" {
		return nil, notRun(q.From.At, "a table alias")
	}
	c.nullsOff, c.meter = nullsOff(s.Options, o.NullsOff), o.Meter
	c.out.NullsOff = c.nullsOff
	c.zeroKeys = o.ZeroKeys && !c.nullsOff && len(q.GroupBy) > 0
	c.limits(o)
	if err := c.compile(); err != nil {
		return nil, err
	}
	return c.out, nil
}

// statement is a query being compiled.
type statement struct {
	*resolver
	query *sql.Query
	// options are those of the statement.
	options []sql.Option
	out     *Query
	items   []sql.SelectItem // resolved, * expanded
	// zeroKeys says that null keys and aggregates are shown as zeros.
	zeroKeys bool
}

// limits sets how many rows and groups the answer may have.
func (c *statement) limits(o Options) {
	c.out.GroupsLimit = o.GroupsLimit
	for _, option := range c.options {
		if n, err := strconv.Atoi(option.Value); err == nil && n > 0 && strings.EqualFold(option.Key, "numGroupsLimit") {
			c.out.GroupsLimit = n
		}
	}
	c.out.Limit = o.DefaultLimit
	if c.query.Limit != nil {
		c.out.Limit = *c.query.Limit
	}
	if c.query.Offset != nil {
		c.out.Offset = *c.query.Offset
	}
}

func (c *statement) compile() error {
	if err := c.selectItems(); err != nil {
		return err
	}
	rows := &compiler{resolver: c.resolver}
	rows.leaf = c.rowLeaf
	if c.query.Where != nil {
		where, err := c.expr(c.query.Where, false)
		if err != nil {
			return err
		}
		if call := findAggregate(where); call != nil {
			return errorAt(call.At, ErrInvalid, "aggregate %s in WHERE; use HAVING", call)
		}
		if c.out.Where, err = rows.condition(where); err != nil {
			return err
		}
	}
	over := rows
	if c.grouped() {
		g := &grouping{resolver: c.resolver, rows: rows, out: c.out}
		c.out.Grouped = true
		if err := c.keys(g); err != nil {
			return err
		}
		over = &compiler{resolver: c.resolver, leaf: g.leaf}
	}
	return c.finish(over)
}

// selectItems resolves the SELECT list and notes its aliases.
func (c *statement) selectItems() error {
	for _, item := range c.query.Select {
		if id, ok := item.Expr.(*sql.Identifier); ok && id.Name == "*" {
			c.star(id.At)
			continue
		}
		e, err := c.expr(item.Expr, false)
		if err != nil {
			return err
		}
		if item.Alias != "" {
			if _, twice := c.aliases[item.Alias]; twice {
				return errorAt(item.Expr.Pos(), ErrInvalid, "alias %q is used twice", item.Alias)
			}
			c.aliases[item.Alias] = e
		}
		c.items = append(c.items, sql.SelectItem{Expr: e, Alias: item.Alias})
	}
	return nil
}

// star adds all columns that are not hidden, in the order of their names, as Java orders strings.
func (c *statement) star(at sql.Pos) {
	names := make([]string, 0, len(c.columns))
	for _, col := range c.columns {
		if !col.Hidden && !strings.HasPrefix(col.Name, "$") {
			names = append(names, col.Name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
	for _, name := range names {
		c.items = append(c.items, sql.SelectItem{Expr: &sql.Identifier{At: at, Name: name}})
	}
}

func (c *statement) grouped() bool {
	if len(c.query.GroupBy) > 0 || c.query.Distinct {
		return true
	}
	for _, item := range c.items {
		if findAggregate(item.Expr) != nil {
			return true
		}
	}
	return false
}

func (c *statement) keys(g *grouping) error {
	if c.query.Distinct {
		if len(c.query.GroupBy) > 0 {
			return errorAt(c.query.At, ErrInvalid, "DISTINCT with GROUP BY")
		}
		for _, item := range c.items {
			if call := findAggregate(item.Expr); call != nil {
				return errorAt(call.At, ErrInvalid, "DISTINCT of aggregates")
			}
			if err := g.addKey(item.Expr); err != nil {
				return err
			}
		}
		return nil
	}
	for _, e := range c.query.GroupBy {
		key, err := c.orItem(e, "GROUP BY")
		if err != nil {
			return err
		}
		if err := g.addKey(key); err != nil {
			return err
		}
	}
	return nil
}

// orItem resolves an expression that may be the number of a SELECT item.
func (c *statement) orItem(e sql.Expr, clause string) (sql.Expr, error) {
	lit, ok := e.(*sql.Literal)
	if !ok || lit.Type != sql.Int {
		return c.expr(e, true)
	}
	n := int(lit.Value.(int32))
	if n < 1 || n > len(c.items) {
		return nil, errorAt(lit.At, ErrInvalid, "%s %d: there are %d select items", clause, n, len(c.items))
	}
	return c.items[n-1].Expr, nil
}

// finish compiles what is over rows or over groups: outputs, HAVING, ORDER BY.
func (c *statement) finish(over *compiler) error {
	for _, item := range c.items {
		x, err := over.value(item.Expr)
		if err != nil {
			return err
		}
		if c.zeroKeys {
			x = withZero(x)
		}
		c.out.Outputs = append(c.out.Outputs, Output{Name: c.nameOf(item), Expr: x})
	}
	if err := c.having(over); err != nil {
		return err
	}
	return c.orderBy(over)
}

// nameOf returns the name of a column of the answer. Literals are shown plain
// where all columns are literals.
func (c *statement) nameOf(item sql.SelectItem) string {
	if item.Alias != "" {
		return item.Alias
	}
	for _, other := range c.items {
		if _, ok := other.Expr.(*sql.Literal); !ok {
			return sql.ColumnName(item.Expr)
		}
	}
	return sql.LiteralColumnName(item.Expr.(*sql.Literal))
}

func (c *statement) having(over *compiler) error {
	if c.query.Having == nil {
		return nil
	}
	if !c.out.Grouped {
		return errorAt(c.query.Having.Pos(), ErrInvalid, "HAVING without GROUP BY or aggregates")
	}
	having, err := c.expr(c.query.Having, true)
	if err != nil {
		return err
	}
	c.out.Having, err = over.condition(having)
	return err
}

func (c *statement) orderBy(over *compiler) error {
	var seen []sql.Expr
	for _, item := range c.query.OrderBy {
		e, err := c.orItem(item.Expr, "ORDER BY")
		if err != nil {
			return err
		}
		if slices.ContainsFunc(seen, func(s sql.Expr) bool { return sql.Equal(s, e) }) {
			continue
		}
		seen = append(seen, e)
		x, err := over.value(e)
		if err != nil {
			return err
		}
		if t := x.Type(); !t.Numeric() && !t.Textual() && !t.Integral() && t != fn.Boolean && t != fn.Unknown {
			return notRun(e.Pos(), "ORDER BY a "+t.String())
		}
		if err := calculable(x, e.Pos(), "ORDER BY"); err != nil {
			return err
		}
		nullsFirst := item.Desc
		if item.Nulls != sql.NullsDefault {
			nullsFirst = item.Nulls == sql.NullsFirst
		}
		c.out.OrderBy = append(c.out.OrderBy, Order{Expr: x, Descending: item.Desc, NullsFirst: nullsFirst})
	}
	if c.out.Grouped && len(c.out.OrderBy) == 0 {
		// Without an order the groups come in that of their keys, so that the
		// same query gives the same rows each time.
		for i, k := range c.out.Keys {
			c.out.OrderBy = append(c.out.OrderBy, Order{Expr: &KeyRef{Index: i, T: elemOf(k.Type())}})
		}
	}
	return nil
}
