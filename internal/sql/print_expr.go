package sql

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
)

// String implements [Expr].
func (e *Identifier) String() string { return exprString(e) }

// String implements [Expr]. A literal that only folding makes is printed as the
// call that makes it.
func (e *Literal) String() string { return exprString(e) }

// String implements [Expr].
func (e *Call) String() string { return exprString(e) }

func exprString(e Expr) string {
	p := &printer{}
	p.expr(e, precLowest)
	return p.String()
}

// expr prints e, in parentheses where it binds less strongly than prec.
func (p *printer) expr(e Expr, prec int) {
	switch e := e.(type) {
	case *Identifier:
		p.text(quotePath(e.Name))
	case *Literal:
		p.literal(e)
	case *Call:
		l := layoutOf(e)
		if l.prec >= prec {
			l.print(p, e)
			return
		}
		p.text("(")
		l.print(p, e)
		p.text(")")
	}
}

func (p *printer) literal(e *Literal) {
	switch v := e.Value.(type) {
	case nil:
		p.text("NULL")
	case bool:
		p.text(strings.ToUpper(strconv.FormatBool(v)))
	case int32, int64:
		p.text(e.Text())
	case float64:
		p.double(v)
	case float32:
		p.text("CAST(", quoteString(e.Text()), " AS FLOAT)")
	case []byte:
		p.text("hextobytes('", hex.EncodeToString(v), "')")
	case string:
		if e.Type == BigDecimal {
			p.text("CAST(", quoteString(v), " AS DECIMAL)")
		} else {
			p.text(quoteString(v))
		}
	default:
		p.array(e)
	}
}

// double prints finite numbers in the shortest form that has a point or an
// exponent, infinities as numbers beyond the range, and what no number gives as
// a cast.
func (p *printer) double(v float64) {
	switch {
	case math.IsNaN(v):
		p.text("CAST('NaN' AS DOUBLE)")
	case v == 0 && math.Signbit(v):
		p.text("CAST('-0.0' AS DOUBLE)")
	case math.IsInf(v, 1):
		p.text("1E400")
	case math.IsInf(v, -1):
		p.text("-1E400")
	default:
		p.Write(AppendJavaFloat(nil, v, 64))
	}
}

// array prints the elements of a folded list.
func (p *printer) array(e *Literal) {
	p.text("ARRAY[")
	switch v := e.Value.(type) {
	case []int32:
		elements(p, Int, v)
	case []int64:
		elements(p, Long, v)
	case []float32:
		elements(p, Float, v)
	case []float64:
		elements(p, Double, v)
	case []string:
		elements(p, String, v)
	}
	p.text("]")
}

func elements[T any](p *printer, t LiteralType, values []T) {
	for i, v := range values {
		p.comma(i)
		p.literal(&Literal{Type: t, Value: v})
	}
}

// layout says how a call is written.
type layout struct {
	prec  int
	print func(p *printer, c *Call)
}

