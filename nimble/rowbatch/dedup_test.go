package rowbatch

import (
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// sharedTypes are schemas with kinds whose rows have two streams of their own.
var sharedTypes = []string{
	"ROW<a DEDUPARRAY<BIGINT>>",
	"ROW<a DEDUPARRAY<VARCHAR>, b TIMESTAMP>",
	"ROW<a WINDOWMAP<INTEGER, DOUBLE>, b BOOLEAN>",
	"ROW<a WINDOWMAP<VARCHAR, ARRAY<TIMESTAMP>>>",
	"ROW<a ROW<b DEDUPARRAY<ROW<c BOOLEAN, d VARCHAR>>, e TIMESTAMP>>",
	"ROW<a ARRAY<DEDUPARRAY<INTEGER>>, b MAP<INTEGER, TIMESTAMP>>",
	"ROW<a DEDUPARRAY<DEDUPARRAY<VARCHAR>>>",
	"ROW<a FLATMAP<INTEGER, DEDUPARRAY<VARCHAR>>>",
	"ROW<a FLATMAP<VARCHAR, WINDOWMAP<INTEGER, VARCHAR>>, b FLATMAP<INTEGER, TIMESTAMP>>",
}

// fill appends a random row of type t to v. Few values make equal neighbours.
func fill(t *rapid.T, v vector.Vector, typ *nimble.Type, nulls bool) {
	if nulls && rapid.IntRange(0, 4).Draw(t, "null") == 0 {
		appendNull(v, typ)
		return
	}
	x := rapid.IntRange(0, 2).Draw(t, "value")
	switch v := v.(type) {
	case *vector.Bools:
		v.Append(x == 0)
	case *vector.Vec[int32]:
		v.Append(int32(x) - 1)
	case *vector.Vec[int64]:
		v.Append(int64(x) << 40)
	case *vector.Vec[float64]:
		v.Append(float64(x) / 3)
	case *vector.Vec[vector.View]:
		vector.AppendString(v, []byte([]string{"", "short", "a string that has no place in a view"}[x]))
	case *vector.Timestamps:
		v.Append(int64(x)-1, []uint16{0, 1, 999}[x])
	case *vector.List:
		for range x {
			fill(t, v.Elem, typ.Children[0], nulls)
		}
		v.Append()
	case *vector.Map:
		for i := range x {
			fillKey(v.Keys, i)
			fill(t, v.Values, typ.Children[1], nulls)
		}
		v.Append()
	case *vector.Row:
		for i, f := range v.Fields {
			fill(t, f, typ.Children[i], nulls)
		}
		v.Append(true)
	}
}

func fillKey(v vector.Vector, i int) {
	switch v := v.(type) {
	case *vector.Vec[int32]:
		v.Append(int32(7 * i))
	case *vector.Vec[vector.View]:
		vector.AppendString(v, []byte([]string{"k", "a key that has no place in a view"}[i]))
	}
}

func appendNull(v vector.Vector, typ *nimble.Type) {
	switch v := v.(type) {
	case interface{ AppendNull() }:
		v.AppendNull()
	case *vector.Row:
		for i, f := range v.Fields {
			appendNull(f, typ.Children[i])
		}
		v.Append(false)
	}
}

func sharedSchema(tb testing.TB, text string) *Schema {
	tb.Helper()
	typ, err := nimble.ParseType(text)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := NewSchema(typ, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// TestSharedRoundTrip writes random rows of kinds with two streams, and reads
// all or some of them, from both forms of blobs, sliced ones and projected ones.
func TestSharedRoundTrip(t *testing.T) {
	for _, text := range sharedTypes {
		t.Run(text, func(t *testing.T) {
			s := sharedSchema(t, text)
			rapid.Check(t, func(t *rapid.T) { sharedRoundTrip(t, s) })
		})
	}
}

func sharedRoundTrip(t *rapid.T, s *Schema) {
	legacy := rapid.Bool().Draw(t, "legacy")
	p := pool.New(pool.Options{})
	session := encoding.NewSession(p)
	w, err := NewSerializer(s, p, SerializerOptions{Headerless: legacy})
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDeserializer(s, session, Options{Headerless: legacy})
	if err != nil {
		t.Fatal(err)
	}
	var blobs [][]byte
	var ranges [][]Range
	var want []any
	for range rapid.IntRange(1, 3).Draw(t, "blobs") {
		n := rapid.IntRange(0, 30).Draw(t, "rows")
		in := d.NewRows()
		for range n {
			for i, f := range in.Fields {
				fill(t, f, s.Type().Children[i], !legacy)
			}
			in.Append(true)
		}
		blob, err := w.Append(nil, in)
		if err != nil {
			t.Fatal(err)
		}
		a := rapid.IntRange(0, n).Draw(t, "begin")
		b := rapid.IntRange(a, n).Draw(t, "end")
		c := rapid.IntRange(b, n).Draw(t, "begin")
		blobs, ranges = append(blobs, blob), append(ranges, []Range{{a, b}, {c, n}})
		for i := range n {
			if i >= a && i < b || i >= c {
				want = append(want, render(in, s.Type(), i))
			}
		}
		in.Release()
	}
	// Keys of flat maps came with the rows.
	if d, err = NewDeserializer(w.Schema(), session, Options{Headerless: legacy}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		out := d.NewRows()
		if err := d.ReadRanges(out, blobs, ranges); err != nil {
			t.Fatal(err)
		}
		if err := vector.Check(out); err != nil {
			t.Fatal(err)
		}
		if out.N != len(want) {
			t.Fatalf("%d rows instead of %d", out.N, len(want))
		}
		for i := range want {
			if got := render(out, s.Type(), i); !reflect.DeepEqual(got, want[i]) {
				t.Fatalf("row %d: %v instead of %v", i, got, want[i])
			}
		}
		out.Release()
	}
	session.Release()
	if n := p.Stats().Outstanding; n != 0 {
		t.Errorf("%d buffers are outstanding", n)
	}
}

// sharedBlob returns a blob of rows of text's type, and its schema with the keys.
func sharedBlob(tb testing.TB, text string, rows int) (*Schema, []byte) {
	tb.Helper()
	s := sharedSchema(tb, text)
	session := encoding.NewSession(nil)
	d, err := NewDeserializer(s, session, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	w, err := NewSerializer(s, nil, SerializerOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	in := rapid.Custom(func(t *rapid.T) *vector.Row {
		in := d.NewRows()
		for range rows {
			for i, f := range in.Fields {
				fill(t, f, s.Type().Children[i], true)
			}
			in.Append(true)
		}
		return in
	}).Example(1)
	blob, err := w.Append(nil, in)
	if err != nil {
		tb.Fatal(err)
	}
	return w.Schema(), blob
}

// TestSharedSlices wants rows of a slice and of a projection to be those of the
// blob.
func TestSharedSlices(t *testing.T) {
	for _, text := range sharedTypes {
		s, blob := sharedBlob(t, text, 60)
		session := encoding.NewSession(nil)
		want := readRows(t, s, session, blob)
		slicer, err := NewSlicer(s, session, encoding.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		slice, err := slicer.Append(nil, blob, Range{17, 41})
		if err != nil {
			t.Fatal(err)
		}
		if got := readRows(t, s, session, slice); !reflect.DeepEqual(got, want[17:41]) {
			t.Errorf("%s: the slice has %v instead of %v", text, got, want[17:41])
		}
		field := Field{Name: "a", Keys: s.Keys("a")}
		project, err := NewProjector(s, []Field{field}, ProjectorOptions{})
		if err != nil {
			t.Fatal(err)
		}
		part, err := project.Append(nil, blob)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range readRows(t, project.Schema(), session, part) {
			if got, want := row.(map[string]any)["a"], want[i].(map[string]any)["a"]; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: row %d of the projection has %v instead of %v", text, i, got, want)
			}
		}
	}
}

func readRows(tb testing.TB, s *Schema, session *encoding.Session, blob []byte) (all []any) {
	tb.Helper()
	d, err := NewDeserializer(s, session, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	rows := d.NewRows()
	if err := d.Read(rows, blob); err != nil {
		tb.Fatal(err)
	}
	for i := range rows.N {
		all = append(all, render(rows, s.Type(), i))
	}
	return all
}

// TestSharedHostile reads numbers that cannot be as runs, places, lengths and
// nanoseconds: the schema lies about what the streams of other types mean.
func TestSharedHostile(t *testing.T) {
	for _, c := range []struct {
		name  string
		typ   string
		lists []uint32 // values of the first stream
		more  []uint32 // values of the second
		want  error
	}{
		{"a run that leaves one out", "ROW<a DEDUPARRAY<INTEGER>>", []uint32{0, 2}, []uint32{0, 0, 0}, ErrCorrupt},
		{"a run that falls", "ROW<a DEDUPARRAY<INTEGER>>", []uint32{0, 1, 0}, []uint32{0, 0}, ErrCorrupt},
		{"a first run that is not 0", "ROW<a DEDUPARRAY<INTEGER>>", []uint32{1}, []uint32{0, 0}, ErrCorrupt},
		{"too few lengths", "ROW<a DEDUPARRAY<INTEGER>>", []uint32{0, 1}, []uint32{0}, ErrCorrupt},
		{"elements that are not there", "ROW<a DEDUPARRAY<INTEGER>>", []uint32{0}, []uint32{1 << 31}, ErrUnsupported},
		{"no lengths", "ROW<a DEDUPARRAY<INTEGER>>", []uint32{0}, nil, ErrCorrupt},
		{"a place out of reach", "ROW<a WINDOWMAP<INTEGER, INTEGER>>", []uint32{0, 1}, []uint32{0, 0}, ErrCorrupt},
		{"too few lengths", "ROW<a WINDOWMAP<INTEGER, INTEGER>>", []uint32{0, 0}, []uint32{0}, ErrCorrupt},
		{"many pairs", "ROW<a WINDOWMAP<INTEGER, INTEGER>>", []uint32{0}, []uint32{1 << 31}, ErrUnsupported},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := encoding.NewEncoder(nil, encoding.EncodeOptions{VarintRowCount: true})
			if err != nil {
				t.Fatal(err)
			}
			h := Header{Version: Serialization, Rows: len(c.lists)}
			blob := h.append(nil)
			var ids, sizes []uint32
			for i, values := range [][]uint32{c.lists, c.more} {
				if values == nil {
					continue
				}
				begin := len(blob)
				if blob, err = encoding.Append(e, blob, encoding.Uint32, values); err != nil {
					t.Fatal(err)
				}
				ids, sizes = append(ids, uint32(i+1)), append(sizes, uint32(len(blob)-begin))
			}
			blob = appendTrailer(blob, 0, 0, ids, sizes)
			d, err := NewDeserializer(sharedSchema(t, c.typ), encoding.NewSession(nil), Options{})
			if err != nil {
				t.Fatal(err)
			}
			rows := d.NewRows()
			if err := d.Read(rows, blob); !errors.Is(err, c.want) || rows.N != 0 {
				t.Errorf("%d rows, %v instead of %v", rows.N, err, c.want)
			}
		})
	}
}
