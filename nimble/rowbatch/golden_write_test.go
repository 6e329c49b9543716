package rowbatch

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
)

// start returns the schema that the case's writer began with, and the columns
// whose keys were given to it.
func (c *goldenCase) start(tb testing.TB) (*Schema, []string) {
	tb.Helper()
	t, err := nimble.ParseType(c.Type)
	if err != nil {
		tb.Fatal(err)
	}
	given := map[string][]string{}
	var fixed []string
	for name, keys := range c.Maps {
		t.Children[t.Field(name)].Kind = nimble.FlatMap
		if len(keys) > 0 {
			given[name] = keys
			fixed = append(fixed, name)
		}
	}
	s, err := NewSchema(t, given)
	if err != nil {
		tb.Fatal(err)
	}
	return s, fixed
}

// options returns how the case was written, and whether the bytes are those of
// one codec's implementation.
func (c *goldenCase) options(tb testing.TB, fixed []string) (o SerializerOptions, compressed bool) {
	tb.Helper()
	form := map[string]ListForm{
		"FixedBitWidth": PackedList, "Trivial": PlainList, "Varint": VarintList, "Delta": DeltaList,
	}
	o = SerializerOptions{Headerless: !c.Header, FixedKeys: fixed, Numbers: form[c.Indices], Sizes: form[c.Sizes]}
	switch c.Codec {
	case "Zstd":
		o.Codec = tablet.Zstd
	case "Lz4":
		o.Codec = tablet.LZ4
	}
	switch {
	case c.Variant == "ser_lz4":
		o.Encode.Compression = encoding.LZ4
	case c.Variant == "ser_trivial_only":
		o.Encode.Candidates = []encoding.ReadFactor{{Kind: encoding.KindTrivial, Factor: 1}}
	}
	return o, o.Codec != tablet.Raw || o.Encode.Compression != encoding.Uncompressed
}

// TestGoldenWrite decodes blobs and writes them again, by a schema that finds
// its keys anew: the bytes are the same, or where a codec is at work the rows.
func TestGoldenWrite(t *testing.T) {
	same, compressed, schemas := 0, 0, 0
	for _, c := range goldenCases(t, "") {
		full := c.schema(t)
		r := newTestDeserializer(t, full, Options{Headerless: !c.Header})
		start, fixed := c.start(t)
		o, codec := c.options(t, fixed)
		w, err := NewSerializer(start, pool.New(pool.Options{}), o)
		if err != nil {
			t.Fatal(err)
		}
		rows := r.NewRows()
		data, want := c.blobs(t)
		for i, blob := range data {
			if err := r.Read(rows, blob); err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			got, err := w.Append([]byte("before"), rows)
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			got = bytes.TrimPrefix(got, []byte("before"))
			switch {
			case !codec && bytes.Equal(got, blob):
				same++
			case !codec:
				t.Errorf("%s: blob %d: %s", c.Name, i, difference(got, blob))
			default:
				if err := r.Read(rows, got); err != nil {
					t.Fatalf("%s: blob %d written again: %v", c.Name, i, err)
				}
				if err := match(want[i], full.Type(), rows); err != nil {
					t.Errorf("%s: blob %d written again: %v", c.Name, i, err)
				}
				compressed++
			}
		}
		if text, err := w.Schema().AppendBinary(nil); err != nil || !bytes.Equal(text, c.read(t, c.Schema)) {
			t.Errorf("%s: schema of %d bytes differs, %v", c.Name, len(text), err)
		}
		schemas++
	}
	t.Logf("%d blobs byte for byte, %d compressed ones by their rows, %d schemas byte for byte", same, compressed, schemas)
}

// difference says where two blobs differ first.
func difference(got, want []byte) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	return fmt.Sprintf("%x instead of %x at byte %d of %d, %d", got[i:min(len(got), i+16)],
		want[i:min(len(want), i+16)], i, len(got), len(want))
}
