package nimble

import (
	"github.com/decantdb/decant/nimble/tablet"
)

// Span is the values from Lo to Hi, both among them; with Open there is no Hi.
type Span[T int64 | float64 | string] struct {
	Lo, Hi T
	Open   bool
}

// misses reports whether no value from lo to hi is in the span.
func (s Span[T]) misses(lo, hi T) bool { return hi < s.Lo || !s.Open && s.Hi < lo }

// Predicate is what is asked of the values of one column.
type Predicate struct {
	Column int // place in the schema
	// Nulls says that a null passes, Values that values do: those in one of the
	// spans, or all if there are none.
	Nulls, Values bool
	// Spans that are not of the column's kind say nothing. Ints are for the
	// integers, as stored, and for a timestamp's microseconds; Floats are for REAL,
	// to whose digits they are rounded, and DOUBLE, in the order of IEEE 754, so
	// that NaN is in none; Texts are for VARCHAR and VARBINARY, byte by byte.
	Ints   []Span[int64]
	Floats []Span[float64]
	Texts  []Span[string]
}

// Candidates returns the rows among which are all that meet a predicate, by what the
// file says of them without their values being read: by statistics of the column, by
// indexes, by stripes and chunks that are known to be all null or without null.
// What is absent, or damaged so that it shows, rules no row out.
//
// The bounds of REAL and DOUBLE are not used: where there are NaNs they need not hold
// for the other values, see [ColumnStats], and whether there are is not known.
func (f *File) Candidates(p Predicate) (RowRanges, error) {
	if err := f.checkColumns([]int{p.Column}); err != nil {
		return nil, err
	}
	p = f.narrow(p)
	if f.Rows() == 0 || !p.Nulls && !p.Values {
		return nil, nil
	}
	rows := RowRanges{{0, f.Rows()}}
	if !p.Nulls {
		rows = rows.And(f.indexed(p))
	}
	if p.Nulls != p.Values {
		rows = f.mayBe(p.Nulls, p.Column, rows)
	}
	return rows, nil
}

// narrow takes from a predicate what the statistics say that no row meets.
func (f *File) narrow(p Predicate) Predicate {
	s, root := f.ColumnStats(p.Column), f.rootStats()
	// Counts that do not add up are damaged, and so may be the rest.
	if s == nil || root.Values+root.Nulls != uint64(f.Rows()) || s.Values+s.Nulls != root.Values {
		return p
	}
	p.Nulls = p.Nulls && s.Nulls+root.Nulls > 0
	p.Values = p.Values && s.Values > 0
	if !p.Values || !s.Bounded {
		return p
	}
	switch boundsOf(f.root.children[p.Column].typ.Kind) {
	case intBounds:
		p.Values = meets(p.Ints, s.MinInt, s.MaxInt)
	case stringBounds:
		p.Values = meets(p.Texts, s.MinString, s.MaxString)
	}
	return p
}

func (f *File) rootStats() *ColumnStats {
	if f.stats == nil {
		return nil
	}
	return &f.stats[f.root.index]
}

// meets reports whether there may be a value from lo to hi in one of the spans.
func meets[T int64 | float64 | string](spans []Span[T], lo, hi T) bool {
	for _, s := range spans {
		if !s.misses(lo, hi) || lo > hi {
			return true
		}
	}
	return len(spans) == 0
}

// mayBe returns those rows in which the column may be null, or else those in which
// it may have a value, by the streams that stripes have and the statistics of chunks.
func (f *File) mayBe(null bool, column int, rows RowRanges) RowRanges {
	var may RowRanges
	p := nullFinder{file: f, column: f.root.children[column], null: null}
	next := 0
	for i, s := range f.tablet.Stripes() {
		begin, end := int64(s.FirstRow), int64(s.FirstRow)+int64(s.Rows)
		for next < len(rows) && rows[next].End <= begin {
			next++
		}
		if next == len(rows) {
			break
		}
		if begin < end && rows[next].Begin < end {
			may = p.add(may, i, RowRange{begin, end})
		}
	}
	return rows.And(may)
}

// nullFinder knows where a column has nulls.
type nullFinder struct {
	file   *File
	column *node
	null   bool // whether rows with nulls are wanted, or rows with values
	group  *tablet.Group
	chunks *tablet.ChunkStats // of the group, nil if there are none
}

// enter moves to a stripe group.
func (p *nullFinder) enter(index int) error {
	if p.group != nil && p.group.Index() == index {
		return nil
	}
	g, err := p.file.tablet.Group(index)
	if err != nil {
		return err
	}
	p.group = g
	if p.chunks, err = p.file.tablet.ChunkStats(g); err != nil {
		p.chunks = nil // they are not needed
	}
	return nil
}

// add adds the wanted rows of a stripe.
func (p *nullFinder) add(rows RowRanges, stripe int, all RowRange) RowRanges {
	if err := p.enter(int(p.file.tablet.Stripes()[stripe].Group)); err != nil {
		return rows.add(all, 0) // reading will report it
	}
	noRootNulls := p.group.Stream(stripe, p.file.root.stream).Len == 0
	switch {
	case p.group.Stream(stripe, p.column.stream).Len == 0:
		// Without a stream rows and flat maps are present, all others are null.
		present := p.column.typ.Kind == Row || p.column.typ.Kind == FlatMap
		if present && p.null && noRootNulls || !present && !p.null {
			return rows
		}
	case noRootNulls && p.chunks != nil:
		return p.addChunks(rows, stripe, all)
	}
	return rows.add(all, 0)
}

// addChunks adds the rows of the chunks of a stripe that are not known to have none.
func (p *nullFinder) addChunks(rows RowRanges, stripe int, all RowRange) RowRanges {
	n := p.chunks.Chunks(stripe, p.column.stream)
	row := all.Begin
	for i := range n {
		c := p.chunks.Chunk(stripe, p.column.stream, i)
		end := row + int64(c.Rows)
		if end > all.End || i == n-1 && end != all.End {
			return rows.add(all, 0) // they are of other rows
		}
		none := uint32(0) // as many nulls as there are where no row is wanted
		if !p.null {
			none = c.Rows
		}
		if !c.NullsKnown || c.Nulls != none {
			rows = rows.add(RowRange{row, end}, 0)
		}
		row = end
	}
	return rows
}
