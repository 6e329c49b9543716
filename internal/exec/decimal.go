package exec

import (
	"fmt"
	"strconv"

	"github.com/decantdb/decant/vector"
)

// decimalNode writes decimals that are stored as unscaled integers as texts.
type decimalNode struct {
	arg   node
	scale int
	text  []byte
	vec   *vector.Vec[vector.View]
}

func (n *decimalNode) eval(in source) (vector.Vector, error) {
	v, err := n.arg.eval(in)
	if err != nil {
		return nil, err
	}
	src, ok := v.(*vector.Vec[int64])
	if !ok {
		return nil, fmt.Errorf("exec: a %v as a decimal: %w", v.Kind(), ErrUnsupported)
	}
	if n.vec == nil {
		n.vec = vector.NewVec[vector.View](nil)
	}
	src.Flatten()
	n.vec.Reset()
	for i, x := range src.Values[:src.N] {
		if !vector.Valid(src.Valid, i) {
			n.vec.AppendNull()
			continue
		}
		n.text = appendDecimal(n.text[:0], x, n.scale)
		vector.AppendString(n.vec, n.text)
	}
	return n.vec, nil
}

// appendDecimal writes x / 10^scale.
func appendDecimal(dst []byte, x int64, scale int) []byte {
	magnitude := uint64(x)
	if x < 0 {
		dst = append(dst, '-')
		magnitude = -magnitude
	}
	var buf [20]byte
	digits := strconv.AppendUint(buf[:0], magnitude, 10)
	begin := len(dst)
	for range scale + 1 - len(digits) {
		dst = append(dst, '0')
	}
	dst = append(dst, digits...)
	if scale == 0 {
		return dst
	}
	point := max(len(dst)-scale, begin)
	dst = append(dst, 0)
	copy(dst[point+1:], dst[point:])
	dst[point] = '.'
	return dst
}

// intNode widens the narrow integers that an INT may be stored as.
type intNode struct {
	arg node
	vec vector.Vec[int32]
}

func (n *intNode) eval(in source) (vector.Vector, error) {
	v, err := n.arg.eval(in)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *vector.Vec[int8]:
		convert(&n.vec, v, widen[int8])
	case *vector.Vec[int16]:
		convert(&n.vec, v, widen[int16])
	default:
		return v, nil
	}
	return &n.vec, nil
}

func widen[T int8 | int16](dst []int32, src []T) {
	for i, x := range src {
		dst[i] = int32(x)
	}
}
