package sql

// function reads a call of the ordinary form, with the clauses behind it.
func (p *parser) function() (Expr, error) {
	t := p.peek(0)
	p.skip(2)
	name := Canonical(t.text)
	if name == "" {
		return nil, syntaxError(t.at, "expected function name, found %s", t.describe())
	}
	if err := checkName(t.at, name); err != nil {
		return nil, err
	}
	args, distinct, err := p.arguments()
	if err != nil {
		return nil, err
	}
	if distinct {
		switch name {
		case "count", "sum", "avg":
			name, distinct = "distinct"+name, false
		}
	}
	e, err := p.call(t.at, name, distinct, args...)
	if err != nil {
		return nil, err
	}
	switch next := p.peek(0); {
	case next.is("OVER"), (next.is("IGNORE") || next.is("RESPECT")) && p.peek(1).is("NULLS"):
		return nil, unsupported(next.at, "window functions ("+next.word+") are")
	case next.is("WITHIN") && p.peek(1).is("GROUP"):
		return nil, unsupported(next.at, "WITHIN GROUP is")
	case next.is("FILTER") && p.peek(1).symbol("("):
		p.skip(2)
		return p.filter(next.at, e)
	}
	return e, nil
}

// arguments reads what follows the opening parenthesis of a call.
func (p *parser) arguments() (args []Expr, distinct bool, err error) {
	if t := p.peek(0); t.symbol("*") && p.peek(1).symbol(")") {
		p.skip(2)
		return []Expr{&Identifier{At: t.at, Name: "*"}}, false, nil
	}
	if p.symbol(")") {
		return nil, false, nil
	}
	distinct = p.words("DISTINCT")
	if !distinct && p.peek(0).is("ALL") && startsOperand(p.peek(1)) {
		p.skip(1)
	}
	if args, err = list(p, p.anyExpr); err != nil {
		return nil, false, err
	}
	return args, distinct, p.expectSymbol(")")
}

// filter reads WHERE condition ) behind an aggregate.
func (p *parser) filter(at Pos, aggregate Expr) (Expr, error) {
	if err := p.expectWord("WHERE"); err != nil {
		return nil, err
	}
	condition, err := p.expr(precLowest)
	if err != nil {
		return nil, err
	}
	return p.finish(at, OpFilter, aggregate, condition)
}

// finish takes the closing parenthesis and builds the call.
func (p *parser) finish(at Pos, name string, args ...Expr) (Expr, error) {
	if err := p.expectSymbol(")"); err != nil {
		return nil, err
	}
	return p.call(at, name, false, args...)
}

// caseExpr reads both forms of CASE. A simple one compares its value in each
// WHEN.
func (p *parser) caseExpr() (Expr, error) {
	at := p.take().at
	var value Expr
	var err error
	if !p.peek(0).is("WHEN") {
		if value, err = p.expr(precLowest); err != nil {
			return nil, err
		}
	}
	var args []Expr
	for p.peek(0).is("WHEN") {
		if args, err = p.whenThen(args, value); err != nil {
			return nil, err
		}
	}
	if len(args) == 0 {
		return nil, p.unexpected(p.peek(0), "WHEN")
	}
	var otherwise Expr = &Literal{At: at}
	if p.words("ELSE") {
		if otherwise, err = p.expr(precLowest); err != nil {
			return nil, err
		}
	}
	if err = p.expectWord("END"); err != nil {
		return nil, err
	}
	return p.call(at, OpCase, false, append(args, otherwise)...)
}

// whenThen reads one branch of CASE and appends its condition and its result.
func (p *parser) whenThen(args []Expr, value Expr) ([]Expr, error) {
	at := p.take().at
	var condition Expr
	var err error
	if value == nil {
		condition, err = p.expr(precLowest)
	} else {
		condition, err = p.whenValues(at, value)
	}
	if err != nil {
		return nil, err
	}
	if err = p.expectWord("THEN"); err != nil {
		return nil, err
	}
	result, err := p.expr(precLowest)
	return append(args, condition, result), err
}

// whenValues reads the values of a simple CASE's WHEN and compares value to
// them.
func (p *parser) whenValues(at Pos, value Expr) (Expr, error) {
	values, err := list(p, p.anyExpr)
	if err != nil {
		return nil, err
	}
	name := OpEquals
	if len(values) > 1 {
		name = OpIn
	}
	return p.call(at, name, false, append([]Expr{value}, values...)...)
}

// specialForms read the functions whose arguments have keywords among them. The
// name and the parenthesis are taken already. They are set in init because
// they call back into the expression parser.
var specialForms map[string]func(*parser, token) (Expr, error)

func init() {
	specialForms = map[string]func(*parser, token) (Expr, error){
		"CAST":          (*parser).cast,
		"EXTRACT":       (*parser).extract,
		"TRIM":          (*parser).trim,
		"SUBSTRING":     (*parser).substring,
		"FLOOR":         (*parser).floor,
		"CEIL":          (*parser).floor,
		"CEILING":       (*parser).floor,
		"TIMESTAMPADD":  (*parser).timestamp,
		"TIMESTAMPDIFF": (*parser).timestamp,
	}
}

