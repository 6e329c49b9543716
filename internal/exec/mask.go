package exec

import (
	"math/bits"

	"github.com/decantdb/decant/vector"
)

// mask is a bitmap over the rows of a batch: the rows for which a condition is
// true. Bits past the last row are zero.
type mask []uint64

// sized returns m with the words for n rows, in m's memory where that is large
// enough. The bits are undefined.
func (m mask) sized(n int) mask {
	words := vector.Words(n)
	if words > cap(m) {
		return make(mask, words)
	}
	return m[:words]
}

// setAll makes m true for n rows.
func (m mask) setAll(n int) {
	for i := range m {
		m[i] = ^uint64(0)
	}
	m.trim(n)
}

func (m mask) clear() { clear(m) }

// trim clears the bits past row n.
func (m mask) trim(n int) {
	if tail := n & 63; tail != 0 {
		m[len(m)-1] &= 1<<tail - 1
	}
}

// invert makes m false where it was true, for n rows.
func (m mask) invert(n int) {
	for i := range m {
		m[i] = ^m[i]
	}
	m.trim(n)
}

func (m mask) and(o []uint64) {
	for i := range m {
		m[i] &= o[i]
	}
}

func (m mask) or(o []uint64) {
	for i := range m {
		m[i] |= o[i]
	}
}

func (m mask) count() int {
	n := 0
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}

// appendRows appends the rows of m to sel in ascending order.
func (m mask) appendRows(sel []int32) []int32 {
	for i, w := range m {
		base := int32(i * 64)
		for ; w != 0; w &= w - 1 {
			sel = append(sel, base+int32(bits.TrailingZeros64(w)))
		}
	}
	return sel
}
