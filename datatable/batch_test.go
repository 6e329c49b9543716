package datatable_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
	"pgregory.net/rapid"
)

// drawVec draws a vector of n rows in any form, whose values add adds.
func drawVec[T vector.Value](t *rapid.T, n int, add func(v *vector.Vec[T])) *vector.Vec[T] {
	v := vector.NewVec[T](nil)
	form := rapid.SampledFrom([]vector.Form{
		vector.Flat, vector.Constant, vector.Dictionary, vector.RunLength, vector.Sparse,
	}).Draw(t, "form")
	switch form {
	case vector.Flat:
		for range n {
			add(v)
		}
	case vector.Constant:
		add(v)
	case vector.Dictionary:
		for range 4 {
			add(v)
		}
		for i := range v.ReserveIndex(n) {
			v.Index[i] = rapid.Uint32Range(0, 3).Draw(t, "index")
		}
	case vector.RunLength:
		for end := 0; end < n; {
			end = min(n, end+rapid.IntRange(1, 8).Draw(t, "run"))
			add(v)
			v.ReserveEnds(v.N)[v.N-1] = uint32(end)
		}
	case vector.Sparse:
		add(v)
		for row := range n {
			if rapid.IntRange(0, 4).Draw(t, "exception") == 0 {
				v.ReservePositions(v.N)[v.N-1] = uint32(row)
				add(v)
			}
		}
	}
	v.Form, v.N = form, n
	v.Valid = drawValid(t, n)
	return v
}

func drawValid(t *rapid.T, n int) []uint64 {
	if rapid.Bool().Draw(t, "present") {
		return nil
	}
	words := vector.Words(n)
	return rapid.SliceOfN(rapid.Uint64(), words, words).Draw(t, "valid")
}

// drawNumbers draws a vector of numbers.
func drawNumbers[T vector.Value](t *rapid.T, n int, g *rapid.Generator[T]) *vector.Vec[T] {
	return drawVec(t, n, func(v *vector.Vec[T]) { v.Append(g.Draw(t, "number")) })
}

func drawViews(t *rapid.T, n int, g *rapid.Generator[[]byte]) *vector.Vec[vector.View] {
	return drawVec(t, n, func(v *vector.Vec[vector.View]) { vector.AppendString(v, g.Draw(t, "text")) })
}

var batchTypes = func() []datatable.Type {
	var types []datatable.Type
	for _, typ := range allTypes() {
		if typ != datatable.Object {
			types = append(types, typ)
		}
	}
	return types
}()

var elemTypes = map[datatable.Type]datatable.Type{
	datatable.IntArray: datatable.Int, datatable.LongArray: datatable.Long,
	datatable.FloatArray: datatable.Float, datatable.DoubleArray: datatable.Double,
	datatable.BooleanArray: datatable.Boolean, datatable.TimestampArray: datatable.Timestamp,
	datatable.StringArray: datatable.String, datatable.BytesArray: datatable.Bytes,
	datatable.UUIDArray: datatable.UUID, datatable.BigDecimalArray: datatable.BigDecimal,
}

// drawVector draws a vector of any kind that suits a column of type typ.
func drawVector(t *rapid.T, typ datatable.Type, n int) vector.Vector {
	if elem, ok := elemTypes[typ]; ok {
		return drawList(t, n, func(n int) vector.Vector { return drawVector(t, elem, n) })
	}
	other := rapid.IntRange(0, 2).Draw(t, "kind")
	switch typ {
	case datatable.Int:
		switch other {
		case 0:
			return drawNumbers(t, n, rapid.Int8())
		case 1:
			return drawNumbers(t, n, rapid.Int16())
		}
		return drawNumbers(t, n, rapid.Int32())
	case datatable.Float:
		return drawNumbers(t, n, drawFloat)
	case datatable.Double:
		return drawNumbers(t, n, drawDouble)
	case datatable.Boolean:
		words := vector.Words(n)
		bits := rapid.SliceOfN(rapid.Uint64(), words, words).Draw(t, "bits")
		return &vector.Bools{N: n, Bits: bits, Valid: drawValid(t, n)}
	case datatable.Timestamp:
		if other == 0 {
			return &vector.Timestamps{Micros: *drawNumbers(t, n, rapid.Int64())}
		}
	case datatable.String, datatable.JSON:
		return drawViews(t, n, drawText)
	case datatable.Bytes, datatable.UUID:
		return drawViews(t, n, drawUUID(typ))
	case datatable.BigDecimal:
		if other == 0 {
			return drawViews(t, n, drawBlob)
		}
	case datatable.Map:
		list := drawList(t, n, func(n int) vector.Vector { return drawViews(t, n, drawText) })
		keys := drawViews(t, list.Elem.Len(), drawText)
		keys.Valid = nil
		m := vector.NewMap(nil, keys, list.Elem)
		m.N, m.Valid, m.Offsets = list.N, list.Valid, list.Offsets
		return m
	}
	return drawNumbers(t, n, rapid.Int64())
}

