package fn

import (
	"encoding/binary"
	"math/bits"
)

// murmurs is the family of Austin Appleby's hashes. All read little-endian words.
var murmurs = []Function{
	{Name: "murmurhash2", Rows: takes(Int, rows(func(r *Row) error { r.I = int64(int32(murmur2(r.Text(0)))); return nil }), Bytes)},
	{Name: "murmurhash2utf8", Rows: takes(Int, rows(func(r *Row) error { r.I = int64(int32(murmur2(r.Text(0)))); return nil }), String)},
	{Name: "murmurhash2bit64", Rows: either(
		takes(Long, rows(func(r *Row) error { r.I = int64(murmur2Wide(r.Text(0), 0xe17a1465)); return nil }), Bytes),
		takes(Long, rows(func(r *Row) error { r.I = int64(murmur2Wide(r.Text(0), uint64(uint32(r.Int(1))))); return nil }), Bytes, Int),
	)},
	{Name: "murmurhash3bit32", Rows: takes(Int, rows(func(r *Row) error { r.I = int64(int32(murmur3(r.Text(0), uint32(r.Int(1))))); return nil }), Bytes, Int)},
	{Name: "murmurhash3bit64", Rows: takes(Long, rows(func(r *Row) error {
		h, _ := murmur3Wide(r.Text(0), uint64(r.Int(1)))
		r.I = int64(h)
		return nil
	}), Bytes, Int)},
	{Name: "murmurhash3bit128", Rows: takes(Bytes, rows(func(r *Row) error {
		h1, h2 := murmur3Wide(r.Text(0), uint64(r.Int(1)))
		r.Out = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(r.Out, h1), h2)
		return nil
	}), Bytes, Int)},
	{Name: "murmurhash3x64bit32", Rows: takes(Int, rows(murmurX64), Bytes, Int)},
	{Name: "murmurhash3x64bit64", Rows: takes(Long, rows(murmurX64), Bytes, Int)},
	{Name: "murmurhash3x64bit128", Rows: takes(Bytes, rows(func(r *Row) error {
		h1, h2 := murmur3Early(r.Text(0), uint64(r.Int(1)))
		r.Out = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(r.Out, h1), h2)
		return nil
	}), Bytes, Int)},
}

// murmurX64 gives 32 bits, also where Pinot calls them 64.
func murmurX64(r *Row) error {
	h, _ := murmur3Early(r.Text(0), uint64(r.Int(1)))
	r.I = int64(h) >> 32
	return nil
}

// murmur2 is the 32-bit second version, with the seed that Kafka takes.
func murmur2(b []byte) uint32 {
	const m, seed = 0x5bd1e995, 0x9747b28c
	h := seed ^ uint32(len(b))
	for ; len(b) >= 4; b = b[4:] {
		k := binary.LittleEndian.Uint32(b) * m
		h = h*m ^ (k^k>>24)*m
	}
	for i := len(b) - 1; i >= 0; i-- {
		h ^= uint32(b[i]) << (8 * i)
	}
	if len(b) > 0 {
		h *= m
	}
	h = (h ^ h>>13) * m
	return h ^ h>>15
}

// murmur2Wide is the 64-bit second version.
func murmur2Wide(b []byte, seed uint64) uint64 {
	const m = 0xc6a4a7935bd1e995
	h := seed ^ uint64(len(b))*m
	for ; len(b) >= 8; b = b[8:] {
		k := binary.LittleEndian.Uint64(b) * m
		h = (h ^ (k^k>>47)*m) * m
	}
	for i := len(b) - 1; i >= 0; i-- {
		h ^= uint64(b[i]) << (8 * i)
	}
	if len(b) > 0 {
		h *= m
	}
	h = (h ^ h>>47) * m
	return h ^ h>>47
}

// murmur3 is the 32-bit third version.
func murmur3(b []byte, seed uint32) uint32 {
	mix := func(k uint32) uint32 { return bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593 }
	h, n := seed, uint32(len(b))
	for ; len(b) >= 4; b = b[4:] {
		h = bits.RotateLeft32(h^mix(binary.LittleEndian.Uint32(b)), 13)*5 + 0xe6546b64
	}
	var tail uint32
	for i := len(b) - 1; i >= 0; i-- {
		tail = tail<<8 | uint32(b[i])
	}
	h ^= mix(tail) ^ n
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// murmur3Wide is the 128-bit third version for machines of 64 bits.
func murmur3Wide(b []byte, seed uint64) (h1, h2 uint64) {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	mix1 := func(k uint64) uint64 { return bits.RotateLeft64(k*c1, 31) * c2 }
	mix2 := func(k uint64) uint64 { return bits.RotateLeft64(k*c2, 33) * c1 }
	h1, h2 = seed, seed
	n := uint64(len(b))
	for ; len(b) >= 16; b = b[16:] {
		h1 = (bits.RotateLeft64(h1^mix1(binary.LittleEndian.Uint64(b)), 27)+h2)*5 + 0x52dce729
		h2 = (bits.RotateLeft64(h2^mix2(binary.LittleEndian.Uint64(b[8:])), 31)+h1)*5 + 0x38495ab5
	}
	var tail [16]byte
	copy(tail[:], b)
	h1 ^= mix1(binary.LittleEndian.Uint64(tail[:])) ^ n
	h2 ^= mix2(binary.LittleEndian.Uint64(tail[8:])) ^ n
	h1 += h2
	h2 += h1
	h1, h2 = murmur3Final(h1), murmur3Final(h2)
	h1 += h2
	h2 += h1
	return h1, h2
}

func murmur3Final(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// murmur3Early is an early draft of the third version, whose multipliers change
// from block to block. Bytes of the last block are signed, as Java has them.
func murmur3Early(b []byte, seed uint64) (h1, h2 uint64) {
	h1, h2 = seed^0x9368e53c2f6af274, seed^0x586dcd208f7cd3fd
	c1, c2 := uint64(0x87c37b91114253d5), uint64(0x4cf5ad432745937f)
	mix := func(k1, k2 uint64) {
		h1 = (h1 ^ bits.RotateLeft64(k1*c1, 23)*c2) + h2
		h2 = bits.RotateLeft64(h2, 41)
		h2 = (h2 ^ bits.RotateLeft64(k2*c2, 23)*c1) + h1
		h1, h2 = h1*3+0x52dce729, h2*3+0x38495ab5
		c1, c2 = c1*5+0x7b7d159c, c2*5+0x6bce6396
	}
	n := uint64(len(b))
	for ; len(b) >= 16; b = b[16:] {
		mix(binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]))
	}
	var k [2]uint64
	for i, c := range b {
		k[i/8] ^= uint64(int8(c)) << (8 * (i % 8))
	}
	if len(b) > 0 {
		mix(k[0], k[1])
	}
	h2 ^= n
	h1 += h2
	h2 += h1
	h1, h2 = murmur3Final(h1), murmur3Final(h2)
	h1 += h2
	return h1, h2 + h1
}
