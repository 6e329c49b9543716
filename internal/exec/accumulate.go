package exec

import (
	"fmt"
	"math"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// accumulator keeps what one aggregate needs, by group.
type accumulator struct {
	agg    plan.Agg
	arg    node // nil: rows are counted
	counts []int64
	sums   []float64
	mins   []float64
	maxs   []float64
}

func newAccumulator(a plan.Agg, slotOf slots) (*accumulator, error) {
	acc := &accumulator{agg: a}
	if a.Arg == nil {
		return acc, nil
	}
	var err error
	if a.Fn.Need == fn.NeedCount {
		acc.arg, err = newNode(a.Arg, slotOf)
		return acc, err
	}
	acc.arg, err = newDoubleNode(a.Arg, slotOf)
	return acc, err
}

func (a *accumulator) reset() {
	a.counts, a.sums, a.mins, a.maxs = a.counts[:0], a.sums[:0], a.mins[:0], a.maxs[:0]
}

// grow makes room for n groups.
func (a *accumulator) grow(n int) {
	need := a.agg.Fn.Need
	a.counts = extend(a.counts, n, 0)
	if need&fn.NeedSum != 0 {
		a.sums = extend(a.sums, n, 0)
	}
	if need&fn.NeedMin != 0 {
		a.mins = extend(a.mins, n, math.NaN())
	}
	if need&fn.NeedMax != 0 {
		a.maxs = extend(a.maxs, n, math.Inf(-1))
	}
}

func extend[T any](s []T, n int, x T) []T {
	for len(s) < n {
		s = append(s, x)
	}
	return s
}

// add takes in the rows of a frame; ids are their groups, nil if there is only
// one.
func (a *accumulator) add(in source, ids []uint32) error {
	n := in.rowCount()
	if a.arg == nil {
		a.countRows(n, ids)
		return nil
	}
	v, err := a.arg.eval(in)
	if err != nil {
		return err
	}
	if a.agg.Fn.Need == fn.NeedCount {
		a.countPresent(n, ids, v.Validity())
		return nil
	}
	d, ok := v.(*vector.Vec[float64])
	if !ok {
		return fmt.Errorf("exec: %s of a %v: %w", a.agg.Fn.Name, v.Kind(), ErrUnsupported)
	}
	d.Flatten()
	values := d.Values[:n]
	switch {
	case ids == nil:
		a.addTotal(values, d.Valid)
	case d.Valid == nil:
		a.addGrouped(values, ids)
	default:
		a.addNullable(values, ids, d.Valid)
	}
	return nil
}

func (a *accumulator) countRows(n int, ids []uint32) {
	if ids == nil {
		a.counts[0] += int64(n)
		return
	}
	counts := a.counts
	for _, g := range ids {
		counts[g]++
	}
}

func (a *accumulator) countPresent(n int, ids []uint32, valid []uint64) {
	switch {
	case valid == nil:
		a.countRows(n, ids)
	case ids == nil:
		a.counts[0] += int64(vector.CountBits(valid, 0, n))
	default:
		counts := a.counts
		for i, g := range ids {
			counts[g] += int64(valid[i>>6] >> (i & 63) & 1)
		}
	}
}

func (a *accumulator) addGrouped(values []float64, ids []uint32) {
	values = values[:len(ids)]
	counts := a.counts
	for _, g := range ids {
		counts[g]++
	}
	if sums := a.sums; len(sums) > 0 {
		for i, g := range ids {
			sums[g] += values[i]
		}
	}
	if mins := a.mins; len(mins) > 0 {
		for i, g := range ids {
			mins[g] = lesser(mins[g], values[i])
		}
	}
	if maxs := a.maxs; len(maxs) > 0 {
		for i, g := range ids {
			maxs[g] = greater(maxs[g], values[i])
		}
	}
}

// addNullable adds only the rows that are present.
func (a *accumulator) addNullable(values []float64, ids []uint32, valid []uint64) {
	values = values[:len(ids)]
	counts, sums, mins, maxs := a.counts, a.sums, a.mins, a.maxs
	for i, g := range ids {
		if valid[i>>6]>>(i&63)&1 == 0 {
			continue
		}
		counts[g]++
		x := values[i]
		if len(sums) > 0 {
			sums[g] += x
		}
		if len(mins) > 0 {
			mins[g] = lesser(mins[g], x)
		}
		if len(maxs) > 0 {
			maxs[g] = greater(maxs[g], x)
		}
	}
}

func (a *accumulator) addTotal(values []float64, valid []uint64) {
	k := fn.Kept{Min: math.NaN(), Max: math.Inf(-1)}
	for i, x := range values {
		if valid != nil && valid[i>>6]>>(i&63)&1 == 0 {
			continue
		}
		k.Count++
		k.Sum += x
		k.Min = lesser(k.Min, x)
		k.Max = greater(k.Max, x)
	}
	a.combine(0, k)
}

func (a *accumulator) combine(g int, k fn.Kept) {
	a.counts[g] += k.Count
	if len(a.sums) > 0 {
		a.sums[g] += k.Sum
	}
	if len(a.mins) > 0 {
		a.mins[g] = lesser(a.mins[g], k.Min)
	}
	if len(a.maxs) > 0 {
		a.maxs[g] = greater(a.maxs[g], k.Max)
	}
}

// lesser and greater order as Java does: NaN is the greatest. The least of
// nothing is therefore NaN.
func lesser(a, b float64) float64 {
	if b < a || a != a {
		return b
	}
	return a
}

func greater(a, b float64) float64 {
	if b > a || b != b {
		return b
	}
	return a
}

// merge adds o's groups, whose numbers here are ids.
func (a *accumulator) merge(o *accumulator, ids []uint32) {
	for i := range o.counts {
		a.combine(int(ids[i]), o.kept(i))
	}
}

// result returns the aggregate's value for each of the groups. Without a value
// an aggregate is null, a count 0.
func (a *accumulator) result(groups []uint32) vector.Vector {
	if a.agg.Fn.Need == fn.NeedCount {
		counts := vector.NewVec[int64](nil)
		for _, g := range groups {
			counts.Append(a.counts[g])
		}
		return counts
	}
	out := vector.NewVec[float64](nil)
	for _, g := range groups {
		if a.counts[g] == 0 {
			out.AppendNull()
			continue
		}
		out.Append(a.agg.Fn.Final(a.kept(int(g))))
	}
	return out
}

// kept returns what is kept of group g.
func (a *accumulator) kept(g int) fn.Kept {
	k := fn.Kept{Count: a.counts[g]}
	if len(a.sums) > 0 {
		k.Sum = a.sums[g]
	}
	if len(a.mins) > 0 {
		k.Min = a.mins[g]
	}
	if len(a.maxs) > 0 {
		k.Max = a.maxs[g]
	}
	return k
}