func drawList(t *rapid.T, n int, elem func(n int) vector.Vector) *vector.List {
	list := vector.NewList(nil, nil)
	list.N, list.Valid = n, drawValid(t, n)
	offsets := list.ReserveOffsets(n)
	offsets[0] = 0
	for i := range n {
		offsets[i+1] = offsets[i] + rapid.Uint32Range(0, 3).Draw(t, "elements")
	}
	list.Elem = elem(int(offsets[n]))
	return list
}

const testScale = 3

// viewBytes returns the bytes of row i, nil if it is null.
func viewBytes(v *vector.Vec[vector.View], i int) []byte {
	view, present := v.At(i)
	if !present {
		return nil
	}
	return bytes.Clone(view.Bytes(v.Buffers.List()))
}

// valueAt returns row i of v, a null as zero, as the value of a column of type
// typ: int32, int64, float32, float64, []byte or a decimal.
func valueAt(v vector.Vector, typ datatable.Type, i int) any {
	switch v := v.(type) {
	case *vector.Vec[int8]:
		x, _ := v.At(i)
		return int32(x)
	case *vector.Vec[int16]:
		x, _ := v.At(i)
		return int32(x)
	case *vector.Vec[int32]:
		x, _ := v.At(i)
		return x
	case *vector.Vec[int64]:
		x, _ := v.At(i)
		if typ == datatable.BigDecimal {
			return datatable.Decimal{Unscaled: binary.BigEndian.AppendUint64(nil, uint64(x)), Scale: testScale}
		}
		return x
	case *vector.Vec[float32]:
		x, _ := v.At(i)
		return x
	case *vector.Vec[float64]:
		x, _ := v.At(i)
		return x
	case *vector.Bools:
		if x, _ := v.At(i); x {
			return int32(1)
		}
		return int32(0)
	case *vector.Timestamps:
		micros, _ := v.Micros.At(i)
		millis := micros / 1000
		if millis*1000 > micros {
			millis--
		}
		return millis
	case *vector.Vec[vector.View]:
		b := viewBytes(v, i)
		switch {
		case typ == datatable.BigDecimal:
			return datatable.Decimal{Unscaled: b, Scale: testScale}
		case typ == datatable.UUID && b == nil:
			return make([]byte, 16)
		}
		return b
	}
	panic(typ)
}

func elements[T any](list *vector.List, typ datatable.Type, row int) []T {
	var all []T
	for i, end := list.Span(row); i < end; i++ {
		x := valueAt(list.Elem, typ, i)
		if _, ok := x.(datatable.Decimal); ok && !vector.Valid(list.Elem.Validity(), i) {
			x = datatable.Decimal{}
		}
		all = append(all, x.(T))
	}
	return all
}

// setFromVector sets a cell with the setter of its type.
func setFromVector(b *datatable.Builder, col int, typ datatable.Type, v vector.Vector, row int) {
	if typ == datatable.Unknown || !vector.Valid(v.Validity(), row) {
		b.SetNull(col)
		return
	}
	elem := elemTypes[typ]
	list, _ := v.(*vector.List)
	switch typ.Stored() {
	case datatable.Int:
		b.SetInt(col, valueAt(v, typ, row).(int32))
	case datatable.Long:
		b.SetLong(col, valueAt(v, typ, row).(int64))
	case datatable.Float:
		b.SetFloat(col, valueAt(v, typ, row).(float32))
	case datatable.Double:
		b.SetDouble(col, valueAt(v, typ, row).(float64))
	case datatable.BigDecimal:
		b.SetBigDecimal(col, valueAt(v, typ, row).(datatable.Decimal))
	case datatable.String:
		b.SetString(col, valueAt(v, typ, row).([]byte))
	case datatable.Bytes:
		b.SetBytes(col, valueAt(v, typ, row).([]byte))
	case datatable.IntArray:
		b.SetIntArray(col, elements[int32](list, elem, row))
	case datatable.LongArray:
		b.SetLongArray(col, elements[int64](list, elem, row))
	case datatable.FloatArray:
		b.SetFloatArray(col, elements[float32](list, elem, row))
	case datatable.DoubleArray:
		b.SetDoubleArray(col, elements[float64](list, elem, row))
	case datatable.StringArray:
		b.SetStringArray(col, elements[[]byte](list, elem, row))
	case datatable.BytesArray:
		b.SetBytesArray(col, elements[[]byte](list, elem, row))
	case datatable.BigDecimalArray:
		b.SetBigDecimalArray(col, elements[datatable.Decimal](list, elem, row))
	case datatable.Map:
		m := v.(*vector.Map)
		entries := []datatable.MapEntry{}
		for i, end := m.Span(row); i < end; i++ {
			e := datatable.MapEntry{
				Key:  viewBytes(m.Keys.(*vector.Vec[vector.View]), i),
				JSON: viewBytes(m.Values.(*vector.Vec[vector.View]), i),
			}
			if e.JSON == nil {
				e.JSON = []byte("null")
			}
			entries = append(entries, e)
		}
		b.SetMap(col, entries)
	}
}

