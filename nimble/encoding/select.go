package encoding

import (
	"fmt"
	"math"
)

// encodeRule says how the encoding of one array is found: by the layout if
// there is one, else among the candidates that are not excluded.
type encodeRule struct {
	layout   *Layout
	excluded uint32 // kinds of the levels above, as bits
	nested   bool   // as child 0 or 1
}

// encodeNode is an array whose encoding is settled: what its encoder needs to
// settle those of its children and to compress its payload.
type encodeNode struct {
	kind  Kind
	rule  encodeRule
	codec encodeCodec
}

// child returns the rule for the i-th nested array.
func (n encodeNode) child(i int) (encodeRule, error) {
	if n.rule.layout == nil {
		return encodeRule{excluded: n.rule.excluded | 1<<n.kind, nested: i < 2}, nil
	}
	children := n.rule.layout.Children
	if i >= len(children) {
		return encodeRule{}, fmt.Errorf("layout: %v has no child %d: %w", n.kind, i, ErrIncompatible)
	}
	return encodeRule{layout: children[i]}, nil
}

// settle makes the node of an array for which kind is chosen.
func (e *Encoder) settle(r encodeRule, kind Kind) encodeNode {
	c := encodeCodec{codec: e.opts.Compression, ratio: DefaultAcceptRatio}
	switch {
	case r.layout != nil:
		c.codec = r.layout.Compression
	case encodeAcceptRatios[kind] != 0:
		c.ratio = encodeAcceptRatios[kind]
	}
	if e.opts.AcceptRatio != 0 {
		c.ratio = e.opts.AcceptRatio
	}
	return encodeNode{kind: kind, rule: r, codec: c}
}

// encodeCost weighs an estimate, in single precision as the original does.
func encodeCost(sizeBytes uint64, factor float32) float32 { return float32(sizeBytes) * factor }

// appendArray settles the encoding of an array and writes it.
func appendArray[T Physical](e *Encoder, dst []byte, dt DataType, values []T, buffers [][]byte, r encodeRule) ([]byte, error) {
	st := takeStats(e, dt, values, buffers)
	defer st.release()
	suite := &laneOf[T](e).suite
	kind := KindTrivial
	switch {
	case r.layout != nil:
		kind = r.layout.Kind
	case len(values) > 0:
		kind = selectKind(st, suite, r)
	}
	if suite[kind].append == nil {
		return dst, fmt.Errorf("%v of %v: %w", kind, dt, ErrIncompatible)
	}
	return suite[kind].append(st, dst, e.settle(r, kind))
}

// selectKind returns the candidate of the least cost, the first of equal ones;
// Trivial if there is none. Those that depend on distinct values come last, as
// counting stops once none of them can win.
func selectKind[T Physical](st *stats[T], suite *encodeSuite[T], r encodeRule) Kind {
	candidates := st.e.opts.Candidates
	if st.e.opts.NestedALP && r.nested && isFloat(st.dt) {
		candidates = st.e.withALP
	}
	best, bestAt := float32(math.MaxFloat32), -1
	consider := func(needsUniques bool) {
		for i, c := range candidates {
			entry := &suite[c.Kind]
			if entry.estimate == nil || entry.needsUniques != needsUniques || r.excluded>>c.Kind&1 != 0 {
				continue
			}
			size, ok := entry.estimate(st)
			if !ok {
				continue
			}
			cost := encodeCost(size, c.Factor)
			if cost < best || cost == best && i < bestAt {
				best, bestAt = cost, i
			}
		}
	}
	consider(false)
	if countWhilePromising(st, suite, r.excluded, best) {
		consider(true)
	}
	if bestAt < 0 {
		return KindTrivial
	}
	return candidates[bestAt].Kind
}

// countWhilePromising counts distinct values as long as a candidate that
// depends on them may still cost no more than best. It reports whether all rows
// were counted.
func countWhilePromising[T Physical](st *stats[T], suite *encodeSuite[T], excluded uint32, best float32) bool {
	for {
		promising := false
		for _, c := range st.e.opts.Candidates {
			entry := &suite[c.Kind]
			if !entry.needsUniques || excluded>>c.Kind&1 != 0 {
				continue
			}
			if size, ok := entry.estimate(st); ok && encodeCost(size, c.Factor) <= best {
				promising = true
				break
			}
		}
		if !promising {
			return false
		}
		if st.seen == len(st.values) {
			return true
		}
		countUniquesBlock(st)
	}
}

// appendBoolArray is appendArray for bools.
func appendBoolArray(e *Encoder, dst []byte, words []uint64, n int, r encodeRule) ([]byte, error) {
	st := takeBoolStats(e, words, n)
	defer st.release()
	kind := KindTrivial
	switch {
	case r.layout != nil:
		kind = r.layout.Kind
	case n > 0:
		kind = selectBoolKind(st, r.excluded)
	}
	entry := &e.bools.suite[kind]
	if entry.append == nil {
		return dst, fmt.Errorf("%v of %v: %w", kind, Bool, ErrIncompatible)
	}
	return entry.append(st, dst, e.settle(r, kind))
}

func selectBoolKind(st *boolStats, excluded uint32) Kind {
	best, kind := float32(math.MaxFloat32), KindTrivial
	for _, c := range st.e.opts.Candidates {
		entry := &st.e.bools.suite[c.Kind]
		if entry.estimate == nil || excluded>>c.Kind&1 != 0 {
			continue
		}
		size, ok := entry.estimate(st)
		if !ok {
			continue
		}
		if cost := encodeCost(size, c.Factor); cost < best {
			best, kind = cost, c.Kind
		}
	}
	return kind
}
