package kernel

import "unsafe"

// Gather sets dst[i] to table[index[i]] and returns the number of entries set:
// fewer than len(dst) if the next index lies outside of the table. index has
// at least len(dst) entries.
func Gather[T any, I Integer](dst, table []T, index []I) int {
	index = index[:len(dst)]
	for i, x := range index {
		j := int(x)
		if uint(j) >= uint(len(table)) {
			return i
		}
		dst[i] = table[j]
	}
	return len(dst)
}

// GatherPairs is Gather for indices of two bytes each, low byte first.
func GatherPairs[T any](dst, table []T, index []byte) int {
	// The host is little-endian, and reads from any address.
	return Gather(dst, table, unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(index[:2*len(dst)]))), len(dst)))
}

// Scatter sets dst[positions[i]] to values[i] for each position. The positions
// lie within dst; values has as many entries.
func Scatter[T any](dst, values []T, positions []uint32) {
	values = values[:len(positions)]
	for i, p := range positions {
		dst[p] = values[i]
	}
}

// PrefixSum replaces each entry of values by the sum of first and the entries
// up to it, and returns the last sum, or first if there is none.
func PrefixSum[T Integer](values []T, first T) T {
	for len(values) >= 4 {
		v := (*[4]T)(values)
		a := v[0]
		b := a + v[1]
		c := b + v[2]
		d := c + v[3]
		v[0], v[1], v[2], v[3] = first+a, first+b, first+c, first+d
		first += d
		values = values[4:]
	}
	for i, x := range values {
		first += x
		values[i] = first
	}
	return first
}

// Max returns the largest of values, 0 if there is none.
func Max[T Integer](values []T) T {
	var a, b, c, d T
	for ; len(values) >= 4; values = values[4:] {
		v := (*[4]T)(values)
		a, b, c, d = max(a, v[0]), max(b, v[1]), max(c, v[2]), max(d, v[3])
	}
	for _, x := range values {
		a = max(a, x)
	}
	return max(a, b, c, d)
}

// Sum returns the sum of values.
func Sum(values []uint32) uint64 {
	var sum uint64
	for _, x := range values {
		sum += uint64(x)
	}
	return sum
}
