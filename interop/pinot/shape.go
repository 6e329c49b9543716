package pinot

import (
	"fmt"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/vector"
)

// Shape is one of the tables that are measured on both sides. Row i has
//
//	i   INT           i
//	l   LONG          i·1000003
//	f   FLOAT         i·0.5
//	d   DOUBLE        i·0.25
//	s   STRING        "value-" and i mod 100
//	b   BYTES         eight bytes from i on
//	ia  INT_ARRAY     i, i+1, i+2
//	sa  STRING_ARRAY  "tag-" and i mod 10, "tag-" and (i+1) mod 10
//
// of which a shape has the first columns.
type Shape struct {
	Name    string
	columns int
}

// Shapes are all shapes, by the names that the Java half knows too.
var Shapes = []Shape{{"NUMERIC", 4}, {"MIXED", 6}, {"MIXED_ARRAYS", 8}}

var shapeColumns = []datatable.Column{
	{Name: "i", Type: datatable.Int},
	{Name: "l", Type: datatable.Long},
	{Name: "f", Type: datatable.Float},
	{Name: "d", Type: datatable.Double},
	{Name: "s", Type: datatable.String},
	{Name: "b", Type: datatable.Bytes},
	{Name: "ia", Type: datatable.IntArray},
	{Name: "sa", Type: datatable.StringArray},
}

// Columns returns the columns of a table of this shape.
func (s Shape) Columns() []datatable.Column { return shapeColumns[:s.columns] }

// Values are the values of a table, made before anything is measured.
type Values struct {
	shape   Shape
	ints    []int32
	longs   []int64
	floats  []float32
	doubles []float64
	strings [][]byte
	blobs   [][]byte
	triples [][]int32
	tags    [][][]byte
}

// Values returns the values of a table of so many rows.
func (s Shape) Values(rows int) *Values {
	v := &Values{shape: s}
	for i := range rows {
		v.ints = append(v.ints, int32(i))
		v.longs = append(v.longs, int64(i)*1_000_003)
		v.floats = append(v.floats, float32(i)*0.5)
		v.doubles = append(v.doubles, float64(i)*0.25)
		v.strings = append(v.strings, fmt.Appendf(nil, "value-%d", i%100))
		blob := make([]byte, 8)
		for k := range blob {
			blob[k] = byte(i + k)
		}
		v.blobs = append(v.blobs, blob)
		v.triples = append(v.triples, []int32{int32(i), int32(i) + 1, int32(i) + 2})
		v.tags = append(v.tags, [][]byte{fmt.Appendf(nil, "tag-%d", i%10), fmt.Appendf(nil, "tag-%d", (i+1)%10)})
	}
	return v
}

// SetRows gives all rows to b, cell by cell.
func (v *Values) SetRows(b *datatable.Builder) {
	for i := range v.ints {
		b.StartRow()
		b.SetInt(0, v.ints[i])
		b.SetLong(1, v.longs[i])
		b.SetFloat(2, v.floats[i])
		b.SetDouble(3, v.doubles[i])
		if v.shape.columns > 4 {
			b.SetString(4, v.strings[i])
			b.SetBytes(5, v.blobs[i])
		}
		if v.shape.columns > 6 {
			b.SetIntArray(6, v.triples[i])
			b.SetStringArray(7, v.tags[i])
		}
		b.FinishRow()
	}
}

// Batches returns the values as batches of the usual size.
func (v *Values) Batches() []*vector.Batch {
	var batches []*vector.Batch
	for begin := 0; begin < len(v.ints); begin += vector.DefaultBatchRows {
		batches = append(batches, v.batch(begin, min(begin+vector.DefaultBatchRows, len(v.ints))))
	}
	return batches
}

func (v *Values) batch(begin, end int) *vector.Batch {
	b := vector.NewBatch(nil,
		numbers(v.ints[begin:end]), numbers(v.longs[begin:end]), numbers(v.floats[begin:end]), numbers(v.doubles[begin:end]))
	if v.shape.columns > 4 {
		b.Columns = append(b.Columns, texts(v.strings[begin:end]), texts(v.blobs[begin:end]))
	}
	if v.shape.columns > 6 {
		ints, tags := vector.NewVec[int32](nil), vector.NewVec[vector.View](nil)
		triples, pairs := vector.NewList(nil, ints), vector.NewList(nil, tags)
		for i := begin; i < end; i++ {
			for _, x := range v.triples[i] {
				ints.Append(x)
			}
			triples.Append()
			for _, tag := range v.tags[i] {
				vector.AppendString(tags, tag)
			}
			pairs.Append()
		}
		b.Columns = append(b.Columns, triples, pairs)
	}
	b.N = end - begin
	return b
}

func numbers[T int32 | int64 | float32 | float64](values []T) vector.Vector {
	return &vector.Vec[T]{N: len(values), Values: values}
}

func texts(values [][]byte) vector.Vector {
	v := vector.NewVec[vector.View](nil)
	for _, value := range values {
		vector.AppendString(v, value)
	}
	return v
}
