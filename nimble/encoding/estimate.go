package encoding

import "github.com/decantdb/decant/vector"

// estimatedPrefixBytes is the prefix that estimates reckon with, whatever the
// form of row counts. Only Constant takes the real one.
const estimatedPrefixBytes = 6

// estimateFixed is the size of n numbers of width bytes between lo and hi in
// FixedBitWidth, without slop.
func (e *Encoder) estimateFixed(width int, n, lo, hi uint64) uint64 {
	return estimatedPrefixBytes + 2 + uint64(width) + (n*uint64(e.fixedBits(hi-lo))+7)/8
}

// estimateFixed4 is estimateFixed for the lengths and indices that encodings
// nest.
func (e *Encoder) estimateFixed4(n, lo, hi uint64) uint64 { return e.estimateFixed(4, n, lo, hi) }

// fixedBits is the width that FixedBitWidth packs values up to span in.
func (e *Encoder) fixedBits(span uint64) int {
	bits := bitsRequired(span)
	if e.opts.ExactBits {
		return bits
	}
	return (bits + 7) &^ 7
}

// estimateStrings is the size of n strings of total bytes and lengths between
// lo and hi in Trivial.
func (e *Encoder) estimateStrings(n, total, lo, hi uint64) uint64 {
	return estimatedPrefixBytes + 5 + total + e.estimateFixed4(n, lo, hi)
}

// estimateSparse is the size of n bools in SparseBool, listed of which are
// listed.
func (e *Encoder) estimateSparse(n, listed uint64) uint64 {
	return estimatedPrefixBytes + 1 + e.estimateFixed4(listed+1, 0, n)
}

// estimateAlphabetStrings is the size of the alphabet of a string dictionary
// and n indices into it, with the dictionary's own header.
func estimateAlphabetStrings(st *stats[vector.View], n uint64) uint64 {
	u := st.bounds.distinct
	return estimatedPrefixBytes + 4 + st.e.estimateStrings(u, st.bounds.bytes, st.lo, st.hi) +
		st.e.estimateFixed4(n, 0, max(u, 1)-1)
}
