package exec

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// textTable numbers distinct texts in the order of their first appearance. It
// keeps copies of them; memory is kept on reset.
type textTable struct {
	seed    maphash.Seed
	content []byte
	ends    []int    // by id, where the text ends in bytes
	hashes  []uint64 // by id
	slots   []uint32 // id + 1, 0 = empty; a power of two of them
	shift   uint
	limit   int // of the texts; 0: none
}

func newTextTable() *textTable { return &textTable{seed: maphash.MakeSeed()} }

func (t *textTable) len() int { return len(t.ends) }

func (t *textTable) reset() {
	t.content, t.ends, t.hashes = t.content[:0], t.ends[:0], t.hashes[:0]
	clear(t.slots)
}

// text returns the text numbered id. It is valid until the next call of id.
func (t *textTable) text(id uint32) []byte {
	begin := 0
	if id > 0 {
		begin = t.ends[id-1]
	}
	return t.content[begin:t.ends[id]]
}

// id returns the number of s, a new one if it was not seen before, or tableFull.
func (t *textTable) id(s []byte) uint32 {
	if len(t.ends)*2 >= len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	h := maphash.Bytes(t.seed, s)
	for i := h >> t.shift; ; i = (i + 1) & mask {
		slot := t.slots[i]
		if slot == 0 {
			if t.limit > 0 && len(t.ends) >= t.limit {
				return tableFull
			}
			t.content = append(t.content, s...)
			t.ends = append(t.ends, len(t.content))
			t.hashes = append(t.hashes, h)
			t.slots[i] = uint32(len(t.ends))
			return uint32(len(t.ends) - 1)
		}
		if t.hashes[slot-1] == h && bytes.Equal(t.text(slot-1), s) {
			return slot - 1
		}
	}
}

func (t *textTable) grow() {
	n := max(minTableSlots, len(t.slots)*2)
	t.slots = make([]uint32, n)
	t.shift = uint(64 - bits.TrailingZeros(uint(n)))
	mask := uint64(n - 1)
	for id, h := range t.hashes {
		i := h >> t.shift
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = uint32(id + 1)
	}
}
