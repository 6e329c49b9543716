package exec

import (
	"strings"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
)

// Prunable is a table that can leave out rows without reading them.
type Prunable interface {
	Table
	// Prune returns the table without rows for which a condition is not true, as far
	// as they are known without being read, and the number of those that it has less.
	Prune(where plan.Expr) (Table, int64)
}

// MayHold returns the rows of a file among which are all for which a condition is
// true. find returns those among which are all that meet a predicate on a column of
// the table; moments are milliseconds.
func MayHold(where plan.Expr, rows int64, find func(nimble.Predicate) nimble.RowRanges) nimble.RowRanges {
	var all nimble.RowRanges
	if rows > 0 {
		all = nimble.RowRanges{{End: rows}}
	}
	switch e := where.(type) {
	case *plan.And:
		for _, a := range e.Args {
			if len(all) == 0 {
				return nil
			}
			all = all.And(MayHold(a, rows, find))
		}
	case *plan.Or:
		var some nimble.RowRanges
		for _, a := range e.Args {
			some = some.Or(MayHold(a, rows, find))
		}
		return some
	case *plan.Literal:
		if e.Null || !e.B {
			return nil
		}
	case *plan.Leaf:
		if p, ok := predicateOf(e); ok {
			return find(p)
		}
	}
	return all
}

// predicateOf returns what a leaf asks of a column, or something weaker, and reports
// whether it is over a column, of which no array, whose elements are tested.
func predicateOf(e *plan.Leaf) (p nimble.Predicate, ok bool) {
	c, ok := e.Arg.(*plan.Column)
	if !ok || c.Index < 0 || c.T.Array() {
		return p, false
	}
	p.Column = c.Index
	if _, ok := e.Test.(plan.IsNull); ok {
		p.Nulls, p.Values = !e.Negate, e.Negate
		return p, c.Default == nil
	}
	p.Values = true
	switch t := e.Test.(type) {
	case plan.IntRange:
		p.Ints = wholeSpans(e.Negate, t)
		p.Values = len(p.Ints) > 0
	case plan.IntSet:
		if !e.Negate {
			p.Ints = points(t.Values)
			p.Values = len(p.Ints) > 0
		}
	case plan.FloatRange:
		if !e.Negate { // else NaN passes, which is in no span
			p.Floats = []nimble.Span[float64]{{Lo: t.Lo, Hi: t.Hi}}
		}
	case plan.FloatSet:
		if !e.Negate {
			p.Floats = points(t.Values)
			p.Values = len(p.Floats) > 0
		}
	case plan.TextSet:
		if !e.Negate {
			p.Texts = points(t.Values)
			p.Values = len(p.Texts) > 0
		}
	case plan.TextRange:
		if !e.Negate && sameOrder(t) {
			p.Texts = []nimble.Span[string]{{Lo: t.Lo, Hi: t.Hi, Open: !t.HasHi}}
		}
	}
	p.Nulls = c.Default != nil && includes(p, c.Default)
	return p, true
}

// wholeSpans returns what is in a range, or, negated, on either side of it.
func wholeSpans(negate bool, t plan.IntRange) []nimble.Span[int64] {
	if !negate {
		if t.Lo > t.Hi {
			return nil
		}
		return []nimble.Span[int64]{{Lo: t.Lo, Hi: t.Hi}}
	}
	const least, most = -1 << 63, 1<<63 - 1
	if t.Lo > t.Hi {
		return []nimble.Span[int64]{{Lo: least, Hi: most}}
	}
	var spans []nimble.Span[int64]
	if t.Lo > least {
		spans = append(spans, nimble.Span[int64]{Lo: least, Hi: t.Lo - 1})
	}
	if t.Hi < most {
		spans = append(spans, nimble.Span[int64]{Lo: t.Hi + 1, Hi: most})
	}
	return spans
}

func points[T int64 | float64 | string](values []T) []nimble.Span[T] {
	spans := make([]nimble.Span[T], len(values))
	for i, x := range values {
		spans[i] = nimble.Span[T]{Lo: x, Hi: x}
	}
	return spans
}

// sameOrder reports whether the order of Java gives a range of texts the same members
// as the order of bytes: the two differ where one text has a character beyond U+FFFF
// and the other one from U+E000 on, which begin with bytes from EE on.
func sameOrder(t plan.TextRange) bool {
	late := func(r rune) bool { return r >= 0xe000 }
	return t.Bytes || !strings.ContainsFunc(t.Lo, late) && !strings.ContainsFunc(t.Hi, late)
}

// includes reports whether the value that stands in for null may meet a predicate.
func includes(p nimble.Predicate, v *fn.Value) bool {
	switch {
	case !p.Values:
		return false
	case v.Type == fn.Float || v.Type == fn.Double:
		return inSpans(p.Floats, v.F)
	case v.Type.Textual():
		return inSpans(p.Texts, v.S)
	case v.Type.Integral():
		return inSpans(p.Ints, v.I)
	}
	return true
}

func inSpans[T int64 | float64 | string](spans []nimble.Span[T], x T) bool {
	for _, s := range spans {
		if s.Lo <= x && (s.Open || x <= s.Hi) {
			return true
		}
	}
	return len(spans) == 0
}
