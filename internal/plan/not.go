package plan

// Not returns the condition that is true where e is false. Both are not true
// where e is null.
func Not(e Expr) Expr {
	switch e := e.(type) {
	case *And:
		return &Or{Args: notAll(e.Args)}
	case *Or:
		return &And{Args: notAll(e.Args)}
	case *Leaf:
		return &Leaf{Arg: e.Arg, Negate: !e.Negate, Test: e.Test}
	case *Compare:
		return &Compare{Op: e.Op, Negate: !e.Negate, L: e.L, R: e.R}
	case *Literal:
		v := e.Value
		v.B = !v.B
		return &Literal{v}
	}
	return &Leaf{Arg: e, Negate: true, Test: IsTrue{}}
}

func notAll(args []Expr) []Expr {
	negated := make([]Expr, len(args))
	for i, a := range args {
		negated[i] = Not(a)
	}
	return negated
}
