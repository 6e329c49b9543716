package fn

import (
	"encoding/binary"
	"math/bits"
)

// cities is the family of Google's CityHash, version 1.1. All read little-endian
// words.
var cities = []Function{
	{Name: "cityhash32", Rows: takes(Long, rows(func(r *Row) error { r.I = int64(int32(city32(r.Text(0)))); return nil }), Bytes)},
	{Name: "cityhash64", Rows: either(
		takes(Long, rows(func(r *Row) error { r.I = int64(city64(r.Text(0))); return nil }), Bytes),
		takes(Long, rows(func(r *Row) error { r.I = int64(city64Seeded(r.Text(0), cityK2, uint64(r.Int(1)))); return nil }), Bytes, Long),
		takes(Long, rows(func(r *Row) error {
			r.I = int64(city64Seeded(r.Text(0), uint64(r.Int(1)), uint64(r.Int(2))))
			return nil
		}), Bytes, Long, Long),
	)},
	{Name: "cityhash128", Rows: takes(Bytes, rows(func(r *Row) error {
		low, high := city128(r.Text(0))
		r.Out = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(r.Out, low), high)
		return nil
	}), Bytes)},
}

// The primes of the 64-bit hash.
const (
	cityK0 = 0xc3a5c85c97cb3127
	cityK1 = 0xb492b66fbe98f273
	cityK2 = 0x9ae16a3b2f90404f
)

