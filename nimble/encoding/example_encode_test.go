package encoding_test

import (
	"fmt"
	"log"
	"math"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// newEncoder returns an encoder that compresses nothing, so that the bytes below
// are the same everywhere.
func newEncoder() *encoding.Encoder {
	e, err := encoding.NewEncoder(pool.New(pool.Options{}), encoding.EncodeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	return e
}

// tree prints the encodings of an array.
func tree(data []byte) string {
	l, err := encoding.CaptureLayout(data, encoding.Options{})
	if err != nil {
		log.Fatal(err)
	}
	text := l.Kind.String()
	for _, c := range l.Children {
		text += " " + c.Kind.String()
	}
	return text
}

func ExampleAppend() {
	e := newEncoder()
	prices := make([]uint64, 32)
	for i := range prices {
		prices[i] = math.Float64bits(1.5 + float64(i%2))
	}
	data, err := encoding.Append(e, nil, encoding.Double, prices)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tree(data), len(data))
	// Output: Dictionary Trivial FixedBitWidth 84
}

func ExampleAppendStrings() {
	e := newEncoder()
	buffer := []byte("somewhere over the rainbow")
	views := []vector.View{
		vector.MakeView(buffer, 0, 0),
		vector.InlineView([]byte("over")),
		vector.MakeView(buffer[10:], 0, 10),
	}
	data, err := encoding.AppendStrings(e, nil, views, [][]byte{buffer})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tree(data), len(data))
	// Output: Trivial Varint 70
}

func ExampleAppendBools() {
	e := newEncoder()
	data, err := encoding.AppendBools(e, nil, []uint64{0b0111}, 4)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", data)
	// Output: 000b04000000000700000000000000
}

func ExampleAppendNullable() {
	e := newEncoder()
	// Rows 7, null, 7: two values, and a bit for each row that has one.
	data, err := encoding.AppendNullable(e, nil, encoding.Int32, []uint32{7, 7}, []uint64{0b101}, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", data)
	// Output: 0505030000000a00000009060200000007000000000b03000000000500000000000000
}

func ExampleEncoder_layout() {
	// What is known to be sorted may be told so, instead of letting the encoder
	// select.
	e, err := encoding.NewEncoder(nil, encoding.EncodeOptions{
		Layout: &encoding.Layout{Kind: encoding.KindDelta, Children: make([]*encoding.Layout, 3)},
	})
	if err != nil {
		log.Fatal(err)
	}
	data, err := encoding.Append(e, nil, encoding.Int64, []uint64{1000, 1001, 1003, 1006})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tree(data))
	// Output: Delta Varint Trivial Trivial
}
