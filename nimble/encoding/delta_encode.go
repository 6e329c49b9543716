package encoding

import (
	"fmt"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// Delta holds for each row the difference to the row before or, where that
// would be negative, the value itself: a restatement, as the first row is.
//
//	prefix | u32 size | u32 size | deltas | restatements | is restatement
//
// It is never selected, only replayed.
func appendDelta[T Integer](st *stats[T], dst []byte, n encodeNode) ([]byte, error) {
	rows := st.rows()
	if rows == 0 {
		return dst, fmt.Errorf("delta: no rows: %w", ErrIncompatible)
	}
	var rules [3]encodeRule
	var err error
	for i := range rules {
		if rules[i], err = n.child(i); err != nil {
			return dst, err
		}
	}
	p := st.e.pool
	deltas := pool.Get[T](p, rows)
	defer pool.Put(p, &deltas)
	restated := pool.Get[T](p, rows)
	defer pool.Put(p, &restated)
	flags := pool.Get[uint64](p, vector.Words(rows))
	defer pool.Put(p, &flags)
	count := splitDeltas(st.values, deltas.S, restated.S, flags.S)

	dst = st.e.appendPrefix(dst, KindDelta, st.dt, rows)
	sizes := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	dt := physicalType(st.dt)
	for i, values := range [2][]T{deltas.S[:rows-count], restated.S[:count]} {
		start := len(dst)
		if dst, err = appendArray(st.e, dst, dt, values, nil, rules[i]); err != nil {
			return dst, err
		}
		if err = putSize(dst[sizes+4*i:], len(dst)-start); err != nil {
			return dst, err
		}
	}
	return appendBoolArray(st.e, dst, flags.S, rows, rules[2])
}

// splitDeltas returns the number of restatements. Values are compared unsigned,
// whatever their type.
func splitDeltas[T Integer](values, deltas, restated []T, flags []uint64) int {
	clear(flags)
	count, prev := 0, T(0)
	for i, v := range values {
		if i == 0 || v < prev {
			restated[count] = v
			count++
			vector.SetBit(flags, i)
		} else {
			deltas[i-count] = v - prev
		}
		prev = v
	}
	return count
}
