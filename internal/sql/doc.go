// Package sql reads and writes the SQL dialect of Apache Pinot's single-stage
// engine: a lexer, a recursive-descent parser with operator precedence (Pratt),
// a printer, and the names that Pinot gives to result columns.
//
// The tree has Pinot's own shape: every expression is an [Identifier], a
// [Literal] or a [Call]. Operators are calls with canonical names ([OpPlus],
// [OpGreaterThan], [OpCase], ...), so that a later layer meets one form only:
//
//	a + 1              plus(a, 1)
//	a NOT LIKE 'x%'    not(like(a, 'x%'))
//	CASE WHEN c THEN x END    case(c, x, null)
//	CAST(a AS BIGINT)  cast(a, 'LONG')
//	SUM(a) FILTER (WHERE c)   filter(sum(a), c)
//	COUNT(DISTINCT a)  distinctcount(a)
//	m['k']             item(m, 'k')
//
// # What is accepted
//
//	statements  [SET key = literal ;]... statement [;]
//	statement   [EXPLAIN PLAN FOR] query [OPTION(k=v, ...)]...
//	            | INSERT INTO [db.]table FROM FILE|ARCHIVE 'uri' [, ...]
//	query       SELECT [DISTINCT] items [FROM source [WHERE expr]
//	            [GROUP BY expr, ...] [HAVING expr]]
//	            [ORDER BY expr [ASC|DESC] [NULLS FIRST|LAST], ...]
//	            [LIMIT n | LIMIT m, n] [OFFSET m] [FETCH NEXT n ROWS ONLY]
//	source      [db.]table [[AS] alias] | ( query ) [[AS] alias]
//
// Keywords are matched in any case, identifiers keep theirs. Double quotes
// enclose identifiers, single quotes strings; a doubled quote stands for one.
// As in Pinot a pair of quotes that is left after that is halved once more.
// Backslashes mean nothing. An identifier may start with a digit (1_000 is
// one); a path such as a.b[0].c is a single identifier. Words that do not
// structure a query are not reserved. Comments are -- and // to the end of the
// line and /* */.
//
// A number without point or exponent is an INT, or a LONG where it does not fit
// (beyond 64 bits it wraps, as in Pinot); any other is a DOUBLE. DATE '...',
// TIME '...', TIMESTAMP '...' and INTERVAL '...' UNIT are strings of their text,
// X'...' is the string of its binary digits.
//
// Joins, set operations, window functions, WITH and sub-queries in expressions
// belong to another engine; they are refused by name ([ErrUnsupported]).
//
// # Limits
//
// A text has at most 4 MiB, an identifier 1,024 characters; a tree is at most
// 500 calls high (a flat list of AND, OR or IN counts as one) and has at most
// 2,097,152 nodes, queries nest at most 32 deep. Beyond that [Parse] returns an error. It never panics.
package sql
