package datatable

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"

	"github.com/decantdb/decant/pool"
)

// dictionary gives strings numbers in the order of their first use. It holds
// them as they are written, each with its length before it, and finds them by
// open addressing.
type dictionary struct {
	pool  *pool.Pool
	seed  maphash.Seed
	bytes pool.Buf[byte]   // lstr of each id
	ends  pool.Buf[uint32] // of each id in bytes
	slots pool.Buf[uint64] // hash << 32 | id + 1, 0 = free; a power of two
}

const minDictionarySlots = 64

func (d *dictionary) count() int { return len(d.ends.S) }

// id returns the number of s. That of a string that is new is the count before.
func (d *dictionary) id(s []byte) uint32 {
	if (d.count()+1)*4 > len(d.slots.S)*3 {
		d.rehash()
	}
	hash := maphash.Bytes(d.seed, s) >> 32
	mask := uint64(len(d.slots.S) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		slot := d.slots.S[i]
		if slot == 0 {
			d.add(s)
			d.slots.S[i] = hash<<32 | uint64(d.count())
			return uint32(d.count() - 1)
		}
		if id := uint32(slot) - 1; slot>>32 == hash && bytes.Equal(d.at(id), s) {
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
	pool.Grow(d.pool, &d.bytes, begin+4+len(s))
	binary.BigEndian.PutUint32(d.bytes.S[begin:], uint32(len(s)))
	copy(d.bytes.S[begin+4:], s)
	n := d.count()
	pool.Grow(d.pool, &d.ends, n+1)
	d.ends.S[n] = uint32(len(d.bytes.S))
}

func (d *dictionary) rehash() {
	bigger := pool.Get[uint64](d.pool, max(minDictionarySlots, 2*len(d.slots.S)))
	clear(bigger.S)
	mask := uint64(len(bigger.S) - 1)
	for _, slot := range d.slots.S {
		if slot == 0 {
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
	if d.count() > 0 {
		clear(d.slots.S)
	}
	d.bytes.S, d.ends.S = d.bytes.S[:0], d.ends.S[:0]
}

func (d *dictionary) release() {
	pool.Put(d.pool, &d.bytes)
	pool.Put(d.pool, &d.ends)
	pool.Put(d.pool, &d.slots)
}
