package datatable_test

import (
	"fmt"
	"log"
	"math/big"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

func ExampleBuilder() {
	columns := []datatable.Column{
		{Name: "carrier", Type: datatable.String},
		{Name: "flights", Type: datatable.Long},
	}
	b, err := datatable.NewBuilder(pool.New(pool.Options{}), columns, datatable.Options{})
	if err != nil {
		log.Fatal(err)
	}
	b.StartRow()
	b.SetString(0, []byte("UA"))
	b.SetLong(1, 58665)
	b.FinishRow()
	b.SetMetadata(datatable.TotalDocs, 336776)
	data, err := b.AppendTo(nil)
	if err != nil {
		log.Fatal(err)
	}

	t, err := datatable.Open(data)
	if err != nil {
		log.Fatal(err)
	}
	for row := range t.Rows() {
		carrier, err := t.String(row, 0)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %d\n", carrier, t.Long(row, 1))
	}
	for _, e := range t.Metadata() {
		fmt.Println(e.Key, e.Value())
	}
	// Output:
	// UA 58665
	// totalDocs 336776
}

func ExampleBuilder_AppendBatch() {
	p := pool.New(pool.Options{})
	delays := vector.NewVec[int32](p)
	delays.Append(-4)
	delays.AppendNull()
	b, err := datatable.NewBuilder(p, []datatable.Column{{Name: "delay", Type: datatable.Int}}, datatable.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := b.AppendBatch(&vector.Batch{N: 2, Columns: []vector.Vector{delays}}); err != nil {
		log.Fatal(err)
	}
	data, err := b.AppendTo(nil)
	if err != nil {
		log.Fatal(err)
	}
	t, err := datatable.Open(data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Int(0, 0), t.IsNull(0, 0))
	fmt.Println(t.Int(1, 0), t.IsNull(1, 0))
	// Output:
	// -4 false
	// 0 true
}

func ExampleBuilder_AppendMetadataOnlyTo() {
	b, err := datatable.NewBuilder(nil, nil, datatable.Options{})
	if err != nil {
		log.Fatal(err)
	}
	b.AddException(200, "query failed")
	data, err := b.AppendMetadataOnlyTo(nil)
	if err != nil {
		log.Fatal(err)
	}
	t, err := datatable.Open(data)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range t.Exceptions() {
		fmt.Printf("%d %s\n", e.Code, e.Message)
	}
	// Output: 200 query failed
}

func ExampleOpen() {
	_, err := datatable.Open([]byte("not a table"))
	fmt.Println(err)
	// Output: datatable: header at byte 11: a table of 11 bytes
}

func ExampleDecimal() {
	d := datatable.NewDecimal(big.NewInt(-12345), 2)
	fmt.Printf("%x %v e-%d\n", d.Unscaled, d.Int(), d.Scale)
	// Output: cfc7 -12345 e-2
}
