package sql

import (
	"math"
	"strconv"
)

// query reads a SELECT with everything up to its LIMIT.
func (p *parser) query() (*Query, error) {
	at := p.peek(0).at
	if err := p.expectWord("SELECT"); err != nil {
		return nil, err
	}
	if p.queries++; p.queries > maxQueryDepth {
		return nil, syntaxError(at, "queries nest deeper than %d levels", maxQueryDepth)
	}
	defer func() { p.queries-- }()
	q := &Query{At: at, Distinct: p.words("DISTINCT")}
	if !q.Distinct && p.peek(0).is("ALL") && startsOperand(p.peek(1)) {
		p.skip(1)
	}
	var err error
	if q.Select, err = list(p, p.selectItem); err != nil {
		return nil, err
	}
	if p.words("FROM") {
		if err = p.fromClauses(q); err != nil {
			return nil, err
		}
	}
	if p.words("ORDER") {
		if err = p.expectWord("BY"); err != nil {
			return nil, err
		}
		if q.OrderBy, err = list(p, p.orderItem); err != nil {
			return nil, err
		}
	}
	if err = p.limits(q); err != nil {
		return nil, err
	}
	return q, nil
}

// list reads one or more items with commas between them.
func list[T any](p *parser, item func() (T, error)) ([]T, error) {
	var items []T
	for {
		one, err := item()
		if err != nil {
			return nil, err
		}
		items = append(items, one)
		if !p.symbol(",") {
			return items, nil
		}
	}
}

// startsOperand reports whether a token that follows ALL shows that ALL is the
// quantifier and not a name.
func startsOperand(t token) bool {
	switch t.kind {
	case tokenQuoted, tokenString, tokenNumber, tokenHex:
		return true
	case tokenWord:
		return !reserved.has(t.word) && !contextual.has(t.word) || t.word == "CASE" || t.word == "NULL"
	default:
		return t.symbol("*")
	}
}

// selectItem reads an expression or a star, with its alias.
func (p *parser) selectItem() (SelectItem, error) {
	t := p.peek(0)
	if p.symbol("*") {
		return SelectItem{Expr: &Identifier{At: t.at, Name: "*"}}, nil
	}
	if (t.kind == tokenWord || t.kind == tokenQuoted) && p.peek(1).symbol(".") && p.peek(2).symbol("*") {
		p.skip(3)
		return SelectItem{Expr: &Identifier{At: t.at, Name: "*"}}, nil
	}
	e, err := p.expr(precLowest)
	if err != nil {
		return SelectItem{}, err
	}
	alias, err := p.alias()
	if id, ok := e.(*Identifier); ok && id.Name == alias {
		alias = ""
	}
	return SelectItem{Expr: e, Alias: alias}, err
}

// alias reads [AS] name, or returns "" where there is none. Behind AS it may be
// a string.
func (p *parser) alias() (string, error) {
	if p.words("AS") {
		if t := p.peek(0); t.kind == tokenString && t.text != "" {
			p.skip(1)
			return t.text, checkName(t.at, t.text)
		}
		return p.name("alias")
	}
	t := p.peek(0)
	isName := t.kind == tokenQuoted || t.kind == tokenWord && !reserved.has(t.word) && !contextual.has(t.word)
	if !isName || t.is("OPTION") && p.peek(1).symbol("(") {
		return "", nil
	}
	p.skip(1)
	return t.text, nil
}

// fromClauses reads the source and the clauses that need one.
func (p *parser) fromClauses(q *Query) error {
	var err error
	if q.From, err = p.source(); err != nil {
		return err
	}
	if p.words("WHERE") {
		if q.Where, err = p.expr(precLowest); err != nil {
			return err
		}
	}
	if p.words("GROUP") {
		if err = p.expectWord("BY"); err != nil {
			return err
		}
		if q.GroupBy, err = list(p, p.groupItem); err != nil {
			return err
		}
	}
	if p.words("HAVING") {
		q.Having, err = p.expr(precLowest)
	}
	return err
}

// source reads a table or a query in parentheses, with its alias.
func (p *parser) source() (*Source, error) {
	t := p.peek(0)
	s := &Source{At: t.at}
	var err error
	switch {
	case p.symbol("("):
		if s.Query, err = p.query(); err != nil {
			return nil, err
		}
		err = p.expectSymbol(")")
	case t.kind == tokenWord && reserved.has(t.word):
		err = p.unexpected(t, "table name")
	default:
		s.Table, err = p.dottedName("table name")
	}
	if err != nil {
		return nil, err
	}
	if s.Alias, err = p.alias(); err != nil {
		return nil, err
	}
	if next := p.peek(0); next.symbol(",") {
		return nil, unsupported(next.at, "joins (several tables in FROM) are")
	}
	return s, nil
}

// groupItem reads an expression of GROUP BY.
func (p *parser) groupItem() (Expr, error) {
	t, next := p.peek(0), p.peek(1)
	if t.is("GROUPING") && next.is("SETS") || (t.is("ROLLUP") || t.is("CUBE")) && next.symbol("(") {
		return nil, unsupported(t.at, "grouping sets ("+t.word+") are")
	}
	return p.expr(precLowest)
}

func (p *parser) orderItem() (OrderItem, error) {
	e, err := p.expr(precLowest)
	if err != nil {
		return OrderItem{}, err
	}
	item := OrderItem{Expr: e}
	if p.words("DESC") {
		item.Desc = true
	} else {
		p.words("ASC")
	}
	switch {
	case p.words("NULLS", "FIRST"):
		item.Nulls = NullsFirst
	case p.words("NULLS", "LAST"):
		item.Nulls = NullsLast
	}
	return item, nil
}

// limits reads LIMIT, OFFSET and FETCH, each at most once.
func (p *parser) limits(q *Query) error {
	all := false
	for {
		var err error
		switch t := p.peek(0); {
		case t.is("LIMIT") && q.Limit == nil && !all:
			p.skip(1)
			if p.words("ALL") {
				all = true
				continue
			}
			if q.Limit, err = p.count(); err != nil {
				return err
			}
			if q.Offset == nil && p.symbol(",") {
				q.Offset = q.Limit
				q.Limit, err = p.count()
			}
		case t.is("OFFSET") && q.Offset == nil:
			p.skip(1)
			q.Offset, err = p.count()
			_ = p.words("ROWS") || p.words("ROW")
		case t.is("FETCH") && q.Limit == nil && !all:
			p.skip(1)
			if !p.words("FIRST") && !p.words("NEXT") {
				return p.unexpected(p.peek(0), "FIRST or NEXT")
			}
			if q.Limit, err = p.count(); err != nil {
				return err
			}
			if !p.words("ROWS") && !p.words("ROW") {
				return p.unexpected(p.peek(0), "ROWS")
			}
			err = p.expectWord("ONLY")
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// count reads a number of rows.
func (p *parser) count() (*int64, error) {
	t := p.peek(0)
	if t.kind != tokenNumber || digitsLength(t.text) != len(t.text) {
		return nil, p.unexpected(t, "number of rows")
	}
	n, err := strconv.ParseInt(t.text, 10, 64)
	if err != nil || n > math.MaxInt32 {
		return nil, syntaxError(t.at, "number of rows %s exceeds %d", t.text, math.MaxInt32)
	}
	p.skip(1)
	return &n, nil
}
