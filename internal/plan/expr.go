package plan

import (
	"github.com/decantdb/decant/internal/fn"
)

// Expr is a typed expression: *Column, *Literal, *Call, *KeyRef, *AggRef, or a
// condition: *And, *Or, *Leaf, *Compare.
type Expr interface {
	Type() fn.Type
}

// Column is a column of the table.
type Column struct {
	Index int // in the table's columns
	Name  string
	T     fn.Type
	// Scale is the number of decimals of a BIG_DECIMAL that is stored as an
	// unscaled integer, -1 of one that is stored as bytes, and [DecimalText] of
	// one that is stored as text.
	Scale int
	// Default stands in for null where null handling is off; nil where null
	// stays null.
	Default *fn.Value
	// Null is what Default is then.
	Null *fn.Value
}

// DecimalText is the scale of decimals that are stored as text.
const DecimalText = -2

// Literal is a constant.
type Literal struct{ fn.Value }

// Call applies a scalar function. Its arguments have the types of the signature.
type Call struct {
	Name      string
	Signature fn.Signature
	Args      []Expr
	// Default stands in for a null result; nil where null stays null.
	Default *fn.Value
}

// KeyRef is the value of a group key, in expressions over groups.
type KeyRef struct {
	Index int // in Query.Keys
	T     fn.Type
	// Default is what is shown for null, nil for null.
	Default *fn.Value
}

// AggRef is the value of an aggregate, in expressions over groups.
type AggRef struct {
	Index int // in Query.Aggs
	T     fn.Type
	// Default is what is shown for null, nil for null.
	Default *fn.Value
}

// And is true where all of its arguments are.
type And struct{ Args []Expr }

// Or is true where one of its arguments is.
type Or struct{ Args []Expr }

// Leaf is a test on one value, true or, negated, false for a value that is
// present, and neither for a null.
type Leaf struct {
	Arg    Expr
	Negate bool
	Test   Test
}

// Compare compares two numbers, or two texts, row by row. It is not true where
// either is null.
type Compare struct {
	Op     CompareOp
	Negate bool
	L, R   Expr
}

// CompareOp is how two values are compared.
type CompareOp uint8

// The comparisons. The others are these with the sides or the sense turned.
const (
	OpEqual CompareOp = iota
	OpLess
	OpLessEqual
)

// Type returns the column's type.
func (e *Column) Type() fn.Type { return e.T }

// Type returns the literal's type.
func (e *Literal) Type() fn.Type { return e.Value.Type }

// Type returns the type of the result.
func (e *Call) Type() fn.Type { return e.Signature.Type }

// Type returns the key's type.
func (e *KeyRef) Type() fn.Type { return e.T }

// Type returns the aggregate's type.
func (e *AggRef) Type() fn.Type { return e.T }

// Type returns BOOLEAN.
func (e *And) Type() fn.Type { return fn.Boolean }

// Type returns BOOLEAN.
func (e *Or) Type() fn.Type { return fn.Boolean }

// Type returns BOOLEAN.
func (e *Leaf) Type() fn.Type { return fn.Boolean }

// Type returns BOOLEAN.
func (e *Compare) Type() fn.Type { return fn.Boolean }

// Test is what a [Leaf] asks of a value. It is one of the types below.
type Test interface{ test() }

// IntRange asks Lo <= x <= Hi. It is for INT, LONG and TIMESTAMP.
type IntRange struct{ Lo, Hi int64 }

// IntSet asks whether x is one of Values, which ascend.
type IntSet struct{ Values []int64 }

// FloatRange asks Lo <= x <= Hi, by IEEE 754: no NaN passes. It is for FLOAT
// and DOUBLE; a strict bound is the next number.
type FloatRange struct{ Lo, Hi float64 }

// FloatSet asks whether x is one of Values, which ascend.
type FloatSet struct{ Values []float64 }

// TextRange asks whether x lies between two texts in the order of Java, or two
// BYTES byte by byte.
type TextRange struct {
	Lo, Hi             string
	HasLo, HasHi       bool
	StrictLo, StrictHi bool
	Bytes              bool
}

// TextSet asks whether x is one of Values, which ascend.
type TextSet struct{ Values []string }

// TextLike asks whether x matches a pattern with % and _.
type TextLike struct{ Pattern fn.LikePattern }

// TextRegexp asks whether x has a match of a regular expression.
type TextRegexp struct{ Pattern *fn.Regexp }

// IsTrue asks whether a BOOLEAN is true.
type IsTrue struct{}

// IsFalse asks whether a BOOLEAN is false: of an array, whether one of them is.
type IsFalse struct{}

// IsNull asks whether the value is null. It is true or false, never null.
type IsNull struct{}

func (IntRange) test()   {}
func (IntSet) test()     {}
func (FloatRange) test() {}
func (FloatSet) test()   {}
func (TextRange) test()  {}
func (TextSet) test()    {}
func (TextLike) test()   {}
func (TextRegexp) test() {}
func (IsTrue) test()     {}
func (IsFalse) test()    {}
func (IsNull) test()     {}

// Children calls visit for each direct part of e.
func Children(e Expr, visit func(Expr)) {
	switch e := e.(type) {
	case *Call:
		for _, a := range e.Args {
			visit(a)
		}
	case *And:
		for _, a := range e.Args {
			visit(a)
		}
	case *Or:
		for _, a := range e.Args {
			visit(a)
		}
	case *Leaf:
		visit(e.Arg)
	case *Compare:
		visit(e.L)
		visit(e.R)
	}
}

// Columns returns the columns that the expressions read, each once, in the
// order of their first use.
func Columns(exprs ...Expr) []*Column {
	var found []*Column
	seen := map[int]bool{}
	var visit func(Expr)
	visit = func(e Expr) {
		if c, ok := e.(*Column); ok {
			if !seen[c.Index] {
				seen[c.Index] = true
				found = append(found, c)
			}
			return
		}
		Children(e, visit)
	}
	for _, e := range exprs {
		if e != nil {
			visit(e)
		}
	}
	return found
}