func word(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

func word32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

func rotated(x uint64, by int) uint64 { return bits.RotateLeft64(x, -by) }

func shiftMix(x uint64) uint64 { return x ^ x>>47 }

// cityMix hashes two words into one.
func cityMix(u, v, by uint64) uint64 {
	a := shiftMix((u ^ v) * by)
	return shiftMix((v^a)*by) * by
}

func cityPair(u, v uint64) uint64 { return cityMix(u, v, 0x9ddfea08eb382d69) }

// cityWeak mixes 32 bytes into two words.
func cityWeak(b []byte, at int, x, y uint64) (uint64, uint64) {
	x += word(b, at)
	first := x
	y = rotated(y+x+word(b, at+24), 21)
	x += word(b, at+8) + word(b, at+16)
	return x + word(b, at+24), y + rotated(x, 44) + first
}

// cityShort is the hash of up to 16 bytes.
func cityShort(b []byte) uint64 {
	n := uint64(len(b))
	by := cityK2 + 2*n
	switch {
	case n >= 8:
		x, y := word(b, 0)+cityK2, word(b, len(b)-8)
		return cityMix(rotated(y, 37)*by+x, (rotated(x, 25)+y)*by, by)
	case n >= 4:
		return cityMix(n+uint64(word32(b, 0))<<3, uint64(word32(b, len(b)-4)), by)
	case n > 0:
		y := uint64(b[0]) + uint64(b[n/2])<<8
		z := n + uint64(b[n-1])<<2
		return shiftMix(y*cityK2^z*cityK0) * cityK2
	}
	return cityK2
}

// cityMiddle is the hash of 17 to 64 bytes.
func cityMiddle(b []byte) uint64 {
	n := len(b)
	by := cityK2 + 2*uint64(n)
	if n <= 32 {
		p, q, r, s := word(b, 0)*cityK1, word(b, 8), word(b, n-8)*by, word(b, n-16)*cityK2
		return cityMix(rotated(p+q, 43)+rotated(r, 30)+s, p+rotated(q+cityK2, 18)+r, by)
	}
	a, c, d := word(b, 0)*cityK2, word(b, n-24), word(b, n-32)
	e, f := word(b, 16)*cityK2, word(b, 24)*9
	g, h := word(b, n-8), word(b, n-16)*by
	u := rotated(a+g, 43) + (rotated(word(b, 8), 30)+c)*9
	v := ((a + g) ^ d) + f + 1
	w := bits.ReverseBytes64((u+v)*by) + h
	x := rotated(e+f, 42) + c
	y := (bits.ReverseBytes64((v+w)*by) + g) * by
	z := e + f + c
	a = bits.ReverseBytes64((x+z)*by+y) + word(b, 8)
	return shiftMix((z+a)*by+d+h)*by + x
}

// cityState is what blocks of 64 bytes are mixed into.
type cityState struct{ x, y, z, v1, v2, w1, w2 uint64 }

func (s *cityState) block(b []byte) {
	s.x = rotated(s.x+s.y+s.v1+word(b, 8), 37) * cityK1
	s.y = rotated(s.y+s.v2+word(b, 48), 42) * cityK1
	s.x ^= s.w2
	s.y += s.v1 + word(b, 40)
	s.z = rotated(s.z+s.w1, 33) * cityK1
	s.v1, s.v2 = cityWeak(b, 0, s.v2*cityK1, s.x+s.w1)
	s.w1, s.w2 = cityWeak(b, 32, s.z+s.w2, s.y+word(b, 16))
	s.z, s.x = s.x, s.z
}

// city64 is the 64-bit hash.
func city64(b []byte) uint64 {
	n := len(b)
	switch {
	case n <= 16:
		return cityShort(b)
	case n <= 64:
		return cityMiddle(b)
	}
	s := cityState{x: word(b, n-40), y: word(b, n-16) + word(b, n-56)}
	s.z = cityPair(word(b, n-48)+uint64(n), word(b, n-24))
	s.v1, s.v2 = cityWeak(b, n-64, uint64(n), s.z)
	s.w1, s.w2 = cityWeak(b, n-32, s.y+cityK1, s.x)
	s.x = s.x*cityK1 + word(b, 0)
	for at := 0; at < (n-1)&^63; at += 64 {
		s.block(b[at:])
	}
	return cityPair(cityPair(s.v1, s.w1)+shiftMix(s.y)*cityK1+s.z, cityPair(s.v2, s.w2)+s.x)
}

func city64Seeded(b []byte, seed0, seed1 uint64) uint64 { return cityPair(city64(b)-seed0, seed1) }

// city128 is the 128-bit hash: its low half and its high one.
func city128(b []byte) (low, high uint64) {
	x, y := uint64(cityK0), uint64(cityK1)
	if len(b) >= 16 {
		x, y = word(b, 0), word(b, 8)+cityK0
		b = b[16:]
	}
	if len(b) < 128 {
		return city128Short(b, x, y)
	}
	n := uint64(len(b))
	s := cityState{x: x, y: y, z: n * cityK1}
	s.v1 = rotated(y^cityK1, 49)*cityK1 + word(b, 0)
	s.v2 = rotated(s.v1, 42)*cityK1 + word(b, 8)
	s.w1 = rotated(y+s.z, 35)*cityK1 + x
	s.w2 = rotated(x+word(b, 88), 53) * cityK1
	all := b // the last blocks reach back into those before
	for ; len(b) >= 128; b = b[128:] {
		s.block(b)
		s.block(b[64:])
	}
	s.x += rotated(s.v1+s.z, 49) * cityK0
	s.y = s.y*cityK0 + rotated(s.w2, 37)
	s.z = s.z*cityK0 + rotated(s.w1, 27)
	s.w1 *= 9
	s.v1 *= cityK0
	for done := 0; done < len(b); {
		done += 32
		at := len(all) - done
		s.y = rotated(s.x+s.y, 42)*cityK0 + s.v2
		s.w1 += word(all, at+16)
		s.x = s.x*cityK0 + s.w1
		s.z += s.w2 + word(all, at)
		s.w2 += s.v1
		s.v1, s.v2 = cityWeak(all, at, s.v1+s.z, s.v2)
		s.v1 *= cityK0
	}
	s.x = cityPair(s.x, s.v1)
	s.y = cityPair(s.y+s.z, s.w1)
	return cityPair(s.x+s.v2, s.w2) + s.y, cityPair(s.x+s.w2, s.y+s.v2)
}

// city128Short is the 128-bit hash of less than 128 bytes.
func city128Short(b []byte, x, y uint64) (low, high uint64) {
	n := len(b)
	var c, d uint64
	if n <= 16 {
		x = shiftMix(x*cityK1) * cityK1
		c = y*cityK1 + cityShort(b)
		d = c
		if n >= 8 {
			d = word(b, 0)
		}
		d = shiftMix(x + d)
	} else {
		c = cityPair(word(b, n-8)+cityK1, x)
		d = cityPair(y+uint64(n), c+word(b, n-16))
		x += d
		for at := 0; at < n-16; at += 16 {
			x = (x ^ shiftMix(word(b, at)*cityK1)*cityK1) * cityK1
			y ^= x
			c = (c ^ shiftMix(word(b, at+8)*cityK1)*cityK1) * cityK1
			d ^= c
		}
	}
	x, y = cityPair(x, c), cityPair(d, y)
	return x ^ y, cityPair(y, x)
}
