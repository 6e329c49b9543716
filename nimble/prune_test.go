package nimble

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/vector"
)

// columnRows returns the rows of a column in the form of valueAt.
func columnRows(f *File, column int) ([]any, error) {
	s, err := f.Scan(ScanOptions{Columns: []int{column}})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var rows []any
	for {
		b, err := s.Next()
		if isEOF(err) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, valuesOf(b.Columns[0], 0, b.N)...)
	}
}

// passes says whether a value, in the form of valueAt, meets a predicate. It is
// written without a look at how rows are ruled out.
func passes(p Predicate, value any) bool {
	if value == (null{}) {
		return p.Nulls
	}
	if !p.Values {
		return false
	}
	switch x := value.(type) {
	case int8:
		return inSpans(p.Ints, int64(x))
	case int16:
		return inSpans(p.Ints, int64(x))
	case int32:
		return inSpans(p.Ints, int64(x))
	case int64:
		return inSpans(p.Ints, x)
	case [2]int64:
		return inSpans(p.Ints, x[0])
	case uint32:
		var rounded []Span[float64]
		for _, s := range p.Floats {
			rounded = append(rounded, Span[float64]{float64(float32(s.Lo)), float64(float32(s.Hi)), s.Open})
		}
		return inSpans(rounded, float64(math.Float32frombits(x)))
	case uint64:
		return inSpans(p.Floats, math.Float64frombits(x))
	case string:
		return inSpans(p.Texts, x)
	}
	return true
}

func inSpans[T int64 | float64 | string](spans []Span[T], x T) bool {
	for _, s := range spans {
		if x >= s.Lo && (s.Open || x <= s.Hi) {
			return true
		}
	}
	return len(spans) == 0
}

// predicatesOf returns predicates for a column with the given rows, of which some
// values are the bounds.
func predicatesOf(r *rand.Rand, column int, rows []any) []Predicate {
	all := []Predicate{
		{Column: column, Nulls: true},
		{Column: column, Values: true},
		{Column: column, Nulls: true, Values: true},
		{Column: column},
	}
	for range 6 {
		if len(rows) == 0 {
			break
		}
		a, b := rows[r.IntN(len(rows))], rows[r.IntN(len(rows))]
		p := Predicate{Column: column, Values: true, Nulls: r.IntN(4) == 0}
		shape := r.IntN(4)
		p.Ints = spanAround(r, shape, a, b, wholeOf, int64(1))
		p.Floats = spanAround(r, shape, a, b, floatValueOf, 0.5)
		p.Texts = spanAround(r, shape, a, b, textValueOf, "x")
		all = append(all, p)
	}
	return all
}

// spanAround returns a point, a span, an open span or a set of a and b, and now and
// then one beside them.
func spanAround[T int64 | float64 | string](r *rand.Rand, shape int, a, b any, of func(any) (T, bool), step T) []Span[T] {
	lo, ok := of(a)
	hi, ok2 := of(b)
	if !ok || !ok2 {
		return nil
	}
	if r.IntN(3) == 0 {
		lo, hi = lo+step, hi+step
	}
	switch shape {
	case 0:
		return []Span[T]{{Lo: lo, Hi: lo}}
	case 1:
		return []Span[T]{{Lo: min(lo, hi), Hi: max(lo, hi)}}
	case 2:
		return []Span[T]{{Lo: lo, Open: true}}
	}
	return []Span[T]{{Lo: lo, Hi: lo}, {Lo: hi, Hi: hi}}
}

func wholeOf(value any) (int64, bool) {
	switch x := value.(type) {
	case int8:
		return int64(x), true
	case int16:
		return int64(x), true
	case int32:
		return int64(x), true
	case int64:
		return x, true
	case [2]int64:
		return x[0], true
	}
	return 0, false
}

func floatValueOf(value any) (float64, bool) {
	switch x := value.(type) {
	case uint32:
		return float64(math.Float32frombits(x)), true
	case uint64:
		return math.Float64frombits(x), true
	}
	return 0, false
}

func textValueOf(value any) (string, bool) {
	x, ok := value.(string)
	return x, ok
}

// checkCandidates makes sure that no row that meets a predicate is ruled out, and
// returns how many rows are.
func checkCandidates(t interface{ Errorf(string, ...any) }, name string, f *File, p Predicate, rows []any) int64 {
	found, err := f.Candidates(p)
	if err != nil {
		t.Errorf("%s: %+v: %v", name, p, err)
	}
	end := int64(-1)
	for _, r := range found {
		if r.Begin <= end || r.Begin >= r.End || r.End > f.Rows() {
			t.Errorf("%s: %+v: rows %v", name, p, found)
			return 0
		}
		end = r.End
	}
	for i, value := range rows {
		if row := (RowRanges{{int64(i), int64(i) + 1}}); passes(p, value) && len(found.And(row)) == 0 {
			t.Errorf("%s: column %s: %+v: row %d, %v, is not in %v", name, f.Schema().Names[p.Column], p, i, value, found)
			return 0
		}
	}
	return f.Rows() - found.Rows()
}

