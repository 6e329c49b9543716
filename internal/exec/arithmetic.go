package exec

import (
	"fmt"
	"math"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// newDoubleNode compiles an expression whose vectors are to be doubles.
func newDoubleNode(e plan.Expr, slotOf slots) (node, error) {
	n, err := newNode(e, slotOf)
	if err != nil {
		return nil, err
	}
	if e.Type() == fn.Double {
		return n, nil
	}
	scale := 0
	if e.Type() == fn.BigDecimal {
		c, ok := e.(*plan.Column)
		if !ok || c.Scale < 0 {
			return nil, fmt.Errorf("exec: arithmetic on this BIG_DECIMAL: %w", ErrUnsupported)
		}
		scale = c.Scale
	}
	return &doubleNode{arg: n, divisor: math.Pow10(scale)}, nil
}

// doubleNode turns numbers into doubles.
type doubleNode struct {
	arg     node
	divisor float64 // of decimals
	vec     vector.Vec[float64]
}

func (n *doubleNode) eval(in source) (vector.Vector, error) {
	v, err := n.arg.eval(in)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *vector.Vec[float64]:
		return v, nil
	case *vector.Vec[int8]:
		convert(&n.vec, v, toDoubles[int8])
	case *vector.Vec[int16]:
		convert(&n.vec, v, toDoubles[int16])
	case *vector.Vec[int32]:
		convert(&n.vec, v, toDoubles[int32])
	case *vector.Vec[int64]:
		convert(&n.vec, v, toDoubles[int64])
	case *vector.Vec[float32]:
		convert(&n.vec, v, toDoubles[float32])
	case *vector.Bools:
		doublesOfBools(&n.vec, v)
	default:
		return nil, fmt.Errorf("exec: a %v as a number: %w", v.Kind(), ErrUnsupported)
	}
	if n.divisor != 1 {
		for i := range n.vec.Values {
			n.vec.Values[i] /= n.divisor
		}
	}
	return &n.vec, nil
}

func toDoubles[T number](dst []float64, src []T) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = float64(x)
	}
}

func doublesOfBools(dst *vector.Vec[float64], src *vector.Bools) {
	dst.Form, dst.N, dst.Valid = vector.Flat, src.N, src.Valid
	values := dst.ReserveValues(src.N)
	for i := range values {
		values[i] = 0
		if vector.Bit(src.Bits, i) {
			values[i] = 1
		}
	}
}

// newLongNode compiles an expression of integers whose vectors are to be int64.
func newLongNode(e plan.Expr, slotOf slots) (node, error) {
	n, err := newNode(e, slotOf)
	if err != nil {
		return nil, err
	}
	return &longNode{arg: n}, nil
}

// longNode widens integers.
type longNode struct {
	arg node
	vec vector.Vec[int64]
}

func (n *longNode) eval(in source) (vector.Vector, error) {
	v, err := n.arg.eval(in)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *vector.Vec[int64]:
		return v, nil
	case *vector.Vec[int8]:
		convert(&n.vec, v, toLongs[int8])
	case *vector.Vec[int16]:
		convert(&n.vec, v, toLongs[int16])
	case *vector.Vec[int32]:
		convert(&n.vec, v, toLongs[int32])
	default:
		return nil, fmt.Errorf("exec: a %v as an integer: %w", v.Kind(), ErrUnsupported)
	}
	return &n.vec, nil
}

func toLongs[T int8 | int16 | int32](dst []int64, src []T) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = int64(x)
	}
}
