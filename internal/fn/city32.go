package fn

import "math/bits"

func rotated32(x uint32, by int) uint32 { return bits.RotateLeft32(x, -by) }

func city32Scale(a uint32) uint32 { return rotated32(a*0xcc9e2d51, 17) * 0x1b873593 }

func city32Step(h uint32, by int) uint32 { return rotated32(h, by)*5 + 0xe6546b64 }

func city32Mix(a, h uint32) uint32 { return city32Step(h^city32Scale(a), 19) }

func city32Final(h uint32) uint32 {
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// city32 is the 32-bit hash.
func city32(b []byte) uint32 {
	n := len(b)
	switch {
	case n <= 4:
		x, y := uint32(0), uint32(9)
		for _, c := range b {
			x = x*0xcc9e2d51 + uint32(int8(c)) // signed, as the author's machine has it
			y ^= x
		}
		return city32Final(city32Mix(x, city32Mix(uint32(n), y)))
	case n <= 12:
		x := uint32(n)
		y, z, d := x*5, uint32(9), x*5
		x += word32(b, 0)
		y += word32(b, n-4)
		z += word32(b, n>>1&4)
		return city32Final(city32Mix(z, city32Mix(y, city32Mix(x, d))))
	case n <= 24:
		h := uint32(n)
		for _, at := range [...]int{n/2 - 4, 4, n - 8, n / 2, 0, n - 4} {
			h = city32Mix(word32(b, at), h)
		}
		return city32Final(h)
	}
	return city32Long(b)
}

func city32Long(b []byte) uint32 {
	const c1 = 0xcc9e2d51
	n := len(b)
	h, g := uint32(n), c1*uint32(n)
	f := g
	h = city32Mix(word32(b, n-16), city32Mix(word32(b, n-4), h))
	g = city32Mix(word32(b, n-12), city32Mix(word32(b, n-8), g))
	f = city32Step(f+city32Scale(word32(b, n-20)), 19)
	for range (n - 1) / 20 {
		a0, a1, a2 := city32Scale(word32(b, 0)), word32(b, 4), city32Scale(word32(b, 8))
		a3, a4 := city32Scale(word32(b, 12)), word32(b, 16)
		h = city32Step(h^a0, 18)
		f = rotated32(f+a1, 19) * c1
		g = city32Step(g+a2, 18)
		h = city32Step(h^(a3+a1), 19)
		g = bits.ReverseBytes32(g^a4) * 5
		h = bits.ReverseBytes32(h + a4*5)
		f += a0
		f, g, h = g, h, f
		b = b[20:]
	}
	g = rotated32(rotated32(g, 11)*c1, 17) * c1
	f = rotated32(rotated32(f, 11)*c1, 17) * c1
	h = rotated32(city32Step(h+g, 19), 17) * c1
	return rotated32(city32Step(h+f, 19), 17) * c1
}
