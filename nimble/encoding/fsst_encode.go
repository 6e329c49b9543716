package encoding

import (
	"encoding/binary"
	"math"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// DefaultFsstRatio is the part of the strings' bytes that an array in Fsst must
// not exceed, or the strings are written as Trivial.
const DefaultFsstRatio = 0.6

// fsstTableBytes is what the estimate reckons for a symbol table.
const fsstTableBytes = 2048

// Fsst holds strings as codes of a table of symbols of up to 8 bytes.
//
//	prefix | uvarint size | symbol table | uvarint size | lengths | codes

func estimateFsst(st *stats[vector.View]) (uint64, bool) {
	scanStrings(st)
	longest := uint64(math.Ceil(float64(st.hi) * DefaultFsstRatio))
	lengths := st.e.estimateFixed4(uint64(st.rows()), 0, longest)
	return st.e.prefixBytes(st.rows()) + varintBytes(fsstTableBytes) + fsstTableBytes +
		varintBytes(lengths) + lengths + uint64(float64(st.bytes)*DefaultFsstRatio), true
}

func appendFsst(st *stats[vector.View], dst []byte, n encodeNode) ([]byte, error) {
	scanStrings(st)
	start, limit := len(dst), float64(st.bytes)*st.e.opts.fsstRatio()
	dst, err := appendFsstCodes(st, dst, n)
	if err != nil || float64(len(dst)-start) <= limit {
		return dst, err
	}
	n.kind = KindTrivial
	return appendTrivialString(st, dst[:start], n)
}

func appendFsstCodes(st *stats[vector.View], dst []byte, n encodeNode) ([]byte, error) {
	e := st.e
	if e.fsst == nil {
		e.fsst = new(fsstTrainer)
	}
	coder := e.fsst.train(st)
	lengths := pool.Get[uint32](e.pool, st.rows())
	defer pool.Put(e.pool, &lengths)
	codes := pool.Get[byte](e.pool, 2*int(st.bytes)) // every byte escaped
	defer pool.Put(e.pool, &codes)
	at := 0
	for i := range st.values {
		size := coder.encode(codes.S[at:], st.values[i].Bytes(st.buffers))
		lengths.S[i] = uint32(size)
		at += size
	}
	dst = e.appendPrefix(dst, KindFsst, st.dt, st.rows())
	table := len(dst)
	dst = coder.appendTable(dst)
	dst, err := insertSize(dst, table)
	if err != nil {
		return dst, err
	}
	if dst, err = appendChild(e, dst, n, 0, Uint32, lengths.S); err != nil {
		return dst, err
	}
	return append(dst, codes.S[:at]...), nil
}

// fsstCoder is a symbol table as the encoder needs it: symbols by their first
// byte, longer ones first.
type fsstCoder struct {
	symbols [fsstEscape]fsstSymbol
	count   int
	first   [257]uint16 // where the symbols that begin with a byte start
}

// fsstSymbol is up to 8 bytes, the first one lowest.
type fsstSymbol struct {
	bits   uint64
	length uint8
	code   uint8 // in the written table
}

// fsstWord loads the first bytes of b, zeros where there are none.
func fsstWord(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	var word uint64
	for i, c := range b {
		word |= uint64(c) << (8 * i)
	}
	return word
}

// match returns the longest symbol that b, which is not empty, begins with, or
// nil.
func (c *fsstCoder) match(b []byte) *fsstSymbol {
	word := fsstWord(b)
	for i := c.first[b[0]]; i < c.first[int(b[0])+1]; i++ {
		s := &c.symbols[i]
		if int(s.length) <= len(b) && (word^s.bits)<<(64-8*s.length) == 0 {
			return s
		}
	}
	return nil
}

// encode writes the codes of b to dst, which has twice its bytes, and returns
// their number.
func (c *fsstCoder) encode(dst, b []byte) int {
	at := 0
	for len(b) > 0 {
		if s := c.match(b); s != nil {
			dst[at] = s.code
			at++
			b = b[s.length:]
			continue
		}
		dst[at], dst[at+1] = fsstEscape, b[0]
		at += 2
		b = b[1:]
	}
	return at
}

// appendTable writes the symbols in the form that fsstTable reads. The low half
// of the version holds a marker of byte order and the number of symbols.
func (c *fsstCoder) appendTable(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, fsstVersion<<32|uint64(c.count)<<8|1)
	dst = append(dst, 0)
	histogram := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	for i := range fsstLongest {
		length := uint8((i+1)%fsstLongest + 1)
		for _, s := range c.symbols[:c.count] {
			if s.length != length {
				continue
			}
			dst[histogram+int(length)-1]++
			var raw [fsstLongest]byte
			binary.LittleEndian.PutUint64(raw[:], s.bits)
			dst = append(dst, raw[:length]...)
		}
	}
	return dst
}
