package flatbuf_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"pgregory.net/rapid"

	"github.com/decantdb/decant/internal/flatbuf"
)

// record is one table with a field of each sort.
type record struct {
	U8    uint8
	I16   int16
	U32   uint32
	F64   float64
	Flag  bool
	Name  string
	Blob  []byte
	Nums  []uint64
	Names []string
	Kids  []uint32 // tables of one field
}

func drawRecord(t *rapid.T) record {
	return record{
		U8:    rapid.Uint8().Draw(t, "u8"),
		I16:   rapid.Int16().Draw(t, "i16"),
		U32:   rapid.Uint32().Draw(t, "u32"),
		F64:   rapid.Float64().Draw(t, "f64"),
		Flag:  rapid.Bool().Draw(t, "flag"),
		Name:  rapid.String().Draw(t, "name"),
		Blob:  rapid.SliceOf(rapid.Byte()).Draw(t, "blob"),
		Nums:  rapid.SliceOf(rapid.Uint64()).Draw(t, "nums"),
		Names: rapid.SliceOf(rapid.String()).Draw(t, "names"),
		Kids:  rapid.SliceOf(rapid.Uint32()).Draw(t, "kids"),
	}
}

// ours builds r with the builder of this package.
func (r record) ours(b *flatbuf.Builder) []byte {
	name := b.String(r.Name)
	blob := b.Bytes(r.Blob)
	nums := flatbuf.PutVector(b, r.Nums)
	var refs []flatbuf.Offset
	for _, s := range r.Names {
		refs = append(refs, b.String(s))
	}
	names := b.Refs(refs)
	refs = refs[:0]
	for _, k := range r.Kids {
		refs = append(refs, b.Table(flatbuf.Number(k)))
	}
	kids := b.Refs(refs)
	return b.Finish(b.Table(
		flatbuf.Number(r.U8), flatbuf.Number(r.I16), flatbuf.Number(r.U32), flatbuf.Number(r.F64),
		flatbuf.Bool(r.Flag), flatbuf.Ref(name), flatbuf.Ref(blob), flatbuf.Ref(nums),
		flatbuf.Ref(names), flatbuf.Ref(kids)), "")
}

// library builds r with the library, with the calls that generated code makes.
func (r record) library() []byte {
	b := flatbuffers.NewBuilder(0)
	name := b.CreateString(r.Name)
	blob := b.CreateByteVector(r.Blob)
	b.StartVector(8, len(r.Nums), 8)
	for _, v := range slices.Backward(r.Nums) {
		b.PrependUint64(v)
	}
	nums := b.EndVector(len(r.Nums))
	refs := func(v []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
		b.StartVector(4, len(v), 4)
		for _, o := range slices.Backward(v) {
			b.PrependUOffsetT(o)
		}
		return b.EndVector(len(v))
	}
	var offsets []flatbuffers.UOffsetT
	for _, s := range r.Names {
		offsets = append(offsets, b.CreateString(s))
	}
	names := refs(offsets)
	offsets = offsets[:0]
	for _, k := range r.Kids {
		b.StartObject(1)
		b.PrependUint32Slot(0, k, 0)
		offsets = append(offsets, b.EndObject())
	}
	kids := refs(offsets)
	b.StartObject(10)
	b.PrependFloat64Slot(3, r.F64, 0)
	b.PrependUOffsetTSlot(9, kids, 0)
	b.PrependUOffsetTSlot(8, names, 0)
	b.PrependUOffsetTSlot(7, nums, 0)
	b.PrependUOffsetTSlot(6, blob, 0)
	b.PrependUOffsetTSlot(5, name, 0)
	b.PrependUint32Slot(2, r.U32, 0)
	b.PrependInt16Slot(1, r.I16, 0)
	b.PrependBoolSlot(4, r.Flag, false)
	b.PrependUint8Slot(0, r.U8, 0)
	b.Finish(b.EndObject())
	return b.FinishedBytes()
}

