package nimble

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// pair is a key of a flat map of integers with its value, which may be null.
type pair struct {
	key   int32
	value any
}

// mapsOf returns a vector of maps, nil for a null one.
func mapsOf(maps ...[]pair) *vector.Map {
	keys, values := vector.NewVec[int32](nil), vector.NewVec[float64](nil)
	v := vector.NewMap(nil, keys, values)
	for _, m := range maps {
		if m == nil {
			v.AppendNull()
			continue
		}
		for _, p := range m {
			keys.Append(p.key)
			if x, ok := p.value.(float64); ok {
				values.Append(x)
			} else {
				values.AppendNull()
			}
		}
		v.Append()
	}
	return v
}

func flatMapSchema(t testing.TB) *Type { return mustSchema(t, "m FLATMAP<INTEGER, DOUBLE>") }

func batchOf(columns ...vector.Vector) *vector.Batch {
	return &vector.Batch{N: columns[0].Len(), Columns: columns}
}

// labels returns the keys of a file's first column.
func labels(f *File) (labels []string) {
	for _, k := range f.root.children[0].keys {
		labels = append(labels, k.label)
	}
	return labels
}

func TestFlatMapKeysAreInTheOrderSeen(t *testing.T) {
	first := batchOf(mapsOf([]pair{{7, 1.0}, {-2, 2.0}}, nil, []pair{}))
	second := batchOf(mapsOf([]pair{{3, 1.0}, {7, nil}}))
	f := mustOpen(t, writeFile(t, flatMapSchema(t), &WriterOptions{StripeRows: 3}, first, second))
	if diff := cmp.Diff([]string{"7", "-2", "3"}, labels(f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := []any{
		[]any{[2]any{[]any{int32(7), int32(-2)}, []any{bitsOf(1), bitsOf(2)}}},
		[]any{null{}},
		[]any{[2]any{[]any{}, []any{}}},
		[]any{[2]any{[]any{int32(7), int32(3)}, []any{null{}, bitsOf(1)}}},
	}
	got, err := readFile(f, 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func bitsOf(x float64) any {
	v := vector.NewVec[float64](nil)
	v.Append(x)
	return valueAt(v, 0)
}

func TestFlatMapKeysThatAreGiven(t *testing.T) {
	schema := mustSchema(t, "m FLATMAP<INTEGER, DOUBLE>, n BIGINT")
	n := vector.NewVec[int64](nil)
	n.Append(1)
	o := &WriterOptions{FlatMaps: map[string]FlatMapOptions{"m": {Keys: []string{"9", "10", "9", "8"}}}}
	f := mustOpen(t, writeFile(t, schema, o, batchOf(mapsOf([]pair{{9, 1.0}, {8, 2.0}}), n)))
	if diff := cmp.Diff([]string{"10", "8", "9"}, labels(f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Given keys have streams before the next column, others behind all columns.
	if last, next := f.root.children[0].keys[2].inMap, f.root.children[1].stream; last > next {
		t.Errorf("a key has stream %d, the next column %d", last, next)
	}
	w, err := NewWriter(io.Discard, schema, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteBatch(batchOf(mapsOf([]pair{{8, 1.0}, {7, 2.0}}), n)); !errors.Is(err, ErrSchema) {
		t.Errorf("a key that is not given: %v", err)
	}
	for _, bad := range []string{"x", "", "007", "4294967296"} {
		o.FlatMaps["m"] = FlatMapOptions{Keys: []string{bad}}
		if _, err := NewWriter(io.Discard, schema, o); !errors.Is(err, ErrSchema) {
			t.Errorf("key %q: %v", bad, err)
		}
	}
	o.FlatMaps = map[string]FlatMapOptions{"n": {}}
	if _, err := NewWriter(io.Discard, schema, o); !errors.Is(err, ErrSchema) {
		t.Errorf("options of a column that is no flat map: %v", err)
	}
}

func TestFlatMapOrderOfStreams(t *testing.T) {
	batch := batchOf(mapsOf([]pair{{1, 1.0}, {2, 2.0}, {3, 3.5}}, nil))
	o := &WriterOptions{FlatMaps: map[string]FlatMapOptions{"m": {Order: []string{"3", "5", "1"}}}}
	data := writeFile(t, flatMapSchema(t), o, batch)
	f := mustOpen(t, data)
	g, err := f.Tablet().Group(0)
	if err != nil {
		t.Fatal(err)
	}
	var places []uint64
	for _, label := range []string{"3", "1", "2"} {
		k := f.root.children[0].key(label)
		places = append(places, g.Stream(0, k.value.stream).Pos)
	}
	if places[0] >= places[1] || places[1] >= places[2] {
		t.Errorf("values of keys 3, 1 and 2 are at %d", places)
	}
}

func TestFlatMapRefuses(t *testing.T) {
	nullKey := mapsOf([]pair{{1, 1.0}})
	nullKey.Keys.(*vector.Vec[int32]).AppendNull()
	nullKey.Values.(*vector.Vec[float64]).Append(1)
	nullKey.Append()
	for name, c := range map[string]struct {
		maps *vector.Map
		keys int
		want error
	}{
		"a key twice":   {mapsOf([]pair{{4, 1.0}, {5, 1.0}, {4, 2.0}}), 0, ErrSchema},
		"a null key":    {nullKey, 0, ErrSchema},
		"too many keys": {mapsOf([]pair{{4, 1.0}}, []pair{{5, 1.0}, {6, 2.0}}), 2, ErrTooManyKeys},
		"enough keys":   {mapsOf([]pair{{4, 1.0}}, []pair{{5, 1.0}, {4, 2.0}}), 2, nil},
	} {
		w, err := NewWriter(io.Discard, flatMapSchema(t), &WriterOptions{FlatMapKeys: c.keys})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteBatch(batchOf(c.maps)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// A reader takes a key without streams for absent: what says that maps have it must
// stay if its values are all null.
func TestKeyOfNullsAloneIsKept(t *testing.T) {
	batch := batchOf(mapsOf([]pair{{1, nil}, {2, 1.0}}, []pair{{1, nil}, {2, 3.0}}))
	o := &WriterOptions{Unchunked: true, DropConstantInMaps: true}
	f := mustOpen(t, writeFile(t, flatMapSchema(t), o, batch))
	got, err := readFile(f, 10)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(batchValues(batch), got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	g, err := f.Tablet().Group(0)
	if err != nil {
		t.Fatal(err)
	}
	keys := f.root.children[0].keys
	if kept, left := g.Stream(0, keys[0].inMap), g.Stream(0, keys[1].inMap); kept.Len == 0 || left.Len != 0 {
		t.Errorf("in-map streams of %d bytes for a key of nulls, of %d for the other", kept.Len, left.Len)
	}
}

func TestFlatMapsWithoutOrWithTheEmptyKey(t *testing.T) {
	schema := mustSchema(t, "m FLATMAP<VARCHAR, BIGINT>")
	for _, keys := range [][]string{{}, {""}, {"", "a"}} {
		texts, numbers := vector.NewVec[vector.View](nil), vector.NewVec[int64](nil)
		maps := vector.NewMap(nil, texts, numbers)
		for i, k := range keys {
			vector.AppendString(texts, []byte(k))
			numbers.Append(int64(i))
		}
		maps.Append()
		maps.Append() // an empty one
		want := batchValues(batchOf(maps))
		f := mustOpen(t, writeFile(t, schema, nil, batchOf(maps)))
		got, err := readFile(f, 10)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("keys %q (-want +got):\n%s", keys, diff)
		}
		if diff := cmp.Diff(schema, f.Schema()); diff != "" {
			t.Errorf("keys %q: schema (-want +got):\n%s", keys, diff)
		}
	}
}

// Arrays that differ in the sign of a zero, or in the bits of a NaN, are not equal.
func TestDeduplicatedArraysAreEqualToTheBit(t *testing.T) {
	elem := vector.NewVec[float64](nil)
	lists := vector.NewList(nil, elem)
	for _, x := range floats {
		for range 3 {
			elem.Append(x)
			lists.Append()
		}
	}
	schema := mustSchema(t, "a DEDUPARRAY<DOUBLE>")
	batch := batchOf(lists)
	f := mustOpen(t, writeFile(t, schema, &WriterOptions{Encoding: &encoding.EncodeOptions{}}, batch))
	got, err := readFile(f, 7)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(batchValues(batch), got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if s := f.ColumnStats(0); s.Values != uint64(lists.N) || s.LogicalBytes != uint64(8*lists.N) {
		t.Errorf("statistics %+v of %d lists", *s, lists.N)
	}
}

func TestStreamsAreDeduplicatedAndCounted(t *testing.T) {
	schema := mustSchema(t, "a BIGINT, b BIGINT, c BIGINT")
	n := fixedBatch(mustSchema(t, "n BIGINT"), 100).Columns[0]
	for _, each := range []bool{false, true} {
		var out bytes.Buffer
		w, err := NewWriter(&out, schema, &WriterOptions{StoreEqualStreams: each})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.WriteBatch(batchOf(n, n, n)), w.Close()); err != nil {
			t.Fatal(err)
		}
		g, err := mustOpen(t, out.Bytes()).Tablet().Group(0)
		if err != nil {
			t.Fatal(err)
		}
		length := g.Stream(0, 1).Len
		streams, size := w.Deduplicated()
		if want := [2]int{2, int(2 * length)}; !each && (streams != want[0] || int(size) != want[1]) || each && streams != 0 {
			t.Errorf("stored each: %t: %d streams of %d bytes, each of %d", each, streams, size, length)
		}
		if same := g.Stream(0, 1) == g.Stream(0, 3); same == each {
			t.Errorf("stored each: %t: streams 1 and 3 at one place: %t", each, same)
		}
	}
}
