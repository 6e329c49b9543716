package exec

import (
	"math"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// bound passes the rows that may still be among the first of an order: those
// whose first criterion does not come behind that of the last wanted row so
// far. It lets the scan leave out the other columns of all other rows.
type bound struct {
	arg        node
	descending bool
	nullsFirst bool
	bytes      bool  // texts are BYTES
	decimal    bool  // texts are BIG_DECIMAL
	test       *leaf // nil: every row may be
}

func newBound(q *plan.Query, slotOf slots) (*bound, error) {
	first := q.OrderBy[0]
	arg, err := newNode(first.Expr, slotOf)
	return &bound{
		arg: arg, descending: first.Descending, nullsFirst: first.NullsFirst,
		bytes: first.Expr.Type() == fn.Bytes, decimal: first.Expr.Type() == fn.BigDecimal,
	}, err
}

// raise takes row i of v, the vector of the first criterion, as the last row
// that is wanted.
func (b *bound) raise(v vector.Vector, i int) {
	b.test = nil
	if !vector.Valid(v.Validity(), i) {
		return
	}
	f := &leaf{negate: b.descending}
	switch v := v.(type) {
	case *vector.Vec[int8]:
		f.i8 = wholeBound(v.Values[i], math.MinInt8, b.descending)
	case *vector.Vec[int16]:
		f.i16 = wholeBound(v.Values[i], math.MinInt16, b.descending)
	case *vector.Vec[int32]:
		f.i32 = wholeBound(v.Values[i], math.MinInt32, b.descending)
	case *vector.Vec[int64]:
		f.i64 = wholeBound(v.Values[i], math.MinInt64, b.descending)
	case *vector.Vec[float32]:
		if x := v.Values[i]; x == x {
			f.f32 = floatBound(x, math.Nextafter32, b.descending)
		} else {
			return
		}
	case *vector.Vec[float64]:
		if x := v.Values[i]; x == x {
			f.f64 = floatBound(x, math.Nextafter, b.descending)
		} else {
			return
		}
	case *vector.Vec[vector.View]:
		if b.decimal {
			return
		}
		text := append([]byte(nil), v.Values[i].Bytes(v.Buffers.List())...)
		f.text = textRange{hi: text, hasHi: true, strictHi: b.descending, bytes: b.bytes}
	default:
		return
	}
	b.test = f
}

// wholeBound passes what comes before x or with it; for a descending order it
// passes what comes behind, to be negated.
func wholeBound[T int8 | int16 | int32 | int64](x, least T, descending bool) predicate[T] {
	switch {
	case !descending:
		return rangeTest[T]{least, x}
	case x == least:
		return never[T]{}
	}
	return rangeTest[T]{least, x - 1}
}

// floatBound is wholeBound for floats other than NaN, which is the greatest and
// in no range.
func floatBound[T float32 | float64](x T, next func(x, towards T) T, descending bool) predicate[T] {
	least := T(math.Inf(-1))
	switch {
	case descending && x == least:
		return never[T]{}
	case descending:
		return rangeTest[T]{least, next(x, least)}
	}
	return rangeTest[T]{least, x}
}

func (b *bound) eval(dst mask, in source) error {
	v, err := b.arg.eval(in)
	if err != nil {
		return err
	}
	if err := b.test.eval(dst, v); err != nil {
		return err
	}
	if valid := v.Validity(); b.nullsFirst && valid != nil {
		for i := range dst {
			dst[i] |= ^valid[i]
		}
		dst.trim(v.Len())
	}
	return nil
}
