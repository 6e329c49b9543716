package sql

import "slices"

// Walk calls fn for e and then, where fn returned true, for the arguments below
// it, from left to right. A nil expression is not visited.
func Walk(e Expr, fn func(Expr) bool) {
	if e == nil || !fn(e) {
		return
	}
	if call, ok := e.(*Call); ok {
		for _, arg := range call.Args {
			Walk(arg, fn)
		}
	}
}

// Equal reports whether two expressions are the same apart from their
// positions. Numbers are compared bit by bit; a nil equals nil only.
func Equal(a, b Expr) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case *Identifier:
		b, ok := b.(*Identifier)
		return ok && a.Name == b.Name
	case *Literal:
		b, ok := b.(*Literal)
		return ok && a.Type == b.Type && a.sameValue(b)
	case *Call:
		b, ok := b.(*Call)
		return ok && a.Name == b.Name && a.Distinct == b.Distinct && slices.EqualFunc(a.Args, b.Args, Equal)
	default:
		return false
	}
}

// Equal reports whether two statements are the same apart from positions.
func (s *Statement) Equal(o *Statement) bool {
	sameOption := func(a, b Option) bool { return a.Key == b.Key && a.Value == b.Value }
	return s.Explain == o.Explain &&
		slices.EqualFunc(s.Options, o.Options, sameOption) &&
		equalPointers(s.Query, o.Query, (*Query).Equal) &&
		equalPointers(s.Insert, o.Insert, func(a, b *Insert) bool {
			return a.Table == b.Table && slices.Equal(a.Files, b.Files)
		})
}

// Equal reports whether two queries are the same apart from positions.
func (q *Query) Equal(o *Query) bool {
	sameItem := func(a, b SelectItem) bool { return a.Alias == b.Alias && Equal(a.Expr, b.Expr) }
	sameOrder := func(a, b OrderItem) bool {
		return a.Desc == b.Desc && a.Nulls == b.Nulls && Equal(a.Expr, b.Expr)
	}
	sameCount := func(a, b *int64) bool { return *a == *b }
	return q.Distinct == o.Distinct &&
		slices.EqualFunc(q.Select, o.Select, sameItem) &&
		equalPointers(q.From, o.From, func(a, b *Source) bool {
			return a.Table == b.Table && a.Alias == b.Alias && equalPointers(a.Query, b.Query, (*Query).Equal)
		}) &&
		Equal(q.Where, o.Where) &&
		slices.EqualFunc(q.GroupBy, o.GroupBy, Equal) &&
		Equal(q.Having, o.Having) &&
		slices.EqualFunc(q.OrderBy, o.OrderBy, sameOrder) &&
		equalPointers(q.Limit, o.Limit, sameCount) &&
		equalPointers(q.Offset, o.Offset, sameCount)
}

func equalPointers[T any](a, b *T, equal func(a, b *T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return equal(a, b)
}
