package encoding

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/decantdb/decant/pool"
)

// encodeFrameRows is how many rows FOR packs in one width.
const encodeFrameRows = 128

// appendFOR writes FOR: frames of rows, each with a baseline and a width of 1,
// 2, 4, 8, 16, 32 or 64 bits, one bit string over all frames. It is never
// selected, only replayed.
//
//	prefix | u8 compression | uvarint rows of a frame | uvarint frames
//	       | uvarint rows of the first frame
//	       | uvarint size | widths | uvarint size | baselines
//	       | uvarint size | bit offsets of the frames | uvarint size | bits
func appendFOR[T Integer](st *stats[T], dst []byte, n encodeNode) ([]byte, error) {
	frames := (st.rows() + encodeFrameRows - 1) / encodeFrameRows
	if frames == 0 {
		return dst, fmt.Errorf("for: no rows: %w", ErrIncompatible)
	}
	if isFloat(st.dt) {
		return dst, fmt.Errorf("for of %v: %w", st.dt, ErrIncompatible)
	}
	p := st.e.pool
	widths := pool.Get[uint8](p, frames)
	defer pool.Put(p, &widths)
	bases := pool.Get[T](p, frames)
	defer pool.Put(p, &bases)
	offsets := pool.Get[uint64](p, frames)
	defer pool.Put(p, &offsets)
	at := uint64(0)
	for i := range frames {
		values := st.block(i, encodeFrameRows)
		base, width := frameOf(values)
		bases.S[i], widths.S[i], offsets.S[i] = base, uint8(width), at
		at += uint64(len(values) * width)
	}

	dst = st.e.appendPrefix(dst, KindFOR, st.dt, st.rows())
	flag := len(dst)
	dst = append(dst, 0)
	dst = binary.AppendUvarint(dst, encodeFrameRows)
	dst = binary.AppendUvarint(dst, uint64(frames))
	dst = binary.AppendUvarint(dst, uint64(min(encodeFrameRows, st.rows())))
	var err error
	if dst, err = appendChild(st.e, dst, n, 0, Uint8, widths.S); err != nil {
		return dst, err
	}
	if dst, err = appendChild(st.e, dst, n, 1, physicalType(st.dt), bases.S); err != nil {
		return dst, err
	}
	if dst, err = appendChild(st.e, dst, n, 2, Uint64, offsets.S); err != nil {
		return dst, err
	}
	start := len(dst)
	dst, out := extend(dst, int((at+7)/8))
	w := bitWriter{out: out}
	for i := range frames {
		writeBits(&w, st.block(i, encodeFrameRows), bases.S[i], int(widths.S[i]))
	}
	w.finish()
	if dst, err = st.e.appendCompressed(dst, flag, start, n.codec); err != nil {
		return dst, err
	}
	return insertSize(dst, start)
}

// frameOf returns a frame's smallest value and the width of its values.
func frameOf[T Integer](values []T) (base T, width int) {
	lo, hi := values[0], values[0]
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	need := bitsRequired(uint64(hi - lo))
	return lo, 1 << bits.Len(uint(need-1))
}
