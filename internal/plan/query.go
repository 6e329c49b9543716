package plan

import "github.com/decantdb/decant/internal/fn"

// TableColumn describes a column of a table.
type TableColumn struct {
	Name  string
	Type  fn.Type
	Scale int // see Column.Scale
	// Null is what stands for null where null handling is off, nil for what a
	// dimension of the type has.
	Null *fn.Value
	// Hidden columns are found by their name but are no part of *: fields of a
	// column that is a row.
	Hidden bool
}

// Query is a query that can be run.
type Query struct {
	Table string
	// OneRow says that there is no table, but one row without columns.
	OneRow  bool
	Columns []TableColumn // of the table

	// Where is a condition on the table's rows, nil for all.
	Where Expr

	// Grouped says that the query gives one row for each group: Keys and Aggs
	// are then what is kept, and the outputs are over KeyRef and AggRef.
	// Without keys there is one group, also over no rows.
	Grouped bool
	Keys    []Expr
	Aggs    []Agg

	// Outputs are the columns of the answer.
	Outputs []Output
	// Having is a condition on groups, nil for all.
	Having Expr
	// NullsOff says that null handling is off: an aggregate over no values is
	// its Empty instead of null.
	NullsOff bool
	// OrderBy is what the answer is ordered by, first the most significant.
	OrderBy []Order

	// Limit bounds the rows of the answer; negative means no bound.
	Limit  int64
	Offset int64
	// GroupsLimit bounds the groups; rows of further groups are left out. 0 is no
	// bound.
	GroupsLimit int
}

// Agg is an aggregate over the rows of a group.
type Agg struct {
	// Simple says what is kept of the numbers of Arg, which are added up column
	// by column; a nil Arg counts rows. Simple aggregates of the same argument
	// have the same Arg, not only an equal one.
	Simple *fn.Simple
	Arg    Expr
	// All others are calls over Args, which are of the call's types.
	Call fn.AggregateCall
	Args []Expr
	// Filter is a condition on the rows that count, nil for all.
	Filter Expr
}

// Type returns the type of the aggregate's result.
func (a Agg) Type() fn.Type {
	switch {
	case a.Simple == nil:
		return a.Call.Type
	case a.Simple.Final == nil:
		return fn.Long
	}
	return fn.Double
}

// Output is a column of the answer.
type Output struct {
	Name string
	Expr Expr
}

// Order is one criterion of ORDER BY.
type Order struct {
	Expr       Expr
	Descending bool
	NullsFirst bool
}

// Reads returns the columns of the table that the query reads.
func (q *Query) Reads() []*Column {
	exprs := []Expr{q.Where}
	exprs = append(exprs, q.Keys...)
	for _, a := range q.Aggs {
		exprs = append(append(exprs, a.Arg, a.Filter), a.Args...)
	}
	if !q.Grouped {
		for _, o := range q.Outputs {
			exprs = append(exprs, o.Expr)
		}
		for _, o := range q.OrderBy {
			exprs = append(exprs, o.Expr)
		}
	}
	return Columns(exprs...)
}
