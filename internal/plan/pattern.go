package plan

import (
	"unicode/utf8"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// regexp tests against a pattern that is a literal. With another it is left to
// the function.
func (c *compiler) regexp(call *sql.Call) (Expr, error) {
	if len(call.Args) < 2 || len(call.Args) > 3 {
		return nil, nil
	}
	texts := [2]string{}
	for i, a := range call.Args[1:] {
		lit, ok := a.(*sql.Literal)
		if !ok || lit.Type != sql.String {
			return nil, nil
		}
		texts[i] = lit.Text()
	}
	x, err := c.value(call.Args[0])
	if err != nil {
		return nil, err
	}
	if elemOf(x.Type()) != fn.String && x.Type() != fn.JSON {
		return nil, nil
	}
	re, err := fn.CompileRegexp(texts[0], texts[1])
	if err != nil {
		return nil, errorAt(call.At, ErrType, "%v", err)
	}
	return &Leaf{Arg: x, Test: TextRegexp{re}}, nil
}

func (c *compiler) like(call *sql.Call) (Expr, error) {
	x, err := c.value(call.Args[0])
	if err != nil {
		return nil, err
	}
	if t := elemOf(x.Type()); !t.Textual() || t == fn.Bytes {
		return nil, errorAt(call.At, ErrType, "LIKE is for texts, %s is a %v", call.Args[0], x.Type())
	}
	pattern, ok := call.Args[1].(*sql.Literal)
	if !ok {
		return c.scalar(call)
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