// read reads a record back.
func read(buf []byte) (record, error) {
	r := flatbuf.NewReader(buf)
	t := r.Root()
	out := record{
		U8:   flatbuf.Field[uint8](t, 0, 0),
		I16:  flatbuf.Field[int16](t, 1, 0),
		U32:  flatbuf.Field[uint32](t, 2, 0),
		F64:  flatbuf.Field(t, 3, 0.0),
		Flag: t.Bool(4),
		Name: string(t.Bytes(5)),
		Blob: t.Bytes(6),
		Nums: flatbuf.Vector[uint64](t, 7).AppendTo([]uint64{}),
	}
	out.Names = []string{}
	for i, v := 0, t.Refs(8); i < v.Len(); i++ {
		out.Names = append(out.Names, string(v.Bytes(i)))
	}
	out.Kids = []uint32{}
	for i, v := 0, t.Refs(9); i < v.Len(); i++ {
		out.Kids = append(out.Kids, flatbuf.Field[uint32](v.Table(i), 0, 0))
	}
	return out, r.Err()
}

func (r record) equal(o record) bool {
	return r.U8 == o.U8 && r.I16 == o.I16 && r.U32 == o.U32 && r.F64 == o.F64 && r.Flag == o.Flag &&
		r.Name == o.Name && bytes.Equal(r.Blob, o.Blob) && slices.Equal(r.Nums, o.Nums) &&
		slices.Equal(r.Names, o.Names) && slices.Equal(r.Kids, o.Kids)
}

