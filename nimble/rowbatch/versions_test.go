package rowbatch

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
)

// TestWorkedExample writes the batch of docs/format.md: ROW(x INTEGER), one row, 42.
func TestWorkedExample(t *testing.T) {
	typ, err := nimble.ParseType("ROW<x INTEGER>")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSchema(typ, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewSerializer(s, nil, SerializerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	x := vector.NewVec[int32](nil)
	x.Append(42)
	got, err := w.Append(nil, &vector.Row{N: 1, Fields: []vector.Vector{x}})
	want := strings.ReplaceAll("04 01 02 0905012a000000 030101 01 00000000000000 030301 07 00000000000000 16000000", " ", "")
	if err != nil || hex.EncodeToString(got) != want {
		t.Errorf("%x instead of %s, %v", got, want, err)
	}
}

// legacyTrailer returns the trailer of version LegacyCompact in one of its forms.
func legacyTrailer(kind encoding.Kind, ids, sizes []uint32) []byte {
	dense := make([]uint32, ids[len(ids)-1]+1)
	for i, id := range ids {
		dense[id] = sizes[i]
	}
	width := func(list []uint32) int {
		most := uint32(0)
		for _, x := range list {
			most = max(most, x)
		}
		return bits.Len32(most)
	}
	b := []byte{byte(kind)}
	switch kind {
	case encoding.KindTrivial:
		for _, x := range dense {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
	case encoding.KindVarint, encoding.KindDelta:
		b = binary.AppendUvarint(b, uint64(len(dense)))
		last := uint32(0)
		for _, x := range dense {
			b = binary.AppendUvarint(b, uint64(x-last))
			if kind == encoding.KindDelta {
				last = x
			}
		}
	case encoding.KindFixedBitWidth:
		b = append(b, byte(width(dense)))
		b = binary.AppendUvarint(b, uint64(len(dense)))
		b = appendPacked(b, dense, width(dense))
	case encoding.KindMainlyConstant:
		b = binary.AppendUvarint(b, uint64(len(dense)))
		b = binary.AppendUvarint(b, uint64(len(ids)))
		for _, list := range [][]uint32{ids, sizes} {
			b = append(b, byte(width(list)))
			b = appendPacked(b, list, width(list))
		}
	}
	return binary.LittleEndian.AppendUint32(b, uint32(len(b)))
}

// tabletOptions say how a blob of version Tablet is made.
type tabletOptions struct {
	chunks      int // of each stream, 0 for none of its own
	codec       tablet.Codec
	begin, end  int
	key         []byte // nil for none
	shareCopies bool
}

// tabletBlob makes a blob of version Tablet with the streams of b.
func tabletBlob(tb testing.TB, b *blob, o tabletOptions) []byte {
	tb.Helper()
	flags := byte(flagVarint)
	if b.NullBarrier {
		flags |= flagBarrier
	}
	if o.chunks > 0 {
		flags |= flagChunks
	}
	out := binary.AppendUvarint([]byte{byte(Tablet)}, uint64(b.Rows))
	out = append(out, flags)
	out = binary.AppendUvarint(out, uint64(o.begin))
	out = binary.AppendUvarint(out, uint64(o.end))
	if o.key == nil {
		out = append(out, 0)
	} else {
		out = append(binary.AppendUvarint(out, uint64(len(o.key)+1)), o.key...)
	}
	var places, sizes []uint32
	seen := map[string]uint32{}
	for _, data := range b.data {
		if o.chunks > 0 {
			var cut []byte
			var err error
			for i := range o.chunks {
				cut, err = tablet.AppendChunk(cut, data[len(data)*i/o.chunks:len(data)*(i+1)/o.chunks], o.codec)
				if err != nil {
					tb.Fatal(err)
				}
			}
			data = cut
		}
		place, ok := seen[string(data)]
		if !ok || !o.shareCopies {
			place = uint32(len(sizes))
			seen[string(data)] = place
			sizes = append(sizes, uint32(len(data)))
			out = append(out, data...)
		}
		places = append(places, place)
	}
	begin := len(out)
	out = appendSection(out, DeltaList, b.ids)
	out = appendSection(out, VarintList, places)
	out = appendSection(out, PlainList, sizes)
	return binary.LittleEndian.AppendUint32(out, uint32(len(out)-begin))
}

// variants makes blobs of the versions that nobody writes from one of version
// Serialization, by name.
func variants(tb testing.TB, blobBytes []byte) map[string][]byte {
	tb.Helper()
	var b blob
	if err := b.parse(blobBytes, false); err != nil {
		tb.Fatal(err)
	}
	if len(b.ids) == 0 {
		return nil
	}
	b.sizes = append([]uint32(nil), b.sizes...)
	var body []byte
	for _, data := range b.data {
		body = append(body, data...)
	}
	out := map[string][]byte{}
	for _, kind := range []encoding.Kind{
		encoding.KindTrivial, encoding.KindVarint, encoding.KindDelta,
		encoding.KindFixedBitWidth, encoding.KindMainlyConstant,
	} {
		h := binary.AppendUvarint([]byte{byte(LegacyCompact)}, uint64(b.Rows))
		out[fmt.Sprintf("version 2 %v", kind)] = append(append(h, body...), legacyTrailer(kind, b.ids, b.sizes)...)
	}
	h := binary.AppendUvarint([]byte{byte(LegacyEncoded)}, uint64(b.Rows))
	out["version 3"] = appendTrailer(append(h, body...), VarintList, DeltaList, b.ids, b.sizes)
	// Flags that have no meaning here are ignored.
	h = append(binary.AppendUvarint([]byte{byte(Projection)}, uint64(b.Rows)), 0xfc)
	out["version 5"] = appendTrailer(append(h, body...), PlainList, PlainList, b.ids, b.sizes)
	out["version 6 plain"] = tabletBlob(tb, &b, tabletOptions{end: b.Rows, shareCopies: true})
	out["version 6 chunk"] = tabletBlob(tb, &b, tabletOptions{end: b.Rows, chunks: 1, key: []byte{}})
	out["version 6 zstd"] = tabletBlob(tb, &b, tabletOptions{end: b.Rows, chunks: 1, codec: tablet.Zstd, key: []byte("k")})
	out["version 6 chunks"] = tabletBlob(tb, &b, tabletOptions{end: b.Rows, chunks: 3, codec: tablet.LZ4, shareCopies: true})
	return out
}

// TestGoldenVersions reads blobs of the versions without golden ones, made from
// those of version Serialization, and of version Legacy from the legacy ones.
func TestGoldenVersions(t *testing.T) {
	blobs := 0
	for _, c := range goldenCases(t, "") {
		s := c.schema(t)
		d := newTestDeserializer(t, s, Options{})
		rows := d.NewRows()
		data, want := c.blobs(t)
		for i, blob := range data {
			made := map[string][]byte{"version 0": append([]byte{0}, blob...)}
			if c.Header {
				made = variants(t, blob)
			}
			for name, m := range made {
				if err := d.Read(rows, m); err != nil {
					t.Fatalf("%s: blob %d as %s: %v", c.Name, i, name, err)
				}
				if err := match(want[i], s.Type(), rows); err != nil {
					t.Errorf("%s: blob %d as %s: %v", c.Name, i, name, err)
				}
				blobs++
			}
		}
	}
	t.Logf("%d blobs", blobs)
}

// TestGoldenRanges reads any rows of the golden blobs, of all versions that have
// a range of their own too.
func TestGoldenRanges(t *testing.T) {
	cases := goldenCases(t, "")
	rapid.Check(t, func(r *rapid.T) {
		c := cases[rapid.IntRange(0, len(cases)-1).Draw(r, "case")]
		s := c.schema(t)
		d := newTestDeserializer(t, s, Options{Headerless: !c.Header})
		data, all := c.blobs(t)
		var ranges [][]Range
		want := []any{}
		for i := range data {
			rows := all[i]
			if c.Header && rapid.Bool().Draw(r, "tablet") {
				var b blob
				if err := b.parse(data[i], false); err != nil {
					r.Fatal(err)
				}
				o := tabletOptions{begin: rapid.IntRange(0, b.Rows).Draw(r, "begin")}
				o.end = rapid.IntRange(o.begin, b.Rows).Draw(r, "end")
				data[i] = tabletBlob(t, &b, o)
				rows = rows[o.begin:o.end]
			}
			list := []Range{}
			for at := 0; at < len(rows) && len(list) < 6; {
				begin := rapid.IntRange(at, len(rows)).Draw(r, "from")
				end := rapid.IntRange(begin, min(len(rows), begin+40)).Draw(r, "to")
				list = append(list, Range{begin, end})
				want = append(want, rows[begin:end]...)
				at = end
			}
			ranges = append(ranges, list)
		}
		rows := d.NewRows()
		if err := d.ReadRanges(rows, data, ranges); err != nil {
			r.Fatalf("%s: %v: %v", c.Name, ranges, err)
		}
		if err := match(want, s.Type(), rows); err != nil {
			r.Fatalf("%s: %v: %v", c.Name, ranges, err)
		}
	})
}

func TestRangeErrors(t *testing.T) {
	s := patterns()[0].sample(t, 10, 2)
	d := newTestDeserializer(t, s.schema, Options{})
	rows := d.NewRows()
	for _, list := range [][][]Range{
		{}, {nil, nil}, {{{0, 11}}}, {{{-1, 2}}}, {{{4, 3}}}, {{{4, 6}, {5, 7}}},
	} {
		if err := d.ReadRanges(rows, [][]byte{s.blob}, list); !errors.Is(err, ErrRange) {
			t.Errorf("%v: %v", list, err)
		}
	}
	if err := d.ReadRanges(rows, [][]byte{s.blob}, [][]Range{{{3, 3}}}); err != nil || rows.N != 0 {
		t.Errorf("no rows: %d, %v", rows.N, err)
	}
}

func TestHeader(t *testing.T) {
	for _, c := range []struct {
		hex  string
		bare bool
		want Header
		err  error
	}{
		{"00 05000000", false, Header{Version: Legacy, Rows: 5, End: 5}, nil},
		{"05000000", true, Header{Version: Headerless, Rows: 5, End: 5}, nil},
		{"02 8501", false, Header{Version: LegacyCompact, Rows: 133, End: 133, VarintRowCount: true}, nil},
		{"03 01", false, Header{Version: LegacyEncoded, Rows: 1, End: 1, VarintRowCount: true}, nil},
		{"04 01 00", false, Header{Version: Serialization, Rows: 1, End: 1, VarintRowCount: true}, nil},
		{"05 01 ff", false, Header{Version: Projection, Rows: 1, End: 1, VarintRowCount: true, NullBarrier: true}, nil},
		{"06 09 04 02 07 00", false, Header{Version: Tablet, Rows: 9, Begin: 2, End: 7, Chunked: true}, nil},
		{"06 09 03 02 07 01", false, Header{
			Version: Tablet, Rows: 9, Begin: 2, End: 7,
			VarintRowCount: true, NullBarrier: true, ResumeKey: []byte{},
		}, nil},
		{"06 09 00 07 07 03 6162", false, Header{Version: Tablet, Rows: 9, Begin: 7, End: 7, ResumeKey: []byte("ab")}, nil},
		{"", false, Header{}, ErrCorrupt},
		{"01 00", false, Header{}, ErrUnsupported},
		{"07 00", false, Header{}, ErrUnsupported},
		{"ff 00", false, Header{}, ErrUnsupported},
		{"04 ffffffffff", false, Header{}, ErrCorrupt},
		{"04 01", false, Header{}, ErrCorrupt},
		{"06 09 00 08 07 00", false, Header{}, ErrCorrupt},
		{"06 09 00 00 0a 00", false, Header{}, ErrCorrupt},
		{"06 09 00 00 09 04 61", false, Header{}, ErrCorrupt},
	} {
		data, err := hex.DecodeString(strings.ReplaceAll(c.hex, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		h, _, err := ReadHeader(data, c.bare)
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", c.hex, err, c.err)
		}
		if err == nil && fmt.Sprintf("%+v", h) != fmt.Sprintf("%+v", c.want) {
			t.Errorf("%s: %+v, want %+v", c.hex, h, c.want)
		}
	}
}

func TestTrailerRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Uint32(), 0, 50).Draw(t, "values")
		form := ListForm(rapid.IntRange(0, int(DeltaList)).Draw(t, "form"))
		data := appendSection(nil, form, values)
		in := input{data: append(bytes.Clone(data), 1, 2, 3)}
		got := readSection(nil, &in, len(values), "values")
		if in.err != nil || len(in.data) != 3 || fmt.Sprint(got) != fmt.Sprint(values) {
			t.Fatalf("%v became %v with %d bytes left, %v", values, got, len(in.data), in.err)
		}
		in = input{data: data}
		if readSection(nil, &in, len(values)+1, "values"); !errors.Is(in.err, ErrCorrupt) {
			t.Fatalf("one more than there are: %v", in.err)
		}
	})
}
