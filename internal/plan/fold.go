package plan

import (
	"errors"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// fold works out a call whose arguments are all literals, where Pinot's compiler
// does so. Whole numbers stay whole numbers there under + - and *.
func (r *resolver) fold(c *sql.Call) (sql.Expr, error) {
	f := fn.Lookup(c.Name)
	if f == nil || c.Distinct {
		return c, nil
	}
	args := make([]fn.Value, len(c.Args))
	for i, a := range c.Args {
		lit, ok := a.(*sql.Literal)
		if !ok {
			return c, nil
		}
		args[i] = fn.LiteralValue(lit)
	}
	v, err := f.Evaluate(r.meter, args)
	if errors.Is(err, fn.ErrArguments) {
		return c, nil
	}
	if ended := r.meter.Err(); ended != nil {
		return nil, ended
	}
	if err != nil {
		return nil, errorAt(c.At, ErrConstant, "%s: %v", c, err)
	}
	lit, err := v.Literal(c.At)
	if err != nil {
		return nil, errorAt(c.At, ErrConstant, "%s: %v", c, err)
	}
	return lit, nil
}
