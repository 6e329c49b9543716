package nimble_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// write returns a small file.
func write() ([]byte, error) {
	schema, err := nimble.ParseSchema("city VARCHAR, day DATE, celsius DOUBLE")
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	w, err := nimble.NewWriter(&file, schema, &nimble.WriterOptions{
		Metadata: []nimble.Attribute{{Key: "station", Value: "roof"}},
	})
	if err != nil {
		return nil, err
	}
	cities, days, degrees := vector.NewVec[vector.View](nil), vector.NewVec[int32](nil), vector.NewVec[float64](nil)
	for day := range int32(3) {
		vector.AppendString(cities, []byte("Lima"))
		days.Append(19_000 + day)
		degrees.Append(17.5 + float64(day))
	}
	vector.AppendString(cities, []byte("Oslo"))
	days.Append(19_003)
	degrees.AppendNull()
	err = w.WriteBatch(&vector.Batch{N: 4, Columns: []vector.Vector{cities, days, degrees}})
	if err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

func ExampleNewWriter() {
	schema, err := nimble.ParseSchema("n BIGINT")
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	w, err := nimble.NewWriter(&file, schema, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	numbers := vector.NewVec[int64](nil)
	for i := range int64(1000) {
		numbers.Append(i)
	}
	if err := w.WriteBatch(&vector.Batch{N: 1000, Columns: []vector.Vector{numbers}}); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	f, err := nimble.Open(bytes.NewReader(file.Bytes()), int64(file.Len()), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Schema(), f.Rows(), f.ColumnStats(0).MaxInt)
	// Output: ROW<n BIGINT> 1000 999
}

func ExampleFile_Scan() {
	data, err := write()
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := nimble.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	scan, err := f.Scan(nimble.ScanOptions{Columns: []int{0, 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer scan.Close()
	for {
		batch, err := scan.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		cities := batch.Columns[0].(*vector.Vec[vector.View])
		degrees := batch.Columns[1].(*vector.Vec[float64])
		for row := range batch.N {
			city, _ := cities.At(row)
			celsius, known := degrees.At(row)
			fmt.Printf("%s %v %t\n", city.Bytes(cities.Buffers.List()), celsius, known)
		}
	}
	// Output:
	// Lima 17.5 true
	// Lima 18.5 true
	// Lima 19.5 true
	// Oslo 0 false
}

func ExampleFile_OpenStripe() {
	data, err := write()
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := nimble.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	session := nimble.NewSession(pool.New(pool.Options{}))
	r, err := f.OpenStripe(session, 0, []int{2, 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	// The filter's column first, of the other what the filter leaves.
	v, err := r.Read(0, r.Rows())
	if err != nil {
		fmt.Println(err)
		return
	}
	degrees := v.(*vector.Vec[float64])
	var warm []int32
	for row := range degrees.N {
		if celsius, known := degrees.At(row); known && celsius > 18 {
			warm = append(warm, int32(row))
		}
	}
	v, err = r.ReadSel(1, r.Rows(), warm)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Len(), "warm days")
	// Output: 2 warm days
}

func ExampleType_Project() {
	data, err := write()
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := nimble.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	as, err := f.Schema().Project("celsius", "city") // of a flat map: "features['7']"
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
	if err := s.SeekRow(2); err != nil {
		fmt.Println(err)
		return
	}
	b, err := s.Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	degrees, _ := b.Columns[0].(*vector.Vec[float64]).At(0)
	fmt.Println(as, b.N, degrees)
	// Output: ROW<celsius DOUBLE, city VARCHAR> 2 19.5
}
