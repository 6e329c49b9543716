package datatable

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
	"pgregory.net/rapid"
)

// TestDictionaryAgainstMap numbers strings in tables that come one after the
// other, of every length and with base close to its end.
func TestDictionaryAgainstMap(t *testing.T) {
	text := rapid.OneOf(
		rapid.SliceOfN(rapid.SampledFrom([]byte("\x00ab")), 0, 4),
		rapid.SliceOfN(rapid.SampledFrom([]byte("\x00a")), 5, 20),
		rapid.SliceOfN(rapid.Byte(), 0, 40),
	)
	rapid.Check(t, func(t *rapid.T) {
		d := dictionary{pool: pool.New(pool.Options{})}
		d.base = rapid.SampledFrom([]uint32{0, 1, maxBase - 5, maxBase}).Draw(t, "base")
		for range rapid.IntRange(1, 5).Draw(t, "tables") {
			ids, texts := map[string]uint32{}, []string{}
			for _, s := range rapid.SliceOfN(text, 0, 100).Draw(t, "texts") {
				want, known := ids[string(s)]
				if !known {
					want = uint32(len(ids))
					ids[string(s)] = want
					texts = append(texts, string(s))
				}
				if got := d.id(s); got != want {
					t.Fatalf("%q is %d, want %d", s, got, want)
				}
			}
			if d.count() != len(texts) {
				t.Fatalf("%d strings, want %d", d.count(), len(texts))
			}
			for id, s := range texts {
				if got := d.at(uint32(id)); string(got) != s {
					t.Fatalf("string %d is %q, want %q", id, got, s)
				}
			}
			if rapid.IntRange(0, 4).Draw(t, "release") == 0 {
				d.release()
			}
			d.reset()
		}
	})
}

// TestHashesOfShortStrings counts strings whose 32 bits of hash are the same, of
// which there are about n²/2³³.
func TestHashesOfShortStrings(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]func(int) []byte{
		"decimal": func(i int) []byte { return fmt.Appendf(nil, "%d", i) },
		"suffix":  func(i int) []byte { return fmt.Appendf(nil, "value-%d", i) },
		"prefix":  func(i int) []byte { return fmt.Appendf(nil, "%d-value", i) },
		"low":     func(i int) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(i)) },
		"high":    func(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) },
		"sparse":  func(i int) []byte { return binary.BigEndian.AppendUint64(make([]byte, 8), uint64(i)<<40) },
		"zeros":   func(i int) []byte { return make([]byte, i%17) },
	} {
		seen, hashes := map[string]bool{}, map[uint64]bool{}
		for i := range n {
			s := text(i)
			seen[string(s)] = true
			hashes[hashOf(s)>>32] = true
		}
		if same := len(seen) - len(hashes); same > 50 {
			t.Errorf("%s: %d of %d strings have the hash of another", name, same, len(seen))
		}
	}
}

// TestReleaseKeepsNoMemory looks through a builder for what Release left.
func TestReleaseKeepsNoMemory(t *testing.T) {
	for _, p := range []*pool.Pool{nil, pool.New(pool.Options{})} {
		b, err := NewBuilder(p, []Column{{Name: "s", Type: String}, {Name: "b", Type: Bytes}, {Name: "i", Type: Int}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			b.StartRow()
			b.SetString(0, []byte("text"))
			b.SetBytes(1, []byte("bytes"))
			b.SetNull(2)
			b.FinishRow()
		}
		texts, ints := vector.NewVec[vector.View](nil), vector.NewVec[int32](nil)
		vector.AppendString(texts, []byte("text"))
		ints.Append(1)
		if err := b.AppendBatch(&vector.Batch{N: 1, Columns: []vector.Vector{texts, texts, ints}}); err != nil {
			t.Fatal(err)
		}
		b.AddException(1, "message")
		b.SetMetadata(TotalDocs, 1)
		b.SetMetadataText(QueryID, "query")
		if _, err := b.AppendTo(nil); err != nil {
			t.Fatal(err)
		}
		b.Release()
		noMemory(t, "Builder", reflect.ValueOf(b).Elem())
		for i := range b.columns {
			noMemory(t, "column", reflect.ValueOf(b.columns[i]))
		}
		if p != nil && p.Stats().Outstanding != 0 {
			t.Errorf("%+v", p.Stats())
		}
	}
}

// noMemory checks that no slice in v, other than what describes the columns, has
// memory.
func noMemory(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Slice:
		if name != "Builder.columns" && name != "Builder.schema" && v.Cap() != 0 {
			t.Errorf("%s keeps room for %d values", name, v.Cap())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			noMemory(t, name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	}
}
