package decant

import (
	"math"

	"github.com/decantdb/decant/internal/exec"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

var _ exec.Prunable = (*table)(nil)

// Prune leaves out what Nimble files are known not to hold of a condition.
func (t *table) Prune(where plan.Expr) (exec.Table, int64) {
	pruned := *t
	pruned.files, pruned.splits = nil, nil
	left := int64(0)
	for _, f := range t.files {
		if n, ok := f.(*nimbleFile); ok {
			rows := exec.MayHold(where, n.nimble.Rows(), func(p nimble.Predicate) nimble.RowRanges {
				return t.candidates(n.nimble, p)
			})
			kept := n.within(rows.Within(vector.DefaultBatchRows))
			left += n.nimble.Rows() - kept.rows()
			f = kept
		}
		pruned.add(f)
	}
	return &pruned, left
}

// candidates returns the rows of a file among which are all that meet a predicate on
// a column of the table, in whose file types differ from what the engine sees:
//
//	as stored     as the engine compares it
//	DATE          milliseconds
//	TIMESTAMP     milliseconds, rounded down
//	UUID          its text
//	uint64        a decimal
//	INTEGER       DOUBLE, if other files of the table have that
func (t *table) candidates(f *nimble.File, p nimble.Predicate) nimble.RowRanges {
	all := nimble.RowRanges{{Begin: 0, End: f.Rows()}}
	field := &t.fields[p.Column]
	if f.Rows() == 0 || len(field.path) > 0 {
		return all
	}
	p.Column = field.base
	stored := f.Schema().Children[p.Column]
	logical, _ := nimble.ParseLogical(stored.Logical)
	switch {
	case logical.Kind == nimble.LogicalDate:
		p.Ints = rescaled(p.Ints, firstDay, lastDay)
	case stored.Kind == nimble.Timestamp:
		p.Ints = rescaled(p.Ints, firstMicros, lastMicros)
	case logical.Kind == nimble.LogicalUUID, logical.Kind == nimble.LogicalUnsigned && logical.Bits == 64:
		p.Ints, p.Floats, p.Texts = nil, nil, nil
	}
	rows, err := f.Candidates(p)
	if err != nil {
		return all
	}
	return rows
}

// rescaled returns spans in another unit.
func rescaled(spans []nimble.Span[int64], first, last func(int64) int64) []nimble.Span[int64] {
	other := make([]nimble.Span[int64], len(spans))
	for i, s := range spans {
		other[i] = nimble.Span[int64]{Lo: first(s.Lo), Hi: last(s.Hi), Open: s.Open}
	}
	return other
}

func lastDay(ms int64) int64 {
	day := ms / millisOfDay
	if ms%millisOfDay < 0 {
		day--
	}
	return day
}

func firstDay(ms int64) int64 {
	day := ms / millisOfDay
	if ms%millisOfDay > 0 {
		day++
	}
	return day
}

// firstMicros returns the first microsecond of a millisecond, or the nearest that
// there is.
func firstMicros(ms int64) int64 {
	switch {
	case ms < math.MinInt64/microsOfMillis:
		return math.MinInt64
	case ms > math.MaxInt64/microsOfMillis:
		return math.MaxInt64
	}
	return ms * microsOfMillis
}

// lastMicros is firstMicros for the last microsecond.
func lastMicros(ms int64) int64 {
	if ms >= math.MaxInt64/microsOfMillis {
		return math.MaxInt64
	}
	return max(firstMicros(ms+1), math.MinInt64+1) - 1
}
