package nimble

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
)

// drawKindsSchema draws columns of the kinds that differ in how they are stored.
func drawKindsSchema(t *rapid.T) *Type {
	number := func() *Type { return &Type{Kind: Kind(rapid.IntRange(int(TinyInt), int(Double)).Draw(t, "number"))} }
	dedup := func() *Type { return &Type{Kind: DedupArray, Children: []*Type{number()}} }
	window := func() *Type {
		return &Type{Kind: SlidingWindowMap, Children: []*Type{{Kind: BigInt}, mapsOfBigInts(drawType(t, 2))}}
	}
	value := func() *Type {
		switch rapid.IntRange(0, 3).Draw(t, "value") {
		case 0:
			return dedup()
		case 1:
			return window()
		default:
			return mapsOfBigInts(drawType(t, 3))
		}
	}
	schema := &Type{Kind: Row}
	for i := range rapid.IntRange(1, 3).Draw(t, "columns") {
		var c *Type
		switch rapid.IntRange(0, 4).Draw(t, "column") {
		case 0:
			c = dedup()
		case 1:
			c = window()
		case 2:
			c = &Type{Kind: Array, Children: []*Type{{Kind: Row, Names: []string{"d", "w"}, Children: []*Type{dedup(), window()}}}}
		default:
			key := rapid.SampledFrom([]Kind{TinyInt, SmallInt, Integer, BigInt, Varchar, Varbinary}).Draw(t, "keys")
			c = &Type{Kind: FlatMap, Children: []*Type{{Kind: key}, value()}}
		}
		schema.Names = append(schema.Names, fmt.Sprint("c", i))
		schema.Children = append(schema.Children, c)
	}
	return schema
}

// mapsOfBigInts gives the maps under t keys of BIGINT, as drawColumn draws them.
func mapsOfBigInts(t *Type) *Type {
	if t.Kind == Map {
		t.Children[0] = &Type{Kind: BigInt}
	}
	for _, c := range t.Children {
		mapsOfBigInts(c)
	}
	return t
}

// drawKinds draws n rows of type t, whose neighbours are often equal.
func drawKinds(t *rapid.T, typ *Type, n int) vector.Vector {
	switch typ.Kind {
	case FlatMap:
		return drawFlatMap(t, typ, n)
	case DedupArray, SlidingWindowMap:
		few := drawColumn(t, plainType(typ), 4)
		v, err := newVector(nil, typ)
		if err != nil {
			t.Fatal(err)
		}
		rows := rapid.SliceOfN(rapid.Int32Range(0, 3), n, n).Draw(t, "same")
		if rapid.Bool().Draw(t, "runs") {
			slices.Sort(rows)
		}
		if err := vector.Gather(v, few, rows); err != nil {
			t.Fatal(err)
		}
		return v
	}
	return drawColumn(t, plainType(typ), n)
}

// plainType is the type whose vectors drawColumn draws for t.
func plainType(t *Type) *Type {
	plain := *t
	switch t.Kind {
	case DedupArray:
		plain.Kind = Array
	case SlidingWindowMap:
		plain.Kind = Map
	}
	plain.Children = nil
	for _, c := range t.Children {
		plain.Children = append(plain.Children, plainType(c))
	}
	return &plain
}

// drawFlatMap draws maps with distinct keys out of a few, in any order.
func drawFlatMap(t *rapid.T, typ *Type, n int) vector.Vector {
	keys, err := newVector(nil, typ.Children[0])
	if err != nil {
		t.Fatal(err)
	}
	v := vector.NewMap(nil, keys, &counter{})
	for range n {
		if rapid.IntRange(0, 9).Draw(t, "null") == 0 {
			v.AppendNull()
			continue
		}
		for _, k := range rapid.SliceOfNDistinct(rapid.IntRange(-1, 4), 0, 4, rapid.ID[int]).Draw(t, "keys") {
			appendKey(keys, k)
		}
		v.Values = &counter{n: keys.Len()}
		v.Append()
	}
	v.Values = drawKinds(t, typ.Children[1], keys.Len())
	return v
}

// appendKey appends the i-th key; that of -1 is empty if keys are strings.
func appendKey(keys vector.Vector, i int) {
	switch keys := keys.(type) {
	case *vector.Vec[int8]:
		keys.Append(int8(i))
	case *vector.Vec[int16]:
		keys.Append(int16(i) * 1000)
	case *vector.Vec[int32]:
		keys.Append(int32(i))
	case *vector.Vec[int64]:
		keys.Append(int64(i) << 61)
	case *vector.Vec[vector.View]:
		vector.AppendString(keys, []byte("a key that is not inline \xff"[:max(0, 5*i+4*min(1, i+1))]))
	}
}

// keyLabels returns the texts of all keys that drawFlatMap draws.
func keyLabels(t *Type) (labels []string) {
	keys, err := newVector(nil, t)
	if err != nil {
		return nil
	}
	for i := -1; i <= 4; i++ {
		appendKey(keys, i)
		label := fmt.Sprint(valueAt(keys, keys.Len()-1))
		labels = append([]string{label}, labels...)
	}
	return labels
}

// kindsValues returns the rows of a batch, some of which may be null, with the pairs
// of flat maps in the order of their keys.
func kindsValues(schema *Type, b *vector.Batch, valid []uint64) []any {
	rows := batchValues(b)
	for i := range rows {
		row := rows[i].([]any)
		for c, t := range schema.Children {
			if !vector.Valid(valid, i) {
				row[c] = null{}
			}
			if pairs, ok := row[c].([2]any); ok && t.Kind == FlatMap {
				row[c] = sortedPairs(pairs)
			}
		}
	}
	return rows
}

