package convert

import (
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// writeStrings writes everything that is stored in bytes.
func (w *arrowWriter) writeStrings(v *vector.Vec[vector.View]) (arrow.Array, error) {
	rows := rowsOf(v, &w.views)
	buffers := v.Buffers.List()
	w.text = w.text[:0]
	switch w.logical.Kind {
	case nimble.LogicalUUID:
		return w.writeFixed(v, rows, buffers, 16)
	case nimble.LogicalDecimal:
		return w.writeLongDecimals(v, rows, buffers)
	}
	w.offsets = resized(w.offsets, len(rows)+1)
	w.offsets[0] = 0
	for i := range rows {
		if vector.Valid(v.Valid, i) {
			w.text = append(w.text, rows[i].Bytes(buffers)...)
			if len(w.text) > maxArrowOffset {
				return nil, fmt.Errorf("arrow: strings of more than %d bytes in one batch", maxArrowOffset)
			}
		}
		w.offsets[i+1] = int32(len(w.text))
	}
	return w.make(v, borrow(w.offsets), borrow(w.text)), nil
}

// writeFixed writes strings of one size.
func (w *arrowWriter) writeFixed(v *vector.Vec[vector.View], rows []vector.View, buffers [][]byte, size int) (arrow.Array, error) {
	for i := range rows {
		begin := len(w.text)
		w.text = append(w.text, make([]byte, size)...)
		if !vector.Valid(v.Valid, i) {
			continue
		}
		if n := copy(w.text[begin:], rows[i].Bytes(buffers)); n != size || rows[i].Len() != size {
			return nil, fmt.Errorf("arrow: a %s of %d bytes", w.typ.Logical, rows[i].Len())
		}
	}
	return w.make(v, borrow(w.text)), nil
}

// writeShortDecimals writes unscaled decimals of up to 18 digits in 128 bits.
func (w *arrowWriter) writeShortDecimals(v *vector.Vec[int64], rows []int64) (arrow.Array, error) {
	limit := int64(1)
	for range w.logical.Precision {
		limit *= 10
	}
	w.text = w.text[:0]
	for i, x := range rows {
		if (x <= -limit || x >= limit) && vector.Valid(v.Valid, i) {
			return nil, fmt.Errorf("arrow: an unscaled value of %d is not of %s", x, w.typ.Logical)
		}
		w.text = binary.LittleEndian.AppendUint64(w.text, uint64(x))
		w.text = binary.LittleEndian.AppendUint64(w.text, uint64(x>>63))
	}
	return w.make(v, borrow(w.text)), nil
}

// writeLongDecimals writes big-endian two's complements in 128 or 256 bits.
func (w *arrowWriter) writeLongDecimals(v *vector.Vec[vector.View], rows []vector.View, buffers [][]byte) (arrow.Array, error) {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(w.logical.Precision)), nil)
	width := 16
	if w.logical.Precision > maxDecimal128Digits {
		width = 32
	}
	for i := range rows {
		begin := len(w.text)
		w.text = append(w.text, make([]byte, width)...)
		if !vector.Valid(v.Valid, i) {
			continue
		}
		stored := rows[i].Bytes(buffers)
		if x := twosComplement(stored); x.CmpAbs(limit) >= 0 {
			return nil, fmt.Errorf("arrow: an unscaled value of %d bits is not of %s", x.BitLen(), w.typ.Logical)
		}
		littleEndian(w.text[begin:], stored)
	}
	return w.make(v, borrow(w.text)), nil
}

// littleEndian writes a big-endian two's complement into all of dst.
func littleEndian(dst, stored []byte) {
	sign := byte(0)
	if len(stored) > 0 && stored[0] >= 0x80 {
		sign = 0xff
	}
	for i := range dst {
		dst[i] = sign
		if i < len(stored) {
			dst[i] = stored[len(stored)-1-i]
		}
	}
}
