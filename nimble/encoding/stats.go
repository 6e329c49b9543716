package encoding

import (
	"math/bits"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// stats is one array being encoded with what is known about its values. What
// costs a pass over them is found out when it is first asked for. Values are
// compared by their bits, and ordered unsigned.
type stats[T Physical] struct {
	e       *Encoder
	dt      DataType
	values  []T
	buffers [][]byte // of strings

	scanned              bool
	runs                 int // maximal blocks of equal neighbours
	minRepeat, maxRepeat int // lengths of runs
	lo, hi               uint64
	bytes                uint64 // of all strings

	varints uint64 // bytes of value - lo as varints, once not 0

	uniques[T]
}

// takeStats returns a node for values, to be given back with release.
func takeStats[T Physical](e *Encoder, dt DataType, values []T, buffers [][]byte) *stats[T] {
	lane := laneOf[T](e)
	var st *stats[T]
	if n := len(lane.free); n > 0 {
		st = lane.free[n-1]
		lane.free = lane.free[:n-1]
	} else {
		st = new(stats[T])
	}
	*st = stats[T]{e: e, dt: dt, values: values, buffers: buffers}
	st.bounds.common = uint64(len(values))
	return st
}

// release gives the node and its scratch back.
func (st *stats[T]) release() {
	e := st.e
	st.uniques.release(e.pool)
	*st = stats[T]{}
	lane := laneOf[T](e)
	lane.free = append(lane.free, st)
}

func (st *stats[T]) rows() int { return len(st.values) }

// scan finds what one pass over the values tells, once.
func scan[T Physical](st *stats[T]) {
	switch st := any(st).(type) {
	case *stats[uint8]:
		scanNumbers(st)
	case *stats[uint16]:
		scanNumbers(st)
	case *stats[uint32]:
		scanNumbers(st)
	case *stats[uint64]:
		scanNumbers(st)
	case *stats[vector.View]:
		scanStrings(st)
	}
}

// scanNumbers finds runs and the smallest and largest value: lo and hi.
func scanNumbers[T Integer](st *stats[T]) {
	if st.scanned {
		return
	}
	st.scanned = true
	if len(st.values) == 0 {
		return
	}
	prev := st.values[0]
	lo, hi := prev, prev
	runs, start, shortest, longest := 1, 0, len(st.values), 0
	for i, v := range st.values {
		if v < lo { // a branch that is rarely taken is cheaper than a move
			lo = v
		}
		if v > hi {
			hi = v
		}
		if v == prev {
			continue
		}
		n := i - start
		if n < shortest {
			shortest = n
		}
		if n > longest {
			longest = n
		}
		prev, start = v, i
		runs++
	}
	n := len(st.values) - start
	st.runs, st.minRepeat, st.maxRepeat = runs, min(shortest, n), max(longest, n)
	st.lo, st.hi = uint64(lo), uint64(hi)
}

// equalStrings compares what tells most strings apart, length and first bytes,
// where it can be inlined.
func equalStrings(a, b *vector.View, buffers [][]byte) bool {
	return a[0] == b[0] && vector.EqualViews(a, buffers, b, buffers)
}

// scanStrings finds runs, the total length, and the shortest and the longest
// length: lo and hi.
func scanStrings(st *stats[vector.View]) {
	if st.scanned {
		return
	}
	st.scanned = true
	values := st.values
	if len(values) == 0 {
		return
	}
	lo, hi, total := values[0].Len(), 0, uint64(0)
	runs, start := 1, 0
	minRepeat, maxRepeat := len(values), 0
	for i := range values {
		n := values[i].Len()
		lo, hi = min(lo, n), max(hi, n)
		total += uint64(n)
		if equalStrings(&values[i], &values[start], st.buffers) {
			continue
		}
		minRepeat, maxRepeat = min(minRepeat, i-start), max(maxRepeat, i-start)
		start = i
		runs++
	}
	last := len(values) - start
	st.runs, st.minRepeat, st.maxRepeat = runs, min(minRepeat, last), max(maxRepeat, last)
	st.lo, st.hi, st.bytes = uint64(lo), uint64(hi), total
}

// varintSum is the size of all values less the smallest as varints.
func varintSum[T Integer](st *stats[T]) uint64 {
	if st.varints == 0 {
		scanNumbers(st)
		base := T(st.lo)
		sum := uint(0)
		for _, v := range st.values {
			// b/7 rounded up for b up to 64 bits, but 1 for b = 0.
			sum += (uint(bits.Len64(uint64(v-base)))*9 + 64) / 64
		}
		st.varints = uint64(sum)
	}
	return st.varints
}

// boolStats is an array of bools being encoded: the first n bits of words.
type boolStats struct {
	e     *Encoder
	words []uint64
	n     int

	scanned              bool
	trues                int
	runs                 int
	minRepeat, maxRepeat int
}

func takeBoolStats(e *Encoder, words []uint64, n int) *boolStats {
	var st *boolStats
	if k := len(e.bools.free); k > 0 {
		st = e.bools.free[k-1]
		e.bools.free = e.bools.free[:k-1]
	} else {
		st = new(boolStats)
	}
	*st = boolStats{e: e, words: words, n: n}
	return st
}

func (st *boolStats) release() {
	e := st.e
	*st = boolStats{}
	e.bools.free = append(e.bools.free, st)
}

// scan counts trues and runs.
func (st *boolStats) scan() {
	if st.scanned {
		return
	}
	st.scanned = true
	if st.n == 0 {
		return
	}
	st.trues = vector.CountBits(st.words, 0, st.n)
	st.minRepeat = st.n
	start := 0
	for start < st.n {
		end := st.runEnd(start)
		st.minRepeat, st.maxRepeat = min(st.minRepeat, end-start), max(st.maxRepeat, end-start)
		start = end
		st.runs++
	}
}

// runEnd returns where the run that begins at row start ends.
func (st *boolStats) runEnd(start int) int {
	var flip uint64
	if vector.Bit(st.words, start) {
		flip = ^uint64(0)
	}
	w := start >> 6
	word := (st.words[w] ^ flip) &^ (1<<(start&63) - 1)
	for word == 0 {
		if w++; w<<6 >= st.n {
			return st.n
		}
		word = st.words[w] ^ flip
	}
	return min(st.n, w<<6+bits.TrailingZeros64(word))
}

// positions returns the rows whose value is want, count of them, and one more
// that is n. The caller gives the buffer back.
func (st *boolStats) positions(want bool, count int) pool.Buf[uint32] {
	var flip uint64
	if !want {
		flip = ^uint64(0)
	}
	out := pool.Get[uint32](st.e.pool, count+1)
	at := 0
	for w, word := range st.words[:vector.Words(st.n)] {
		for word ^= flip; word != 0 && at < count; word &= word - 1 {
			out.S[at] = uint32(w<<6 + bits.TrailingZeros64(word))
			at++
		}
	}
	out.S[count] = uint32(st.n)
	return out
}
