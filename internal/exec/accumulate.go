package exec

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// accumulator keeps, by group, what the aggregates of one argument need. How
// many values a group has follows from its rows, which the sink counts, and its
// nulls.
type accumulator struct {
	need  fn.Need
	arg   node
	nulls []int64
	sums  []float64
	mins  []float64
	maxs  []float64

	wide vector.Vec[float64] // scratch: bools as numbers
}

func newAccumulator(arg plan.Expr, need fn.Need, slotOf slots) (*accumulator, error) {
	compile := newNode
	if arg.Type() == fn.BigDecimal && need != fn.NeedCount {
		compile = newDoubleNode
	}
	n, err := compile(arg, slotOf)
	return &accumulator{arg: n, need: need}, err
}

func (a *accumulator) reset() {
	a.nulls, a.sums, a.mins, a.maxs = a.nulls[:0], a.sums[:0], a.mins[:0], a.maxs[:0]
}

// grow makes room for n groups.
func (a *accumulator) grow(n int) {
	a.nulls = extend(a.nulls, n, 0)
	if a.need&fn.NeedSum != 0 {
		a.sums = extend(a.sums, n, 0)
	}
	if a.need&fn.NeedMin != 0 {
		a.mins = extend(a.mins, n, math.Inf(1))
	}
	if a.need&fn.NeedMax != 0 {
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
	v, err := a.arg.eval(in)
	if err != nil {
		return err
	}
	a.addNulls(v.Len(), v.Validity(), ids)
	if a.need == fn.NeedCount {
		return nil
	}
	switch v := v.(type) {
	case *vector.Vec[int8]:
		addValues(a, v, ids)
	case *vector.Vec[int16]:
		addValues(a, v, ids)
	case *vector.Vec[int32]:
		addValues(a, v, ids)
	case *vector.Vec[int64]:
		addValues(a, v, ids)
	case *vector.Vec[float32]:
		addValues(a, v, ids)
	case *vector.Vec[float64]:
		addValues(a, v, ids)
	case *vector.Bools:
		doublesOfBools(&a.wide, v)
		addValues(a, &a.wide, ids)
	default:
		return fmt.Errorf("exec: an aggregate of a %v: %w", v.Kind(), ErrUnsupported)
	}
	return nil
}

func (a *accumulator) addNulls(n int, valid []uint64, ids []uint32) {
	if valid == nil {
		return
	}
	if ids == nil {
		a.nulls[0] += int64(n - vector.CountBits(valid, 0, n))
		return
	}
	for begin := 0; begin < n; begin += 64 {
		for w := ^presentIn(valid, begin, n) & rowsIn(begin, n); w != 0; w &= w - 1 {
			a.nulls[ids[begin+bits.TrailingZeros64(w)]]++
		}
	}
}

// rowsIn is a word with a bit for each of the rows from begin up to n.
func rowsIn(begin, n int) uint64 {
	if n-begin >= 64 {
		return ^uint64(0)
	}
	return 1<<(n-begin) - 1
}

// presentIn is the validity of the 64 rows from begin on.
func presentIn(valid []uint64, begin, n int) uint64 {
	if valid == nil {
		return rowsIn(begin, n)
	}
	return valid[begin>>6] & rowsIn(begin, n)
}

func addValues[T number](a *accumulator, v *vector.Vec[T], ids []uint32) {
	v.Flatten()
	values := v.Values[:v.N]
	if ids == nil {
		addTotal(a, values, v.Valid)
		return
	}
	if v.Valid == nil {
		addGrouped(a, values, ids)
		return
	}
	for begin := 0; begin < v.N; begin += 64 {
		end := min(begin+64, v.N)
		w := presentIn(v.Valid, begin, v.N)
		if w == rowsIn(begin, v.N) {
			addGrouped(a, values[begin:end], ids[begin:end])
			continue
		}
		addPresent(a, values[begin:end], ids[begin:end], w)
	}
}

func addGrouped[T number](a *accumulator, values []T, ids []uint32) {
	values = values[:len(ids)]
	if sums := a.sums; len(sums) > 0 {
		for i, g := range ids {
			sums[g] += float64(values[i])
		}
	}
	if mins := a.mins; len(mins) > 0 {
		for i, g := range ids {
			mins[g] = lesser(mins[g], float64(values[i]))
		}
	}
	if maxs := a.maxs; len(maxs) > 0 {
		for i, g := range ids {
			maxs[g] = greater(maxs[g], float64(values[i]))
		}
	}
}

// addPresent adds those of at most 64 values whose bit is set.
func addPresent[T number](a *accumulator, values []T, ids []uint32, present uint64) {
	sums, mins, maxs := a.sums, a.mins, a.maxs
	for w := present; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w)
		x, g := float64(values[i]), ids[i]
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

// addTotal adds values of the only group.
func addTotal[T number](a *accumulator, values []T, valid []uint64) {
	n := len(values)
	for begin := 0; begin < n; begin += 64 {
		block := values[begin:min(begin+64, n)]
		w := presentIn(valid, begin, n)
		if w == 0 {
			continue
		}
		if len(a.sums) > 0 {
			a.sums[0] += sumOf(block, w)
		}
		if len(a.mins) > 0 || len(a.maxs) > 0 {
			a.addRange(rangeOf(block, w))
		}
	}
}

func (a *accumulator) addRange(lo, hi float64) {
	if len(a.mins) > 0 {
		a.mins[0] = lesser(a.mins[0], lo)
	}
	if len(a.maxs) > 0 {
		a.maxs[0] = greater(a.maxs[0], hi)
	}
}

// sumOf adds at most 64 values, those whose bit is set. Four sums run side by
// side: one would wait for itself.
func sumOf[T number](block []T, present uint64) float64 {
	var s [4]float64
	if present != rowsIn(0, len(block)) {
		for w := present; w != 0; w &= w - 1 {
			i := bits.TrailingZeros64(w)
			s[i&3] += float64(block[i])
		}
		return s[0] + s[1] + (s[2] + s[3])
	}
	for ; len(block) >= 4; block = block[4:] {
		s[0] += float64(block[0])
		s[1] += float64(block[1])
		s[2] += float64(block[2])
		s[3] += float64(block[3])
	}
	for i, x := range block {
		s[i&3] += float64(x)
	}
	return s[0] + s[1] + (s[2] + s[3])
}

// rangeOf returns the least and the greatest of at most 64 values, of those
// whose bit is set. At least one is.
func rangeOf[T number](block []T, present uint64) (lo, hi float64) {
	first := block[bits.TrailingZeros64(present)]
	least, most := first, first
	if present == rowsIn(0, len(block)) {
		for _, x := range block {
			least, most = lesser(least, x), greater(most, x)
		}
		return float64(least), float64(most)
	}
	for w := present; w != 0; w &= w - 1 {
		x := block[bits.TrailingZeros64(w)]
		least, most = lesser(least, x), greater(most, x)
	}
	return float64(least), float64(most)
}

// lesser and greater are Java's Math.min and Math.max: NaN wins.
func lesser[T number](a, b T) T {
	if b < a || b != b {
		return b
	}
	return a
}

func greater[T number](a, b T) T {
	if b > a || b != b {
		return b
	}
	return a
}

// merge adds o's groups, whose numbers here are ids.
func (a *accumulator) merge(o *accumulator, ids []uint32) {
	for i, n := range o.nulls {
		a.nulls[ids[i]] += n
	}
	for i, x := range o.sums {
		a.sums[ids[i]] += x
	}
	for i, x := range o.mins {
		a.mins[ids[i]] = lesser(a.mins[ids[i]], x)
	}
	for i, x := range o.maxs {
		a.maxs[ids[i]] = greater(a.maxs[ids[i]], x)
	}
}

// kept returns what is kept of group g, which has the given rows.
func (a *accumulator) kept(g uint32, rows int64) fn.Kept {
	k := fn.Kept{Count: rows - a.nulls[g]}
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
