package encoding

import "github.com/decantdb/decant/pool"

// SparseBool lists the rows of the rarer value in ascending order, with the
// number of rows at the end.
//
//	prefix | u8 value that is listed | indices

func estimateSparseBoolStats(st *boolStats) (uint64, bool) {
	st.scan()
	return st.e.estimateSparse(uint64(st.n), uint64(min(st.trues, st.n-st.trues))), true
}

func appendSparseBool(st *boolStats, dst []byte, n encodeNode) ([]byte, error) {
	st.scan()
	rule, err := n.child(0)
	if err != nil {
		return dst, err
	}
	value, count := true, st.trues
	if st.trues > st.n/2 {
		value, count = false, st.n-st.trues
	}
	indices := st.positions(value, count)
	defer pool.Put(st.e.pool, &indices)
	dst = st.e.appendPrefix(dst, KindSparseBool, Bool, st.n)
	dst = append(dst, boolByte(value))
	return appendArray(st.e, dst, Uint32, indices.S, nil, rule)
}
