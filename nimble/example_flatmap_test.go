package nimble_test

import (
	"bytes"
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// writeFeatures writes a flat map, whose keys have streams of their own.
func writeFeatures(file *bytes.Buffer) error {
	schema, err := nimble.ParseSchema("id BIGINT, features FLATMAP<VARCHAR, REAL>")
	if err != nil {
		return err
	}
	ids, names, values := vector.NewVec[int64](nil), vector.NewVec[vector.View](nil), vector.NewVec[float32](nil)
	features := vector.NewMap(nil, names, values)
	for id, row := range []map[string]float32{{"height": 1.5}, {"height": 2}, {"width": 3}} {
		ids.Append(int64(id))
		for name, value := range row {
			vector.AppendString(names, []byte(name))
			values.Append(value)
		}
		features.Append()
	}
	w, err := nimble.NewWriter(file, schema, &nimble.WriterOptions{
		// Without this, keys get their streams when they are first seen.
		FlatMaps: map[string]nimble.FlatMapOptions{"features": {Keys: []string{"height", "width"}}},
	})
	if err != nil {
		return err
	}
	if err := w.WriteBatch(&vector.Batch{N: 3, Columns: []vector.Vector{ids, features}}); err != nil {
		return err
	}
	return w.Close()
}

func ExampleWriter_flatMap() {
	var file bytes.Buffer
	if err := writeFeatures(&file); err != nil {
		fmt.Println(err)
		return
	}
	f, err := nimble.Open(bytes.NewReader(file.Bytes()), int64(file.Len()), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	// Of the other keys nothing is read.
	as, err := f.Schema().Project("features['height']")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := f.Scan(nimble.ScanOptions{As: as})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	b, err := s.Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	features := b.Columns[0].(*vector.Map)
	for row := range b.N {
		begin, end := features.Span(row)
		for i := begin; i < end; i++ {
			value, _ := features.Values.(*vector.Vec[float32]).At(i)
			fmt.Println(row, value)
		}
	}
	// Output:
	// 0 1.5
	// 1 2
}
