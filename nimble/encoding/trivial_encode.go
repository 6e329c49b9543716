package encoding

import (
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// Trivial holds the values as they are.
//
//	numbers  prefix | u8 compression | values
//	bools    prefix | u8 compression | bits | 7 bytes of slop
//	strings  prefix | u8 compression | u32 size | lengths | bytes of all strings

func estimateTrivial[T Integer](st *stats[T]) (uint64, bool) {
	return estimatedPrefixBytes + 1 + uint64(st.rows()*sizeOf[T]()), true
}

func appendTrivial[T Integer](st *stats[T], dst []byte, n encodeNode) ([]byte, error) {
	dst = st.e.appendPrefix(dst, KindTrivial, st.dt, st.rows())
	at := len(dst)
	dst = append(dst, 0)
	dst = appendRaw(dst, st.values)
	return st.e.appendCompressed(dst, at, at+1, n.codec)
}

func estimateTrivialString(st *stats[vector.View]) (uint64, bool) {
	scanStrings(st)
	return st.e.estimateStrings(uint64(st.rows()), st.bytes, st.lo, st.hi), true
}

func appendTrivialString(st *stats[vector.View], dst []byte, n encodeNode) ([]byte, error) {
	scanStrings(st)
	e := st.e
	lengthsRule, err := n.child(0)
	if err != nil {
		return dst, err
	}
	lengths := pool.Get[uint32](e.pool, st.rows())
	defer pool.Put(e.pool, &lengths)
	for i, v := range st.values {
		lengths.S[i] = uint32(v.Len())
	}
	dst = e.appendPrefix(dst, KindTrivial, st.dt, st.rows())
	flag := len(dst)
	dst, at := appendSize(append(dst, 0))
	if dst, err = appendArray(e, dst, Uint32, lengths.S, nil, lengthsRule); err != nil {
		return dst, err
	}
	if dst, err = patchSize(dst, at); err != nil {
		return dst, err
	}
	start := len(dst)
	dst, blob := extend(dst, int(st.bytes))
	for i := range st.values {
		blob = blob[copy(blob, st.values[i].Bytes(st.buffers)):]
	}
	return e.appendCompressed(dst, flag, start, n.codec)
}

func estimateTrivialBool(st *boolStats) (uint64, bool) {
	return estimatedPrefixBytes + 1 + packedBytes(st.n, 1), true
}

func appendTrivialBool(st *boolStats, dst []byte, n encodeNode) ([]byte, error) {
	dst = st.e.appendPrefix(dst, KindTrivial, Bool, st.n)
	at := len(dst)
	dst = append(dst, 0)
	dst = appendBits(dst, st.words, st.n)
	return st.e.appendCompressed(dst, at, at+1, n.codec)
}
