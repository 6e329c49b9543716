package encoding

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/decantdb/decant/vector"
)

// DefaultRestartRows is how often Prefix states a string in full.
const DefaultRestartRows = 16

// appendPrefixes writes Prefix, which holds of each string what differs from
// the one before, but every so many rows a string in full. It is meant for
// sorted strings, and is never selected, only replayed.
//
//	prefix | u32 rows between restarts | u32 offset of each restart's entry
//	       | entries: u32 length shared | u32 length of the rest | the rest
func appendPrefixes(st *stats[vector.View], dst []byte, _ encodeNode) ([]byte, error) {
	interval := st.e.opts.restartRows()
	dst = st.e.appendPrefix(dst, KindPrefix, st.dt, st.rows())
	dst = binary.LittleEndian.AppendUint32(dst, uint32(interval))
	table := len(dst)
	dst, offsets := extend(dst, 4*((st.rows()+interval-1)/interval))
	clear(offsets)
	start := len(dst)
	var prev []byte
	for i := range st.values {
		b := st.values[i].Bytes(st.buffers)
		shared := 0
		if i%interval == 0 {
			if len(dst)-start > math.MaxUint32 {
				return dst, fmt.Errorf("prefix: entries of %d bytes: %w", len(dst)-start, ErrIncompatible)
			}
			binary.LittleEndian.PutUint32(dst[table+4*(i/interval):], uint32(len(dst)-start))
		} else {
			shared = encodeSharedBytes(prev, b)
		}
		dst = binary.LittleEndian.AppendUint32(dst, uint32(shared))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(b)-shared))
		dst = append(dst, b[shared:]...)
		prev = b
	}
	return dst, nil
}

// encodeSharedBytes is the length of what a and b both begin with.
func encodeSharedBytes(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
