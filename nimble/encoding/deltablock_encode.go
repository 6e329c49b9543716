package encoding

import (
	"encoding/binary"
	"fmt"

	"github.com/decantdb/decant/pool"
)

// DefaultDeltaBlockRows is how many rows DeltaBlock packs in one width.
const DefaultDeltaBlockRows = 256

// DeltaBlock holds blocks of integers that do not fall: the first value, and the
// differences of neighbours in as few bits as they take. Values are ordered by
// their type; signed ones have their sign bit flipped. The row count is a varint
// in any case.
//
//	prefix | uvarint rows of a block | uvarint blocks | uvarint first value of each
//	       | u8 width of each | uvarint offset of each | bits and slop of each

// orderOf is what values are flipped by to be ordered as unsigned.
func orderOf[T Integer](dt DataType) T {
	switch dt {
	case Int8, Int16, Int32, Int64:
		return 1 << (8*sizeOf[T]() - 1)
	}
	return 0
}

// deltaBlockWidth returns the width of the differences of one block.
func deltaBlockWidth[T Integer](values []T, flip T) (width int, ok bool) {
	highest := T(0)
	for i := 1; i < len(values); i++ {
		if values[i]^flip < values[i-1]^flip {
			return 0, false
		}
		highest = max(highest, values[i]-values[i-1])
	}
	return spanBits(uint64(highest)), true
}

func deltaBlockBytes(rows, width int) uint64 {
	if width == 0 {
		return 0
	}
	return packedBytes(rows-1, width)
}

func (st *stats[T]) deltaBlocks() (block, blocks int) {
	block = st.e.opts.deltaBlockRows()
	return block, (st.rows() + block - 1) / block
}

func estimateDeltaBlock[T Integer](st *stats[T]) (uint64, bool) {
	if isFloat(st.dt) {
		return 0, false
	}
	flip := orderOf[T](st.dt)
	block, blocks := st.deltaBlocks()
	size := 2 + varintBytes(uint64(st.rows())) + varintBytes(uint64(block)) + varintBytes(uint64(blocks))
	at := uint64(0)
	for i := range blocks {
		values := st.block(i, block)
		width, ok := deltaBlockWidth(values, flip)
		if !ok {
			return 0, false
		}
		size += varintBytes(uint64(values[0]^flip)) + 1 + varintBytes(at)
		at += deltaBlockBytes(len(values), width)
	}
	return size + at, true
}

func appendDeltaBlock[T Integer](st *stats[T], dst []byte, _ encodeNode) ([]byte, error) {
	if st.rows() == 0 || isFloat(st.dt) {
		return dst, fmt.Errorf("delta block: %d rows of %v: %w", st.rows(), st.dt, ErrIncompatible)
	}
	flip := orderOf[T](st.dt)
	block, blocks := st.deltaBlocks()
	widths := pool.Get[uint8](st.e.pool, blocks)
	defer pool.Put(st.e.pool, &widths)
	for i := range blocks {
		width, ok := deltaBlockWidth(st.block(i, block), flip)
		if !ok {
			return dst, fmt.Errorf("delta block: values fall in block %d: %w", i, ErrIncompatible)
		}
		widths.S[i] = uint8(width)
	}
	deltas := pool.Get[T](st.e.pool, block)
	defer pool.Put(st.e.pool, &deltas)

	dst = append(dst, byte(KindDeltaBlock), byte(st.dt))
	dst = binary.AppendUvarint(dst, uint64(st.rows()))
	dst = binary.AppendUvarint(dst, uint64(block))
	dst = binary.AppendUvarint(dst, uint64(blocks))
	for i := range blocks {
		dst = binary.AppendUvarint(dst, uint64(st.values[i*block]^flip))
	}
	dst = append(dst, widths.S...)
	at := uint64(0)
	for i, width := range widths.S {
		dst = binary.AppendUvarint(dst, at)
		at += deltaBlockBytes(len(st.block(i, block)), int(width))
	}
	for i, width := range widths.S {
		if width == 0 {
			continue
		}
		values := st.block(i, block)
		for j := range values[1:] {
			deltas.S[j] = values[j+1] - values[j]
		}
		dst = appendPacked(dst, deltas.S[:len(values)-1], 0, int(width))
	}
	return dst, nil
}
