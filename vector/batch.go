package vector

import (
	"fmt"
	"unsafe"

	"github.com/decantdb/decant/pool"
)

// DefaultBatchRows is the number of rows of a batch unless the caller asks for
// another.
const DefaultBatchRows = 2048

// Batch is columns of one length with a selection of their rows. Its producer
// says until when it is valid.
type Batch struct {
	N       int
	Columns []Vector
	// Sel lists the selected rows in ascending order; nil means all of them.
	Sel []int32

	pool   *pool.Pool
	ownSel pool.Buf[int32]
}

// NewBatch returns an empty batch of columns that takes memory for its
// selection from p, which may be nil.
func NewBatch(p *pool.Pool, columns ...Vector) *Batch { return &Batch{pool: p, Columns: columns} }

// Rows returns the number of selected rows.
func (b *Batch) Rows() int {
	if b.Sel != nil {
		return len(b.Sel)
	}
	return b.N
}

// ReserveSel points b.Sel to n entries of the batch's own and returns them.
// Entries that were there before, in that memory, are kept.
func (b *Batch) ReserveSel(n int) []int32 {
	if n == 0 {
		// A selection of no rows is not nil, which would select all.
		b.Sel = []int32{}
		return b.Sel
	}
	pool.Grow(b.pool, &b.ownSel, n)
	b.Sel = b.ownSel.S
	return b.Sel
}

// Reset makes the batch and its columns empty and keeps their memory.
func (b *Batch) Reset() {
	b.N, b.Sel = 0, nil
	for _, c := range b.Columns {
		c.Reset()
	}
}

// Release gives the memory of the batch and of its columns back.
func (b *Batch) Release() {
	b.N, b.Sel = 0, nil
	pool.Put(b.pool, &b.ownSel)
	for _, c := range b.Columns {
		c.Release()
	}
}

// Make returns an empty vector of a kind that has no children.
func Make(p *pool.Pool, k Kind) (Vector, error) {
	switch k {
	case KindBool:
		return NewBools(p), nil
	case KindInt8:
		return NewVec[int8](p), nil
	case KindInt16:
		return NewVec[int16](p), nil
	case KindInt32:
		return NewVec[int32](p), nil
	case KindInt64:
		return NewVec[int64](p), nil
	case KindUint8:
		return NewVec[uint8](p), nil
	case KindUint16:
		return NewVec[uint16](p), nil
	case KindUint32:
		return NewVec[uint32](p), nil
	case KindUint64:
		return NewVec[uint64](p), nil
	case KindFloat32:
		return NewVec[float32](p), nil
	case KindFloat64:
		return NewVec[float64](p), nil
	case KindString:
		return NewVec[View](p), nil
	case KindTimestamp:
		return NewTimestamps(p), nil
	}
	return nil, fmt.Errorf("vector: kind %v needs children or does not exist", k)
}

// As returns v seen as a vector of values of another type with the same size,
// such as int64 as uint64. Both are the same vector.
func As[To, From Value](v *Vec[From]) *Vec[To] {
	sameSize[To, From]()
	return (*Vec[To])(unsafe.Pointer(v))
}

// Reinterpret returns values seen as values of another type with the same size.
// Both share their memory.
func Reinterpret[To, From Value](values []From) []To {
	sameSize[To, From]()
	return unsafe.Slice((*To)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
}

func sameSize[To, From Value]() {
	var to To
	var from From
	if unsafe.Sizeof(to) != unsafe.Sizeof(from) {
		panic(fmt.Sprintf("vector: a %T is not as wide as a %T", from, to))
	}
}
