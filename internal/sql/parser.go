package sql

import (
	"strings"
	"unicode/utf8"
)

const (
	maxTextBytes = 4 << 20
	maxHeight    = 500 // of a tree
	// maxNodes bounds a tree that is larger than its text: a simple CASE has
	// its value in each branch.
	maxNodes      = 1 << 21
	maxQueryDepth = 32
	// maxNesting bounds the parser's recursion. A printed tree needs at most
	// three levels for each of its own (parenthesis, prefix, operand), so that
	// only superfluous parentheses reach it.
	maxNesting = 3*maxHeight + 2*maxQueryDepth + 16
)

// Parse reads one statement with the options that belong to it. An error is an
// [*Error] with the place.
func Parse(text string) (*Statement, error) {
	p, err := newParser(text)
	if err != nil {
		return nil, err
	}
	return p.statements()
}

// ParseExpr reads a text that is one expression. An error is an [*Error].
func ParseExpr(text string) (Expr, error) {
	p, err := newParser(text)
	if err != nil {
		return nil, err
	}
	e, err := p.expr(precLowest)
	if err != nil {
		return nil, err
	}
	if t := p.peek(0); t.kind != tokenEnd {
		return nil, p.unexpected(t, "end of input")
	}
	return e, nil
}

// parser holds the tokens that were looked at but not yet taken.
type parser struct {
	lex     lexer
	ahead   []token
	nesting int
	queries int
}

