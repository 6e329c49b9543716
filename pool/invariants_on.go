//go:build invariants

package pool

import "fmt"

const poisonWord = 0xdbdbdbdbdbdbdbdb

func poison(h *slab) {
	for i := range h.mem {
		h.mem[i] = poisonWord
	}
}

// checkPoison panics if somebody wrote to memory that was not theirs any more.
func checkPoison(h *slab) {
	for i, w := range h.mem {
		if w != poisonWord {
			panic(fmt.Sprintf("pool: use after release: byte %d of a buffer of %d bytes was changed", i*8, len(h.mem)*8))
		}
	}
}

func misuse(what string, h *slab) {
	panic(fmt.Sprintf("pool: %s of a buffer of %d bytes", what, len(h.mem)*8))
}