// layoutOf picks the syntax of a call, the ordinary form where its arguments do
// not fit the syntax of its name.
func layoutOf(c *Call) layout {
	ordinary := layout{precAtom, (*printer).call}
	n := len(c.Args)
	if c.Distinct {
		return ordinary
	}
	if b, ok := binaryByName[c.Name]; ok && n == 2 {
		return layout{b.prec, (*printer).binary}
	}
	if _, ok := suffixes[c.Name]; ok && n == 1 {
		return layout{precIs, (*printer).suffix}
	}
	switch {
	case c.Name == OpOr && n >= 2:
		return layout{precOr, (*printer).chain}
	case c.Name == OpAnd && n >= 2:
		return layout{precAnd, (*printer).chain}
	case c.Name == OpNot && n == 1:
		return layout{precNot, (*printer).not}
	case c.Name == OpBetween && n == 3, c.Name == OpLike && (n == 2 || n == 3):
		return layout{precRange, (*printer).rangeOperator}
	case (c.Name == OpIn || c.Name == OpNotIn) && n >= 2:
		return layout{precRange, (*printer).in}
	case c.Name == OpCase && n >= 3 && n%2 == 1:
		return layout{precAtom, (*printer).caseExpr}
	case c.Name == OpCast && n == 2 && isString(c.Args[1]):
		return layout{precAtom, (*printer).cast}
	case c.Name == OpExtract && n == 2 && isString(c.Args[0]):
		return layout{precAtom, (*printer).extract}
	case (c.Name == OpTimestampAdd || c.Name == OpTimestampDiff) && n == 3 && isString(c.Args[0]):
		return layout{precAtom, (*printer).timestamp}
	case c.Name == OpTrim && n == 3 && isTrimSide(c.Args[0]):
		return layout{precAtom, (*printer).trim}
	case (c.Name == OpFloor || c.Name == OpCeil) && n == 2 && isString(c.Args[1]):
		return layout{precAtom, (*printer).floor}
	case c.Name == OpArray:
		return layout{precAtom, (*printer).arrayCall}
	case c.Name == OpItem && n == 2 && hasItemSyntax(c):
		return layout{precAtom, (*printer).item}
	case c.Name == OpFilter && n == 2 && isOrdinary(c.Args[0]):
		return layout{precAtom, (*printer).filter}
	}
	return ordinary
}

func isString(e Expr) bool {
	l, ok := e.(*Literal)
	return ok && l.Type == String && l.Value != ""
}

func isTrimSide(e Expr) bool {
	l, ok := e.(*Literal)
	return ok && l.Type == String && (l.Value == "BOTH" || l.Value == "LEADING" || l.Value == "TRAILING")
}

// hasItemSyntax reports whether an item call can be written with brackets. A
// number behind an identifier would become part of its name.
func hasItemSyntax(c *Call) bool {
	switch base := c.Args[0].(type) {
	case *Identifier:
		l, ok := c.Args[1].(*Literal)
		return ok && l.Type == String
	case *Call:
		return base.Name == OpItem && !base.Distinct && len(base.Args) == 2 && hasItemSyntax(base)
	default:
		return false
	}
}

// isOrdinary reports whether e is written as name(arguments).
func isOrdinary(e Expr) bool {
	c, ok := e.(*Call)
	if !ok {
		return false
	}
	if c.Distinct {
		return true
	}
	if _, special := specialForms[upper(c.Name)]; special {
		return false
	}
	switch c.Name {
	case OpArray, OpItem, OpFilter, OpCase, OpNot, OpAnd, OpOr, OpBetween, OpLike, OpIn, OpNotIn:
		return false
	}
	_, isBinary := binaryByName[c.Name]
	_, isSuffix := suffixes[c.Name]
	return !isBinary && !isSuffix
}

// call prints name(arguments). A name that the parser would read as syntax is
// quoted.
func (p *printer) call(c *Call) {
	special := needsSyntax(c)
	if isPlainWord(c.Name) && !special {
		p.text(c.Name)
	} else {
		p.text(quoteName(c.Name))
	}
	p.text("(")
	if c.Distinct {
		p.text("DISTINCT ")
	}
	if len(c.Args) == 1 && !c.Distinct && c.Name != OpFloor && c.Name != OpCeil {
		if id, ok := c.Args[0].(*Identifier); ok && id.Name == "*" {
			p.text("*)")
			return
		}
	}
	p.list(c.Args)
	p.text(")")
}

// needsSyntax reports whether the name, unquoted, asks for keywords between the
// arguments that the ordinary form does not have.
func needsSyntax(c *Call) bool {
	if _, special := specialForms[upper(c.Name)]; !special || c.Distinct {
		return special
	}
	n := len(c.Args)
	plain := c.Name == OpSubstring && (n == 2 || n == 3) || (c.Name == OpFloor || c.Name == OpCeil) && n == 1
	return !plain
}

func (p *printer) list(args []Expr) {
	for i, arg := range args {
		p.comma(i)
		p.expr(arg, precLowest)
	}
}