func TestBatchesMakeTheSameBytesAsRows(t *testing.T) {
	p := pool.New(pool.Options{})
	rapid.Check(t, func(t *rapid.T) {
		types := rapid.SliceOfN(rapid.SampledFrom(batchTypes), 0, 6).Draw(t, "types")
		columns := make([]datatable.Column, len(types))
		for i, typ := range types {
			columns[i] = datatable.Column{Name: "c", Type: typ, Scale: testScale}
		}
		o := datatable.Options{Release: datatable.ReleaseHead}
		byBatch, err := datatable.NewBuilder(p, columns, o)
		byRow, err2 := datatable.NewBuilder(nil, columns, o)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for range rapid.IntRange(1, 3).Draw(t, "batches") {
			batch := &vector.Batch{N: rapid.IntRange(0, 70).Draw(t, "rows")}
			for _, typ := range types {
				batch.Columns = append(batch.Columns, drawVector(t, typ, batch.N))
			}
			rows := make([]int32, 0, batch.N)
			selects := rapid.Bool().Draw(t, "selects")
			for row := range batch.N {
				if !selects || rapid.Bool().Draw(t, "selected") {
					rows = append(rows, int32(row))
				}
			}
			if selects {
				batch.Sel = rows
			}
			if err := byBatch.AppendBatch(batch); err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				byRow.StartRow()
				for col, v := range batch.Columns {
					setFromVector(byRow, col, types[col], v, int(row))
				}
				byRow.FinishRow()
			}
		}
		got, want := mustAppend(t, byBatch), mustAppend(t, byRow)
		if !bytes.Equal(got, want) {
			t.Fatalf("%v: the table is\n%x, not\n%x", types, got, want)
		}
		byBatch.Release()
		if s := p.Stats(); s.Outstanding != 0 {
			t.Fatalf("%d buffers are outstanding", s.Outstanding)
		}
	})
}

func TestBatchesThatDoNotFit(t *testing.T) {
	ints := vector.NewVec[int32](nil)
	ints.Append(1)
	floats := vector.NewVec[float32](nil)
	floats.Append(1)
	for name, batch := range map[string]*vector.Batch{
		"of another kind":  {N: 1, Columns: []vector.Vector{ints, floats}},
		"too few columns":  {N: 1, Columns: []vector.Vector{ints}},
		"too short":        {N: 2, Columns: []vector.Vector{ints, ints}},
		"list of a scalar": {N: 1, Columns: []vector.Vector{ints, vector.NewList(nil, ints)}},
	} {
		b := newBuilder(t, nil, datatable.Int, datatable.Int)
		want := mustAppend(t, b)
		if err := b.AppendBatch(batch); !errors.Is(err, datatable.ErrMisuse) {
			t.Errorf("%s: %v", name, err)
		}
		if got := mustAppend(t, b); !bytes.Equal(got, want) {
			t.Errorf("%s: the table was changed", name)
		}
	}
	b := newBuilder(t, nil, datatable.Int)
	b.StartRow()
	if err := b.AppendBatch(&vector.Batch{N: 1, Columns: []vector.Vector{ints}}); !errors.Is(err, datatable.ErrMisuse) {
		t.Errorf("inside of a row: %v", err)
	}
	b = newBuilder(t, nil, datatable.Object)
	if err := b.AppendBatch(&vector.Batch{N: 1, Columns: []vector.Vector{ints}}); !errors.Is(err, datatable.ErrMisuse) {
		t.Errorf("to objects: %v", err)
	}
	b = newBuilder(t, nil, datatable.UUID)
	short := vector.NewVec[vector.View](nil)
	vector.AppendString(short, []byte("short"))
	err := b.AppendBatch(&vector.Batch{N: 1, Columns: []vector.Vector{short}})
	if _, err2 := b.AppendTo(nil); !errors.Is(err, datatable.ErrMisuse) || !errors.Is(err2, datatable.ErrMisuse) {
		t.Errorf("a short UUID: %v, %v", err, err2)
	}
}
