package encoding

import (
	"cmp"
	"slices"

	"github.com/decantdb/decant/vector"
)

const (
	fsstSampleBytes = 16 << 10 // strings that a table is made from
	fsstPieceBytes  = 512      // of one string
	fsstRounds      = 5
	fsstMinCount    = 5 // what is rarer is not worth a symbol
	// While a table is made, a byte without a symbol counts as one of these.
	fsstBytes = 256
	fsstIDs   = fsstBytes + 256
)

// fsstTrainer makes symbol tables. Beginning with single bytes, it encodes a
// sample with the table it has, counts symbols and pairs of neighbours, and
// keeps as the next table those that cover most of the sample, pairs being
// joined to longer symbols.
type fsstTrainer struct {
	coder      fsstCoder
	counts     [fsstIDs]uint32
	pairs      [fsstIDs][fsstIDs]uint16
	candidates []fsstCandidate
}

type fsstCandidate struct {
	bits   uint64
	length uint8
	gain   uint32 // bytes of the sample that it covers
}

// train returns a table for the strings. It is valid until the next call.
func (t *fsstTrainer) train(st *stats[vector.View]) *fsstCoder {
	t.coder.count = 0
	t.coder.index()
	stride := max(1, int(min(st.bytes, uint64(st.rows())*fsstPieceBytes)/fsstSampleBytes))
	for range fsstRounds {
		t.counts = [fsstIDs]uint32{}
		t.pairs = [fsstIDs][fsstIDs]uint16{}
		for i := 0; i < st.rows(); i += stride {
			b := st.values[i].Bytes(st.buffers)
			t.count(b[:min(len(b), fsstPieceBytes)])
		}
		t.choose()
	}
	return &t.coder
}

// count encodes b and counts what it meets.
func (t *fsstTrainer) count(b []byte) {
	prev := -1
	for len(b) > 0 {
		id, length := fsstBytes+int(b[0]), 1
		if s := t.coder.match(b); s != nil {
			id, length = int(s.code), int(s.length)
		}
		t.counts[id]++
		if prev >= 0 {
			if p := &t.pairs[prev][id]; *p < 1<<16-1 {
				*p++
			}
			// The next byte alone may join the symbol as well.
			if p := &t.pairs[prev][fsstBytes+int(b[0])]; length > 1 && *p < 1<<16-1 {
				*p++
			}
		}
		prev = id
		b = b[length:]
	}
}

// symbol returns what an id stands for.
func (t *fsstTrainer) symbol(id int) (bits uint64, length uint8) {
	if id >= fsstBytes {
		return uint64(id - fsstBytes), 1
	}
	for i := range t.coder.symbols[:t.coder.count] {
		if s := &t.coder.symbols[i]; int(s.code) == id {
			return s.bits, s.length
		}
	}
	return 0, 0
}

// choose makes the next table.
func (t *fsstTrainer) choose() {
	t.candidates = t.candidates[:0]
	for a, n := range t.counts {
		if n < fsstMinCount {
			continue
		}
		bits, length := t.symbol(a)
		gain := n * uint32(length)
		if length == 1 {
			gain = n * 8 // an escape costs two bytes, so single bytes matter more
		}
		t.candidates = append(t.candidates, fsstCandidate{bits, length, gain})
		for b, n := range t.pairs[a] {
			if n < fsstMinCount || length == fsstLongest {
				continue
			}
			next, more := t.symbol(b)
			more = min(more, fsstLongest-length)
			joint := bits | next<<(8*length)
			if total := length + more; total < fsstLongest {
				joint &= 1<<(8*total) - 1
			}
			t.candidates = append(t.candidates, fsstCandidate{joint, length + more, uint32(n) * uint32(length+more)})
		}
	}
	t.keep(mergeCandidates(t.candidates))
}

// mergeCandidates puts equal candidates together and returns them in falling
// order of gain.
func mergeCandidates(all []fsstCandidate) []fsstCandidate {
	slices.SortFunc(all, func(a, b fsstCandidate) int {
		return cmp.Or(cmp.Compare(a.bits, b.bits), cmp.Compare(a.length, b.length))
	})
	n := 0
	for _, c := range all {
		if n > 0 && all[n-1].bits == c.bits && all[n-1].length == c.length {
			all[n-1].gain += c.gain
			continue
		}
		all[n] = c
		n++
	}
	all = all[:n]
	slices.SortFunc(all, func(a, b fsstCandidate) int {
		return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(a.bits, b.bits), cmp.Compare(a.length, b.length))
	})
	return all
}

// keep takes the best candidates as the table and numbers them: by length, but
// single bytes last.
func (t *fsstTrainer) keep(best []fsstCandidate) {
	c := &t.coder
	c.count = min(len(best), fsstEscape)
	for i, b := range best[:c.count] {
		c.symbols[i] = fsstSymbol{bits: b.bits, length: b.length}
	}
	c.index()
	code := uint8(0)
	for i := range fsstLongest {
		length := uint8((i+1)%fsstLongest + 1)
		for j := range c.symbols[:c.count] {
			if c.symbols[j].length == length {
				c.symbols[j].code = code
				code++
			}
		}
	}
}

// index sorts the symbols by their first byte, longer ones first.
func (c *fsstCoder) index() {
	symbols := c.symbols[:c.count]
	slices.SortFunc(symbols, func(a, b fsstSymbol) int {
		return cmp.Or(cmp.Compare(byte(a.bits), byte(b.bits)), cmp.Compare(b.length, a.length), cmp.Compare(a.bits, b.bits))
	})
	at := 0
	for b := range c.first {
		for at < len(symbols) && int(byte(symbols[at].bits)) < b {
			at++
		}
		c.first[b] = uint16(at)
	}
}
