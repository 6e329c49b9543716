package sql

import "strings"

// comparisons are the operators of filters in names.
var comparisons = map[string]string{
	OpEquals:             " = ",
	OpNotEquals:          " != ",
	OpLessThan:           " < ",
	OpLessThanOrEqual:    " <= ",
	OpGreaterThan:        " > ",
	OpGreaterThanOrEqual: " >= ",
}

// filterName writes a condition as Pinot does in the name of a filtered
// aggregate. What is no predicate on constants counts as a boolean that is
// compared to true.
func filterName(e Expr) string {
	c, ok := e.(*Call)
	if !ok {
		return nameOf(e) + " = 'true'"
	}
	switch c.Name {
	case OpAnd, OpOr:
		parts := make([]string, len(c.Args))
		for i, arg := range c.Args {
			parts[i] = filterName(arg)
		}
		return "(" + strings.Join(parts, " "+strings.ToUpper(c.Name)+" ") + ")"
	case OpNot:
		if len(c.Args) == 1 {
			return "(NOT " + filterName(c.Args[0]) + ")"
		}
	case OpIsNull, OpIsNotNull:
		if len(c.Args) == 1 {
			return nameOf(c.Args[0]) + " " + suffixes[c.Name]
		}
	case OpRegexpLike, OpTextMatch, OpJSONMatch, OpVectorSimilarity, OpLike:
		return nameOf(c)
	}
	if name, ok := predicateName(c); ok {
		return name
	}
	return nameOf(c) + " = 'true'"
}

// predicateName writes a comparison of an expression with constants.
func predicateName(c *Call) (name string, ok bool) {
	if len(c.Args) < 2 {
		return "", false
	}
	values := make([]string, len(c.Args)-1)
	for i, arg := range c.Args[1:] {
		if _, isLiteral := arg.(*Literal); !isLiteral {
			return "", false
		}
		values[i] = nameOf(arg)
	}
	left := nameOf(c.Args[0])
	operator, isComparison := comparisons[c.Name]
	switch {
	case isComparison && len(values) == 1:
		return left + operator + values[0], true
	case c.Name == OpBetween && len(values) == 2:
		return left + " BETWEEN " + values[0] + " AND " + values[1], true
	case c.Name == OpIn:
		return left + " IN (" + strings.Join(values, ",") + ")", true
	case c.Name == OpNotIn:
		return left + " NOT IN (" + strings.Join(values, ",") + ")", true
	}
	return "", false
}
