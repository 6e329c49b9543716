package sql

import "strings"

// ColumnName is the name that Pinot gives to the result column of an expression
// without alias, as the expression stands after rewriting: constant calls folded,
// COUNT(x) turned into COUNT(*) while null handling is off, identifiers in the
// case of the schema.
//
// An identifier is its name. A call is name(argument,argument) without blanks,
// where every literal is in single quotes: plus(l,'1'), 'x', case(bo,s,'null').
// Aggregates follow rules of their own: most show their first argument only,
// percentile(x, 95.0), sum(a) FILTER(WHERE b > '5'). Inside another call they
// are named as other calls are.
func ColumnName(e Expr) string {
	var b strings.Builder
	if c, ok := e.(*Call); ok {
		if c.Name == OpFilter && len(c.Args) == 2 {
			return ColumnName(c.Args[0]) + " FILTER(WHERE " + filterName(c.Args[1]) + ")"
		}
		if name, ok := aggregateName(c); ok {
			return name
		}
	}
	appendName(&b, e)
	return b.String()
}

// LiteralColumnName is the name of a literal's column where all columns of the
// query are literals: the plain text, with quotes around strings and X'..'
// around bytes.
func LiteralColumnName(e *Literal) string {
	switch v := e.Value.(type) {
	case string:
		if e.Type == BigDecimal {
			return v
		}
		return "'" + v + "'"
	case []byte:
		return "X'" + e.Text() + "'"
	case []string:
		return listText(v, func(v string) string { return "'" + v + "'" })
	default:
		return e.Text()
	}
}

func appendName(b *strings.Builder, e Expr) {
	switch e := e.(type) {
	case *Identifier:
		b.WriteString(e.Name)
	case *Literal:
		b.WriteString("'" + e.Text() + "'")
	case *Call:
		b.WriteString(e.Name)
		b.WriteByte('(')
		for i, arg := range e.Args {
			if i > 0 {
				b.WriteByte(',')
			}
			appendName(b, arg)
		}
		b.WriteByte(')')
	}
}

func nameOf(e Expr) string {
	var b strings.Builder
	appendName(&b, e)
	return b.String()
}

// aggregateAliases are aggregates that are shown under another name.
var aggregateAliases = map[string]string{
	"$sum0":               "sum",
	"sum0":                "sum",
	"distinctcountrawull": "distinctcountull",
}

// parameterised are the aggregates whose further arguments are parameters that
// the name does not show.
var parameterised = func() map[string]bool {
	set := map[string]bool{"$sum0": true}
	for name := range strings.FieldsSeq(`arrayagg distinctcountcpcsketch distinctcounthll distinctcounthllmv
		distinctcounthllplus distinctcounthllplusmv distinctcountrawcpcsketch distinctcountrawhll
		distinctcountrawhllmv distinctcountrawhllplus distinctcountrawhllplusmv distinctcountrawthetasketch
		distinctcountrawull distinctcountsmarthll distinctcountsmarthllplus distinctcountsmartull
		distinctcountthetasketch distinctcounttuplesketch distinctcountull fasthll frequentlongssketch
		frequentstringssketch histogram idset listagg mode sum0 sumprecision`) {
		set[name] = true
	}
	return set
}()

// percentiles are the aggregates whose second argument, a percentage, is shown
// as a double; those that are true show a third one, the compression, unless it
// is 100.
var percentiles = map[string]bool{
	"percentile": false, "percentilemv": false,
	"percentileest": false, "percentileestmv": false,
	"percentilerawest": false, "percentilerawestmv": false,
	"percentilekll": false, "percentilekllmv": false,
	"percentilerawkll": false, "percentilerawkllmv": false,
	"percentilesmarttdigest": false,
	"percentiletdigest":      true, "percentiletdigestmv": true,
	"percentilerawtdigest": true, "percentilerawtdigestmv": true,
}

// aggregateName names the aggregates that do not follow the rule of calls.
func aggregateName(c *Call) (name string, ok bool) {
	if len(c.Args) == 0 {
		return "", false
	}
	first := nameOf(c.Args[0])
	if parameterised[c.Name] {
		shown := c.Name
		if alias, ok := aggregateAliases[shown]; ok {
			shown = alias
		}
		return shown + "(" + first + ")", true
	}
	showsCompression, ok := percentiles[c.Name]
	if !ok || len(c.Args) < 2 {
		return "", false
	}
	percentage, ok := c.Args[1].(*Literal)
	if !ok {
		return "", false
	}
	name = c.Name + "(" + first + ", " + doubleText(percentage)
	if showsCompression && len(c.Args) > 2 {
		if l, ok := c.Args[2].(*Literal); ok && l.Text() != "100" {
			name += ", " + l.Text()
		}
	}
	return name + ")", true
}

// doubleText writes a number as Java writes a double.
func doubleText(l *Literal) string {
	switch v := l.Value.(type) {
	case int32:
		return string(AppendJavaFloat(nil, float64(v), 64))
	case int64:
		return string(AppendJavaFloat(nil, float64(v), 64))
	default:
		return l.Text()
	}
}
