package pool_test

import (
	"fmt"

	"github.com/decantdb/decant/pool"
)

func Example() {
	p := pool.New(pool.Options{LimitBytes: 1 << 20})
	for range 1000 {
		scratch := pool.Get[uint32](p, 2048)
		scratch.S[0] = 1
		pool.Put(p, &scratch)
	}
	s := p.Stats()
	fmt.Println(s.Gets, "requests,", s.Allocs, "buffer made,", s.HeldBytes, "bytes held")
	// Output: 1000 requests, 1 buffer made, 8192 bytes held
}

func ExampleGrow() {
	p := pool.New(pool.Options{})
	b := pool.Get[int64](p, 2)
	copy(b.S, []int64{7, 8})
	pool.Grow(p, &b, 3)
	b.S[2] = 9
	fmt.Println(b.S)
	pool.Put(p, &b)
	fmt.Println(p.Stats().Outstanding)
	// Output:
	// [7 8 9]
	// 0
}

func ExamplePool_Trim() {
	p := pool.New(pool.Options{})
	b := pool.Get[byte](p, 1<<20)
	pool.Put(p, &b)
	p.Trim(0)
	fmt.Println(p.Stats().HeldBytes)
	// Output: 0
}
