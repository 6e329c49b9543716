package vector

import (
	"fmt"

	"github.com/decantdb/decant/pool"
)

// AdoptStrings makes the rows of v from row from on, which refer to the given
// buffers, refer to copies of these in memory of v's own, so that v depends on
// nobody. The rows before are v's own already. v must be flat; a buffer is
// copied as a whole, once, and not at all if every string is held inline. It
// fails if v would come to hold more than MaxStringBytes.
func AdoptStrings(v *Vec[View], from int, buffers [][]byte) error {
	v.Buffers = &v.ownBufs
	rows := v.Values[min(from, v.N):v.N]
	if allInline(rows) {
		return nil
	}
	total := len(v.own.bytes.S)
	bases := pool.Get[uint64](v.pool, len(buffers))
	defer pool.Put(v.pool, &bases)
	for i, b := range buffers {
		bases.S[i] = uint64(total)
		total += len(b)
	}
	if total > MaxStringBytes {
		return fmt.Errorf("vector: strings of %d bytes in one vector", total)
	}
	pool.Grow(v.pool, &v.own.bytes, total)
	for i, b := range buffers {
		copy(v.own.bytes.S[bases.S[i]:], b)
	}
	if v.hasBytes {
		v.ownBufs.Replace(v.byteID, v.own.bytes.S)
	} else {
		v.byteID, v.hasBytes = v.ownBufs.Add(v.own.bytes.S), true
	}
	for i := range rows {
		if x := &rows[i]; !x.Inline() {
			offset := x[1]>>32 + bases.S[uint32(x[1])]
			x[1] = offset<<32 | uint64(v.byteID)
		}
	}
	return nil
}

func allInline(views []View) bool {
	for i := range views {
		if !views[i].Inline() {
			return false
		}
	}
	return true
}
