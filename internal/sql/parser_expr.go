package sql

import "strings"

// call builds a call and checks the size of its tree. Nested AND and OR are
// flattened, as in Pinot.
func (p *parser) call(at Pos, name string, distinct bool, args ...Expr) (Expr, error) {
	c := &Call{At: at, Name: name, Args: args, Distinct: distinct}
	if (name == OpAnd || name == OpOr) && !distinct && len(args) > 1 {
		c.Args = flatten(name, args)
	}
	for _, arg := range args {
		if child, ok := arg.(*Call); ok {
			c.height = max(c.height, child.height)
			c.nodes += child.nodes
		} else {
			c.nodes++
		}
	}
	if len(c.Args) == len(args) { // not flattened
		c.height++
		c.nodes++
	}
	if c.height > maxHeight {
		return nil, syntaxError(at, "expression is higher than %d calls", maxHeight)
	}
	if c.nodes > maxNodes {
		return nil, syntaxError(at, "expression of %d nodes exceeds %d", c.nodes, maxNodes)
	}
	return c, nil
}

// flatten puts the arguments of calls of the same name in their place. The
// first list grows in place: a chain of n operators costs n appends.
func flatten(name string, args []Expr) []Expr {
	flat := args[:0:0]
	for i, arg := range args {
		child, ok := arg.(*Call)
		switch {
		case !ok || child.Name != name || child.Distinct || len(child.Args) < 2:
			flat = append(flat, arg)
		case i == 0:
			flat = child.Args
		default:
			flat = append(flat, child.Args...)
		}
	}
	return flat
}

// expr reads an expression whose operators bind at least as strongly as prec.
func (p *parser) expr(prec int) (Expr, error) {
	if err := p.enter(p.peek(0).at); err != nil {
		return nil, err
	}
	defer p.leave()
	left, err := p.operand()
	for err == nil {
		var done bool
		if left, done, err = p.infix(left, prec); done {
			return left, nil
		}
	}
	return nil, err
}

// infix reads one operator behind left, with its right side. It is done where
// none comes that binds strongly enough.
func (p *parser) infix(left Expr, prec int) (e Expr, done bool, err error) {
	t := p.peek(0)
	if b, ok := binaryByText[t.text]; ok && t.kind == tokenSymbol {
		if b.prec < prec {
			return left, true, nil
		}
		p.skip(1)
		e, err = p.binary(t.at, b.name, left, b.prec+1)
		return e, false, err
	}
	negated := t.is("NOT")
	word := t
	if negated {
		word = p.peek(1)
	}
	switch {
	case t.is("OR") && prec <= precOr:
		p.skip(1)
		e, err = p.binary(t.at, OpOr, left, precOr+1)
	case t.is("AND") && prec <= precAnd:
		p.skip(1)
		e, err = p.binary(t.at, OpAnd, left, precAnd+1)
	case t.is("IS"):
		return p.isOperator(left, prec)
	case t.is("AT") && p.peek(1).is("TIME") && p.peek(2).is("ZONE") && prec <= precRange:
		p.skip(3)
		e, err = p.binary(t.at, OpAtTimeZone, left, precRange+1)
	case (word.is("IN") || word.is("LIKE") || word.is("BETWEEN")) && prec <= precRange:
		if negated {
			p.skip(1)
		}
		p.skip(1)
		e, err = p.rangeOperator(t.at, word.word, negated, left)
	default:
		return left, true, nil
	}
	return e, false, err
}

func (p *parser) binary(at Pos, name string, left Expr, rightPrec int) (Expr, error) {
	right, err := p.expr(rightPrec)
	if err != nil {
		return nil, err
	}
	return p.call(at, name, false, left, right)
}

// isOperator reads the operators that begin with IS.
func (p *parser) isOperator(left Expr, prec int) (e Expr, done bool, err error) {
	at := p.peek(0).at
	names := [...]struct{ word, plain, negated string }{
		{"NULL", OpIsNull, OpIsNotNull},
		{"UNKNOWN", OpIsNull, OpIsNotNull},
		{"TRUE", OpIsTrue, OpIsNotTrue},
		{"FALSE", OpIsFalse, OpIsNotFalse},
		{"DISTINCT", OpIsDistinctFrom, OpIsNotDistinctFrom},
	}
	size := 1
	if p.peek(1).is("NOT") {
		size = 2
	}
	word := p.peek(size)
	for _, n := range names {
		if !word.is(n.word) {
			continue
		}
		name := n.plain
		if size == 2 {
			name = n.negated
		}
		if n.word != "DISTINCT" {
			if prec > precIs {
				return left, true, nil
			}
			p.skip(size + 1)
			e, err = p.call(at, name, false, left)
			return e, false, err
		}
		if prec > precCompare {
			return left, true, nil
		}
		p.skip(size + 1)
		if err = p.expectWord("FROM"); err == nil {
			e, err = p.binary(at, name, left, precCompare+1)
		}
		return e, false, err
	}
	return nil, false, p.unexpected(word, "NULL, TRUE, FALSE or DISTINCT FROM")
}

