package encoding

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/decantdb/decant/vector"
)

// appendPrefix writes what every encoded array begins with:
//
//	u8 encoding | u8 data type | u32 row count, or a varint
func (e *Encoder) appendPrefix(dst []byte, k Kind, dt DataType, n int) []byte {
	dst = append(dst, byte(k), byte(dt))
	if e.opts.VarintRowCount {
		return binary.AppendUvarint(dst, uint64(n))
	}
	return binary.LittleEndian.AppendUint32(dst, uint32(n))
}

// prefixBytes is the size of the prefix of n rows.
func (e *Encoder) prefixBytes(n int) uint64 {
	if e.opts.VarintRowCount {
		return 2 + varintBytes(uint64(n))
	}
	return estimatedPrefixBytes
}

// varintBytes is the size of v as a varint.
func varintBytes(v uint64) uint64 { return uint64(bits.Len64(v|1)+6) / 7 }

// appendSize reserves a u32 for the size of what is appended next.
func appendSize(dst []byte) ([]byte, int) {
	return append(dst, 0, 0, 0, 0), len(dst) + 4
}

// patchSize puts the size of dst[start:] into the u32 before it.
func patchSize(dst []byte, start int) ([]byte, error) {
	return dst, putSize(dst[start-4:], len(dst)-start)
}

// putSize puts the size of a nested array into the first four bytes of dst.
func putSize(dst []byte, sizeBytes int) error {
	if sizeBytes > math.MaxUint32 {
		return fmt.Errorf("nested array of %d bytes: %w", sizeBytes, ErrIncompatible)
	}
	binary.LittleEndian.PutUint32(dst, uint32(sizeBytes))
	return nil
}

// insertSize puts the size of dst[start:] before it, as a varint.
func insertSize(dst []byte, start int) ([]byte, error) {
	size := len(dst) - start
	if size > math.MaxUint32 {
		return dst, fmt.Errorf("nested array of %d bytes: %w", size, ErrIncompatible)
	}
	dst, _ = extend(dst, int(varintBytes(uint64(size))))
	copy(dst[len(dst)-size:], dst[start:])
	binary.PutUvarint(dst[start:], uint64(size))
	return dst, nil
}

// appendChild writes the i-th nested array of n with a varint for its size.
func appendChild[T Integer](e *Encoder, dst []byte, n encodeNode, i int, dt DataType, values []T) ([]byte, error) {
	rule, err := n.child(i)
	if err != nil {
		return dst, err
	}
	start := len(dst)
	if dst, err = appendArray(e, dst, dt, values, nil, rule); err != nil {
		return dst, err
	}
	return insertSize(dst, start)
}

// appendRaw writes values one after the other. Memory is little-endian, as the
// format is.
func appendRaw[T Integer](dst []byte, values []T) []byte {
	if len(values) == 0 {
		return dst
	}
	first := (*byte)(unsafe.Pointer(unsafe.SliceData(values)))
	return append(dst, unsafe.Slice(first, len(values)*sizeOf[T]())...)
}

// appendScalar writes one value: a number raw, a string with its u32 length.
func appendScalar[T Physical](dst []byte, v *T, buffers [][]byte) []byte {
	switch p := any(v).(type) {
	case *uint8:
		return append(dst, *p)
	case *uint16:
		return binary.LittleEndian.AppendUint16(dst, *p)
	case *uint32:
		return binary.LittleEndian.AppendUint32(dst, *p)
	case *uint64:
		return binary.LittleEndian.AppendUint64(dst, *p)
	case *vector.View:
		dst = binary.LittleEndian.AppendUint32(dst, uint32(p.Len()))
		return append(dst, p.Bytes(buffers)...)
	}
	return dst
}

// extend makes dst n bytes longer and returns the new part too. Its contents
// are undefined.
func extend(dst []byte, n int) (all, part []byte) {
	at := len(dst)
	all = slices.Grow(dst, n)[:at+n]
	return all, all[at:]
}

// bitsRequired is the width that values up to v are packed in, at least 1.
func bitsRequired(v uint64) int { return bits.Len64(v | 1) }

// packedSlopBytes follow a bit string, so that a reader may load whole words.
const packedSlopBytes = 7

// packedBytes is the size of n values of width bits each, slop included.
func packedBytes(n, width int) uint64 {
	return (uint64(n)*uint64(width)+7)/8 + packedSlopBytes
}

// appendPacked writes value - base in width bits each, the first value in the
// lowest bits of the first byte, and slop after them.
func appendPacked[T Integer](dst []byte, values []T, base T, width int) []byte {
	dst, out := extend(dst, int(packedBytes(len(values), width)))
	if width%8 != 0 || width == 0 {
		packBits(out, values, base, width)
		return dst
	}
	// Each store of eight bytes clears what follows its own; the last one
	// clears the slop.
	step := width / 8
	clear(out[len(out)-packedSlopBytes:])
	for i, v := range values {
		binary.LittleEndian.PutUint64(out[i*step:], uint64(v-base))
	}
	return dst
}

// packBits fills out with value - base in width bits each and zeroes the rest.
func packBits[T Integer](out []byte, values []T, base T, width int) {
	w := bitWriter{out: out}
	writeBits(&w, values, base, width)
	w.finish()
}

// bitWriter fills out with a bit string, its first bit the lowest of a byte.
type bitWriter struct {
	out  []byte
	word uint64 // bits that are not yet in out
	used int    // less than 64
}

// writeBits adds value - base in width bits each.
func writeBits[T Integer](w *bitWriter, values []T, base T, width int) {
	out, word, used := w.out, w.word, w.used
	for _, v := range values {
		x := uint64(v - base)
		word |= x << used
		if used += width; used < 64 {
			continue
		}
		binary.LittleEndian.PutUint64(out, word)
		out = out[8:]
		used -= 64
		word = x >> (width - used) // 0 where the value ended with the word
	}
	w.out, w.word, w.used = out, word, used
}

// finish writes what is left and zeroes the rest of out.
func (w *bitWriter) finish() {
	for ; w.used > 0; w.used -= 8 {
		w.out[0] = byte(w.word)
		w.word >>= 8
		w.out = w.out[1:]
	}
	clear(w.out)
}

// appendBits writes the first n bits of a bitmap, with slop after them.
func appendBits(dst []byte, words []uint64, n int) []byte {
	dst, out := extend(dst, int(packedBytes(n, 1)))
	at := 0
	for _, w := range words[:n/64] {
		binary.LittleEndian.PutUint64(out[at:], w)
		at += 8
	}
	if rest := n % 64; rest != 0 {
		w := words[n/64] & (1<<rest - 1)
		for ; at < (n+7)/8; at++ {
			out[at] = byte(w)
			w >>= 8
		}
	}
	clear(out[at:])
	return dst
}
