package plan

import (
	"math"
	"slices"

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

// operands bounds the arguments of the operators, which may be called by name.
var operands = map[string]struct{ least, most int }{
	sql.OpAnd: {1, math.MaxInt}, sql.OpOr: {1, math.MaxInt}, sql.OpNot: {1, 1},
	sql.OpEquals: {2, 2}, sql.OpNotEquals: {2, 2},
	sql.OpLessThan: {2, 2}, sql.OpLessThanOrEqual: {2, 2},
	sql.OpGreaterThan: {2, 2}, sql.OpGreaterThanOrEqual: {2, 2},
	sql.OpBetween: {3, 3}, sql.OpIn: {2, math.MaxInt}, sql.OpNotIn: {2, math.MaxInt}, sql.OpLike: {2, 3},
	sql.OpIsNull: {1, 1}, sql.OpIsNotNull: {1, 1},
	sql.OpIsTrue: {1, 1}, sql.OpIsFalse: {1, 1}, sql.OpIsNotTrue: {1, 1}, sql.OpIsNotFalse: {1, 1},
}

// swapped gives the comparison with its sides exchanged.
var swapped = map[string]string{
	sql.OpEquals: sql.OpEquals, sql.OpNotEquals: sql.OpNotEquals,
	sql.OpLessThan: sql.OpGreaterThan, sql.OpLessThanOrEqual: sql.OpGreaterThanOrEqual,
	sql.OpGreaterThan: sql.OpLessThan, sql.OpGreaterThanOrEqual: sql.OpLessThanOrEqual,
}

// condition compiles an expression as a condition: numbers are true unless they
// are 0.
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
	if lit, ok := x.(*Literal); ok && lit.Null {
		return &Literal{fn.Value{Type: fn.Boolean, Null: true}}, nil
	}
	if x.Type().Textual() && x.Type() != fn.Bytes {
		if x, err = convertTo(e.Pos(), x, fn.Int); err != nil {
			return nil, err
		}
	}
	if x.Type().Array() {
		return nil, errorAt(e.Pos(), ErrType, "%s is a %v, not a condition", e, x.Type())
	}
	if x, err = convertTo(e.Pos(), x, fn.Boolean); err != nil {
		return nil, err
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
	if n, ok := operands[call.Name]; ok && (len(call.Args) < n.least || len(call.Args) > n.most) {
		return nil, errorAt(call.At, ErrUnknownFunction, "%s of %d arguments", call.Name, len(call.Args))
	}
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
	case sql.OpRegexpLike:
		return c.regexp(call)
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
	if x.Type().Array() && sql.Equal(l, r) && (op == sql.OpEquals || op == sql.OpNotEquals) {
		return &Literal{fn.Value{Type: fn.Boolean, B: op == sql.OpEquals}}, nil
	}
	if !comparable(x, y) {
		return c.compareCall(at, op, x, y)
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

// comparable reports whether the engine compares two values itself.
func comparable(x, y Expr) bool {
	number := func(x Expr) bool {
		t := x.Type()
		return t.Numeric() && (t != fn.BigDecimal || IsScaled(x)) || t == fn.Timestamp
	}
	a, b := x.Type(), y.Type()
	return number(x) && number(y) || a.Textual() && b.Textual() && (a == fn.Bytes) == (b == fn.Bytes) || a == fn.Boolean && b == fn.Boolean
}

// compareCall compares by a function of the registry.
func (c *compiler) compareCall(at sql.Pos, op string, x, y Expr) (Expr, error) {
	e, err := c.call(at, fn.Lookup(op), []Expr{x, y})
	if err != nil {
		return nil, err
	}
	return asCondition(e), nil
}

func (c *compiler) compareLiteral(at sql.Pos, op string, l sql.Expr, lit *sql.Literal) (Expr, error) {
	if lit.Type == sql.Null {
		return nil, errorAt(lit.At, ErrInvalid, "using NULL in %s filter is not supported", op)
	}
	x, err := c.value(l)
	if err != nil {
		return nil, err
	}
	if elemOf(x.Type()) == fn.Boolean {
		return compareBoolean(at, op, x, lit)
	}
	if _, ok := x.(*Literal); ok || x.Type() == fn.BigDecimal && !IsScaled(x) {
		if err := calculable(x, at, "a condition"); err != nil {
			return nil, err
		}
		return c.compareCall(at, op, x, literalOf(lit))
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

// compareBoolean compares a BOOLEAN. As in Pinot, text that is not "true" or "1"
// is false, and false comes before true.
func compareBoolean(at sql.Pos, op string, x Expr, lit *sql.Literal) (Expr, error) {
	text := lit.Text()
	want := text == "1" || len(text) == 4 && equalFoldASCII(text, "true")
	if x.Type().Array() && op != sql.OpEquals && op != sql.OpNotEquals {
		return nil, notRun(at, "a range of a "+x.Type().String())
	}
	negate := op == sql.OpNotEquals
	switch op {
	case sql.OpLessThan, sql.OpGreaterThanOrEqual:
		// Only false is less than true, and nothing less than false.
		if !want {
			return always(x, op == sql.OpGreaterThanOrEqual), nil
		}
		want = op == sql.OpGreaterThanOrEqual
	case sql.OpGreaterThan, sql.OpLessThanOrEqual:
		if want {
			return always(x, op == sql.OpLessThanOrEqual), nil
		}
		want = op == sql.OpGreaterThan
	}
	if want {
		return &Leaf{Arg: x, Negate: negate, Test: IsTrue{}}, nil
	}
	return &Leaf{Arg: x, Negate: negate, Test: IsFalse{}}, nil
}

// always is true, or false, for all values that are present.
func always(x Expr, holds bool) Expr {
	if !holds {
		return &Literal{fn.Value{Type: fn.Boolean}}
	}
	return &Leaf{Arg: x, Negate: true, Test: IsNull{}}
}

func equalFoldASCII(s, lower string) bool {
	for i := range len(s) {
		if s[i]|0x20 != lower[i] {
			return false
		}
	}
	return true
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
		if lit, ok := e.(*sql.Literal); ok && lit.Type == sql.Double && elemOf(x.Type()).Integral() && lit.Value != math.Trunc(lit.Value.(float64)) {
			return nil, errorAt(lit.At, ErrType, "cannot convert value: '%s' to type: %v", lit.Text(), x.Type())
		}
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
	if len(ints)+len(floats)+len(texts) == 0 && len(others) > 0 {
		return &Or{others}, nil
	}
	set := &Leaf{Arg: x, Test: setOf(elemOf(x.Type()), ints, floats, texts)}
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
