package plan

import (
	"slices"
	"unicode/utf8"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// compiler turns resolved trees into expressions.
type compiler struct {
	*resolver
	// leaf compiles what is below scalar functions and conditions: columns of
	// the table, or keys and aggregates. It returns nil for any other tree.
	leaf func(sql.Expr) (Expr, error)
}

// swapped gives the comparison with its sides exchanged.
var swapped = map[string]string{
	sql.OpEquals: sql.OpEquals, sql.OpNotEquals: sql.OpNotEquals,
	sql.OpLessThan: sql.OpGreaterThan, sql.OpLessThanOrEqual: sql.OpGreaterThanOrEqual,
	sql.OpGreaterThan: sql.OpLessThan, sql.OpGreaterThanOrEqual: sql.OpLessThanOrEqual,
}

// condition compiles a boolean expression.
func (c *compiler) condition(e sql.Expr) (Expr, error) {
	if call, ok := e.(*sql.Call); ok {
		if x, err := c.operator(call); x != nil || err != nil {
			return x, err
		}
	}
	x, err := c.value(e)
	if err != nil {
		return nil, err
	}
	if lit, ok := x.(*Literal); ok && (lit.Null || lit.Value.Type == fn.Boolean) {
		return &Literal{fn.Value{Type: fn.Boolean, B: lit.B, Null: lit.Null}}, nil
	}
	if x.Type() != fn.Boolean {
		return nil, errorAt(e.Pos(), ErrType, "%s is a %v, not a condition", e, x.Type())
	}
	return asCondition(x), nil
}

// asCondition makes a condition of a boolean value.
func asCondition(x Expr) Expr {
	switch x.(type) {
	case *And, *Or, *Leaf, *Compare, *Literal:
		return x
	}
	return &Leaf{Arg: x, Test: IsTrue{}}
}

// operator compiles the calls that are conditions by their nature, and returns
// nil for others.
func (c *compiler) operator(call *sql.Call) (Expr, error) {
	switch call.Name {
	case sql.OpAnd, sql.OpOr:
		args := make([]Expr, len(call.Args))
		for i, a := range call.Args {
			var err error
			if args[i], err = c.condition(a); err != nil {
				return nil, err
			}
		}
		if call.Name == sql.OpAnd {
			return &And{args}, nil
		}
		return &Or{args}, nil
	case sql.OpNot:
		x, err := c.condition(call.Args[0])
		return negated(x, err)
	case sql.OpEquals, sql.OpNotEquals, sql.OpLessThan, sql.OpLessThanOrEqual, sql.OpGreaterThan, sql.OpGreaterThanOrEqual:
		return c.comparison(call.At, call.Name, call.Args[0], call.Args[1])
	case sql.OpBetween:
		return c.between(call)
	case sql.OpIn, sql.OpNotIn:
		x, err := c.in(call)
		if call.Name == sql.OpNotIn {
			return negated(x, err)
		}
		return x, err
	case sql.OpLike:
		return c.like(call)
	case sql.OpIsNull, sql.OpIsNotNull:
		return c.nullTest(call)
	case sql.OpIsTrue, sql.OpIsFalse, sql.OpIsNotTrue, sql.OpIsNotFalse:
		return c.truth(call)
	}
	return nil, nil
}

func negated(x Expr, err error) (Expr, error) {
	if err != nil {
		return nil, err
	}
	return Not(x), nil
}

// truth compiles IS [NOT] TRUE and IS [NOT] FALSE, which are never null.
func (c *compiler) truth(call *sql.Call) (Expr, error) {
	x, err := c.condition(call.Args[0])
	if err != nil {
		return nil, err
	}
	null := &Leaf{Arg: x, Test: IsNull{}}
	switch call.Name {
	case sql.OpIsTrue:
		return &And{[]Expr{x, Not(null)}}, nil
	case sql.OpIsFalse:
		return &And{[]Expr{Not(x), Not(null)}}, nil
	case sql.OpIsNotTrue:
		return &Or{[]Expr{Not(x), null}}, nil
	}
	return &Or{[]Expr{x, null}}, nil
}

func (c *compiler) comparison(at sql.Pos, op string, l, r sql.Expr) (Expr, error) {
	if _, ok := l.(*sql.Literal); ok {
		l, r, op = r, l, swapped[op]
	}
	if lit, ok := r.(*sql.Literal); ok {
		return c.compareLiteral(at, op, l, lit)
	}
	x, err := c.value(l)
	if err != nil {
		return nil, err
	}
	y, err := c.value(r)
	if err != nil {
		return nil, err
	}
	for _, side := range []Expr{x, y} {
		if err := calculable(side, at, "a comparison"); err != nil {
			return nil, err
		}
	}
	if !comparable(x.Type(), y.Type()) {
		return nil, errorAt(at, ErrType, "%s is a %v and cannot be compared to %s, a %v", l, x.Type(), r, y.Type())
	}
	switch op {
	case sql.OpEquals, sql.OpNotEquals:
		return &Compare{Op: OpEqual, Negate: op == sql.OpNotEquals, L: x, R: y}, nil
	case sql.OpLessThan:
		return &Compare{Op: OpLess, L: x, R: y}, nil
	case sql.OpLessThanOrEqual:
		return &Compare{Op: OpLessEqual, L: x, R: y}, nil
	case sql.OpGreaterThan:
		return &Compare{Op: OpLess, L: y, R: x}, nil
	}
	return &Compare{Op: OpLessEqual, L: y, R: x}, nil
}

func comparable(a, b fn.Type) bool {
	number := func(t fn.Type) bool { return t.Numeric() || t == fn.Timestamp }
	return number(a) && number(b) || a.Textual() && b.Textual() || a == fn.Boolean && b == fn.Boolean
}

func (c *compiler) compareLiteral(at sql.Pos, op string, l sql.Expr, lit *sql.Literal) (Expr, error) {
	if lit.Type == sql.Null {
		return nil, errorAt(lit.At, ErrInvalid, "using NULL in %s filter is not supported", op)
	}
	x, err := c.value(l)
	if err != nil {
		return nil, err
	}
	if x.Type() == fn.Boolean {
		return compareBoolean(at, op, x, lit)
	}
	if left, ok := x.(*Literal); ok {
		return compareLiterals(at, op, left, lit)
	}
	test, err := comparisonTest(x, equalityOf(op), lit)
	if err != nil {
		return nil, err
	}
	return &Leaf{Arg: x, Negate: op == sql.OpNotEquals, Test: test}, nil
}

func equalityOf(op string) string {
	if op == sql.OpNotEquals {
		return sql.OpEquals
	}
	return op
}

// compareBoolean compares a BOOLEAN by = or <>. As in Pinot, text that is not
// "true" or "1" is false.
func compareBoolean(at sql.Pos, op string, x Expr, lit *sql.Literal) (Expr, error) {
	if op != sql.OpEquals && op != sql.OpNotEquals {
		return nil, errorAt(at, ErrType, "a BOOLEAN can only be compared by = and <>")
	}
	text := lit.Text()
	want := text == "1" || len(text) == 4 && equalFoldASCII(text, "true")
	if want == (op == sql.OpEquals) {
		return asCondition(x), nil
	}
	return Not(asCondition(x)), nil
}

func equalFoldASCII(s, lower string) bool {
	for i := range len(s) {
		if s[i]|0x20 != lower[i] {
			return false
		}
	}
	return true
}

// compareLiterals works a comparison of two literals out.
func compareLiterals(at sql.Pos, op string, l *Literal, r *sql.Literal) (Expr, error) {
	right, err := literalOf(r)
	if err != nil {
		return nil, err
	}
	var c int
	switch {
	case l.Value.Type.Integral() && right.Value.Type.Integral():
		c = compareOrdered(l.I, right.I)
	case l.Value.Type.Numeric() && right.Value.Type.Numeric():
		a, b := l.Float64(), right.Float64()
		if a != a || b != b { // by IEEE 754 NaN only differs
			return &Literal{fn.Value{Type: fn.Boolean, B: op == sql.OpNotEquals}}, nil
		}
		c = compareOrdered(a, b)
	case l.Value.Type.Textual() && right.Value.Type.Textual():
		c = compareOrdered(l.S, right.S)
	default:
		return nil, errorAt(at, ErrType, "a %v and a %v cannot be compared", l.Value.Type, right.Value.Type)
	}
	holds := map[string]bool{
		sql.OpEquals: c == 0, sql.OpNotEquals: c != 0, sql.OpLessThan: c < 0, sql.OpLessThanOrEqual: c <= 0,
		sql.OpGreaterThan: c > 0, sql.OpGreaterThanOrEqual: c >= 0,
	}[op]
	return &Literal{fn.Value{Type: fn.Boolean, B: holds}}, nil
}

func compareOrdered[T int64 | float64 | string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// between is both comparisons; over whole numbers one range.
func (c *compiler) between(call *sql.Call) (Expr, error) {
	lo, err := c.comparison(call.At, sql.OpGreaterThanOrEqual, call.Args[0], call.Args[1])
	if err != nil {
		return nil, err
	}
	hi, err := c.comparison(call.At, sql.OpLessThanOrEqual, call.Args[0], call.Args[2])
	if err != nil {
		return nil, err
	}
	if merged := mergeRanges(lo, hi); merged != nil {
		return merged, nil
	}
	return &And{[]Expr{lo, hi}}, nil
}

// mergeRanges makes one test of two ranges of the same value, nil if they are
// not such.
func mergeRanges(a, b Expr) Expr {
	x, ok := a.(*Leaf)
	y, ok2 := b.(*Leaf)
	if !ok || !ok2 || x.Negate || y.Negate {
		return nil
	}
	switch s := x.Test.(type) {
	case IntRange:
		if t, ok := y.Test.(IntRange); ok {
			return &Leaf{Arg: x.Arg, Test: IntRange{max(s.Lo, t.Lo), min(s.Hi, t.Hi)}}
		}
	case FloatRange:
		if t, ok := y.Test.(FloatRange); ok {
			return &Leaf{Arg: x.Arg, Test: FloatRange{max(s.Lo, t.Lo), min(s.Hi, t.Hi)}}
		}
	}
	return nil
}

// in tests against a list. Elements that are not literals make it a chain of
// comparisons.
func (c *compiler) in(call *sql.Call) (Expr, error) {
	x, err := c.value(call.Args[0])
	if err != nil {
		return nil, err
	}
	var ints []int64
	var floats []float64
	var texts []string
	var others []Expr
	for _, e := range call.Args[1:] {
		one, err := c.comparison(call.At, sql.OpEquals, call.Args[0], e)
		if err != nil {
			return nil, err
		}
		leaf, ok := one.(*Leaf)
		if !ok || leaf.Negate {
			others = append(others, one)
			continue
		}
		switch t := leaf.Test.(type) {
		case IntRange:
			if t.Lo == t.Hi {
				ints = append(ints, t.Lo)
			}
		case FloatRange:
			floats = append(floats, t.Lo)
		case FloatSet: // NaN equals nothing
		case TextSet:
			texts = append(texts, t.Values...)
		default:
			others = append(others, one)
		}
	}
	if x.Type() == fn.Boolean {
		return &Or{others}, nil
	}
	set := &Leaf{Arg: x, Test: setOf(x.Type(), ints, floats, texts)}
	if len(others) == 0 {
		return set, nil
	}
	return &Or{append(others, set)}, nil
}

func setOf(t fn.Type, ints []int64, floats []float64, texts []string) Test {
	switch {
	case t.Integral() || t == fn.BigDecimal:
		slices.Sort(ints)
		return IntSet{slices.Compact(ints)}
	case t.Textual():
		slices.Sort(texts)
		return TextSet{slices.Compact(texts)}
	}
	slices.Sort(floats)
	return FloatSet{slices.Compact(floats)}
}

func (c *compiler) like(call *sql.Call) (Expr, error) {
	x, err := c.value(call.Args[0])
	if err != nil {
		return nil, err
	}
	if !x.Type().Textual() || x.Type() == fn.Bytes {
		return nil, errorAt(call.At, ErrType, "LIKE is for texts, %s is a %v", call.Args[0], x.Type())
	}
	pattern, ok := call.Args[1].(*sql.Literal)
	if !ok {
		return nil, notRun(call.Args[1].Pos(), "LIKE with a pattern that is no literal")
	}
	if pattern.Type == sql.Null {
		return nil, errorAt(pattern.At, ErrInvalid, "using NULL in LIKE filter is not supported")
	}
	escape := '\\'
	if len(call.Args) == 3 {
		lit, ok := call.Args[2].(*sql.Literal)
		if !ok || utf8.RuneCountInString(lit.Text()) != 1 {
			return nil, errorAt(call.Args[2].Pos(), ErrInvalid, "ESCAPE takes one character")
		}
		escape, _ = utf8.DecodeRuneInString(lit.Text())
	}
	return &Leaf{Arg: x, Test: TextLike{fn.CompileLike(pattern.Text(), escape)}}, nil
}
