package encoding

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/decantdb/decant/pool"
)

const (
	encodeMaxSymbols     = 4096
	encodeMaxCodeBits    = 12
	encodeCheckpointRows = 256
	encodeCodeSlopBytes  = 4
)

// Huffman holds integers as canonical prefix codes of at most 12 bits, their
// bits reversed.
//
//	prefix | uvarint symbols | u8 longest code | alphabet | u8 length of each code
//	       | uvarint checkpoints | uvarint bits from one checkpoint to the next
//	       | uvarint size | codes | 4 zero bytes

// estimateHuffman reckons with a whole number of bits for each symbol. It needs
// the counts of all; before, it is what the alphabet takes at least.
func estimateHuffman[T Integer](st *stats[T]) (uint64, bool) {
	n, u := uint64(st.rows()), st.bounds.distinct
	counted := st.seen == st.rows()
	if isFloat(st.dt) || n < 2 || u > encodeMaxSymbols || counted && u < 2 {
		return 0, false
	}
	size := st.e.prefixBytes(st.rows()) + varintBytes(u) + 1 + u*uint64(sizeOf[T]()) + u
	if !counted {
		return size, true
	}
	codeBits := uint64(0)
	for _, c := range st.counts() {
		codeBits += uint64(c) * uint64(bitsRequired((n-1)/uint64(c)))
	}
	stream := (codeBits+7)/8 + encodeCodeSlopBytes
	checkpoints := (n + encodeCheckpointRows - 1) / encodeCheckpointRows
	return size + varintBytes(checkpoints) + 2*checkpoints + varintBytes(stream) + stream, true
}

func appendHuffman[T Integer](st *stats[T], dst []byte, n encodeNode) ([]byte, error) {
	if isFloat(st.dt) || st.rows() < 2 {
		return dst, fmt.Errorf("huffman: %d rows of %v: %w", st.rows(), st.dt, ErrIncompatible)
	}
	countUniques(st)
	if st.distinct < 2 || st.distinct > encodeMaxSymbols {
		return dst, fmt.Errorf("huffman: %d symbols: %w", st.distinct, ErrIncompatible)
	}
	p := st.e.pool
	lengths := pool.Get[uint8](p, st.distinct)
	defer pool.Put(p, &lengths)
	if longest := encodeHuffmanLengths(p, st.counts(), lengths.S); longest > encodeMaxCodeBits {
		if n.rule.layout == nil { // the estimate does not foresee it
			n.kind = KindTrivial
			return appendTrivial(st, dst, n)
		}
		return dst, fmt.Errorf("huffman: code of %d bits: %w", longest, ErrIncompatible)
	}
	codes := pool.Get[uint16](p, st.distinct)
	defer pool.Put(p, &codes)
	encodeHuffmanCodes(lengths.S, codes.S)

	dst = st.e.appendPrefix(dst, KindHuffman, st.dt, st.rows())
	dst = binary.AppendUvarint(dst, uint64(st.distinct))
	dst = append(dst, slices.Max(lengths.S))
	dst = appendRaw(dst, st.alphabet())
	dst = append(dst, lengths.S...)
	dst = binary.AppendUvarint(dst, uint64((st.rows()+encodeCheckpointRows-1)/encodeCheckpointRows))
	at, last := 0, 0
	for i, id := range st.ids.S {
		if i%encodeCheckpointRows == 0 {
			dst = binary.AppendUvarint(dst, uint64(at-last))
			last = at
		}
		at += int(lengths.S[id])
	}
	size := (at+7)/8 + encodeCodeSlopBytes
	dst = binary.AppendUvarint(dst, uint64(size))
	dst, out := extend(dst, size)
	writeCodes(out, st.ids.S, codes.S, lengths.S)
	return dst, nil
}

// writeCodes fills out with the codes of ids, and with zeros.
func writeCodes(out []byte, ids []uint32, codes []uint16, lengths []uint8) {
	w := bitWriter{out: out}
	for _, id := range ids {
		w.word |= uint64(codes[id]) << w.used
		if w.used += int(lengths[id]); w.used >= 32 {
			binary.LittleEndian.PutUint32(w.out, uint32(w.word))
			w.out = w.out[4:]
			w.word >>= 32
			w.used -= 32
		}
	}
	w.finish()
}

// encodeHuffmanLengths fills lengths with the code lengths of symbols that occur as
// often as counts say, and returns the longest. The two rarest nodes are joined
// first, of equally rare ones those that were made first, symbols before joints.
func encodeHuffmanLengths(p *pool.Pool, counts []uint32, lengths []uint8) int {
	n := len(counts)
	leaves := pool.Get[uint64](p, n) // count and number in one, to sort by both
	defer pool.Put(p, &leaves)
	for i, c := range counts {
		leaves.S[i] = uint64(c)<<16 | uint64(i)
	}
	slices.Sort(leaves.S)
	joints := pool.Get[uint64](p, n-1) // counts, which never fall
	defer pool.Put(p, &joints)
	parents := pool.Get[uint16](p, 2*n-1)
	defer pool.Put(p, &parents)
	leaf, joint := 0, 0
	next := func(made int) (count uint64, node int) {
		if leaf < n && (joint == made || leaves.S[leaf]>>16 <= joints.S[joint]) {
			leaf++
			return leaves.S[leaf-1] >> 16, int(uint16(leaves.S[leaf-1]))
		}
		joint++
		return joints.S[joint-1], n + joint - 1
	}
	for made := range n - 1 {
		left, a := next(made)
		right, b := next(made)
		joints.S[made] = left + right
		parents.S[a], parents.S[b] = uint16(n+made), uint16(n+made)
	}
	return encodeHuffmanDepths(p, parents.S, lengths)
}

// encodeHuffmanDepths fills lengths with the depths of the first nodes, the leaves.
// The last node is the root, and parents come after their children.
func encodeHuffmanDepths(p *pool.Pool, parents []uint16, lengths []uint8) int {
	depths := pool.Get[uint16](p, len(parents))
	defer pool.Put(p, &depths)
	root := len(parents) - 1
	depths.S[root] = 0
	longest := uint16(0)
	for i := root - 1; i >= 0; i-- {
		depths.S[i] = depths.S[parents[i]] + 1
		longest = max(longest, depths.S[i])
	}
	for i := range lengths {
		lengths[i] = uint8(min(depths.S[i], 255))
	}
	return int(longest)
}

// encodeHuffmanCodes fills codes with the canonical codes of the given lengths, in
// the order of length and then of symbol, their bits reversed.
func encodeHuffmanCodes(lengths []uint8, codes []uint16) {
	code := uint16(0)
	for length := uint8(1); length <= encodeMaxCodeBits; length++ {
		for symbol, l := range lengths {
			if l == length {
				codes[symbol] = bits.Reverse16(code) >> (16 - length)
				code++
			}
		}
		code <<= 1
	}
}
