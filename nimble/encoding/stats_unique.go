package encoding

import (
	"hash/maphash"
	"math/bits"
	"math/rand/v2"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// encodeStringSeed is for hashing long strings; no result depends on it.
var encodeStringSeed = maphash.MakeSeed()

// encodeSeed makes the hash of numbers unpredictable to who made the values.
func encodeSeed() uint64 { return rand.Uint64() }

// uniqueBlockRows is how many rows are counted before room is checked again.
const uniqueBlockRows = 1024

// uniques are the distinct values of the first seen rows: numbered in the order
// of first occurrence, counted, and the number of each row's value. They are
// found by a table of numbers that is indexed by the value itself where the
// range is small, and else by a hash.
type uniques[T Physical] struct {
	seen        int
	alphabetBuf pool.Buf[T]
	countsBuf   pool.Buf[uint32]
	ids         pool.Buf[uint32] // by row
	table       pool.Buf[uint32] // number + 1, 0 = free
	shift       int              // of a hash to a place in table
	direct      bool             // table is indexed by value - lo
	distinct    int
	maxCount    uint32
	uniqueBytes uint64 // total length of distinct strings

	bounds uniqueBounds
	probed bool
}

// uniqueBounds is what is certain about the distinct values of all rows. Once
// all are counted it is exact.
type uniqueBounds struct {
	distinct uint64 // at least
	bytes    uint64 // at least, of distinct strings
	common   uint64 // at most, rows of the most frequent value
}

func (u *uniques[T]) release(p *pool.Pool) {
	pool.Put(p, &u.alphabetBuf)
	pool.Put(p, &u.countsBuf)
	pool.Put(p, &u.ids)
	pool.Put(p, &u.table)
}

// alphabet returns the distinct values.
func (u *uniques[T]) alphabet() []T { return u.alphabetBuf.S[:u.distinct] }

// counts returns how often each distinct value occurs.
func (u *uniques[T]) counts() []uint32 { return u.countsBuf.S[:u.distinct] }

// countUniques counts all rows.
func countUniques[T Physical](st *stats[T]) {
	for st.seen < len(st.values) {
		countUniquesBlock(st)
	}
}

// countUniquesBlock counts the next rows. If the first ones repeat so rarely that
// there seem to be many distinct values, at least one in four rows, it takes a
// look at all rows, which may spare counting them.
func countUniquesBlock[T Physical](st *stats[T]) {
	if !st.probed && st.seen > 0 {
		st.probed = true
		// Of seen rows seen²/2u are expected to repeat one of u values.
		if (st.seen-st.distinct)*len(st.values) <= 2*st.seen*st.seen {
			probeUniques(st)
			return
		}
	}
	rows := min(len(st.values)-st.seen, uniqueBlockRows)
	countBlock(st, rows)
	st.seen += rows
	b := &st.bounds
	b.distinct = max(b.distinct, uint64(st.distinct))
	b.bytes = max(b.bytes, st.uniqueBytes)
	b.common = min(b.common, uint64(st.maxCount)+uint64(len(st.values)-st.seen))
}

// countBlock counts as many rows more.
func countBlock[T Physical](st *stats[T], rows int) {
	switch st := any(st).(type) {
	case *stats[uint8]:
		countNumbersBlock(st, rows)
	case *stats[uint16]:
		countNumbersBlock(st, rows)
	case *stats[uint32]:
		countNumbersBlock(st, rows)
	case *stats[uint64]:
		countNumbersBlock(st, rows)
	case *stats[vector.View]:
		countStringsBlock(st, rows)
	}
}

func countNumbersBlock[T Integer](st *stats[T], rows int) {
	if st.seen == 0 {
		scanNumbers(st)
		st.ids = pool.Get[uint32](st.e.pool, len(st.values))
		if span := st.hi - st.lo; span < 256+2*uint64(len(st.values)) {
			st.direct = true
			st.table = pool.Get[uint32](st.e.pool, int(span)+1)
			clear(st.table.S)
		}
	}
	st.reserve(st.e.pool, rows)
	if st.direct {
		countDirect(st, rows)
		return
	}
	if st.needsTable(rows) {
		st.newTable(st.e.pool, rows)
		for id, v := range st.alphabet() {
			st.place(hashNumber(v, st.e.seed), id)
		}
	}
	countHashed(st, rows)
}

// lessValue orders numbers unsigned and strings by their bytes.
func lessValue[T Physical](a, b *T, buffers [][]byte) bool {
	switch a := any(a).(type) {
	case *uint8:
		return *a < *any(b).(*uint8)
	case *uint16:
		return *a < *any(b).(*uint16)
	case *uint32:
		return *a < *any(b).(*uint32)
	case *uint64:
		return *a < *any(b).(*uint64)
	case *vector.View:
		return vector.CompareViews(a, buffers, any(b).(*vector.View), buffers) < 0
	}
	return false
}

// reserve makes room for as many more distinct values as there are rows.
func (u *uniques[T]) reserve(p *pool.Pool, rows int) {
	pool.Grow(p, &u.alphabetBuf, u.distinct+rows)
	pool.Grow(p, &u.countsBuf, u.distinct+rows)
}

// needsTable reports whether the table could become more than half full.
func (u *uniques[T]) needsTable(rows int) bool { return len(u.table.S) < 2*(u.distinct+rows) }

// newTable takes an empty table in which there is room for rows more values,
// and for many more if it is not the first.
func (u *uniques[T]) newTable(p *pool.Pool, rows int) {
	pool.Put(p, &u.table)
	logSize := bits.Len(uint(2*rows + 8*u.distinct - 1))
	u.table = pool.Get[uint32](p, 1<<logSize)
	clear(u.table.S)
	u.shift = 64 - logSize
}

// place enters a number whose value is known not to be in the table.
func (u *uniques[T]) place(hash uint64, id int) {
	mask := len(u.table.S) - 1
	at := int(hash>>u.shift) & mask
	for u.table.S[at] != 0 {
		at = (at + 1) & mask
	}
	u.table.S[at] = uint32(id) + 1
}

func hashNumber[T Integer](v T, seed uint64) uint64 {
	h := (uint64(v) ^ seed) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	return h * 0xd6e8feb86659fd93
}

// countDirect counts rows whose values index the table.
func countDirect[T Integer](st *stats[T], rows int) {
	values := st.values[st.seen:][:rows]
	ids := st.ids.S[st.seen:][:rows]
	table, alphabet := st.table.S, st.alphabetBuf.S
	lo, distinct := T(st.lo), st.distinct
	for i, v := range values {
		slot := table[v-lo]
		if slot == 0 {
			alphabet[distinct] = v
			distinct++
			slot = uint32(distinct)
			table[v-lo] = slot
		}
		ids[i] = slot - 1
	}
	st.tally(ids, distinct)
}

// countHashed counts rows whose values are looked up by their hash. Short
// loops, each over all rows, keep what they need in registers.
func countHashed[T Integer](st *stats[T], rows int) {
	values := st.values[st.seen:][:rows]
	ids := st.ids.S[st.seen:][:rows]
	seed, shift := st.e.seed, st.shift
	for i, v := range values {
		ids[i] = uint32(hashNumber(v, seed) >> (shift & 63))
	}
	table, alphabet, distinct := st.table.S, st.alphabetBuf.S, st.distinct
	for i, v := range values {
		at := int(ids[i])
		slot := table[at]
		for slot != 0 && alphabet[slot-1] != v {
			at = (at + 1) & (len(table) - 1)
			slot = table[at]
		}
		if slot == 0 {
			alphabet[distinct] = v
			distinct++
			slot = uint32(distinct)
			table[at] = slot
		}
		ids[i] = slot - 1
	}
	st.tally(ids, distinct)
}

// tally counts the values of more rows, by which there are distinct ones.
func (u *uniques[T]) tally(ids []uint32, distinct int) {
	counts := u.countsBuf.S
	clear(counts[u.distinct:distinct])
	u.distinct = distinct
	maxCount := u.maxCount
	for _, id := range ids {
		c := counts[id] + 1
		counts[id] = c
		maxCount = max(maxCount, c)
	}
	u.maxCount = maxCount
}

func hashString(v *vector.View, buffers [][]byte, seed uint64) uint64 {
	if v.Inline() {
		return hashNumber(v[0]^hashNumber(v[1], seed), seed)
	}
	return maphash.Bytes(encodeStringSeed, v.Bytes(buffers))
}

func countStringsBlock(st *stats[vector.View], rows int) {
	if st.seen == 0 {
		st.ids = pool.Get[uint32](st.e.pool, len(st.values))
	}
	st.reserve(st.e.pool, rows)
	if st.needsTable(rows) {
		st.newTable(st.e.pool, rows)
		for id := range st.alphabet() {
			st.place(hashString(&st.alphabetBuf.S[id], st.buffers, st.e.seed), id)
		}
	}
	values, buffers, seed := st.values[st.seen:][:rows], st.buffers, st.e.seed
	ids := st.ids.S[st.seen:][:rows]
	for i := range values {
		ids[i] = uint32(hashString(&values[i], buffers, seed) >> (st.shift & 63))
	}
	table, alphabet, distinct := st.table.S, st.alphabetBuf.S, st.distinct
	for i := range values {
		v, at := &values[i], int(ids[i])
		slot := table[at]
		for slot != 0 && !equalStrings(&alphabet[slot-1], v, buffers) {
			at = (at + 1) & (len(table) - 1)
			slot = table[at]
		}
		if slot == 0 {
			alphabet[distinct] = *v
			distinct++
			st.uniqueBytes += uint64(v.Len())
			slot = uint32(distinct)
			table[at] = slot
		}
		ids[i] = slot - 1
	}
	st.tally(ids, distinct)
}

// probeUniques finds bounds for the distinct values of all rows from how many
// bits their hashes set in a small bitmap: each is set by another value, and
// each distinct value takes a row from the most frequent one.
func probeUniques[T Physical](st *stats[T]) {
	logBits := max(6, bits.Len(uint(4*len(st.values)-1)))
	bitmap := pool.Get[uint64](st.e.pool, 1<<(logBits-6))
	defer pool.Put(st.e.pool, &bitmap)
	clear(bitmap.S)
	var b uniqueBounds
	switch st := any(st).(type) {
	case *stats[uint16]:
		b = probeNumbers(st, bitmap.S, 64-logBits)
	case *stats[uint32]:
		b = probeNumbers(st, bitmap.S, 64-logBits)
	case *stats[uint64]:
		b = probeNumbers(st, bitmap.S, 64-logBits)
	case *stats[vector.View]:
		b = probeStrings(st, bitmap.S, 64-logBits)
	default:
		return // too few values to be worth it
	}
	st.bounds.distinct = max(st.bounds.distinct, b.distinct)
	st.bounds.bytes = max(st.bounds.bytes, b.bytes)
	st.bounds.common = min(st.bounds.common, uint64(len(st.values))-b.distinct+1)
}

func probeNumbers[T Integer](st *stats[T], bitmap []uint64, shift int) (b uniqueBounds) {
	seed := st.e.seed
	mask := len(bitmap) - 1
	for _, v := range st.values {
		h := hashNumber(v, seed) >> shift
		bitmap[int(h>>6)&mask] |= 1 << (h & 63)
	}
	for _, w := range bitmap {
		b.distinct += uint64(bits.OnesCount64(w))
	}
	return b
}

func probeStrings(st *stats[vector.View], bitmap []uint64, shift int) (b uniqueBounds) {
	for i := range st.values {
		v := &st.values[i]
		h := hashString(v, st.buffers, st.e.seed) >> shift
		if w := &bitmap[h>>6]; *w>>(h&63)&1 == 0 {
			*w |= 1 << (h & 63)
			b.distinct++
			b.bytes += uint64(v.Len())
		}
	}
	return b
}
