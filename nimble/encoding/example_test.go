package encoding_test

import (
	"fmt"
	"log"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// A run of seven threes and one of two fours, as 32-bit integers.
var runs = []byte{
	1, 5, 9, 0, 0, 0, // RLE, Int32, 9 rows
	15, 0, 0, 0, // bytes of the run lengths
	0, 6, 2, 0, 0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, // Trivial, Uint32: 7, 2
	0, 6, 2, 0, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, // Trivial, Uint32: 3, 4
}

func ExampleOpen() {
	s := encoding.NewSession(pool.New(pool.Options{}))
	d, err := encoding.Open[uint32](s, runs, encoding.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	values := make([]uint32, 3)
	if err := d.Skip(5); err != nil {
		log.Fatal(err)
	}
	if err := d.Read(values); err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.DataType(), values)

	// The same rows as they are stored.
	d.Rewind()
	v := vector.NewVec[uint32](s.Pool())
	defer v.Release()
	if err := d.ReadVec(v, d.Rows()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.Form, v.Values, v.Ends)
	// Output:
	// Int32 [3 3 4]
	// run-length [3 4] [7 9]
}

func ExampleDescribe() {
	n, err := encoding.Describe(runs, encoding.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n.Kind, n.DataType, n.Rows, n.SizeBytes)
	for _, c := range n.Children {
		fmt.Println(" ", c.Part+":", c.Kind, c.DataType, c.Rows, c.SizeBytes)
	}
	// Output:
	// RLE Int32 9 40
	//   run lengths: Trivial Uint32 2 15
	//   run values: Trivial Uint32 2 15
}
