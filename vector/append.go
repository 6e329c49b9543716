package vector

import (
	"fmt"
	"math"

	"github.com/decantdb/decant/pool"
)

// Append adds a row with the value x to v, which must be flat and hold its
// values in its own memory, as after Reset.
func (v *Vec[T]) Append(x T) {
	row := v.N
	v.grow()
	v.Values[row] = x
	if v.Valid != nil {
		SetBit(v.Valid, row)
	}
}

// AppendNull adds a null row to v, under the conditions of Append.
func (v *Vec[T]) AppendNull() {
	row := v.N
	v.grow()
	var zero T
	v.Values[row] = zero
	if v.Valid == nil {
		SetBits(v.ReserveValid(row+1), 0, row)
	}
	ClearBit(v.Valid, row)
}

// grow adds a row of undefined content.
func (v *Vec[T]) grow() {
	v.N++
	v.ReserveValues(v.N)
	if v.Valid != nil {
		v.ReserveValid(v.N)
	}
}

// MaxStringBytes bounds the bytes that one vector copies for its own strings,
// since views have 32-bit offsets.
const MaxStringBytes = math.MaxUint32

// AppendString adds a row with a copy of b, which is not one of v's own strings,
// to v, under the conditions of Append. It panics beyond MaxStringBytes: the
// caller starts a new batch long before.
func AppendString(v *Vec[View], b []byte) {
	if len(b) <= InlineBytes {
		v.Append(InlineView(b))
		if v.Buffers == nil {
			v.Buffers = &v.ownBufs
		}
		return
	}
	offset := len(v.own.bytes.S)
	if offset+len(b) > MaxStringBytes {
		panic(fmt.Sprintf("vector: strings of %d bytes in one vector", offset+len(b)))
	}
	pool.Grow(v.pool, &v.own.bytes, offset+len(b))
	copy(v.own.bytes.S[offset:], b)
	if v.hasBytes {
		v.ownBufs.Replace(v.byteID, v.own.bytes.S)
	} else {
		v.byteID, v.hasBytes = v.ownBufs.Add(v.own.bytes.S), true
	}
	v.Buffers = &v.ownBufs
	v.Append(MakeView(b, v.byteID, uint32(offset)))
}

// StringBytes returns the number of bytes that v holds for strings added with
// AppendString, inline ones excepted.
func StringBytes(v *Vec[View]) int { return len(v.own.bytes.S) }