func sortedPairs(pairs [2]any) []string {
	var list []string
	values := pairs[1].([]any)
	for i, key := range pairs[0].([]any) {
		list = append(list, fmt.Sprintf("%q=%v", fmt.Sprint(key), values[i]))
	}
	slices.Sort(list)
	return list
}

// drawWriterOptions draws options of all sorts.
func drawWriterOptions(t *rapid.T, schema *Type) *WriterOptions {
	e := encoding.DefaultEncodeOptions()
	e.VarintRowCount = rapid.Bool().Draw(t, "varint")
	e.ExactBits = rapid.Bool().Draw(t, "exact bits")
	o := &WriterOptions{
		Encoding:           &e,
		StripeRows:         rapid.SampledFrom([]int{0, 1, 7, 50}).Draw(t, "stripe rows"),
		ChunkBytes:         rapid.SampledFrom([]int{0, 1, 20, 300}).Draw(t, "chunk bytes"),
		MinChunkBytes:      rapid.SampledFrom([]int{0, 1, 50}).Draw(t, "least chunk bytes"),
		Unchunked:          rapid.IntRange(0, 2).Draw(t, "unchunked") == 0,
		ChunkCodec:         rapid.SampledFrom([]tablet.Codec{tablet.Raw, tablet.Zstd, tablet.LZ4}).Draw(t, "codec"),
		KeepSelection:      rapid.Bool().Draw(t, "keep"),
		DropConstantInMaps: rapid.Bool().Draw(t, "drop"),
		StoreEqualStreams:  rapid.Bool().Draw(t, "equal"),
		Stats:              rapid.SampledFrom([]StatsKind{StatsByColumn, StatsTotal, StatsNone}).Draw(t, "stats"),
		ChunkStats:         rapid.Bool().Draw(t, "chunk stats"),
		GroupsByStream:     rapid.Bool().Draw(t, "by stream"),
		CompressOverBytes:  rapid.SampledFrom([]int{0, 1}).Draw(t, "compress"),
		FlatMaps:           map[string]FlatMapOptions{},
	}
	if rapid.Bool().Draw(t, "policy") {
		o.Flush = &FlushPolicy{
			HighBytes:   rapid.SampledFrom([]int{1, 100, 2000}).Draw(t, "high"),
			LowBytes:    rapid.SampledFrom([]int{1, 50}).Draw(t, "low"),
			StripeBytes: rapid.SampledFrom([]int{100, 1 << 20}).Draw(t, "stripe bytes"),
		}
	}
	for i, c := range schema.Children {
		if c.Kind == FlatMap && rapid.Bool().Draw(t, "with keys") {
			o.FlatMaps[schema.Names[i]] = FlatMapOptions{Keys: keyLabels(c.Children[0]), Order: []string{"2", "none", "1"}}
		}
	}
	return o
}

// writeKinds writes batches as rows, with chunks made after those in flush.
func writeKinds(t *rapid.T, schema *Type, o WriterOptions, rows []*vector.Row, flush []bool) []byte {
	var out bytes.Buffer
	w, err := NewWriter(&out, schema, &o)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if err := w.WriteRows(r); err != nil {
			t.Fatal(err)
		}
		if flush[i] && !o.Unchunked {
			if err := w.FlushChunks(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRoundTripOfStoredKinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := drawKindsSchema(t)
		var rows []*vector.Row
		var flush []bool
		var want []any
		for range rapid.IntRange(0, 4).Draw(t, "batches") {
			n := rapid.IntRange(0, 40).Draw(t, "rows")
			r := vector.NewRow(nil)
			for _, c := range schema.Children {
				r.Fields = append(r.Fields, drawKinds(t, c, n))
			}
			nulls := rapid.IntRange(0, 3).Draw(t, "null rows") == 0
			for range n {
				r.Append(!nulls || rapid.Bool().Draw(t, "present"))
			}
			rows = append(rows, r)
			flush = append(flush, rapid.Bool().Draw(t, "flush"))
			want = append(want, kindsValues(schema, &vector.Batch{N: n, Columns: r.Fields}, r.Valid)...)
		}
		o := drawWriterOptions(t, schema)
		o.Workers = 1
		data := writeKinds(t, schema, *o, rows, flush)
		o.Workers = 3
		if !bytes.Equal(data, writeKinds(t, schema, *o, rows, flush)) {
			t.Fatal("three workers write another file")
		}
		f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(schema, f.Schema()); diff != "" {
			t.Fatalf("schema (-want +got):\n%s", diff)
		}
		if findings, err := f.Verify(context.Background(), NewSession(nil), nil); err != nil || len(findings) > 0 {
			t.Fatalf("findings: %v %v", findings, err)
		}
		got := scanKinds(t, f, rapid.SampledFrom([]int{1, 13, 2048}).Draw(t, "batch rows"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v %+v: rows (-want +got):\n%s", schema, *o, diff)
		}
	})
}

func scanKinds(t *rapid.T, f *File, batchRows int) []any {
	s, err := f.Scan(ScanOptions{BatchRows: batchRows})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var rows []any
	for int64(len(rows)) < f.Rows() {
		b, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, kindsValues(f.Schema(), b, nil)...)
	}
	return rows
}
