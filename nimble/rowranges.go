package nimble

import (
	"cmp"
	"slices"
)

// RowRange is rows of a file, from Begin up to End, which is not among them.
type RowRange struct{ Begin, End int64 }

// RowRanges are rows of a file: ranges that ascend, are not empty and do not touch.
type RowRanges []RowRange

// Rows returns the number of rows.
func (r RowRanges) Rows() int64 {
	n := int64(0)
	for _, x := range r {
		n += x.End - x.Begin
	}
	return n
}

// And returns the rows that are in both.
func (r RowRanges) And(o RowRanges) RowRanges {
	var both RowRanges
	for i, j := 0, 0; i < len(r) && j < len(o); {
		if begin, end := max(r[i].Begin, o[j].Begin), min(r[i].End, o[j].End); begin < end {
			both = append(both, RowRange{begin, end})
		}
		if r[i].End < o[j].End {
			i++
		} else {
			j++
		}
	}
	return both
}

// Or returns the rows that are in either.
func (r RowRanges) Or(o RowRanges) RowRanges {
	return rowRanges(slices.Concat(r, o))
}

// Within returns the rows with gaps of at most gap rows filled, for which it is not
// worth to stop reading.
func (r RowRanges) Within(gap int64) RowRanges {
	var rows RowRanges
	for _, x := range r {
		rows = rows.add(x, gap)
	}
	return rows
}

// add appends a range that begins no earlier than the last.
func (r RowRanges) add(x RowRange, gap int64) RowRanges {
	if n := len(r); n > 0 && x.Begin-r[n-1].End <= gap {
		r[n-1].End = max(r[n-1].End, x.End)
		return r
	}
	return append(r, x)
}

// rowRanges makes rows of ranges in any order, which it may reorder.
func rowRanges(ranges []RowRange) RowRanges {
	slices.SortFunc(ranges, func(a, b RowRange) int { return cmp.Compare(a.Begin, b.Begin) })
	var rows RowRanges
	for _, x := range ranges {
		if x.Begin < x.End {
			rows = rows.add(x, 0)
		}
	}
	return rows
}
