package encoding

import (
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// RLE holds the lengths of runs of equal values and, one for each run, the
// values. Bools alternate.
//
//	prefix | u32 size | run lengths | run values
//	prefix | u32 size | run lengths | u8 first value    (bools)

func estimateRLE[T Integer](st *stats[T]) (uint64, bool) {
	scanNumbers(st)
	runs := uint64(st.runs)
	values := st.e.estimateFixed(sizeOf[T](), runs, st.lo, st.hi)
	if st.e.opts.NestedALP && isFloat(st.dt) {
		values = min(values, estimateRunsALP(st))
	}
	return estimatedPrefixBytes + 4 + st.e.estimateFixed4(runs, uint64(st.minRepeat), uint64(st.maxRepeat)) +
		values, true
}

// estimateRunsALP is the size of the run values in ALP.
func estimateRunsALP[T Integer](st *stats[T]) uint64 {
	lengths := pool.Get[uint32](st.e.pool, st.runs)
	defer pool.Put(st.e.pool, &lengths)
	values := pool.Get[T](st.e.pool, st.runs)
	defer pool.Put(st.e.pool, &values)
	splitNumberRuns(st.values, lengths.S, values.S)
	return estimateALPOf(st.e, values.S)
}

// estimateRLEString reckons with a dictionary of the run values.
func estimateRLEString(st *stats[vector.View]) (uint64, bool) {
	scanStrings(st)
	runs := uint64(st.runs)
	return estimatedPrefixBytes + 4 + st.e.estimateFixed4(runs, uint64(st.minRepeat), uint64(st.maxRepeat)) +
		estimateAlphabetStrings(st, runs), true
}

func appendRLE[T Physical](st *stats[T], dst []byte, n encodeNode) ([]byte, error) {
	scan(st)
	lengthsRule, err := n.child(0)
	if err != nil {
		return dst, err
	}
	valuesRule, err := n.child(1)
	if err != nil {
		return dst, err
	}
	lengths := pool.Get[uint32](st.e.pool, st.runs)
	defer pool.Put(st.e.pool, &lengths)
	values := pool.Get[T](st.e.pool, st.runs)
	defer pool.Put(st.e.pool, &values)
	splitRuns(st, lengths.S, values.S)

	dst = st.e.appendPrefix(dst, KindRLE, st.dt, st.rows())
	dst, at := appendSize(dst)
	if dst, err = appendArray(st.e, dst, Uint32, lengths.S, nil, lengthsRule); err != nil {
		return dst, err
	}
	if dst, err = patchSize(dst, at); err != nil {
		return dst, err
	}
	return appendArray(st.e, dst, nestedType(st.dt), values.S, st.buffers, valuesRule)
}

// splitRuns fills lengths and values, one of each for a run.
func splitRuns[T Physical](st *stats[T], lengths []uint32, values []T) {
	switch st := any(st).(type) {
	case *stats[uint8]:
		splitNumberRuns(st.values, lengths, any(values).([]uint8))
	case *stats[uint16]:
		splitNumberRuns(st.values, lengths, any(values).([]uint16))
	case *stats[uint32]:
		splitNumberRuns(st.values, lengths, any(values).([]uint32))
	case *stats[uint64]:
		splitNumberRuns(st.values, lengths, any(values).([]uint64))
	case *stats[vector.View]:
		splitStringRuns(st, lengths, any(values).([]vector.View))
	}
}

func splitNumberRuns[T Integer](values []T, lengths []uint32, heads []T) {
	start := 0
	for run := range heads {
		v, end := values[start], start+1
		for end < len(values) && values[end] == v {
			end++
		}
		heads[run], lengths[run] = v, uint32(end-start)
		start = end
	}
}

func splitStringRuns(st *stats[vector.View], lengths []uint32, heads []vector.View) {
	start := 0
	for run := range heads {
		v, end := &st.values[start], start+1
		for end < st.rows() && equalStrings(v, &st.values[end], st.buffers) {
			end++
		}
		heads[run], lengths[run] = *v, uint32(end-start)
		start = end
	}
}

func estimateRLEBool(st *boolStats) (uint64, bool) {
	st.scan()
	return estimatedPrefixBytes + 4 + 1 +
		st.e.estimateFixed4(uint64(st.runs), uint64(st.minRepeat), uint64(st.maxRepeat)), true
}

func appendRLEBool(st *boolStats, dst []byte, n encodeNode) ([]byte, error) {
	st.scan()
	rule, err := n.child(0)
	if err != nil {
		return dst, err
	}
	lengths := pool.Get[uint32](st.e.pool, st.runs)
	defer pool.Put(st.e.pool, &lengths)
	start := 0
	for i := range lengths.S {
		end := st.runEnd(start)
		lengths.S[i] = uint32(end - start)
		start = end
	}
	dst = st.e.appendPrefix(dst, KindRLE, Bool, st.n)
	dst, at := appendSize(dst)
	if dst, err = appendArray(st.e, dst, Uint32, lengths.S, nil, rule); err != nil {
		return dst, err
	}
	if dst, err = patchSize(dst, at); err != nil {
		return dst, err
	}
	return append(dst, boolByte(st.n > 0 && vector.Bit(st.words, 0))), nil
}
