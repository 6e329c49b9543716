package nimble

import (
	"encoding/binary"
	"math"

	"github.com/decantdb/decant/vector"
)

const (
	// spansLimit is the most look-ups for which an index is asked.
	spansLimit = 64
	// indexLimitBytes is the most that is read of an index that may be larger than
	// its column.
	indexLimitBytes = 1 << 20
)

// indexed returns the rows in which the column has a value in one of the spans, by
// the indexes that begin with it; all rows if there is no such index.
func (f *File) indexed(p Predicate) RowRanges {
	rows := RowRanges{{0, f.Rows()}}
	spans := f.keySpans(p)
	if len(spans) == 0 || len(spans) > spansLimit {
		return rows
	}
	indexes, _ := f.usable() // rows can be found without
	for _, x := range indexes {
		if x.Columns[0] != f.root.typ.Names[p.Column] || !x.worth(f, f.ColumnStats(p.Column), spans) {
			continue
		}
		if found, err := x.rowsOf(spans); err == nil {
			rows = rows.And(found)
		}
	}
	return rows
}

// worth reports whether the index can find the spans, and reads less for it than the
// rows might take. Dense indexes are for points: of a range they might have to name
// each row.
func (x *Index) worth(f *File, s *ColumnStats, spans []keySpan) bool {
	if x.Kind == ClusterIndex {
		return true
	}
	if x.Kind == HashIndex && len(x.Columns) > 1 {
		return false
	}
	for _, span := range spans {
		if !span.point {
			return false
		}
	}
	limit := uint64(indexLimitBytes)
	if s != nil {
		limit = max(min(limit, f.rootStats().PhysicalBytes/2), s.PhysicalBytes)
	}
	return x.find.pointBytes() <= limit/uint64(len(spans))
}

// rowsOf returns rows among which are all of the spans.
func (x *Index) rowsOf(spans []keySpan) (RowRanges, error) {
	var all []RowRange
	for _, span := range spans {
		from, to, err := span.bounds(x.Orders[0])
		if err != nil {
			return nil, err
		}
		found, err := x.find.near(from, to)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return rowRanges(all), nil
}

// keySpan is a span of values of a key column, as a vector of the first and the last;
// open says that there is no last one.
type keySpan struct {
	values      vector.Vector
	open, point bool
}

// bounds returns the least key that begins with a value of the span, and the least
// key above all those that do.
func (s keySpan) bounds(order KeyOrder) (from, to []byte, err error) {
	lo, err := AppendKey(nil, s.values, 0, order)
	if err != nil {
		return nil, nil, err
	}
	marker := lo[:1:1]
	hi := marker
	if !s.open {
		if hi, err = AppendKey(nil, s.values, 1, order); err != nil {
			return nil, nil, err
		}
	}
	if order.Descending {
		lo, hi = hi, lo
	}
	return lo, above(hi), nil
}

// above returns the least key above all that begin with prefix, nil if there is none.
func above(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != math.MaxUint8 {
			return append(prefix[:i:i], prefix[i]+1)
		}
	}
	return nil
}

// keySpans returns the spans of a predicate as values of the column, none if it has
// none that fit its kind.
func (f *File) keySpans(p Predicate) []keySpan {
	switch f.root.children[p.Column].typ.Kind {
	case TinyInt:
		return spansOf(p.Ints, wholeIn[int8])
	case SmallInt:
		return spansOf(p.Ints, wholeIn[int16])
	case Integer:
		return spansOf(p.Ints, wholeIn[int32])
	case BigInt:
		return spansOf(p.Ints, wholeIn[int64])
	case Timestamp:
		spans := spansOf(p.Ints, momentsIn)
		for i := range spans {
			spans[i].point = false // a microsecond has a thousand nanoseconds
		}
		return spans
	case Real:
		return spansOf(p.Floats, floatsIn[float32])
	case Double:
		return spansOf(p.Floats, floatsIn[float64])
	case Varchar, Varbinary:
		return spansOf(p.Texts, textsIn)
	}
	return nil
}

// spansOf makes a key span of each span that holds a value.
func spansOf[T int64 | float64 | string](spans []Span[T], values func(lo, hi T) vector.Vector) []keySpan {
	var keys []keySpan
	for _, s := range spans {
		if s.Open {
			s.Hi = s.Lo
		}
		if v := values(s.Lo, s.Hi); v != nil {
			keys = append(keys, keySpan{values: v, open: s.Open, point: !s.Open && s.Lo == s.Hi})
		}
	}
	return keys
}

// wholeIn returns the first and the last integer of a type from lo to hi, nil if there
// is none.
func wholeIn[T int8 | int16 | int32 | int64](lo, hi int64) vector.Vector {
	least := int64(math.MinInt64) >> (64 - 8*binary.Size(T(0)))
	if lo, hi = max(lo, least), min(hi, ^least); lo > hi {
		return nil
	}
	v := vector.NewVec[T](nil)
	v.Append(T(lo))
	v.Append(T(hi))
	return v
}

// floatsIn is wholeIn for floats, to which the bounds are rounded.
func floatsIn[T float32 | float64](lo, hi float64) vector.Vector {
	if !(T(lo) <= T(hi)) {
		return nil
	}
	v := vector.NewVec[T](nil)
	v.Append(T(lo))
	v.Append(T(hi))
	return v
}

// momentsIn is wholeIn for timestamps, by their microseconds.
func momentsIn(lo, hi int64) vector.Vector {
	if lo > hi {
		return nil
	}
	v := vector.NewTimestamps(nil)
	v.Append(lo, 0)
	v.Append(hi, 999)
	return v
}

// textsIn is wholeIn for strings.
func textsIn(lo, hi string) vector.Vector {
	if lo > hi {
		return nil
	}
	v := vector.NewVec[vector.View](nil)
	vector.AppendString(v, []byte(lo))
	vector.AppendString(v, []byte(hi))
	return v
}
