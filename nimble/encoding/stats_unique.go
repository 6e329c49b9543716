package encoding

import (
	"hash/maphash"
	"math/bits"
	"math/rand/v2"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// encodeStringSeed is for hashing strings; no result depends on it.
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

// countUniquesBlock counts the next rows.
func countUniquesBlock[T Physical](st *stats[T]) {
	switch st := any(st).(type) {
	case *stats[uint8]:
		countNumbersBlock(st)
	case *stats[uint16]:
		countNumbersBlock(st)
	case *stats[uint32]:
		countNumbersBlock(st)
	case *stats[uint64]:
		countNumbersBlock(st)
	case *stats[vector.View]:
		countStringsBlock(st)
	}
}

func countNumbersBlock[T Integer](st *stats[T]) {
	rows := min(len(st.values)-st.seen, uniqueBlockRows)
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
	switch {
	case st.direct:
		countDirect(st, rows)
	default:
		if p := &st.uniques; p.needsTable(rows) {
			p.newTable(st.e.pool, rows)
			for id, v := range p.alphabet() {
				p.place(hashNumber(v, st.e.seed), id)
			}
		}
		countHashed(st, rows)
	}
	st.seen += rows
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

// newTable takes an empty table in which there is room for rows more values.
func (u *uniques[T]) newTable(p *pool.Pool, rows int) {
	pool.Put(p, &u.table)
	logSize := bits.Len(uint(4*(u.distinct+rows) - 1))
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
	table, alphabet, counts := st.table.S, st.alphabetBuf.S, st.countsBuf.S
	lo, distinct, maxCount := T(st.lo), st.distinct, st.maxCount
	for i, v := range values {
		slot := &table[v-lo]
		if *slot == 0 {
			alphabet[distinct] = v
			counts[distinct] = 0
			distinct++
			*slot = uint32(distinct)
		}
		id := *slot - 1
		ids[i] = id
		counts[id]++
		maxCount = max(maxCount, counts[id])
	}
	st.distinct, st.maxCount = distinct, maxCount
}

// countHashed counts rows whose values are looked up by their hash.
func countHashed[T Integer](st *stats[T], rows int) {
	values := st.values[st.seen:][:rows]
	ids := st.ids.S[st.seen:][:rows]
	table, alphabet, counts := st.table.S, st.alphabetBuf.S, st.countsBuf.S
	distinct, maxCount, seed, shift := st.distinct, st.maxCount, st.e.seed, st.shift
	mask := len(table) - 1
	for i, v := range values {
		var id uint32
		if i > 0 && v == values[i-1] {
			id = ids[i-1]
		} else {
			at := int(hashNumber(v, seed)>>shift) & mask
			for table[at] != 0 && alphabet[table[at]-1] != v {
				at = (at + 1) & mask
			}
			if table[at] == 0 {
				alphabet[distinct] = v
				counts[distinct] = 0
				distinct++
				table[at] = uint32(distinct)
			}
			id = table[at] - 1
		}
		ids[i] = id
		counts[id]++
		maxCount = max(maxCount, counts[id])
	}
	st.distinct, st.maxCount = distinct, maxCount
}

func hashString(b []byte) uint64 { return maphash.Bytes(encodeStringSeed, b) }

func countStringsBlock(st *stats[vector.View]) {
	rows := min(len(st.values)-st.seen, uniqueBlockRows)
	if st.seen == 0 {
		st.ids = pool.Get[uint32](st.e.pool, len(st.values))
	}
	st.reserve(st.e.pool, rows)
	if st.needsTable(rows) {
		st.newTable(st.e.pool, rows)
		for id := range st.alphabet() {
			st.place(hashString(st.alphabetBuf.S[id].Bytes(st.buffers)), id)
		}
	}
	values, buffers := st.values[st.seen:][:rows], st.buffers
	ids := st.ids.S[st.seen:][:rows]
	table, alphabet, counts := st.table.S, st.alphabetBuf.S, st.countsBuf.S
	mask := len(table) - 1
	for i := range values {
		v := &values[i]
		var id uint32
		if i > 0 && vector.EqualViews(v, buffers, &values[i-1], buffers) {
			id = ids[i-1]
		} else {
			b := v.Bytes(buffers)
			at := int(hashString(b)>>st.shift) & mask
			for table[at] != 0 && !vector.EqualViews(&alphabet[table[at]-1], buffers, v, buffers) {
				at = (at + 1) & mask
			}
			if table[at] == 0 {
				alphabet[st.distinct] = *v
				counts[st.distinct] = 0
				st.distinct++
				st.uniqueBytes += uint64(len(b))
				table[at] = uint32(st.distinct)
			}
			id = table[at] - 1
		}
		ids[i] = id
		counts[id]++
		st.maxCount = max(st.maxCount, counts[id])
	}
	st.seen += rows
}
