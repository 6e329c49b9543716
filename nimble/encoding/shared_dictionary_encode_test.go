package encoding

import (
	"bytes"
	"errors"
	"testing"

	"github.com/decantdb/decant/pool"
)

// TestGoldenEncodeShared encodes arrays over a shared alphabet, and the
// alphabet, which holds the values in the order of their first occurrence.
func TestGoldenEncodeShared(t *testing.T) {
	p := pool.New(pool.Options{})
	ran := 0
	encodeGoldenLines(t, "manifest*.jsonl", func(dir string, c encodeGolden) {
		if c.Encoding != KindSharedDictionary.String() {
			return
		}
		in := encodeLoad(t, dir, c.DataType, c.ExpectedFile, "", c.RowCount)
		var alphabet encodeInput
		var indices []uint32
		switch in.dt.Bytes() {
		case 1:
			alphabet.u8, indices = distinctIndices(in.u8)
		case 2:
			alphabet.u16, indices = distinctIndices(in.u16)
		case 4:
			alphabet.u32, indices = distinctIndices(in.u32)
		default:
			alphabet.u64, indices = distinctIndices(in.u64)
		}
		alphabet.dt = in.dt

		o := EncodeOptions{VarintRowCount: c.VarintRowCount}
		if c.Nested == "fbw" {
			o.Layout = &Layout{Kind: KindSharedDictionary, Children: []*Layout{{Kind: KindFixedBitWidth}}}
		}
		e := mustEncoder(t, p, o)
		got, err := AppendShared(e, nil, in.dt, DictionaryScope(c.Options.Scope), c.Options.DictionaryID, indices)
		if err != nil {
			t.Errorf("%s: %v", c.File, err)
			return
		}
		if want := encodeReadFile(t, dir, c.File); !bytes.Equal(got, want) {
			t.Errorf("%s:\ngot  %x\nwant %x", c.File, clip(got), clip(want))
		}
		if got, err = alphabet.encode(mustEncoder(t, p, EncodeOptions{}), nil); err != nil {
			t.Errorf("%s: %v", c.AlphabetFile, err)
			return
		}
		if want := encodeReadFile(t, dir, c.AlphabetFile); !bytes.Equal(got, want) {
			t.Errorf("%s:\ngot  %x\nwant %x", c.AlphabetFile, clip(got), clip(want))
		}
		ran++
	})
	if ran == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d cases", ran)
}

func mustEncoder(t testing.TB, p *pool.Pool, o EncodeOptions) *Encoder {
	t.Helper()
	e, err := NewEncoder(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestAppendSharedRefuses(t *testing.T) {
	e := mustEncoder(t, nil, EncodeOptions{})
	for _, c := range []struct {
		name    string
		dt      DataType
		scope   DictionaryScope
		id      uint32
		indices []uint32
	}{
		{"no rows", Int32, ScopeFile, 1, nil},
		{"floats", Float, ScopeFile, 1, []uint32{0}},
		{"strings", String, ScopeFile, 1, []uint32{0}},
		{"reserved scope", Int32, 1, 1, []uint32{0}},
		{"unknown scope", Int32, 4, 1, []uint32{0}},
		{"no id", Int32, ScopeFile, noDictionary, []uint32{0}},
	} {
		dst := []byte("before")
		got, err := AppendShared(e, dst, c.dt, c.scope, c.id, c.indices)
		if !errors.Is(err, ErrIncompatible) {
			t.Errorf("%s: %v", c.name, err)
		}
		if string(got) != "before" {
			t.Errorf("%s: dst became %q", c.name, got)
		}
	}
}