// typeNames gives the names under which Pinot passes types on. Others stay as
// they are, in upper case.
var typeNames = map[string]string{
	"BIGINT":      "LONG",
	"BIG_DECIMAL": "DECIMAL",
	"BYTES":       "BYTES",
	"INT":         "INTEGER",
	"NUMERIC":     "DECIMAL",
	"VARBINARY":   "BYTES",
	"VARCHAR":     "STRING",
}

func typeName(word string) string {
	if name, ok := typeNames[word]; ok {
		return name
	}
	return word
}

// cast reads value AS type ). Length, precision and scale of a type are
// dropped, as in Pinot.
func (p *parser) cast(name token) (Expr, error) {
	value, err := p.expr(precLowest)
	if err != nil {
		return nil, err
	}
	if err = p.expectWord("AS"); err != nil {
		return nil, err
	}
	t := p.peek(0)
	target := &Literal{At: t.at, Type: String, Value: t.text}
	switch {
	case t.kind == tokenQuoted:
	case t.kind == tokenWord && (!reserved.has(t.word) || callable.has(t.word)):
		target.Value = typeName(t.word)
	default:
		return nil, p.unexpected(t, "type")
	}
	p.skip(1)
	if t.is("DOUBLE") {
		p.words("PRECISION")
	}
	if p.symbol("(") {
		if _, err = list(p, p.count); err == nil {
			err = p.expectSymbol(")")
		}
		if err != nil {
			return nil, err
		}
	}
	return p.finish(name.at, OpCast, value, target)
}

// unit reads the name of a unit of time: a word, which counts in upper case, or
// a quoted identifier.
func (p *parser) unit() (*Literal, error) {
	t := p.peek(0)
	unit := &Literal{At: t.at, Type: String, Value: t.text}
	switch {
	case t.kind == tokenQuoted:
	case t.kind == tokenWord && !reserved.has(t.word):
		unit.Value = t.word
	default:
		return nil, p.unexpected(t, "unit of time")
	}
	p.skip(1)
	return unit, nil
}

// extract reads unit FROM value ).
func (p *parser) extract(name token) (Expr, error) {
	unit, err := p.unit()
	if err != nil {
		return nil, err
	}
	if err = p.expectWord("FROM"); err != nil {
		return nil, err
	}
	value, err := p.expr(precLowest)
	if err != nil {
		return nil, err
	}
	return p.finish(name.at, OpExtract, unit, value)
}

// trim reads [BOTH|LEADING|TRAILING] [characters] FROM value ), or value ).
func (p *parser) trim(name token) (Expr, error) {
	var side, characters Expr = &Literal{At: name.at, Type: String, Value: "BOTH"}, blank(name.at)
	t := p.peek(0)
	given := (t.is("BOTH") || t.is("LEADING") || t.is("TRAILING")) && !p.peek(1).symbol(")")
	if given {
		p.skip(1)
		side = &Literal{At: t.at, Type: String, Value: t.word}
		if p.words("FROM") {
			value, err := p.expr(precLowest)
			if err != nil {
				return nil, err
			}
			return p.finish(name.at, OpTrim, side, characters, value)
		}
	}
	value, err := p.expr(precLowest)
	if err != nil {
		return nil, err
	}
	if given && !p.peek(0).is("FROM") {
		return nil, p.unexpected(p.peek(0), "FROM")
	}
	if p.words("FROM") {
		characters = value
		if value, err = p.expr(precLowest); err != nil {
			return nil, err
		}
	}
	return p.finish(name.at, OpTrim, side, characters, value)
}

func blank(at Pos) *Literal { return &Literal{At: at, Type: String, Value: " "} }

// substring reads value FROM start [FOR length] ), or the same with commas.
func (p *parser) substring(name token) (Expr, error) {
	value, err := p.expr(precLowest)
	if err != nil {
		return nil, err
	}
	args := []Expr{value}
	if !p.words("FROM") && !p.symbol(",") {
		return nil, p.unexpected(p.peek(0), `FROM or ","`)
	}
	for {
		arg, err := p.expr(precLowest)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
		if len(args) == 3 || !p.words("FOR") && !p.symbol(",") {
			return p.finish(name.at, OpSubstring, args...)
		}
	}
}

// floor reads value [TO unit] ) for FLOOR, CEIL and CEILING.
func (p *parser) floor(name token) (Expr, error) {
	canonical := OpFloor
	if name.word != "FLOOR" {
		canonical = OpCeil
	}
	value, err := p.expr(precLowest)
	if err != nil {
		return nil, err
	}
	args := []Expr{value}
	if p.words("TO") {
		unit, err := p.unit()
		if err != nil {
			return nil, err
		}
		args = append(args, unit)
	}
	return p.finish(name.at, canonical, args...)
}

// timestamp reads unit, value, value ) for TIMESTAMPADD and TIMESTAMPDIFF.
func (p *parser) timestamp(name token) (Expr, error) {
	unit, err := p.unit()
	if err != nil {
		return nil, err
	}
	args := []Expr{unit}
	for len(args) < 3 {
		if err = p.expectSymbol(","); err != nil {
			return nil, err
		}
		arg, err := p.expr(precLowest)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	return p.finish(name.at, Canonical(name.text), args...)
}
