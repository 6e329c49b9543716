package encoding

import (
	"encoding/binary"
	"fmt"

	"github.com/decantdb/decant/pool"
)

// DefaultPackedBlockRows is how many rows BlockBitPacking packs in one width.
// It is also the most.
const DefaultPackedBlockRows = maxPackedBlockRows

// BlockBitPacking is FixedBitWidth with a baseline and a width for each block of
// rows. A block that packing does not make smaller is raw.
//
//	prefix | u8 compression | uvarint rows of a block | uvarint blocks
//	       | uvarint size | baselines | uvarint size | widths, 255 = raw
//	       | uvarint size | offsets of the blocks in the payload
//	       | uvarint rows of the first block | payload

// packedBlock returns how a block is stored: its smallest value, its width or
// rawWidth, and its size.
func packedBlock[T Integer](values []T) (base T, width int, sizeBytes uint64) {
	lo, hi := values[0], values[0]
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	width = spanBits(uint64(hi - lo))
	sizeBytes = packedBytes(len(values), width)
	raw := uint64(len(values) * sizeOf[T]())
	if width == 8*sizeOf[T]() || sizeBytes >= raw {
		return 0, rawWidth, raw
	}
	return lo, width, sizeBytes
}

func estimateBlockBitPacking[T Integer](st *stats[T]) (uint64, bool) {
	block := st.e.opts.packedBlockRows()
	blocks := (st.rows() + block - 1) / block
	if blocks > maxPackedBlocks {
		return 0, false
	}
	b, width := uint64(blocks), uint64(sizeOf[T]())
	const header = estimatedPrefixBytes + 1
	size := header + varintBytes(uint64(block)) + varintBytes(b) + varintBytes(uint64(min(block, st.rows())))
	for _, nested := range [3]uint64{header + b*width, header + b, header + 4*b} {
		size += varintBytes(nested) + nested
	}
	for values := st.values; len(values) > 0; values = values[min(block, len(values)):] {
		_, _, n := packedBlock(values[:min(block, len(values))])
		size += n
	}
	return size, true
}

func appendBlockBitPacking[T Integer](st *stats[T], dst []byte, n encodeNode) ([]byte, error) {
	block := st.e.opts.packedBlockRows()
	blocks := (st.rows() + block - 1) / block
	if blocks == 0 || blocks > maxPackedBlocks {
		return dst, fmt.Errorf("block bit packing: %d blocks: %w", blocks, ErrIncompatible)
	}
	p := st.e.pool
	bases := pool.Get[T](p, blocks)
	defer pool.Put(p, &bases)
	widths := pool.Get[uint8](p, blocks)
	defer pool.Put(p, &widths)
	offsets := pool.Get[uint32](p, blocks)
	defer pool.Put(p, &offsets)
	at := uint64(0)
	for i := range blocks {
		base, width, size := packedBlock(st.block(i, block))
		bases.S[i], widths.S[i], offsets.S[i] = base, uint8(width), uint32(at)
		at += size
	}

	dst = st.e.appendPrefix(dst, KindBlockBitPacking, st.dt, st.rows())
	flag := len(dst)
	dst = append(dst, 0)
	dst = binary.AppendUvarint(dst, uint64(block))
	dst = binary.AppendUvarint(dst, uint64(blocks))
	var err error
	if dst, err = appendChild(st.e, dst, n, 0, physicalType(st.dt), bases.S); err != nil {
		return dst, err
	}
	if dst, err = appendChild(st.e, dst, n, 1, Uint8, widths.S); err != nil {
		return dst, err
	}
	if dst, err = appendChild(st.e, dst, n, 2, Uint32, offsets.S); err != nil {
		return dst, err
	}
	dst = binary.AppendUvarint(dst, uint64(min(block, st.rows())))
	start := len(dst)
	for i := range blocks {
		values := st.block(i, block)
		if widths.S[i] == rawWidth {
			dst = appendRaw(dst, values)
		} else {
			dst = appendPacked(dst, values, bases.S[i], int(widths.S[i]))
		}
	}
	return st.e.appendCompressed(dst, flag, start, n.codec)
}

// block returns the values of the i-th block of so many rows.
func (st *stats[T]) block(i, rows int) []T {
	return st.values[i*rows : min((i+1)*rows, len(st.values))]
}