func TestRoundTrip(t *testing.T) {
	var b flatbuf.Builder
	rapid.Check(t, func(t *rapid.T) {
		want := drawRecord(t)
		b.Reset()
		got, err := read(want.ours(&b))
		if err != nil {
			t.Fatal(err)
		}
		if !got.equal(want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// The library shares vtables that differ in their table's size, so the bytes
// agree only where no two tables can share one.
func TestBytesEqualLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecord(t)
		if len(r.Kids) > 1 {
			r.Kids = r.Kids[:1]
		}
		var b flatbuf.Builder
		if got, want := r.ours(&b), r.library(); !bytes.Equal(got, want) {
			t.Fatalf("got\n%x, want\n%x", got, want)
		}
	})
}

func TestReadLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawRecord(t)
		got, err := read(want.library())
		if err != nil {
			t.Fatal(err)
		}
		if !got.equal(want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// Two tables with the same fields but different padding have vtables that
// differ in the table's size alone; each needs its own.
func TestVtableSharing(t *testing.T) {
	build := func(b *flatbuf.Builder, gap string) int {
		b.Reset()
		first := b.Table(flatbuf.Number[uint64](1), flatbuf.Number[uint8](2))
		b.String(gap)
		second := b.Table(flatbuf.Number[uint64](3), flatbuf.Number[uint8](4))
		return len(b.Finish(b.Table(flatbuf.Ref(first), flatbuf.Ref(second)), ""))
	}
	var b flatbuf.Builder
	sizes := map[string]int{}
	for _, gap := range []string{"", "abcd", "abcdefgh"} {
		sizes[gap] = build(&b, gap)
	}
	if len(sizes) != 3 || sizes["abcdefgh"] != sizes[""]+8 {
		t.Errorf("sizes %v: the same padding must share a vtable", sizes)
	}
	if sizes["abcd"] <= sizes[""]+4 {
		t.Errorf("sizes %v: other padding must not share a vtable", sizes)
	}
}

func TestAbsent(t *testing.T) {
	var b flatbuf.Builder
	r := flatbuf.NewReader(b.Finish(b.Table(flatbuf.Number[uint32](0), flatbuf.Ref(b.String(""))), "SGL1"))
	if !r.HasIdentifier("SGL1") || r.HasIdentifier("SGL2") {
		t.Error("identifier not found")
	}
	root := r.Root()
	if got := flatbuf.Field[uint32](root, 0, 9); got != 9 {
		t.Errorf("default: got %d, want 9", got)
	}
	if b := root.Bytes(1); b == nil || len(b) != 0 {
		t.Errorf("empty string: got %#v", b)
	}
	if root.Bytes(0) != nil || root.Table(0).Present() || root.Refs(3).Present() || flatbuf.Vector[uint32](root, 3).Present() {
		t.Error("absent fields are present")
	}
	if got := flatbuf.Field[uint32](root.Table(5), 0, 3); got != 3 {
		t.Errorf("field of an absent table: got %d, want 3", got)
	}
	if r.Err() != nil {
		t.Error(r.Err())
	}
}

func TestCorrupt(t *testing.T) {
	le := func(words ...uint32) []byte {
		var b []byte
		for _, w := range words {
			b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
		}
		return b
	}
	tests := []struct {
		name string
		buf  []byte
	}{
		{"empty", nil},
		{"short", []byte{4, 0, 0}},
		{"root beyond the end", le(9, 0)},
		{"root at itself", le(0, 0)},
		{"root at the end", le(8, 0)},
		{"vtable before the start", le(4, 9, 0)},
		{"vtable after the end", le(4, 0x8000_0000, 0)},
		{"vtable of odd size", le(8, 4<<16|5, 4)},
		{"vtable too small", le(8, 4<<16|2, 4)},
		{"vtable too large", le(8, 4<<16|64, 4)},
		{"table too large", le(8, 64<<16|4, 4)},
		{"field outside its table", le(12, 4<<16|6, 4, 8)},
		{"field over the vtable offset", le(12, 8<<16|6, 2, 8, 0)},
		{"vector beyond the end", le(12, 8<<16|6, 4, 8, 4, 9)},
		{"string offset beyond the end", le(12, 8<<16|6, 4, 8, 400, 9)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := flatbuf.NewReader(test.buf)
			if got := r.Root().Bytes(0); len(got) != 0 {
				t.Errorf("got %x", got)
			}
			if err := r.Err(); !errors.Is(err, flatbuf.ErrCorrupt) {
				t.Errorf("got error %v", err)
			}
			if r.Root().Present() {
				t.Error("a failed reader still gives tables")
			}
		})
	}
}

// A vector whose elements all lead to one large vector must not be walked to
// the end.
func TestSharedTargetsAreLimited(t *testing.T) {
	var b flatbuf.Builder
	inner := b.Table(flatbuf.Ref(b.Bytes(make([]byte, 1000))))
	refs := make([]flatbuf.Offset, 1000)
	for i := range refs {
		refs[i] = inner
	}
	r := flatbuf.NewReader(b.Finish(b.Table(flatbuf.Ref(b.Refs(refs))), ""))
	visited := 0
	for i, v := 0, r.Root().Refs(0); i < v.Len(); i++ {
		visited += len(v.Table(i).Bytes(0))
	}
	if !errors.Is(r.Err(), flatbuf.ErrCorrupt) || visited > 12_000 {
		t.Errorf("visited %d bytes, error %v", visited, r.Err())
	}
}

func TestDepthIsLimited(t *testing.T) {
	var b flatbuf.Builder
	var o flatbuf.Offset
	for range 100 {
		o = b.Table(flatbuf.Number[uint8](1), flatbuf.Ref(o))
	}
	r := flatbuf.NewReader(b.Finish(o, ""))
	depth := 0
	for t := r.Root(); t.Present(); t = t.Table(1) {
		depth++
	}
	if depth != 64 || !errors.Is(r.Err(), flatbuf.ErrCorrupt) {
		t.Errorf("depth %d, error %v", depth, r.Err())
	}
}

func FuzzReader(f *testing.F) {
	for _, r := range []record{{}, {
		U8: 1, I16: 2, U32: 3, F64: 4, Flag: true, Name: "name", Blob: []byte{1, 2},
		Nums: []uint64{7, 8}, Names: []string{"a", ""}, Kids: []uint32{1, 0},
	}} {
		var b flatbuf.Builder
		f.Add(r.ours(&b))
		f.Add(r.library())
	}
	f.Fuzz(func(t *testing.T, buf []byte) {
		got, err := read(buf)
		if err != nil && !errors.Is(err, flatbuf.ErrCorrupt) {
			t.Fatalf("untyped error %v", err)
		}
		if n := len(got.Blob) + 8*len(got.Nums) + 8*len(got.Names) + 8*len(got.Kids); n > 2*len(buf) {
			t.Fatalf("%d bytes out of %d", n, len(buf))
		}
	})
}

func ExampleBuilder() {
	var b flatbuf.Builder
	name := b.String("carrier")
	buf := b.Finish(b.Table(flatbuf.Number[uint32](16), flatbuf.Ref(name)), "")

	r := flatbuf.NewReader(buf)
	root := r.Root()
	fmt.Println(flatbuf.Field[uint32](root, 0, 0), string(root.Bytes(1)), r.Err())
	// Output: 16 carrier <nil>
}
