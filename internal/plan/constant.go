package plan

import (
	"github.com/decantdb/decant/internal/sql"
)

// literalsOnly compiles a query without a table, whose answer is one row of
// literals.
func literalsOnly(s *sql.Statement, o Options) (*Query, error) {
	c := &statement{query: s.Query, resolver: newResolver("", nil), out: &Query{OneRow: true, Limit: -1}}
	c.nullsOff, c.meter = nullsOff(s.Options, o.NullsOff), o.Meter
	c.out.NullsOff = c.nullsOff
	c.limits(o)
	for _, item := range c.query.Select {
		if id, ok := item.Expr.(*sql.Identifier); ok {
			return nil, errorAt(id.At, ErrType, "column %s without a table: there is no FROM", id.Name)
		}
	}
	if err := c.selectItems(); err != nil {
		return nil, err
	}
	over := &compiler{resolver: c.resolver, leaf: func(sql.Expr) (Expr, error) { return nil, nil }}
	for _, item := range c.items {
		if _, ok := item.Expr.(*sql.Literal); !ok {
			return nil, errorAt(item.Expr.Pos(), ErrType, "%s without a table: there is no FROM", item.Expr)
		}
	}
	return c.out, c.finish(over)
}
