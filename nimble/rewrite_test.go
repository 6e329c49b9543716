package nimble

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
)

// spacingBytes is more than lies between two streams that are read at once.
const spacingBytes = 40 << 10

// rewriteOptions say how a golden file is laid out anew.
type rewriteOptions struct {
	tablet.WriterOptions
	spaced   bool // behind each stream spacingBytes of one that no column has
	sections map[string][]byte
}

// rewritten returns a golden file with the same streams in another layout. What
// has places in the file in it, indexes and chunk statistics, is left out.
func rewritten(t *testing.T, c *goldenFile, o rewriteOptions) []byte {
	t.Helper()
	f := c.open(t)
	from, spare := f.Tablet(), uint32(0)
	for _, s := range f.Streams() {
		spare = max(spare, s.ID+1)
	}
	var out bytes.Buffer
	w := tablet.NewWriter(&out, o.WriterOptions)
	spacing := make([]byte, spacingBytes)
	for i, stripe := range from.Stripes() {
		g, err := from.Group(int(stripe.Group))
		if err != nil {
			t.Fatal(err)
		}
		next := max(spare, uint32(g.Streams()))
		var streams []tablet.Stream
		for id := range uint32(g.Streams()) {
			r := g.Stream(i, id)
			if r.Len == 0 {
				continue
			}
			streams = append(streams, tablet.Stream{ID: id, Data: c.data[r.Pos : r.Pos+r.Len]})
			if o.spaced {
				streams = append(streams, tablet.Stream{ID: next, Data: spacing})
				next++
			}
		}
		if err := w.WriteStripe(stripe.Rows, streams); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{tablet.SectionSchema, tablet.SectionFeatures, tablet.SectionMetadata, tablet.SectionStats} {
		raw, ok, err := from.Section(name)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		if err := w.AddSection(name, raw); err != nil {
			t.Fatal(err)
		}
	}
	for name, raw := range o.sections {
		if err := w.AddSection(name, raw); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Golden files with a group for each stripe, in both layouts of groups, with
// compressed sections, and with sections of retired names and of names that nobody
// knows, read as they did.
func TestGoldenFilesInGroups(t *testing.T) {
	several, columns := 0, 0
	byStream := func(dst []byte, values []uint32) ([]byte, error) {
		return append(dst, encoded(t, encoding.Uint32, values)...), nil
	}
	junk := []byte("\xff\xff\xff\xffno table begins here")
	for i, c := range goldenFiles(t) {
		o := rewriteOptions{sections: map[string][]byte{"columnar.index": junk, "columnar.chunk.index": junk, "of.others": nil}}
		o.GroupBytes, o.CompressOverBytes = 1, 1
		if i%2 == 1 {
			o.EncodeGroupArray = byStream
		}
		data := rewritten(t, &c, o)
		f, err := Open(bytes.NewReader(data), int64(len(data)), &OpenOptions{TailBytes: 1})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if got := len(f.Tablet().Footer().Groups); got != f.NumStripes() {
			t.Errorf("%s: %d groups of %d stripes", c.Name, got, f.NumStripes())
		}
		if f.NumStripes() > 1 {
			several++
		}
		want := c.wantRows(t)
		for i, name := range f.Schema().Names {
			err := readGoldenColumn(f, i, name, want)
			if err != nil && !errors.Is(err, encoding.ErrUnsupported) && !errors.Is(err, ErrUnsupported) {
				t.Errorf("%s: column %s: %v", c.Name, name, err)
			}
			columns++
		}
	}
	if several == 0 {
		t.Error("no file has several groups")
	}
	t.Logf("%d columns; %d files have several groups", columns, several)
}

// Of each part of each golden file, and of each key of its flat maps, all its
// streams and no byte more is read, where streams are too far apart to be read
// together.
func TestGoldenProjectionReadsExactly(t *testing.T) {
	parts, keys, less := 0, 0, 0
	for _, c := range goldenFiles(t) {
		data := rewritten(t, &c, rewriteOptions{spaced: true})
		r := &ranges{ReaderAt: bytes.NewReader(data)}
		f, err := Open(r, int64(len(data)), &OpenOptions{TailBytes: 1})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		all := paths(f.Schema(), "")
		for i, n := range f.root.children {
			if n.typ.Kind != FlatMap {
				continue
			}
			for _, k := range n.keys {
				all = append(all, QuoteName(f.Schema().Names[i])+keyPath(k.label))
				keys++
			}
		}
		whole := projectedBytes(t, f, r, f.Schema())
		for _, path := range all {
			as, err := f.Schema().Project(path)
			if err != nil {
				t.Fatalf("%s: %s: %v", c.Name, path, err)
			}
			if projectedBytes(t, f, r, as) < whole {
				less++
			}
			parts++
		}
	}
	if keys == 0 || less == 0 {
		t.Errorf("%d keys, %d parts that are less than their file", keys, less)
	}
	t.Logf("%d parts, %d of them keys; %d are less than their file", parts, keys, less)
}

func keyPath(label string) string { return step{kind: keyStep, name: label}.String() }

// projectedBytes opens all stripes as a type and returns how many bytes that
// reads, which must be those of the type's streams.
func projectedBytes(t *testing.T, f *File, r *ranges, as *Type) (bytes uint64) {
	t.Helper()
	for stripe := range f.NumStripes() {
		g, err := f.Tablet().Group(int(f.Tablet().Stripes()[stripe].Group))
		if err != nil {
			t.Fatal(err)
		}
		var want []tablet.Range
		for _, id := range streamIDs(nil, f.root, as) {
			if at := g.Stream(stripe, id); at.Len > 0 {
				want = append(want, at)
				bytes += at.Len
			}
		}
		slices.SortFunc(want, func(a, b tablet.Range) int { return int(a.Pos) - int(b.Pos) })
		r.read = nil
		s, err := f.OpenStripeAs(NewSession(nil), stripe, as)
		if errors.Is(err, ErrUnsupported) {
			continue
		}
		if err != nil {
			t.Fatalf("%v: %v", as, err)
		}
		s.Close()
		if !slices.Equal(r.read, want) {
			t.Errorf("stripe %d as %v: read %v, want %v", stripe, as, r.read, want)
		}
	}
	return bytes
}

// streamIDs appends the streams that hold what type as has of n.
func streamIDs(ids []uint32, n *node, as *Type) []uint32 {
	ids = append(ids, n.stream)
	switch n.typ.Kind {
	case Timestamp, DedupArray, SlidingWindowMap:
		ids = append(ids, n.second)
	case FlatMap:
		for _, k := range n.keys {
			if as.Names == nil || slices.Contains(as.Names, k.label) {
				ids = streamIDs(append(ids, k.inMap), k.value, k.value.typ)
			}
		}
		return ids
	}
	for i, c := range n.children {
		if n.typ.Kind != Row {
			ids = streamIDs(ids, c, as.Children[i])
		} else if at := as.Field(n.typ.Names[i]); at >= 0 {
			ids = streamIDs(ids, c, as.Children[at])
		}
	}
	return ids
}
