package exec

import (
	"math"
	"math/bits"
)

// idTable numbers distinct 64-bit keys in the order of their first appearance.
// It is open-addressed; memory is kept on reset.
type idTable struct {
	keys  []uint64 // by id
	slots []uint32 // id + 1, 0 = empty; a power of two of them
	shift uint     // 64 - log2(len(slots))
	limit int      // of the keys; 0: none
}

// tableFull is the number of a key that was not seen before the limit was reached.
const tableFull = math.MaxUint32 - 1

const minTableSlots = 256

// hashMultiplier spreads keys: an odd number close to 2^64 over the golden ratio.
const hashMultiplier = 0x9e3779b97f4a7c15

func (t *idTable) len() int { return len(t.keys) }

func (t *idTable) reset() {
	t.keys = t.keys[:0]
	clear(t.slots)
}

// id returns the number of key, a new one if it was not seen before, or tableFull.
func (t *idTable) id(key uint64) uint32 {
	if len(t.keys)*2 >= len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	h := key ^ key>>32
	for i := h * hashMultiplier >> t.shift; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			if t.limit > 0 && len(t.keys) >= t.limit {
				return tableFull
			}
			t.keys = append(t.keys, key)
			t.slots[i] = uint32(len(t.keys))
			return uint32(len(t.keys) - 1)
		}
		if t.keys[s-1] == key {
			return s - 1
		}
	}
}

func (t *idTable) grow() {
	n := max(minTableSlots, len(t.slots)*2)
	t.slots = make([]uint32, n)
	t.shift = uint(64 - bits.TrailingZeros(uint(n)))
	mask := uint64(n - 1)
	for id, key := range t.keys {
		h := key ^ key>>32
		i := h * hashMultiplier >> t.shift
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = uint32(id + 1)
	}
}

// denseSpan is how many neighbouring keys a denseTable covers without hashing.
const denseSpan = 1 << 16

// denseTable is an idTable that looks up keys near the first one in an array.
type denseTable struct {
	table idTable
	base  uint64
	near  []uint32 // id + 1 of base + i
}

func (t *denseTable) len() int { return t.table.len() }

func (t *denseTable) reset() {
	t.table.reset()
	clear(t.near)
}

func (t *denseTable) id(key uint64) uint32 {
	if t.table.len() == 0 {
		if t.near == nil {
			t.near = make([]uint32, denseSpan)
		}
		t.base = key - denseSpan/2
	}
	d := key - t.base
	if d >= denseSpan {
		return t.table.id(key)
	}
	if id := t.near[d]; id != 0 {
		return id - 1
	}
	id := t.table.id(key)
	if id != tableFull {
		t.near[d] = id + 1
	}
	return id
}
