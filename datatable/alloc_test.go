package datatable_test

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// measure returns the allocations of 100 calls of a function that was called
// before.
func measure(fn func()) (mallocs, allocBytes uint64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	fn()
	fn()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		fn()
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}

func TestBuilderDoesNotAllocateAfterReset(t *testing.T) {
	for _, p := range []*pool.Pool{nil, pool.New(pool.Options{})} {
		types := allTypes()
		b := newBuilder(t, p, types...)
		texts := make([][]byte, 200)
		for i := range texts {
			texts[i] = fmt.Appendf(nil, "text %d of the dictionary", i)
		}
		var out []byte
		mallocs, allocBytes := measure(func() {
			b.Reset()
			for row := range 200 {
				b.StartRow()
				for col, typ := range types {
					switch {
					case typ == datatable.String:
						b.SetString(col, texts[row])
					case typ == datatable.StringArray:
						b.SetStringArray(col, texts[row:min(row+3, len(texts))])
					case typ == datatable.IntArray || typ == datatable.Long:
						b.SetNull(col)
					case typ == datatable.Unknown:
						b.SetNull(col)
					case typ == datatable.Bytes:
						b.SetBytes(col, texts[row])
					case typ == datatable.Int:
						b.SetInt(col, int32(row))
					}
				}
				b.FinishRow()
			}
			b.AddException(200, "message")
			b.AddException(100, "message")
			b.SetMetadata(datatable.TotalDocs, 1)
			b.SetMetadataText(datatable.QueryID, "query")
			var err error
			if out, err = b.AppendTo(out[:0]); err != nil {
				t.Fatal(err)
			}
			if _, err := b.WriteTo(io.Discard); err != nil {
				t.Fatal(err)
			}
		})
		if mallocs != 0 || allocBytes != 0 {
			t.Errorf("with pool %v: %d allocations of %d bytes", p != nil, mallocs, allocBytes)
		}
	}
}

func TestSettersDoNotAllocateAfterReset(t *testing.T) {
	types := allTypes()
	blob := []byte("0123456789abcdef")
	entries := []datatable.MapEntry{{Key: blob, JSON: blob}}
	decimals := []datatable.Decimal{{Unscaled: blob}}
	b := newBuilder(t, pool.New(pool.Options{}), types...)
	mallocs, allocBytes := measure(func() {
		b.Reset()
		b.StartRow()
		for col, typ := range types {
			switch typ {
			case datatable.Float:
				b.SetFloat(col, 1)
			case datatable.Double:
				b.SetDouble(col, 1)
			case datatable.Boolean:
				b.SetBoolean(col, true)
			case datatable.UUID:
				b.SetBytes(col, blob)
			case datatable.BigDecimal:
				b.SetBigDecimal(col, decimals[0])
			case datatable.BigDecimalArray:
				b.SetBigDecimalArray(col, decimals)
			case datatable.Map:
				b.SetMap(col, entries)
			case datatable.Object:
				b.SetObject(col, 4, blob)
			case datatable.FloatArray:
				b.SetFloatArray(col, []float32{1})
			case datatable.DoubleArray:
				b.SetDoubleArray(col, []float64{1})
			case datatable.LongArray:
				b.SetLongArray(col, []int64{1})
			}
		}
		b.FinishRow()
	})
	if err := b.Err(); err != nil {
		t.Fatal(err)
	}
	if mallocs != 0 || allocBytes != 0 {
		t.Errorf("%d allocations of %d bytes", mallocs, allocBytes)
	}
}

// batchOfAll returns a batch of n rows with a column of each shape that
// AppendBatch tells apart.
func batchOfAll(n int) (*vector.Batch, []datatable.Type) {
	ints, longs := vector.NewVec[int32](nil), vector.NewVec[int64](nil)
	texts, dict := vector.NewVec[vector.View](nil), vector.NewVec[vector.View](nil)
	elem := vector.NewVec[float64](nil)
	list := vector.NewList(nil, elem)
	for i := range n {
		if i%10 == 0 {
			ints.AppendNull()
		} else {
			ints.Append(int32(i))
		}
		longs.Append(int64(i))
		vector.AppendString(texts, fmt.Appendf(nil, "a text of row %d", i%100))
		elem.Append(float64(i))
		list.Append()
	}
	runs := &vector.Vec[int64]{Form: vector.RunLength, N: n, Values: []int64{1, 2}, Ends: []uint32{1, uint32(n)}}
	vector.AppendString(dict, []byte("one"))
	vector.AppendString(dict, []byte("two"))
	dict.Form, dict.N = vector.Sparse, n
	copy(dict.ReservePositions(1), []uint32{5})
	return &vector.Batch{N: n, Columns: []vector.Vector{ints, longs, texts, list, runs, dict, longs}}, []datatable.Type{
		datatable.Int, datatable.Long, datatable.String, datatable.DoubleArray,
		datatable.Timestamp, datatable.String, datatable.BigDecimal,
	}
}

func TestBatchesDoNotAllocateAfterReset(t *testing.T) {
	p := pool.New(pool.Options{})
	batch, types := batchOfAll(1000)
	b := newBuilder(t, p, types...)
	mallocs, allocBytes := measure(func() {
		b.Reset()
		for range 3 {
			if err := b.AppendBatch(batch); err != nil {
				t.Fatal(err)
			}
		}
	})
	if mallocs != 0 || allocBytes != 0 {
		t.Errorf("%d allocations of %d bytes", mallocs, allocBytes)
	}
}

func TestReadingDoesNotAllocate(t *testing.T) {
	batch, types := batchOfAll(100)
	b := newBuilder(t, nil, types...)
	if err := b.AppendBatch(batch); err != nil {
		t.Fatal(err)
	}
	table := mustOpen(t, mustAppend(t, b))
	var doubles []float64
	sum := 0
	mallocs, allocBytes := measure(func() {
		for row := range table.Rows() {
			text, err := table.String(row, 2)
			decimal, err2 := table.BigDecimal(row, 6)
			var err3 error
			doubles, err3 = table.AppendDoubles(doubles[:0], row, 3)
			if err != nil || err2 != nil || err3 != nil {
				t.Fatal(err, err2, err3)
			}
			if !table.IsNull(row, 0) {
				sum += int(table.Int(row, 0))
			}
			sum += int(table.Long(row, 1)) + len(text) + len(decimal.Unscaled) + len(doubles)
		}
	})
	if mallocs != 0 || allocBytes != 0 || sum == 0 {
		t.Errorf("%d allocations of %d bytes, sum %d", mallocs, allocBytes, sum)
	}
}
