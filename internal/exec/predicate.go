package exec

import (
	"bytes"
	"math"
	"slices"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// number is what predicates and aggregates compute with.
type number interface {
	int8 | int16 | int32 | int64 | float32 | float64
}

// predicate tests a slice of values at once: bit i of dst is whether values[i]
// passes. dst has the words for len(values) bits; bits past them are zero.
type predicate[T vector.Value] interface {
	test(dst mask, values []T, buffers [][]byte)
}

// rangeTest passes lo <= x <= hi. No NaN passes.
type rangeTest[T number] struct{ lo, hi T }

func (t rangeTest[T]) test(dst mask, values []T, _ [][]byte) {
	lo, hi := t.lo, t.hi
	for w := range dst {
		block := values[w*64 : min(w*64+64, len(values))]
		var word uint64
		for i, x := range block {
			var bit uint64
			if x >= lo {
				bit = 1
			}
			if x > hi {
				bit = 0
			}
			word |= bit << (i & 63)
		}
		dst[w] = word
	}
}

// setTest passes the values of a list.
type setTest[T number] struct{ values []T }

// linearSet is the longest list that is searched value by value.
const linearSet = 8

func (t setTest[T]) test(dst mask, values []T, _ [][]byte) {
	if len(t.values) > linearSet {
		t.testLong(dst, values)
		return
	}
	for w := range dst {
		block := values[w*64 : min(w*64+64, len(values))]
		var word uint64
		for i, x := range block {
			var bit uint64
			for _, y := range t.values {
				if x == y {
					bit = 1
				}
			}
			word |= bit << (i & 63)
		}
		dst[w] = word
	}
}

func (t setTest[T]) testLong(dst mask, values []T) {
	for w := range dst {
		block := values[w*64 : min(w*64+64, len(values))]
		var word uint64
		for i, x := range block {
			if _, ok := slices.BinarySearch(t.values, x); ok {
				word |= 1 << (i & 63)
			}
		}
		dst[w] = word
	}
}

// textEqual passes one text.
type textEqual struct {
	view vector.View // of an inline text; else its length and prefix count
	text []byte
}

func newTextEqual(s string) textEqual {
	return textEqual{view: vector.MakeView([]byte(s), 0, 0), text: []byte(s)}
}

func (t textEqual) test(dst mask, values []vector.View, buffers [][]byte) {
	inline := t.view.Inline()
	for w := range dst {
		block := values[w*64 : min(w*64+64, len(values))]
		var word uint64
		for i := range block {
			v := &block[i]
			// The first word holds length and prefix; it decides most.
			if v[0] != t.view[0] {
				continue
			}
			if inline && v[1] == t.view[1] || !inline && bytes.Equal(v.Bytes(buffers), t.text) {
				word |= 1 << (i & 63)
			}
		}
		dst[w] = word
	}
}

// textSet passes the texts of a list, which ascend.
type textSet struct{ values [][]byte }

func (t textSet) test(dst mask, values []vector.View, buffers [][]byte) {
	testText(dst, values, buffers, t)
}

func (t textSet) match(s []byte) bool {
	_, ok := slices.BinarySearchFunc(t.values, s, bytes.Compare)
	return ok
}

// textRange passes the texts between two bounds.
type textRange struct {
	lo, hi             []byte
	hasLo, hasHi       bool
	strictLo, strictHi bool
	bytes              bool // of BYTES, which have another order
}

func (t textRange) compare(a, b []byte) int {
	if t.bytes {
		return bytes.Compare(a, b)
	}
	return fn.CompareText(a, b)
}

func (t textRange) test(dst mask, values []vector.View, buffers [][]byte) {
	testText(dst, values, buffers, t)
}

func (t textRange) match(s []byte) bool {
	if t.hasLo {
		if c := t.compare(s, t.lo); c < 0 || c == 0 && t.strictLo {
			return false
		}
	}
	if t.hasHi {
		if c := t.compare(s, t.hi); c > 0 || c == 0 && t.strictHi {
			return false
		}
	}
	return true
}

// textLike passes the texts that match a LIKE pattern.
type textLike struct {
	pattern *fn.LikePattern
	meter   *fn.Meter
}

func (t textLike) test(dst mask, values []vector.View, buffers [][]byte) {
	testText(dst, values, buffers, t)
}

func (t textLike) match(s []byte) bool {
	return t.meter.Work(len(s)) == nil && t.pattern.Match(s)
}

// textRegexp passes the texts that have a match of a regular expression.
type textRegexp struct {
	pattern *fn.Regexp
	meter   *fn.Meter
}

func (t textRegexp) test(dst mask, values []vector.View, buffers [][]byte) {
	testText(dst, values, buffers, t)
}

func (t textRegexp) match(s []byte) bool {
	found, err := t.pattern.Match(t.meter, s)
	if err != nil {
		t.meter.Fail(err)
	}
	return found
}

// matcher is for tests whose work on one text outweighs a call.
type matcher interface{ match(s []byte) bool }

func testText[M matcher](dst mask, values []vector.View, buffers [][]byte, m M) {
	for w := range dst {
		block := values[w*64 : min(w*64+64, len(values))]
		var word uint64
		for i := range block {
			if m.match(block[i].Bytes(buffers)) {
				word |= 1 << (i & 63)
			}
		}
		dst[w] = word
	}
}

// never passes nothing.
type never[T vector.Value] struct{}

func (never[T]) test(dst mask, _ []T, _ [][]byte) { dst.clear() }

// newNumberPredicate fits a test to the type of a column: bounds beyond the
// type's range pass all or nothing of it. Tests of whole numbers are for
// integers, the others for floats.
func newNumberPredicate[T number](t plan.Test) (predicate[T], bool) {
	lo, hi, isWhole := limits[T]()
	switch t.(type) {
	case plan.IntRange, plan.IntSet:
		if !isWhole {
			return nil, false
		}
	case plan.FloatRange, plan.FloatSet:
		if isWhole {
			return nil, false
		}
	}
	switch t := t.(type) {
	case plan.IntRange:
		if t.Lo > t.Hi || t.Lo > hi || t.Hi < lo {
			return never[T]{}, true
		}
		return rangeTest[T]{T(max(t.Lo, lo)), T(min(t.Hi, hi))}, true
	case plan.IntSet:
		set := setTest[T]{}
		for _, x := range t.Values {
			if lo <= x && x <= hi {
				set.values = append(set.values, T(x))
			}
		}
		return set, true
	case plan.FloatRange:
		return rangeTest[T]{T(t.Lo), T(t.Hi)}, true
	case plan.FloatSet:
		set := setTest[T]{}
		for _, x := range t.Values {
			set.values = append(set.values, T(x))
		}
		return set, true
	}
	return nil, false
}

// limits returns the range of an integer type, and whether T is one.
func limits[T number]() (lo, hi int64, isWhole bool) {
	var zero T
	switch any(zero).(type) {
	case int8:
		return math.MinInt8, math.MaxInt8, true
	case int16:
		return math.MinInt16, math.MaxInt16, true
	case int32:
		return math.MinInt32, math.MaxInt32, true
	case int64:
		return math.MinInt64, math.MaxInt64, true
	}
	return 0, 0, false
}

func newTextPredicate(t plan.Test, meter *fn.Meter) (predicate[vector.View], bool) {
	switch t := t.(type) {
	case plan.TextSet:
		if len(t.Values) == 1 {
			return newTextEqual(t.Values[0]), true
		}
		set := textSet{}
		for _, s := range t.Values {
			set.values = append(set.values, []byte(s))
		}
		return set, true
	case plan.TextRange:
		return textRange{[]byte(t.Lo), []byte(t.Hi), t.HasLo, t.HasHi, t.StrictLo, t.StrictHi, t.Bytes}, true
	case plan.TextRegexp:
		return textRegexp{t.Pattern, meter}, true
	case plan.TextLike:
		return textLike{&t.Pattern, meter}, true
	}
	return nil, false
}
