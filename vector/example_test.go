package vector_test

import (
	"fmt"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

func ExampleVec() {
	p := pool.New(pool.Options{})
	v := vector.NewVec[int64](p)
	v.Append(7)
	v.AppendNull()
	for i := range v.Len() {
		fmt.Println(v.At(i))
	}
	v.Release()
	// Output:
	// 7 true
	// 0 false
}

func ExampleVec_Flatten() {
	v := vector.NewVec[int64](nil)
	v.Form, v.N = vector.RunLength, 5
	v.Values, v.Ends = []int64{1, 9}, []uint32{3, 5}
	v.Flatten()
	fmt.Println(v.Values)
	// Output: [1 1 1 9 9]
}

func ExampleAppendString() {
	names := vector.NewVec[vector.View](nil)
	vector.AppendString(names, []byte("short"))
	vector.AppendString(names, []byte("longer than twelve bytes"))
	for i := range names.Values {
		view := &names.Values[i]
		fmt.Println(view.Inline(), string(view.Bytes(names.Buffers.List())))
	}
	// Output:
	// true short
	// false longer than twelve bytes
}

func ExampleList() {
	elem := vector.NewVec[int32](nil)
	lists := vector.NewList(nil, elem)
	elem.Append(1)
	elem.Append(2)
	lists.Append()
	lists.AppendNull()
	begin, end := lists.Span(0)
	fmt.Println(elem.Values[begin:end], vector.Valid(lists.Valid, 1))
	// Output: [1 2] false
}

func ExampleDetach() {
	v := vector.NewVec[int32](pool.New(pool.Options{}))
	v.Append(42)
	kept := vector.Detach(v).(*vector.Vec[int32])
	v.Release()
	fmt.Println(kept.Values)
	// Output: [42]
}