// Of no golden file, with statistics, indexes or chunk statistics, a row that meets a
// predicate is ruled out.
func TestGoldenCandidates(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 804))
	files := append(goldenFiles(t), indexFiles(t)...)
	asked, ruled, by := 0, 0, map[string]int{}
	for _, c := range files {
		f := c.open(t)
		for i := range f.Schema().Children {
			rows, err := columnRows(f, i)
			if err != nil {
				continue // of an encoding that is refused
			}
			for _, p := range predicatesOf(r, i, rows) {
				asked++
				checkIndexes(t, c.Name, f, p, rows, by)
				if out := checkCandidates(t, c.Name, f, p, rows); out > 0 {
					ruled++
					by[ruledBy(f, out)]++
				}
			}
		}
	}
	for _, how := range []string{"cluster", "hash", "sorted", "an index", "stripes and chunks", "statistics"} {
		if by[how] == 0 {
			t.Errorf("no row is ruled out by %s", how)
		}
	}
	t.Logf("%d files, %d predicates, of which %d rule rows out: %v", len(files), asked, ruled, by)
}

func ruledBy(f *File, out int64) string {
	indexes, _ := f.usable()
	switch {
	case out == f.Rows():
		return "statistics"
	case len(indexes) > 0:
		return "an index"
	}
	return "stripes and chunks"
}

// checkIndexes makes sure that no row is ruled out by an index, be it worth to ask it
// or not, and counts by kind those that rule rows out.
func checkIndexes(t *testing.T, name string, f *File, p Predicate, rows []any, by map[string]int) {
	t.Helper()
	spans := f.keySpans(p)
	points := !slices.ContainsFunc(spans, func(s keySpan) bool { return !s.point })
	indexes, _ := f.usable()
	for _, x := range indexes {
		if x.Columns[0] != f.Schema().Names[p.Column] || len(spans) == 0 || x.Kind == HashIndex && (!points || len(x.Columns) > 1) {
			continue
		}
		found, err := x.rowsOf(spans)
		if err != nil {
			t.Errorf("%s: %+v: %v", name, p, err)
		}
		for i, value := range rows {
			if value != (null{}) && passes(p, value) && len(found.And(RowRanges{{int64(i), int64(i) + 1}})) == 0 {
				t.Errorf("%s: %v index: %+v: row %d, %v, is not in %v", name, x.Kind, p, i, value, found)
				return
			}
		}
		if found.Rows() < f.Rows() {
			by[x.Kind.String()]++
		}
	}
}

// Of no written file, with NaNs, nulls and columns that some stripes have no values
// of, a row that meets a predicate is ruled out.
func TestCandidates(t *testing.T) {
	ruled := int64(0)
	rapid.Check(t, func(t *rapid.T) {
		schema := drawSchema(t)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 804))
		var batches []*vector.Batch
		for range rapid.IntRange(1, 3).Draw(t, "batches") {
			b := &vector.Batch{N: rapid.IntRange(1, 40).Draw(t, "rows")}
			for _, c := range schema.Children {
				b.Columns = append(b.Columns, drawColumn(t, c, b.N))
			}
			batches = append(batches, b)
		}
		data := writeFile(t, schema, &WriterOptions{StripeRows: 17}, batches...)
		f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range schema.Children {
			rows, err := columnRows(f, i)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range predicatesOf(r, i, rows) {
				ruled += checkCandidates(t, "a file", f, p, rows)
			}
		}
	})
	if ruled == 0 {
		t.Error("no row is ruled out")
	}
}

func TestRowRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const rows = 20
		draw := func(name string) (ranges []RowRange, in [rows]bool) {
			for range rapid.IntRange(0, 4).Draw(t, name) {
				begin := rapid.IntRange(0, rows).Draw(t, "begin")
				end := rapid.IntRange(begin, rows).Draw(t, "end")
				ranges = append(ranges, RowRange{int64(begin), int64(end)})
				for i := begin; i < end; i++ {
					in[i] = true
				}
			}
			return ranges, in
		}
		a, inA := draw("a")
		b, inB := draw("b")
		x, y := rowRanges(slices.Clone(a)), rowRanges(slices.Clone(b))
		var and, or []RowRange
		for i := range int64(rows) {
			if inA[i] && inB[i] {
				and = append(and, RowRange{i, i + 1})
			}
			if inA[i] || inB[i] {
				or = append(or, RowRange{i, i + 1})
			}
		}
		if got, want := fmt.Sprint(x.And(y)), fmt.Sprint(rowRanges(and)); got != want {
			t.Errorf("%v and %v: %v, want %v", x, y, got, want)
		}
		if got, want := fmt.Sprint(x.Or(y)), fmt.Sprint(rowRanges(or)); got != want {
			t.Errorf("%v or %v: %v, want %v", x, y, got, want)
		}
		if got := x.Within(rows); len(x) > 0 && (len(got) != 1 || got[0] != RowRange{x[0].Begin, x[len(x)-1].End}) {
			t.Errorf("%v without gaps: %v", x, got)
		}
	})
}
