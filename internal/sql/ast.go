package sql

// Pos is a place in the text of a statement. Both numbers start at 1; a column
// is a character, a tab is one column. The zero Pos belongs to nodes that were
// not read from a text.
type Pos struct{ Line, Column int }

// Expr is an expression: an [*Identifier], a [*Literal] or a [*Call]. Nodes are
// not changed after they are built and may be shared among trees and goroutines.
type Expr interface {
	// Pos is the place of the first character of an identifier, a literal or a
	// function's name, and of the operator in an infix expression.
	Pos() Pos
	// String prints the expression so that parsing gives an equal tree.
	String() string
	isExpr()
}

// Identifier names a column. A path is one identifier with dots and brackets in
// its name; "*" is the star of SELECT * and COUNT(*).
type Identifier struct {
	At   Pos
	Name string // in the case it was written
}

// Call applies a function or an operator.
type Call struct {
	At   Pos
	Name string // canonical, see [Canonical]
	Args []Expr
	// Distinct tells that the call was written f(DISTINCT ...). COUNT, SUM and
	// AVG never have it: they become distinctcount, distinctsum, distinctavg.
	Distinct bool

	height, nodes int32 // of the tree, counted by the parser
}

// Pos implements [Expr].
func (e *Identifier) Pos() Pos { return e.At }

// Pos implements [Expr].
func (e *Literal) Pos() Pos { return e.At }

// Pos implements [Expr].
func (e *Call) Pos() Pos { return e.At }

func (*Identifier) isExpr() {}
func (*Literal) isExpr()    {}
func (*Call) isExpr()       {}

// Statement is what one text holds: options and either a query or an insert.
type Statement struct {
	Options []Option // of SET statements and OPTION clauses, in order
	Explain bool     // EXPLAIN PLAN FOR
	Query   *Query   // nil for an insert
	Insert  *Insert  // nil for a query
}

// Option is one query option, as text. Keys are not checked; the same key may
// occur more than once, the last one counts.
type Option struct {
	At         Pos
	Key, Value string
}

// Query is a SELECT. Where, Having and From are nil where the clause is missing,
// and so are Limit and Offset (0 or more, at most 2^31-1).
type Query struct {
	At            Pos
	Distinct      bool
	Select        []SelectItem
	From          *Source
	Where         Expr
	GroupBy       []Expr // ordinals are INT literals
	Having        Expr
	OrderBy       []OrderItem
	Limit, Offset *int64
}

// SelectItem is an expression and its alias, "" where it has none. An alias
// that equals the identifier it stands for is dropped.
type SelectItem struct {
	Expr  Expr
	Alias string
}

// Source is what a query reads: a table, or the query in parentheses that Pinot
// uses for gap filling. Table is the name with dots ("db.table") and "" for a
// query.
type Source struct {
	At    Pos
	Table string
	Query *Query
	Alias string
}

// OrderItem is one key of ORDER BY.
type OrderItem struct {
	Expr  Expr
	Desc  bool
	Nulls NullOrder
}

// NullOrder says where nulls go in an order.
type NullOrder uint8

// NullsDefault means last for ascending and first for descending order.
const (
	NullsDefault NullOrder = iota
	NullsFirst
	NullsLast
)

// Insert is INSERT INTO table FROM FILE.
type Insert struct {
	At    Pos
	Table string
	Files []InsertFile
}

// InsertFile is one file of an [Insert].
type InsertFile struct {
	URI     string
	Archive bool // ARCHIVE instead of FILE
}