func (p *printer) binary(c *Call) {
	b := binaryByName[c.Name]
	p.expr(c.Args[0], b.prec)
	p.text(" ", b.text, " ")
	p.expr(c.Args[1], b.prec+1)
}

func (p *printer) suffix(c *Call) {
	p.expr(c.Args[0], precIs)
	p.text(" ", suffixes[c.Name])
}

func (p *printer) chain(c *Call) {
	separator, prec := " OR ", precOr
	if c.Name == OpAnd {
		separator, prec = " AND ", precAnd
	}
	for i, arg := range c.Args {
		if i > 0 {
			p.text(separator)
		}
		p.expr(arg, prec+1)
	}
}

func (p *printer) not(c *Call) {
	p.text("NOT ")
	p.expr(c.Args[0], precNot)
}

func (p *printer) rangeOperator(c *Call) {
	keywords := [...]string{" LIKE ", " ESCAPE "}
	if c.Name == OpBetween {
		keywords = [...]string{" BETWEEN ", " AND "}
	}
	p.expr(c.Args[0], precRange)
	for i, arg := range c.Args[1:] {
		p.text(keywords[i])
		p.expr(arg, precAdd)
	}
}

func (p *printer) in(c *Call) {
	p.expr(c.Args[0], precRange)
	if c.Name == OpNotIn {
		p.text(" NOT")
	}
	p.text(" IN (")
	p.list(c.Args[1:])
	p.text(")")
}

func (p *printer) caseExpr(c *Call) {
	p.text("CASE")
	last := len(c.Args) - 1
	for i := 0; i < last; i += 2 {
		p.text(" WHEN ")
		p.expr(c.Args[i], precLowest)
		p.text(" THEN ")
		p.expr(c.Args[i+1], precLowest)
	}
	p.text(" ELSE ")
	p.expr(c.Args[last], precLowest)
	p.text(" END")
}

func (p *printer) cast(c *Call) {
	p.text("CAST(")
	p.expr(c.Args[0], precLowest)
	target := c.Args[1].(*Literal).Text()
	word := wordLength(target) == len(target) && upper(target) == target && typeName(target) == target
	if word && (isPlainWord(target) || callable.has(target)) {
		p.text(" AS ", target, ")")
	} else {
		p.text(" AS ", quoteName(target), ")")
	}
}

// unit prints the name of a unit of time, as a word where that gives the same
// text.
func (p *printer) unit(e Expr) {
	text := e.(*Literal).Text()
	if isPlainWord(text) && upper(text) == text {
		p.text(text)
	} else {
		p.text(quoteName(text))
	}
}

func (p *printer) extract(c *Call) {
	p.text("EXTRACT(")
	p.unit(c.Args[0])
	p.text(" FROM ")
	p.expr(c.Args[1], precLowest)
	p.text(")")
}

func (p *printer) timestamp(c *Call) {
	p.text(upper(c.Name), "(")
	p.unit(c.Args[0])
	p.text(", ")
	p.list(c.Args[1:])
	p.text(")")
}

func (p *printer) trim(c *Call) {
	p.text("TRIM(", c.Args[0].(*Literal).Text(), " ")
	p.expr(c.Args[1], precLowest)
	p.text(" FROM ")
	p.expr(c.Args[2], precLowest)
	p.text(")")
}

func (p *printer) floor(c *Call) {
	p.text(upper(c.Name), "(")
	p.expr(c.Args[0], precLowest)
	p.text(" TO ")
	p.unit(c.Args[1])
	p.text(")")
}

func (p *printer) arrayCall(c *Call) {
	p.text("ARRAY[")
	p.list(c.Args)
	p.text("]")
}

func (p *printer) item(c *Call) {
	p.expr(c.Args[0], precAtom)
	p.text("[")
	p.expr(c.Args[1], precLowest)
	p.text("]")
}

func (p *printer) filter(c *Call) {
	p.expr(c.Args[0], precAtom)
	p.text(" FILTER (WHERE ")
	p.expr(c.Args[1], precLowest)
	p.text(")")
}
