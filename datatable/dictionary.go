package datatable

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"

	"github.com/decantdb/decant/pool"
)

// dictionary gives strings numbers in the order of their first use. It holds
// them as they are written, each with its length before it, and finds them by
// open addressing. A slot is
//
//	hash, 32 bits | base + id + 1, 32 bits
//
// and free if the low half is at most base. Emptying the dictionary moves base
// past its strings, so it costs the same whatever the number of slots.
type dictionary struct {
	pool  *pool.Pool
	bytes pool.Buf[byte]   // lstr of each id
	ends  pool.Buf[uint32] // of each id in bytes
	slots pool.Buf[uint64] // a power of two
	base  uint32
}

const (
	minDictionarySlots = 8
	// maxBase leaves room for more strings than a section has bytes for.
	maxBase = math.MaxUint32 / 2
)

func (d *dictionary) count() int { return len(d.ends.S) }

// id returns the number of s. That of a string that is new is the count before.
func (d *dictionary) id(s []byte) uint32 {
	if (d.count()+1)*4 > len(d.slots.S)*3 {
		d.rehash()
	}
	hash := hashOf(s) >> 32
	mask := uint64(len(d.slots.S) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		slot := d.slots.S[i]
		if uint32(slot) <= d.base {
			d.add(s)
			d.slots.S[i] = hash<<32 | uint64(d.base) + uint64(d.count())
			return uint32(d.count() - 1)
		}
		if id := uint32(slot) - d.base - 1; slot>>32 == hash && bytes.Equal(d.at(id), s) {
			return id
		}
	}
}

// at returns the string of a number.
func (d *dictionary) at(id uint32) []byte {
	begin := uint32(0)
	if id > 0 {
		begin = d.ends.S[id-1]
	}
	return d.bytes.S[begin+4 : d.ends.S[id]]
}

func (d *dictionary) add(s []byte) {
	begin := len(d.bytes.S)
	grow(d.pool, &d.bytes, begin+4+len(s), sectionBytes)
	binary.BigEndian.PutUint32(d.bytes.S[begin:], uint32(len(s)))
	copy(d.bytes.S[begin+4:], s)
	n := d.count()
	grow(d.pool, &d.ends, n+1, sectionBytes/4)
	d.ends.S[n] = uint32(len(d.bytes.S))
}

func (d *dictionary) rehash() {
	bigger := pool.Get[uint64](d.pool, max(minDictionarySlots, 2*len(d.slots.S)))
	clear(bigger.S)
	mask := uint64(len(bigger.S) - 1)
	for _, slot := range d.slots.S {
		if uint32(slot) <= d.base {
			continue
		}
		i := slot >> 32 & mask
		for bigger.S[i] != 0 {
			i = (i + 1) & mask
		}
		bigger.S[i] = slot
	}
	pool.Put(d.pool, &d.slots)
	d.slots = bigger
}

func (d *dictionary) reset() {
	d.base += uint32(d.count())
	if d.base > maxBase {
		clear(d.slots.S)
		d.base = 0
	}
	d.bytes.S, d.ends.S = d.bytes.S[:0], d.ends.S[:0]
}

func (d *dictionary) release() {
	pool.Put(d.pool, &d.bytes)
	pool.Put(d.pool, &d.ends)
	pool.Put(d.pool, &d.slots)
	d.base = 0
}

// Hashes differ from one process to the next, so that nobody can choose strings
// that collide.
var (
	longSeed  = maphash.MakeSeed()
	shortKeys = [2]uint64{maphash.String(longSeed, "0"), maphash.String(longSeed, "1")}
)

// hashOf returns the hash of s. Short strings, which most are, take one
// multiplication.
func hashOf(s []byte) uint64 {
	var x, y uint64
	switch n := len(s); {
	case n > 16:
		return maphash.Bytes(longSeed, s)
	case n >= 8:
		x, y = binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[n-8:])
	case n >= 4:
		x, y = uint64(binary.LittleEndian.Uint32(s)), uint64(binary.LittleEndian.Uint32(s[n-4:]))
	case n > 0:
		x = uint64(s[0])<<16 | uint64(s[n/2])<<8 | uint64(s[n-1])
	}
	high, low := bits.Mul64(x^shortKeys[0], y^shortKeys[1]^uint64(len(s)))
	return high ^ low
}
