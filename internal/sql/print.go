package sql

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// String prints the statement on one line, options first as SET statements, so
// that parsing gives an equal statement.
func (s *Statement) String() string {
	p := &printer{}
	for _, o := range s.Options {
		p.text("SET ", quoteName(o.Key), " = ", quoteString(o.Value), "; ")
	}
	if s.Explain {
		p.text("EXPLAIN PLAN FOR ")
	}
	switch {
	case s.Query != nil:
		p.query(s.Query)
	case s.Insert != nil:
		p.insert(s.Insert)
	}
	return p.String()
}

// String prints the query on one line so that parsing gives an equal query.
func (q *Query) String() string {
	p := &printer{}
	p.query(q)
	return p.String()
}

// printer writes SQL. It assumes nothing about trees that the parser did not
// make: what has no syntax of its own is written as a call.
type printer struct{ strings.Builder }

func (p *printer) text(parts ...string) {
	for _, part := range parts {
		p.WriteString(part)
	}
}

func (p *printer) query(q *Query) {
	p.text("SELECT ")
	if q.Distinct {
		p.text("DISTINCT ")
	}
	for i, item := range q.Select {
		p.comma(i)
		if id, ok := item.Expr.(*Identifier); ok && id.Name == "*" && item.Alias == "" {
			p.text("*")
		} else {
			p.expr(item.Expr, precLowest)
		}
		if item.Alias != "" {
			p.text(" AS ", quoteIfNeeded(item.Alias))
		}
	}
	if q.From != nil {
		p.source(q.From)
		p.clause(" WHERE ", q.Where)
		for i, e := range q.GroupBy {
			if i == 0 {
				p.text(" GROUP BY ")
			}
			p.comma(i)
			p.expr(e, precLowest)
		}
		p.clause(" HAVING ", q.Having)
	}
	for i, item := range q.OrderBy {
		if i == 0 {
			p.text(" ORDER BY ")
		}
		p.comma(i)
		p.orderItem(item)
	}
	if q.Limit != nil {
		p.text(" LIMIT ", strconv.FormatInt(*q.Limit, 10))
	}
	if q.Offset != nil {
		p.text(" OFFSET ", strconv.FormatInt(*q.Offset, 10))
	}
}

func (p *printer) comma(i int) {
	if i > 0 {
		p.text(", ")
	}
}

func (p *printer) clause(keyword string, e Expr) {
	if e != nil {
		p.text(keyword)
		p.expr(e, precLowest)
	}
}

func (p *printer) source(s *Source) {
	p.text(" FROM ")
	if s.Query != nil {
		p.text("(")
		p.query(s.Query)
		p.text(")")
	} else {
		p.text(quotePath(s.Table))
	}
	if s.Alias != "" {
		p.text(" AS ", quoteIfNeeded(s.Alias))
	}
}

func (p *printer) orderItem(item OrderItem) {
	p.expr(item.Expr, precLowest)
	if item.Desc {
		p.text(" DESC")
	}
	switch item.Nulls {
	case NullsFirst:
		p.text(" NULLS FIRST")
	case NullsLast:
		p.text(" NULLS LAST")
	}
}

func (p *printer) insert(in *Insert) {
	p.text("INSERT INTO ", quotePath(in.Table), " FROM ")
	for i, file := range in.Files {
		p.comma(i)
		kind := "FILE "
		if file.Archive {
			kind = "ARCHIVE "
		}
		p.text(kind, quoteString(file.URI))
	}
}

// quoteName writes an identifier in double quotes.
func quoteName(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// quoteString writes a string literal. The parser halves pairs of quotes twice,
// so that k quotes in a row are written as 4k-2.
func quoteString(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\'':
			b.WriteByte(s[i])
		case i > 0 && s[i-1] == '\'':
			b.WriteString("''''")
		default:
			b.WriteString("''")
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// isPlainWord reports whether the lexer reads s as one word that is a name
// wherever it stands.
func isPlainWord(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	word := upper(s)
	return isLetter(first) && wordLength(s) == len(s) &&
		!reserved.has(word) && !contextual.has(word) && !quotedWhenPrinted.has(word)
}

// quoteIfNeeded writes an identifier, in quotes where a plain word would mean
// something else.
func quoteIfNeeded(name string) string {
	if isPlainWord(name) {
		return name
	}
	return quoteName(name)
}

// quotePath writes an identifier that may have dots.
func quotePath(name string) string {
	for part := range strings.SplitSeq(name, ".") {
		if !isPlainWord(part) {
			return quoteName(name)
		}
	}
	return name
}
