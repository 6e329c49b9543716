package exec

import (
	"math"

	"github.com/decantdb/decant/vector"
)

// null stands for a null in the lists of replayRows.
var null any

func replayRows(begin, end int) *vector.Batch {
	ints := []any{1, 2, 3, 4, null, 5}
	longs := []any{9007199254740993, 9007199254740992, -1, null, 10, math.MaxInt64}
	floats := []any{0.05, 0.06, math.Copysign(0, -1), 0.0, null, 1e10}
	doubles := []any{1.5, math.NaN(), math.Inf(-1), 2.5, null, 0.0}
	texts := []any{"a", "b_c", "", "bxc", null, "O'Brien"}
	bools := []any{true, false, true, null, false, true}

	i, l := vector.NewVec[int32](nil), vector.NewVec[int64](nil)
	f, d := vector.NewVec[float32](nil), vector.NewVec[float64](nil)
	s, bo := vector.NewVec[vector.View](nil), vector.NewBools(nil)
	for row := begin; row < end; row++ {
		appendCell(i, ints[row], func(x any) { i.Append(int32(x.(int))) })
		appendCell(l, longs[row], func(x any) { l.Append(int64(x.(int))) })
		appendCell(f, floats[row], func(x any) { f.Append(float32(x.(float64))) })
		appendCell(d, doubles[row], func(x any) { d.Append(x.(float64)) })
		appendCell(s, texts[row], func(x any) { vector.AppendString(s, []byte(x.(string))) })
		appendCell(bo, bools[row], func(x any) { bo.Append(x.(bool)) })
	}
	b := vector.NewBatch(nil, i, l, f, d, s, bo)
	b.N = end - begin
	return b
}

func appendCell(v interface{ AppendNull() }, x any, present func(any)) {
	if x == null {
		v.AppendNull()
		return
	}
	present(x)
}