func newParser(text string) (*parser, error) {
	start := Pos{Line: 1, Column: 1}
	if len(text) > maxTextBytes {
		return nil, syntaxError(start, "text of %d bytes exceeds %d", len(text), maxTextBytes)
	}
	p := &parser{lex: lexer{src: text, at: start}}
	if !utf8.ValidString(text) {
		valid := 0
		for valid < len(text) {
			r, size := utf8.DecodeRuneInString(text[valid:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			valid += size
		}
		p.lex.advance(valid)
		return nil, syntaxError(p.lex.at, "invalid UTF-8")
	}
	return p, nil
}

// peek returns the token that is n tokens ahead.
func (p *parser) peek(n int) token {
	for len(p.ahead) <= n {
		p.ahead = append(p.ahead, p.lex.token())
	}
	return p.ahead[n]
}

// take returns the next token and moves behind it.
func (p *parser) take() token {
	t := p.peek(0)
	p.skip(1)
	return t
}

// skip moves behind n tokens that were looked at.
func (p *parser) skip(n int) {
	p.ahead = p.ahead[:copy(p.ahead, p.ahead[n:])]
}

// words takes the given words if they all come next.
func (p *parser) words(list ...string) bool {
	for i, word := range list {
		if !p.peek(i).is(word) {
			return false
		}
	}
	p.skip(len(list))
	return true
}

// symbol takes the given symbol if it comes next.
func (p *parser) symbol(text string) bool {
	if !p.peek(0).symbol(text) {
		return false
	}
	p.skip(1)
	return true
}

func (p *parser) expectWord(word string) error {
	if !p.words(word) {
		return p.unexpected(p.peek(0), word)
	}
	return nil
}

func (p *parser) expectSymbol(text string) error {
	if !p.symbol(text) {
		return p.unexpected(p.peek(0), `"`+text+`"`)
	}
	return nil
}

// unexpected is the error of a token that cannot stand where it does. What the
// dialect leaves out is refused by its name.
func (p *parser) unexpected(t token, expected string) error {
	if t.kind == tokenBad {
		return t.err
	}
	if t.kind == tokenWord {
		if what, ok := refusedClauses[t.word]; ok {
			return unsupported(t.at, what)
		}
	}
	return syntaxError(t.at, "expected %s, found %s", expected, t.describe())
}

// enter counts one level of recursion; the caller calls leave.
func (p *parser) enter(at Pos) error {
	if p.nesting++; p.nesting > maxNesting {
		return syntaxError(at, "expression nests deeper than %d levels", maxNesting)
	}
	return nil
}

func (p *parser) leave() { p.nesting-- }

// name takes an identifier: a quoted one or a word that is not reserved.
func (p *parser) name(expected string) (string, error) {
	t := p.peek(0)
	if t.kind == tokenQuoted || t.kind == tokenWord && !reserved.has(t.word) {
		p.skip(1)
		return t.text, nil
	}
	if t.kind == tokenBad {
		return "", t.err
	}
	return "", syntaxError(t.at, "expected %s, found %s", expected, t.describe())
}

// dottedName takes names with dots between them and returns them as one.
func (p *parser) dottedName(expected string) (string, error) {
	at := p.peek(0).at
	name, err := p.name(expected)
	for err == nil && p.symbol(".") {
		var part string
		if part, err = p.name("identifier"); err == nil {
			name += "." + part
			err = checkName(at, name)
		}
	}
	return name, err
}

// statements reads the whole text.
func (p *parser) statements() (*Statement, error) {
	s := &Statement{}
	for {
		t := p.peek(0)
		switch {
		case t.kind == tokenEnd:
			if s.Query == nil && s.Insert == nil {
				return nil, p.unexpected(t, "statement")
			}
			return s, nil
		case t.is("SET"):
			p.skip(1)
			if err := p.setOption(s); err != nil {
				return nil, err
			}
		case s.Query != nil || s.Insert != nil:
			return nil, p.unexpected(t, "end of input after one statement")
		default:
			if err := p.statement(s); err != nil {
				return nil, err
			}
		}
		if !p.symbol(";") {
			if t := p.peek(0); t.kind != tokenEnd {
				return nil, p.unexpected(t, "end of statement")
			}
		}
	}
}

// statement reads EXPLAIN, SELECT or INSERT into s.
func (p *parser) statement(s *Statement) error {
	var err error
	t := p.peek(0)
	switch {
	case t.is("INSERT"):
		s.Insert, err = p.insert()
		return err
	case t.is("EXPLAIN"):
		p.skip(1)
		if p.peek(0).is("IMPLEMENTATION") {
			return unsupported(p.peek(0).at, "EXPLAIN IMPLEMENTATION PLAN is")
		}
		if !p.words("PLAN", "FOR") {
			return p.unexpected(p.peek(0), "PLAN FOR")
		}
		s.Explain = true
	}
	if s.Query, err = p.query(); err != nil {
		return err
	}
	for p.peek(0).is("OPTION") && p.peek(1).symbol("(") {
		if err := p.optionClause(s); err != nil {
			return err
		}
	}
	return nil
}

// setOption reads what follows SET.
func (p *parser) setOption(s *Statement) error {
	o := Option{At: p.peek(0).at}
	var err error
	if o.Key, err = p.dottedName("option name"); err != nil {
		return err
	}
	if err = p.expectSymbol("="); err != nil {
		return err
	}
	sign := ""
	if t := p.peek(0); (t.symbol("-") || t.symbol("+")) && p.peek(1).kind == tokenNumber {
		sign = strings.TrimPrefix(t.text, "+")
		p.skip(1)
	}
	switch t := p.peek(0); t.kind {
	case tokenString:
		o.Value = unquotePairs(t.text)
	case tokenNumber:
		o.Value = sign + t.text
	case tokenQuoted, tokenWord:
		o.Value = t.text
	default:
		return p.unexpected(t, "literal")
	}
	p.skip(1)
	s.Options = append(s.Options, o)
	return nil
}

// optionClause reads OPTION(k=v, ...). Values are raw text up to the comma or
// the closing parenthesis.
func (p *parser) optionClause(s *Statement) error {
	at, open := p.peek(0).at, p.peek(1)
	body, _, closed := strings.Cut(p.lex.src[open.end:], ")")
	if !closed {
		return syntaxError(open.at, "OPTION is not closed")
	}
	for pair := range strings.SplitSeq(body, ",") {
		key, value, ok := strings.Cut(pair, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" {
			return syntaxError(open.at, "expected key=value in OPTION, found %q", strings.TrimSpace(pair))
		}
		if err := checkName(at, key); err != nil {
			return err
		}
		s.Options = append(s.Options, Option{At: at, Key: key, Value: strings.TrimSpace(value)})
	}
	p.ahead = p.ahead[:0]
	p.lex.next, p.lex.at = open.end, Pos{Line: open.at.Line, Column: open.at.Column + 1}
	p.lex.advance(len(body) + 1)
	return nil
}

// insert reads INSERT INTO table FROM FILE 'uri', ...
func (p *parser) insert() (*Insert, error) {
	in := &Insert{At: p.take().at}
	if err := p.expectWord("INTO"); err != nil {
		return nil, err
	}
	var err error
	if in.Table, err = p.dottedName("table name"); err != nil {
		return nil, err
	}
	if err = p.expectWord("FROM"); err != nil {
		return nil, err
	}
	for {
		kind := p.peek(0)
		if !kind.is("FILE") && !kind.is("ARCHIVE") {
			return nil, p.unexpected(kind, "FILE or ARCHIVE")
		}
		uri := p.peek(1)
		if uri.kind != tokenString {
			return nil, p.unexpected(uri, "string")
		}
		p.skip(2)
		in.Files = append(in.Files, InsertFile{URI: unquotePairs(uri.text), Archive: kind.is("ARCHIVE")})
		if !p.symbol(",") {
			return in, nil
		}
	}
}
