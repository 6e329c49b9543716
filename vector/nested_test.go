package vector_test

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

func TestListsMapsAndRows(t *testing.T) {
	elem := vector.NewVec[int32](nil)
	list := vector.NewList(nil, elem)
	elem.Append(1)
	elem.Append(2)
	list.Append()
	list.AppendNull()
	list.Append()
	if got := texts(list); !slices.Equal(got, []string{"[1;2;]", "null", "[]"}) {
		t.Errorf("lists are %v", got)
	}
	if !slices.Equal(list.Offsets, []uint32{0, 2, 2, 2}) {
		t.Errorf("offsets are %v", list.Offsets)
	}

	keys, values := vector.NewVec[int32](nil), vector.NewVec[vector.View](nil)
	m := vector.NewMap(nil, keys, values)
	m.AppendNull()
	keys.Append(5)
	values.AppendNull()
	m.Append()
	if got := texts(m); !slices.Equal(got, []string{"null", "{5:null;}"}) {
		t.Errorf("maps are %v", got)
	}

	field := vector.NewVec[int32](nil)
	r := vector.NewRow(nil, field)
	r.Append(true)
	field.Append(3)
	r.Append(false)
	field.AppendNull()
	r.Append(true)
	field.Append(4)
	if got := texts(r); !slices.Equal(got, []string{"(3;)", "null", "(4;)"}) {
		t.Errorf("rows are %v", got)
	}
	for _, v := range []vector.Vector{list, m, r} {
		v.Reset()
		if v.Len() != 0 || v.Validity() != nil {
			t.Errorf("%v has %d rows after Reset", v.Kind(), v.Len())
		}
	}
	if elem.Len() != 0 || keys.Len() != 0 || values.Len() != 0 || field.Len() != 0 {
		t.Error("the children were not reset")
	}
}

func TestKinds(t *testing.T) {
	p := pool.New(pool.Options{})
	for k := vector.KindBool; k <= vector.KindRow; k++ {
		if k.String() == "invalid" {
			t.Errorf("kind %d has no name", k)
		}
		v, err := vector.Make(p, k)
		if k >= vector.KindList {
			if err == nil {
				t.Errorf("a %v was made without children", k)
			}
			continue
		}
		if err != nil || v.Kind() != k || v.Len() != 0 {
			t.Errorf("Make(%v) returned a %T, %v", k, v, err)
		}
	}
	if _, err := vector.Make(p, 0); err == nil {
		t.Error("a vector of no kind was made")
	}
	if got := vector.Kind(200).String() + vector.Form(200).String(); got != "invalidinvalid" {
		t.Errorf("unknown kind and form are %q", got)
	}
}

func TestEmptySelectionSelectsNothing(t *testing.T) {
	b := vector.NewBatch(nil)
	b.N = 10
	if b.Rows() != 10 {
		t.Errorf("%d rows", b.Rows())
	}
	b.ReserveSel(0)
	if b.Sel == nil || b.Rows() != 0 {
		t.Errorf("%d rows are selected", b.Rows())
	}
	if sel := b.ReserveSel(3); len(sel) != 3 || b.Rows() != 3 {
		t.Errorf("%d rows are selected", b.Rows())
	}
	b.Reset()
	if b.Sel != nil || b.Rows() != 0 {
		t.Errorf("%d rows after Reset", b.Rows())
	}
}

func TestWarmBatchDoesNotAllocate(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	p := pool.New(pool.Options{})
	batch := vector.NewBatch(p, makeColumns(p)...)
	strs := batch.Columns[1].(*vector.Vec[vector.View])
	list := batch.Columns[4].(*vector.List)
	bools := batch.Columns[2].(*vector.Bools)
	long := []byte("a string that is longer than a view")
	round := func(release bool) {
		batch.Reset()
		batch.N = 500
		for i := range batch.N {
			vector.AppendString(strs, long)
			vector.AppendString(list.Elem.(*vector.Vec[vector.View]), long[:i%20])
			list.Append()
			bools.AppendNull()
		}
		strs.Form, strs.Values = vector.Constant, strs.Values[:1]
		strs.Flatten()
		batch.ReserveSel(100)
		if release {
			batch.Release()
		}
	}
	round(false)
	round(true)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 100 {
		round(i%3 == 0)
	}
	runtime.ReadMemStats(&after)
	if mallocs, size := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc; mallocs != 0 || size != 0 {
		t.Errorf("100 rounds made %d allocations of %d bytes", mallocs, size)
	}
}

func BenchmarkFlatten(b *testing.B) {
	v := vector.NewVec[int64](pool.New(pool.Options{}))
	alphabet := []int64{1, 2, 3, 4}
	index := make([]uint32, vector.DefaultBatchRows)
	for i := range index {
		index[i] = uint32(i % len(alphabet))
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(index)) * 8)
	for b.Loop() {
		v.Reset()
		v.Form, v.N, v.Values, v.Index = vector.Dictionary, len(index), alphabet, index
		v.Flatten()
	}
}