// rangeOperator reads the right side of [NOT] IN, LIKE and BETWEEN.
func (p *parser) rangeOperator(at Pos, word string, negated bool, left Expr) (Expr, error) {
	if word == "IN" {
		if err := p.expectSymbol("("); err != nil {
			return nil, err
		}
		elements, err := list(p, p.anyExpr)
		if err == nil {
			err = p.expectSymbol(")")
		}
		if err != nil {
			return nil, err
		}
		name := OpIn
		if negated {
			name = OpNotIn
		}
		return p.call(at, name, false, append([]Expr{left}, elements...)...)
	}
	name, separator := OpLike, "ESCAPE"
	if word == "BETWEEN" {
		name, separator = OpBetween, "AND"
	}
	first, err := p.expr(precAdd)
	if err != nil {
		return nil, err
	}
	args := []Expr{left, first}
	if name == OpBetween || p.peek(0).is(separator) {
		if err = p.expectWord(separator); err != nil {
			return nil, err
		}
		second, err := p.expr(precAdd)
		if err != nil {
			return nil, err
		}
		args = append(args, second)
	}
	e, err := p.call(at, name, false, args...)
	if err == nil && negated {
		e, err = p.call(at, OpNot, false, e)
	}
	return e, err
}

func (p *parser) anyExpr() (Expr, error) { return p.expr(precLowest) }

// operand reads what stands on either side of an infix operator.
func (p *parser) operand() (Expr, error) {
	t := p.peek(0)
	switch {
	case t.is("NOT"):
		p.skip(1)
		e, err := p.expr(precNot)
		if err != nil {
			return nil, err
		}
		return p.call(t.at, OpNot, false, e)
	case t.symbol("+"):
		p.skip(1)
		return p.expr(precUnary)
	case t.symbol("-") && p.peek(1).kind == tokenNumber:
		p.skip(1)
		return numberLiteral(t.at, p.take().text, true), nil
	case t.symbol("-"):
		p.skip(1)
		e, err := p.expr(precUnary)
		if err != nil {
			return nil, err
		}
		return p.call(t.at, OpNegate, false, e)
	}
	e, err := p.primary()
	for err == nil && p.peek(0).symbol("[") {
		e, err = p.item(e)
	}
	return e, err
}

// item reads [key] behind e.
func (p *parser) item(e Expr) (Expr, error) {
	at := p.take().at
	key, err := p.expr(precLowest)
	if err == nil {
		err = p.expectSymbol("]")
	}
	if err != nil {
		return nil, err
	}
	return p.call(at, OpItem, false, e, key)
}

// primary reads an expression that no operator takes apart.
func (p *parser) primary() (Expr, error) {
	t := p.peek(0)
	switch t.kind {
	case tokenString:
		p.skip(1)
		return stringLiteral(t.at, t.text), nil
	case tokenNumber:
		p.skip(1)
		return numberLiteral(t.at, t.text, false), nil
	case tokenHex:
		p.skip(1)
		return hexLiteral(t.at, t.text)
	case tokenQuoted:
		if p.peek(1).symbol("(") {
			return p.function()
		}
		return p.path()
	case tokenWord:
		return p.wordOperand(t)
	}
	if t.symbol("?") {
		return nil, unsupported(t.at, "parameters are")
	}
	if !p.symbol("(") {
		return nil, p.unexpected(t, "expression")
	}
	e, err := p.expr(precLowest)
	if err != nil {
		return nil, err
	}
	if p.peek(0).symbol(",") {
		return nil, unsupported(t.at, "row values are")
	}
	return e, p.expectSymbol(")")
}

// wordOperand reads an operand that begins with an unquoted word.
func (p *parser) wordOperand(t token) (Expr, error) {
	next := p.peek(1)
	switch {
	case t.word == "CASE":
		return p.caseExpr()
	case t.word == "NULL":
		p.skip(1)
		return &Literal{At: t.at}, nil
	case t.word == "TRUE" || t.word == "FALSE":
		p.skip(1)
		return &Literal{At: t.at, Type: Boolean, Value: t.word == "TRUE"}, nil
	case next.kind == tokenString && (t.word == "DATE" || t.word == "TIME" || t.word == "TIMESTAMP"):
		p.skip(2)
		return stringLiteral(t.at, next.text), nil
	case t.word == "INTERVAL":
		return p.interval()
	case t.word == "ARRAY" && next.symbol("["):
		return p.array()
	case (t.word == "EXISTS" || t.word == "UNIQUE") && next.symbol("(") && p.peek(2).is("SELECT"):
		return nil, unsupported(t.at, "sub-queries in expressions ("+t.word+") are")
	case next.symbol("(") && (!reserved.has(t.word) || callable.has(t.word)):
		if read, ok := specialForms[t.word]; ok {
			p.skip(2)
			return read(p, t)
		}
		return p.function()
	case !reserved.has(t.word):
		return p.path()
	}
	if what, ok := refusedOperands[t.word]; ok {
		return nil, unsupported(t.at, what)
	}
	return nil, syntaxError(t.at, "expected expression, found %s", t.describe())
}

// path reads an identifier with the dots and list positions behind it. What
// follows a map's key is left to the caller.
func (p *parser) path() (Expr, error) {
	t := p.take()
	id := &Identifier{At: t.at, Name: t.text}
	for {
		switch index := p.peek(1); {
		case p.symbol("."):
			part, err := p.name("identifier")
			if err != nil {
				return nil, err
			}
			id.Name += "." + part
		case p.peek(0).symbol("[") && index.kind == tokenNumber && p.peek(2).symbol("]"):
			p.skip(3)
			id.Name += "[" + index.text + "]"
		default:
			return id, checkName(id.At, id.Name)
		}
		if err := checkName(id.At, id.Name); err != nil {
			return nil, err
		}
	}
}

// unquotePairs halves the pairs of single quotes that are left in a string,
// which Pinot does a second time over the parsed text.
func unquotePairs(text string) string { return strings.ReplaceAll(text, "''", "'") }
