package encoding

import (
	"fmt"

	"github.com/decantdb/decant/vector"
)

// Constant holds one value for all rows, of which there is at least one.
//
//	prefix | value

func estimateConstant[T Integer](st *stats[T]) (uint64, bool) {
	scanNumbers(st)
	return st.e.prefixBytes(st.rows()) + uint64(sizeOf[T]()), st.runs == 1 || onlyZeros(st)
}

// onlyZeros reports whether all values are the zeros of a float, which with
// nested ALP are taken for one value: the first.
func onlyZeros[T Integer](st *stats[T]) bool {
	sign := T(1) << (8*sizeOf[T]() - 1)
	if !st.e.opts.NestedALP || !isFloat(st.dt) || st.rows() == 0 || st.hi > uint64(sign) {
		return false
	}
	for _, v := range st.values {
		if v&^sign != 0 {
			return false
		}
	}
	return true
}

func estimateConstantString(st *stats[vector.View]) (uint64, bool) {
	scanStrings(st)
	return st.e.prefixBytes(st.rows()) + 4 + st.hi, st.runs == 1
}

func appendConstant[T Physical](st *stats[T], dst []byte, _ encodeNode) ([]byte, error) {
	if _, ok := laneOf[T](st.e).suite[KindConstant].estimate(st); !ok {
		return dst, fmt.Errorf("constant: %d runs of values: %w", st.runs, ErrIncompatible)
	}
	dst = st.e.appendPrefix(dst, KindConstant, st.dt, st.rows())
	return appendScalar(dst, &st.values[0], st.buffers), nil
}

func estimateConstantBool(st *boolStats) (uint64, bool) {
	st.scan()
	return st.e.prefixBytes(st.n) + 1, st.runs == 1
}

func appendConstantBool(st *boolStats, dst []byte, _ encodeNode) ([]byte, error) {
	st.scan()
	if st.runs != 1 {
		return dst, fmt.Errorf("constant: %d runs of values: %w", st.runs, ErrIncompatible)
	}
	dst = st.e.appendPrefix(dst, KindConstant, Bool, st.n)
	return append(dst, boolByte(st.trues > 0)), nil
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}
