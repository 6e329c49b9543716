package rowbatch

import (
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// selection is rows of a vector: n of them from row from on, or those that list
// has.
type selection struct {
	from, n int
	list    []int32 // nil for consecutive rows
}

func (s selection) row(i int) int {
	if s.list != nil {
		return int(s.list[i])
	}
	return s.from + i
}

// validity is which of a selection's rows are present.
type validity struct {
	pool *pool.Pool
	bits pool.Buf[uint64] // empty if all are
	n    int              // how many are
}

// validityOf returns which of the selected rows are present by valid. It must be
// released.
func validityOf(p *pool.Pool, valid []uint64, sel selection) validity {
	v := validity{pool: p, n: sel.n}
	if valid == nil || sel.n == 0 {
		return v
	}
	v.bits = pool.Get[uint64](p, vector.Words(sel.n))
	if sel.list == nil {
		vector.CopyBits(v.bits.S, 0, valid, sel.from, sel.n)
	} else {
		clear(v.bits.S)
		for i, row := range sel.list {
			if vector.Bit(valid, int(row)) {
				vector.SetBit(v.bits.S, i)
			}
		}
	}
	if v.n = vector.CountBits(v.bits.S, 0, sel.n); v.n == sel.n {
		v.release()
	}
	return v
}

func (v *validity) release() { pool.Put(v.pool, &v.bits) }

// present returns the selected rows that are present. The list, if it is a new
// one, is in buf, which the caller gives back.
func (v *validity) present(sel selection, buf *pool.Buf[int32]) selection {
	if len(v.bits.S) == 0 {
		return sel
	}
	*buf = pool.Get[int32](v.pool, max(v.n, 1))
	list := buf.S[:0]
	for i := range sel.n {
		if vector.Bit(v.bits.S, i) {
			list = append(list, int32(sel.row(i)))
		}
	}
	return selection{n: len(list), list: list}
}
