package encoding

import (
	"encoding/binary"
	"math/bits"

	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

const (
	maxHuffmanSymbols  = 4096
	maxHuffmanBits     = 12
	huffmanCheckpoint  = 256 // rows between checkpoints
	huffmanSlopBytes   = 4
	huffmanLengthShift = 16 // of a table entry: length above, symbol below
)

// huffman is integers by how often they occur:
//
//	uvarint symbols | u8 longest code in bits
//	symbols × value | symbols × u8 length of its code
//	uvarint checkpoints | checkpoints × uvarint bits since the one before
//	uvarint size | bits of all rows, least significant first | 4 × 0
//
// Codes are canonical, by length and then by symbol, and stored with their bits
// reversed. Checkpoint i is the bit at which row 256×i begins.
type huffman[T Integer] struct {
	base
	symbols     pool.Buf[T]
	lookup      pool.Buf[uint32] // by the next longest bits
	checkpoints pool.Buf[uint64]
	longest     int
	bits        []byte // with their slop
	bit         int    // of the next row
}

func (d *huffman[T]) open(body []byte) (err error) {
	if d.prefix.Type == Float || d.prefix.Type == Double {
		return unsupported("data type %v", d.prefix.Type)
	}
	in := input{data: body}
	count := in.uvarint32("number of symbols")
	d.longest = int(in.u8("longest code"))
	if in.err == nil && (count < 2 || count > maxHuffmanSymbols || d.longest < 1 || d.longest > maxHuffmanBits) {
		return corrupt("%d symbols with codes of up to %d bits", count, d.longest)
	}
	symbols, lengths := in.bytes(count*sizeOf[T](), "symbols"), in.bytes(count, "code lengths")
	if in.err != nil {
		return in.err
	}
	if d.symbols, err = hold[T](d.session, count); err != nil {
		return err
	}
	kernel.Load(d.symbols.S, symbols)
	if d.lookup, err = hold[uint32](d.session, 1<<d.longest); err != nil {
		return err
	}
	if err := fillCodes(d.lookup.S, lengths, d.longest); err != nil {
		return err
	}
	return d.openRows(&in)
}

// openRows takes the checkpoints and the bits.
func (d *huffman[T]) openRows(in *input) (err error) {
	count := in.uvarint32("number of checkpoints")
	if want := (d.prefix.Rows + huffmanCheckpoint - 1) / huffmanCheckpoint; in.err == nil && count != want {
		return corrupt("%d checkpoints where %d are needed", count, want)
	}
	if d.checkpoints, err = hold[uint64](d.session, count); err != nil {
		return err
	}
	var bit uint64
	for i := range d.checkpoints.S {
		bit += in.uvarint("checkpoint")
		d.checkpoints.S[i] = bit
	}
	d.bits = in.varsized("bits")
	if in.err != nil {
		return in.err
	}
	if len(d.bits) < huffmanSlopBytes {
		return corrupt("%d bytes of bits", len(d.bits))
	}
	for _, c := range d.checkpoints.S {
		if c > uint64(d.end()) {
			return corrupt("checkpoint at bit %d of %d", c, d.end())
		}
	}
	d.bit = 0
	return nil
}

// end returns the number of bits that rows may take.
func (d *huffman[T]) end() int { return 8 * (len(d.bits) - huffmanSlopBytes) }

// fillCodes enters each symbol under all values whose low bits are its code.
func fillCodes(lookup []uint32, lengths []byte, longest int) error {
	clear(lookup)
	code := 0
	for length := 1; length <= longest; length++ {
		for symbol, n := range lengths {
			if int(n) != length {
				continue
			}
			if code >= 1<<length {
				return corrupt("too many codes of %d bits", length)
			}
			low := int(bits.Reverse16(uint16(code)) >> (16 - length))
			for i := low; i < len(lookup); i += 1 << length {
				lookup[i] = uint32(symbol) | uint32(length)<<huffmanLengthShift
			}
			code++
		}
		code <<= 1
	}
	for symbol, n := range lengths {
		if n < 1 || int(n) > longest {
			return corrupt("code of %d bits for symbol %d", n, symbol)
		}
	}
	return nil
}

func (d *huffman[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	to := d.pos + n
	if at := to - to%huffmanCheckpoint; at > d.pos && at < d.prefix.Rows {
		d.pos, d.bit = at, int(d.checkpoints.S[at/huffmanCheckpoint])
	}
	defer d.session.release(d.session.mark())
	block := carve[T](d.session)
	for d.pos < to {
		if err := d.Read(block[:min(to-d.pos, blockRows)]); err != nil {
			return err
		}
	}
	return nil
}

func (d *huffman[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	for len(dst) > 0 {
		at := d.pos % huffmanCheckpoint
		if at == 0 && uint64(d.bit) != d.checkpoints.S[d.pos/huffmanCheckpoint] {
			return d.fail("row %d is at bit %d, not at its checkpoint", d.pos, d.bit)
		}
		block := dst[:min(len(dst), huffmanCheckpoint-at)]
		if !d.decode(block) {
			return d.fail("unknown code or end of the bits behind row %d", d.pos)
		}
		d.pos += len(block)
		dst = dst[len(block):]
	}
	return nil
}

// decode reads the next len(dst) codes.
func (d *huffman[T]) decode(dst []T) bool {
	lookup, symbols := d.lookup.S, d.symbols.S
	mask := uint64(len(lookup) - 1)
	bit, end := d.bit, d.end()
	for i := range dst {
		if bit >= end {
			return false
		}
		// The slop makes four bytes readable at every bit before the end.
		x := uint64(binary.LittleEndian.Uint32(d.bits[bit>>3:])) >> (bit & 7)
		entry := lookup[x&mask]
		length := int(entry >> huffmanLengthShift)
		symbol := int(entry & (1<<huffmanLengthShift - 1))
		if length == 0 || symbol >= len(symbols) {
			return false
		}
		dst[i] = symbols[symbol]
		bit += length
	}
	d.bit = bit
	return bit <= end
}

func (d *huffman[T]) ReadVec(dst *vector.Vec[T], n int) error { return readFlat(d, dst, n) }

func (d *huffman[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *huffman[T]) Rewind() { d.pos, d.bit = 0, 0 }

func (d *huffman[T]) Close() {
	if d.stop() {
		pool.Put(d.session.pool, &d.symbols)
		pool.Put(d.session.pool, &d.lookup)
		pool.Put(d.session.pool, &d.checkpoints)
		d.bits = nil
		recycle[T](d)
	}
}
