package vector_test

import (
	"slices"
	"testing"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
	"pgregory.net/rapid"
)

// row is a value that may be null.
type row struct {
	value   int64
	present bool
}

// drawForm draws rows and a vector of them in a form of the draw.
func drawForm(t *rapid.T, p *pool.Pool) (*vector.Vec[int64], []row) {
	n := rapid.IntRange(0, 200).Draw(t, "rows")
	v := vector.NewVec[int64](p)
	v.Form = rapid.SampledFrom([]vector.Form{
		vector.Flat, vector.Constant, vector.Dictionary, vector.RunLength, vector.Sparse,
	}).Draw(t, "form")
	v.N = n
	rows := make([]row, n)
	number := rapid.Int64Range(-3, 3)
	switch v.Form {
	case vector.Flat:
		for i := range v.ReserveValues(n) {
			v.Values[i] = number.Draw(t, "value")
			rows[i].value = v.Values[i]
		}
	case vector.Constant:
		v.ReserveValues(1)[0] = number.Draw(t, "value")
		for i := range rows {
			rows[i].value = v.Values[0]
		}
	case vector.Dictionary:
		size := rapid.IntRange(1, 5).Draw(t, "alphabet")
		for i := range v.ReserveValues(size) {
			v.Values[i] = number.Draw(t, "value")
		}
		for i := range v.ReserveIndex(n) {
			v.Index[i] = uint32(rapid.IntRange(0, size-1).Draw(t, "index"))
			rows[i].value = v.Values[v.Index[i]]
		}
	case vector.RunLength:
		var ends []uint32
		for end := 0; end < n; {
			end = min(n, end+rapid.IntRange(1, 100).Draw(t, "run"))
			ends = append(ends, uint32(end))
		}
		copy(v.ReserveEnds(len(ends)), ends)
		begin := 0
		for r, end := range ends {
			v.ReserveValues(r + 1)[r] = number.Draw(t, "value")
			for ; begin < int(end); begin++ {
				rows[begin].value = v.Values[r]
			}
		}
	case vector.Sparse:
		v.ReserveValues(1)[0] = number.Draw(t, "common")
		for i := range rows {
			rows[i].value = v.Values[0]
			if rapid.IntRange(0, 9).Draw(t, "exception") > 0 {
				continue
			}
			k := len(v.Positions)
			v.ReservePositions(k + 1)[k] = uint32(i)
			v.ReserveValues(k + 2)[k+1] = number.Draw(t, "value")
			rows[i].value = v.Values[k+1]
		}
	}
	for i := range rows {
		rows[i].present = true
	}
	if rapid.Bool().Draw(t, "nullable") {
		clear(v.ReserveValid(n))
		for i := range rows {
			if rows[i].present = rapid.Bool().Draw(t, "present"); rows[i].present {
				vector.SetBit(v.Valid, i)
			}
		}
	}
	return v, rows
}

func checkRows(t *rapid.T, v *vector.Vec[int64], want []row) {
	t.Helper()
	if v.Len() != len(want) {
		t.Fatalf("%d rows, not %d", v.Len(), len(want))
	}
	for i, w := range want {
		value, present := v.At(i)
		if present != w.present || present && value != w.value {
			t.Fatalf("%v row %d is %d, %v, not %d, %v", v.Form, i, value, present, w.value, w.present)
		}
	}
}

func TestFormsAgree(t *testing.T) {
	p := pool.New(pool.Options{})
	rapid.Check(t, func(t *rapid.T) {
		v, rows := drawForm(t, p)
		checkRows(t, v, rows)
		dst := make([]int64, len(rows)+1)
		dst[len(rows)] = 99
		v.Expand(dst)
		for i, r := range rows {
			if dst[i] != r.value || v.Values[v.ValueIndex(i)] != r.value {
				t.Fatalf("%v row %d expands to %d, not to %d", v.Form, i, dst[i], r.value)
			}
		}
		if dst[len(rows)] != 99 {
			t.Fatal("Expand wrote past the last row")
		}
		detached := vector.Detach(v).(*vector.Vec[int64])
		v.Flatten()
		if v.Form != vector.Flat || len(v.Values) != len(rows) {
			t.Fatalf("flattened: %v of %d values", v.Form, len(v.Values))
		}
		checkRows(t, v, rows)
		v.Flatten() // flat already
		checkRows(t, v, rows)
		v.Release()
		if s := p.Stats(); s.Outstanding != 0 {
			t.Fatalf("%d buffers are outstanding after Release", s.Outstanding)
		}
		checkRows(t, detached, rows)
	})
}

func TestAppend(t *testing.T) {
	p := pool.New(pool.Options{})
	v := vector.NewVec[int64](p)
	rapid.Check(t, func(t *rapid.T) {
		v.Reset()
		var rows []row
		for range rapid.IntRange(0, 200).Draw(t, "rows") {
			if rapid.IntRange(0, 9).Draw(t, "null") == 0 {
				v.AppendNull()
				rows = append(rows, row{})
				continue
			}
			r := row{rapid.Int64().Draw(t, "value"), true}
			v.Append(r.value)
			rows = append(rows, r)
		}
		checkRows(t, v, rows)
		if anyNull := slices.Contains(rows, row{}); anyNull != (v.Validity() != nil) {
			t.Fatalf("a null: %v, a bitmap: %v", anyNull, v.Validity() != nil)
		}
	})
	v.Release()
	if got := p.Stats().Outstanding; got != 0 {
		t.Errorf("%d buffers are outstanding", got)
	}
}

func TestFlattenAgainAfterReset(t *testing.T) {
	p := pool.New(pool.Options{})
	v := vector.NewVec[int32](p)
	for round := range 3 {
		v.Reset()
		v.Form, v.N = vector.Constant, 100+round
		v.ReserveValues(1)[0] = int32(round)
		v.Flatten()
		for i := range v.N {
			if x, ok := v.At(i); !ok || x != int32(round) {
				t.Fatalf("round %d row %d is %d", round, i, x)
			}
		}
	}
	v.Release()
	if got := p.Stats().Outstanding; got != 0 {
		t.Errorf("%d buffers are outstanding", got)
	}
}

func TestFlattenOfBorrowedMemory(t *testing.T) {
	alphabet := []uint16{10, 20}
	index := []uint32{1, 0, 1}
	v := vector.NewVec[uint16](pool.New(pool.Options{}))
	v.Form, v.N, v.Values, v.Index = vector.Dictionary, 3, alphabet, index
	v.Flatten()
	v.Values[0] = 99
	if !slices.Equal(v.Values, []uint16{99, 10, 20}) {
		t.Errorf("values are %v", v.Values)
	}
	if !slices.Equal(alphabet, []uint16{10, 20}) {
		t.Errorf("the lender's values became %v", alphabet)
	}
}

func TestAsAndReinterpret(t *testing.T) {
	v := vector.NewVec[int64](nil)
	v.Append(-1)
	if u := vector.As[uint64](v); u.Values[0] != 1<<64-1 || u.N != 1 {
		t.Errorf("as uint64: %+v", u.Values)
	}
	if f := vector.Reinterpret[float32]([]uint32{0x3f800000}); f[0] != 1 {
		t.Errorf("as float32: %v", f)
	}
	if f := vector.Reinterpret[float32]([]int32(nil)); len(f) != 0 {
		t.Errorf("nothing as float32: %v", f)
	}
}
