package sql

// wordSet is a set of words in upper case.
type wordSet map[string]struct{}

func words(list ...string) wordSet {
	set := make(wordSet, len(list))
	for _, word := range list {
		set[word] = struct{}{}
	}
	return set
}

func (s wordSet) has(word string) bool {
	_, ok := s[word]
	return ok
}

var (
	// reserved words structure a query: unquoted they never name anything.
	reserved = words("ANY", "CALL", "CASE", "CREATE", "CROSS", "CURRENT", "CURSOR", "DATE", "DEFINE", "DELETE",
		"DESCRIBE", "DISTINCT", "DROP", "EXCEPT", "EXPLAIN", "FETCH", "FROM", "FULL", "GRANT", "GROUP",
		"GROUPING", "HAVING", "IN", "INNER", "INSERT", "INTERSECT", "INTERVAL", "INTO", "JOIN", "LATERAL",
		"LEFT", "LIMIT", "MATCH_RECOGNIZE", "MERGE", "MINUS", "NATURAL", "NEW", "NEXT", "NULL", "OFFSET", "ON",
		"ORDER", "OUTER", "OVER", "PARTITION", "PATTERN", "QUALIFY", "RANGE", "RIGHT", "ROLLUP", "ROW", "ROWS",
		"SELECT", "SET", "SETS", "SOME", "STREAM", "TABLE", "TABLESAMPLE", "THEN", "TIME", "TIMESTAMP", "UNION",
		"UNNEST", "UPDATE", "USING", "VALUES", "WHEN", "WHERE", "WINDOW", "WITH")

	// contextual words are operators or the next part of a clause where one may
	// stand; elsewhere they are names. They are no alias without AS.
	contextual = words("AND", "AS", "ASC", "BETWEEN", "DESC", "ELSE", "END", "ESCAPE", "FALSE", "IS", "LIKE",
		"NOT", "NULLS", "OR", "TRUE")

	// callable are the reserved words that name a function before a parenthesis.
	callable = words("DATE", "GROUPING", "LEFT", "RIGHT", "TIME", "TIMESTAMP")

	// quotedWhenPrinted are further words that the printer puts into quotes,
	// because the parser may take them for syntax.
	quotedWhenPrinted = words("ALL", "ARRAY", "BOTH", "CUBE", "LEADING", "TRAILING")
)

// refusedClauses names what a word begins that may follow a query's clauses or
// begin a statement in other dialects.
var refusedClauses = map[string]string{
	"ALTER":           "ALTER is",
	"CREATE":          "CREATE is",
	"CROSS":           "joins (CROSS JOIN) are",
	"DELETE":          "DELETE is",
	"DESCRIBE":        "DESCRIBE is",
	"DROP":            "DROP is",
	"EXCEPT":          "set operations (EXCEPT) are",
	"FULL":            "joins (FULL JOIN) are",
	"INNER":           "joins (INNER JOIN) are",
	"INTERSECT":       "set operations (INTERSECT) are",
	"JOIN":            "joins (JOIN) are",
	"LATERAL":         "joins (LATERAL) are",
	"LEFT":            "joins (LEFT JOIN) are",
	"MATCH_RECOGNIZE": "MATCH_RECOGNIZE is",
	"MERGE":           "MERGE is",
	"MINUS":           "set operations (MINUS) are",
	"NATURAL":         "joins (NATURAL JOIN) are",
	"QUALIFY":         "window functions (QUALIFY) are",
	"RIGHT":           "joins (RIGHT JOIN) are",
	"SHOW":            "SHOW is",
	"TABLE":           "TABLE as a source is",
	"TABLESAMPLE":     "TABLESAMPLE is",
	"UNION":           "set operations (UNION) are",
	"UNNEST":          "UNNEST is",
	"UPDATE":          "UPDATE is",
	"VALUES":          "VALUES is",
	"WINDOW":          "window functions (WINDOW) are",
	"WITH":            "common table expressions (WITH) are",
}

// refusedOperands names what a word begins in the place of an expression.
var refusedOperands = map[string]string{
	"ANY":    "quantified comparisons (ANY) are",
	"CURSOR": "CURSOR is",
	"NEXT":   "NEXT VALUE is",
	"ROW":    "row values (ROW) are",
	"SELECT": "sub-queries in expressions are",
	"SOME":   "quantified comparisons (SOME) are",
	"UNNEST": "UNNEST is",
	"VALUES": "VALUES is",
	"WITH":   "common table expressions (WITH) are",
}
