package sql

import "strings"

// Canonical names of operators and of functions with a syntax of their own. The
// filter kinds are written as Pinot's column names show them, with underscores.
const (
	OpPlus               = "plus"
	OpMinus              = "minus"
	OpTimes              = "times"
	OpDivide             = "divide"
	OpMod                = "mod"
	OpNegate             = "negate" // -x, where x is no number
	OpConcat             = "||"
	OpEquals             = "equals"
	OpNotEquals          = "not_equals"
	OpLessThan           = "less_than"
	OpLessThanOrEqual    = "less_than_or_equal"
	OpGreaterThan        = "greater_than"
	OpGreaterThanOrEqual = "greater_than_or_equal"
	OpAnd                = "and" // two or more arguments, never an and among them
	OpOr                 = "or"  // two or more arguments, never an or among them
	OpNot                = "not"
	OpBetween            = "between"
	OpIn                 = "in"     // value, then one or more elements
	OpNotIn              = "not_in" // value, then one or more elements
	OpLike               = "like"   // value, pattern[, escape]
	OpRegexpLike         = "regexp_like"
	OpTextMatch          = "text_match"
	OpJSONMatch          = "json_match"
	OpVectorSimilarity   = "vector_similarity"
	OpIsNull             = "is_null"
	OpIsNotNull          = "is_not_null"
	OpIsTrue             = "istrue"
	OpIsNotTrue          = "isnottrue"
	OpIsFalse            = "isfalse"
	OpIsNotFalse         = "isnotfalse"
	OpIsDistinctFrom     = "isdistinctfrom"
	OpIsNotDistinctFrom  = "isnotdistinctfrom"
	OpAtTimeZone         = "attimezone"
	OpCase               = "case"   // when, then, when, then, ..., else
	OpCast               = "cast"   // value, type name as a string
	OpFilter             = "filter" // aggregate, condition
	OpItem               = "item"   // map or list, key
	OpArray              = "arrayvalueconstructor"
	OpExtract            = "extract" // unit as a string, value
	OpTrim               = "trim"    // 'BOTH', 'LEADING' or 'TRAILING', characters, value
	OpSubstring          = "substring"
	OpFloor              = "floor"
	OpCeil               = "ceil"
	OpTimestampAdd       = "timestampadd"  // unit as a string, count, value
	OpTimestampDiff      = "timestampdiff" // unit as a string, from, to
)

// filterKinds gives the filter kinds by their names without underscores.
var filterKinds = map[string]string{
	"notequals":          OpNotEquals,
	"lessthan":           OpLessThan,
	"lessthanorequal":    OpLessThanOrEqual,
	"greaterthan":        OpGreaterThan,
	"greaterthanorequal": OpGreaterThanOrEqual,
	"notin":              OpNotIn,
	"regexplike":         OpRegexpLike,
	"textmatch":          OpTextMatch,
	"jsonmatch":          OpJSONMatch,
	"vectorsimilarity":   OpVectorSimilarity,
	"isnull":             OpIsNull,
	"isnotnull":          OpIsNotNull,
}

// Canonical returns the name under which a function is known: lower case and
// without underscores, except for the filter kinds, which have theirs
// ("GreaterThan" and "greater_than" both give "greater_than").
func Canonical(name string) string {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	if kind, ok := filterKinds[name]; ok {
		return kind
	}
	return name
}

// Precedence levels, the weakest first. A level's operators group to the left.
const (
	precLowest = iota
	precOr
	precAnd
	precNot
	precIs
	precCompare
	precRange // LIKE, IN, BETWEEN, AT TIME ZONE
	precAdd
	precMultiply
	precUnary
	precAtom
)

// binary is an operator between two operands.
type binary struct {
	name string
	text string
	prec int
}

var binaries = []binary{
	{OpEquals, "=", precCompare},
	{OpNotEquals, "<>", precCompare},
	{OpLessThan, "<", precCompare},
	{OpLessThanOrEqual, "<=", precCompare},
	{OpGreaterThan, ">", precCompare},
	{OpGreaterThanOrEqual, ">=", precCompare},
	{OpIsDistinctFrom, "IS DISTINCT FROM", precCompare},
	{OpIsNotDistinctFrom, "IS NOT DISTINCT FROM", precCompare},
	{OpAtTimeZone, "AT TIME ZONE", precRange},
	{OpPlus, "+", precAdd},
	{OpMinus, "-", precAdd},
	{OpTimes, "*", precMultiply},
	{OpDivide, "/", precMultiply},
	{OpMod, "%", precMultiply},
	{OpConcat, "||", precMultiply},
}

// suffixes are the operators behind one operand.
var suffixes = map[string]string{
	OpIsNull:     "IS NULL",
	OpIsNotNull:  "IS NOT NULL",
	OpIsTrue:     "IS TRUE",
	OpIsNotTrue:  "IS NOT TRUE",
	OpIsFalse:    "IS FALSE",
	OpIsNotFalse: "IS NOT FALSE",
}

var (
	binaryByText = map[string]binary{}
	binaryByName = map[string]binary{}
)

func init() {
	for _, b := range binaries {
		binaryByText[b.text] = b
		binaryByName[b.name] = b
	}
	binaryByText["!="] = binaryByName[OpNotEquals]
}
