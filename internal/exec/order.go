package exec

import (
	"cmp"
	"fmt"
	"math"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// order compares rows of flat vectors by the criteria of ORDER BY.
type order struct{ keys []orderKey }

type orderKey struct {
	descending, nullsFirst bool
	compare                func(a, b vector.Vector, i, j int) int // of present values
}

func newOrder(by []plan.Order) *order {
	o := &order{}
	for _, b := range by {
		k := orderKey{descending: b.Descending, nullsFirst: b.NullsFirst}
		switch t := b.Expr.Type(); {
		case t == fn.Bytes:
			k.compare = compareBytes
		case t == fn.BigDecimal && !plan.IsScaled(b.Expr):
			k.compare = compareDecimal
		}
		o.keys = append(o.keys, k)
	}
	return o
}

// bind chooses how the vectors are compared, once their types are known.
func (o *order) bind(vecs []vector.Vector) error {
	for i := range o.keys {
		k := &o.keys[i]
		if k.compare != nil {
			continue
		}
		var err error
		if k.compare, err = comparerOf(vecs[i]); err != nil {
			return err
		}
	}
	return nil
}

// compare orders row i of a and row j of b, lists of flat vectors, one a key.
func (o *order) compare(a, b []vector.Vector, i, j int) int {
	for n := range o.keys {
		k := &o.keys[n]
		if c := k.compareRows(a[n], b[n], i, j); c != 0 {
			return c
		}
	}
	return 0
}

func (k *orderKey) compareRows(a, b vector.Vector, i, j int) int {
	x, y := vector.Valid(a.Validity(), i), vector.Valid(b.Validity(), j)
	if !x || !y {
		switch {
		case x == y:
			return 0
		case x != k.nullsFirst: // a present row before nulls last, or a null first
			return -1
		}
		return 1
	}
	c := k.compare(a, b, i, j)
	if k.descending {
		return -c
	}
	return c
}

func comparerOf(v vector.Vector) (func(a, b vector.Vector, i, j int) int, error) {
	switch v.(type) {
	case *vector.Vec[int8]:
		return compareWhole[int8], nil
	case *vector.Vec[int16]:
		return compareWhole[int16], nil
	case *vector.Vec[int32]:
		return compareWhole[int32], nil
	case *vector.Vec[int64]:
		return compareWhole[int64], nil
	case *vector.Vec[float32]:
		return compareFloat[float32], nil
	case *vector.Vec[float64]:
		return compareFloat[float64], nil
	case *vector.Vec[vector.View]:
		return compareText, nil
	case *vector.Bools:
		return compareBool, nil
	}
	return nil, fmt.Errorf("exec: ORDER BY a %v: %w", v.Kind(), ErrUnsupported)
}

func compareWhole[T int8 | int16 | int32 | int64](a, b vector.Vector, i, j int) int {
	return cmp.Compare(a.(*vector.Vec[T]).Values[i], b.(*vector.Vec[T]).Values[j])
}

// compareFloat is Java's order: -0.0 before 0.0, and NaN last.
func compareFloat[T float32 | float64](a, b vector.Vector, i, j int) int {
	x, y := float64(a.(*vector.Vec[T]).Values[i]), float64(b.(*vector.Vec[T]).Values[j])
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y && x != 0:
		return 0
	}
	if x == 0 && y == 0 {
		return cmp.Compare(signOf(x), signOf(y))
	}
	return cmp.Compare(isNaN(x), isNaN(y))
}

func signOf(x float64) int {
	if math.Signbit(x) {
		return -1
	}
	return 1
}

func isNaN(x float64) int {
	if x != x {
		return 1
	}
	return 0
}

func compareText(a, b vector.Vector, i, j int) int {
	x, y := a.(*vector.Vec[vector.View]), b.(*vector.Vec[vector.View])
	return fn.CompareText(x.Values[i].Bytes(x.Buffers.List()), y.Values[j].Bytes(y.Buffers.List()))
}

func compareBytes(a, b vector.Vector, i, j int) int {
	x, y := a.(*vector.Vec[vector.View]), b.(*vector.Vec[vector.View])
	return vector.CompareViews(&x.Values[i], x.Buffers.List(), &y.Values[j], y.Buffers.List())
}

// compareDecimal orders decimals that are texts.
func compareDecimal(a, b vector.Vector, i, j int) int {
	x, y := a.(*vector.Vec[vector.View]), b.(*vector.Vec[vector.View])
	return fn.CompareDecimals(x.Values[i].Bytes(x.Buffers.List()), y.Values[j].Bytes(y.Buffers.List()))
}

func compareBool(a, b vector.Vector, i, j int) int {
	x, y := vector.Bit(a.(*vector.Bools).Bits, i), vector.Bit(b.(*vector.Bools).Bits, j)
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// flatten makes a vector flat where it has forms at all.
func flatten(v vector.Vector) {
	if f, ok := v.(interface{ Flatten() }); ok {
		f.Flatten()
	}
}
