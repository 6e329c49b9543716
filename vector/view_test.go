package vector_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"testing"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
	"pgregory.net/rapid"
)

// drawString draws bytes around the lengths where a view changes its layout.
func drawString(t *rapid.T, label string) []byte {
	alphabet := rapid.SampledFrom([]byte{0, 'a', 'b', 0xff})
	return rapid.SliceOfN(alphabet, 0, 20).Draw(t, label)
}

func TestViewLayout(t *testing.T) {
	short := vector.InlineView([]byte("abc"))
	want := vector.View{binary.LittleEndian.Uint64([]byte("\x03\x00\x00\x00abc\x00")), 0}
	if short != want || !short.Inline() || short.Len() != 3 {
		t.Errorf("inline view is %x", short)
	}
	long := vector.MakeView([]byte("0123456789abc"), 7, 9)
	want = vector.View{binary.LittleEndian.Uint64([]byte("\x0d\x00\x00\x000123")), 7 | 9<<32}
	if long != want || long.Inline() || long.Len() != 13 {
		t.Errorf("long view is %x", long)
	}
	if v := vector.MakeView(nil, 7, 9); v != (vector.View{}) {
		t.Errorf("the empty view is %x", v)
	}
}

func TestViewsCompareAsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawString(t, "a"), drawString(t, "b")
		aBufs, bBufs := [][]byte{a}, [][]byte{nil, append([]byte("xx"), b...)}
		av, bv := vector.MakeView(a, 0, 0), vector.MakeView(b, 1, 2)
		if !bytes.Equal(av.Bytes(aBufs), a) || !bytes.Equal(bv.Bytes(bBufs), b) {
			t.Fatalf("bytes are %q and %q", av.Bytes(aBufs), bv.Bytes(bBufs))
		}
		if got := vector.EqualViews(&av, aBufs, &bv, bBufs); got != bytes.Equal(a, b) {
			t.Fatalf("equal: %v", got)
		}
		if got := vector.CompareViews(&av, aBufs, &bv, bBufs); cmp.Compare(got, 0) != bytes.Compare(a, b) {
			t.Fatalf("compare: %d", got)
		}
	})
}

func TestBuffersReuseNumbers(t *testing.T) {
	var s vector.Buffers
	a, b := s.Add([]byte("a")), s.Add([]byte("b"))
	if a != 0 || b != 1 {
		t.Fatalf("numbers %d and %d", a, b)
	}
	s.Remove(a)
	if s.List()[a] != nil {
		t.Error("a removed buffer is still there")
	}
	if c := s.Add([]byte("c")); c != a {
		t.Errorf("number %d is not given out again", a)
	}
	s.Replace(b, []byte("bb"))
	if string(s.List()[a]) != "c" || string(s.List()[b]) != "bb" {
		t.Errorf("buffers are %q", s.List())
	}
	var none *vector.Buffers
	if none.List() != nil {
		t.Error("a nil list has buffers")
	}
}

func TestAppendString(t *testing.T) {
	p := pool.New(pool.Options{})
	v := vector.NewVec[vector.View](p)
	rapid.Check(t, func(t *rapid.T) {
		v.Reset()
		var want [][]byte
		longBytes := 0
		for range rapid.IntRange(0, 100).Draw(t, "rows") {
			if rapid.IntRange(0, 9).Draw(t, "null") == 0 {
				v.AppendNull()
				want = append(want, nil)
				continue
			}
			s := drawString(t, "s")
			vector.AppendString(v, s)
			want = append(want, s)
			if len(s) > vector.InlineBytes {
				longBytes += len(s)
			}
		}
		if got := vector.StringBytes(v); got != longBytes {
			t.Fatalf("%d bytes are held, not %d", got, longBytes)
		}
		checkStrings(t, v, want)
	})
	v.Release()
	if got := p.Stats().Outstanding; got != 0 {
		t.Errorf("%d buffers are outstanding", got)
	}
	vector.AppendString(v, []byte("usable after its release"))
	if x, _ := v.At(0); string(x.Bytes(v.Buffers.List())) != "usable after its release" {
		t.Errorf("after Release: %q", x.Bytes(v.Buffers.List()))
	}
}

// checkStrings compares v's rows with strings of which nil is null.
func checkStrings(t *rapid.T, v *vector.Vec[vector.View], want [][]byte) {
	t.Helper()
	if v.Len() != len(want) {
		t.Fatalf("%d rows, not %d", v.Len(), len(want))
	}
	for i, w := range want {
		x, present := v.At(i)
		if present != (w != nil) {
			t.Fatalf("row %d is present: %v", i, present)
		}
		if present && !bytes.Equal(x.Bytes(v.Buffers.List()), w) {
			t.Fatalf("row %d is %q, not %q", i, x.Bytes(v.Buffers.List()), w)
		}
	}
}
