package tablet_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/decantdb/decant/nimble/tablet"
)

// stripe is what the tests write and expect to read.
type stripe struct {
	rows    uint32
	streams []tablet.Stream
}

func drawStream(t *rapid.T, id uint32) tablet.Stream {
	s := tablet.Stream{ID: id}
	row := uint32(0)
	for range rapid.IntRange(0, 4).Draw(t, "chunks") {
		array := bytes.Repeat(rapid.SliceOfN(rapid.ByteRange(0, 3), 1, 8).Draw(t, "array"), rapid.IntRange(1, 40).Draw(t, "repeat"))
		c := tablet.ChunkStat{
			FirstRow: row, Rows: rapid.Uint32Range(1, 1000).Draw(t, "rows"), Pos: uint32(len(s.Data)),
			Nulls: rapid.Uint32().Draw(t, "nulls"), NullsKnown: true,
		}
		row += c.Rows
		s.Chunks = append(s.Chunks, c)
		codec := rapid.SampledFrom([]tablet.Codec{tablet.Raw, tablet.Zstd, tablet.LZ4}).Draw(t, "codec")
		var err error
		if s.Data, err = tablet.AppendChunk(s.Data, array, codec); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func drawStripes(t *rapid.T) []stripe {
	stripes := make([]stripe, rapid.IntRange(0, 6).Draw(t, "stripes"))
	for i := range stripes {
		stripes[i].rows = rapid.Uint32().Draw(t, "stripe rows")
		ids := rapid.SliceOfDistinct(rapid.Uint32Range(0, 12), rapid.ID[uint32]).Draw(t, "ids")
		for _, id := range ids {
			s := drawStream(t, id)
			if n := len(stripes[i].streams); n > 0 && rapid.Bool().Draw(t, "same") {
				s = stripes[i].streams[0]
				s.ID = id
			}
			stripes[i].streams = append(stripes[i].streams, s)
		}
	}
	return stripes
}

func drawWriterOptions(t *rapid.T) tablet.WriterOptions {
	opts := tablet.WriterOptions{
		DedupStreams:      rapid.Bool().Draw(t, "dedup"),
		CompressOverBytes: rapid.SampledFrom([]int{0, 1, 200}).Draw(t, "compress over"),
		GroupBytes:        rapid.SampledFrom([]int{0, 1, 300}).Draw(t, "group"),
		ChunkStats:        rapid.Bool().Draw(t, "chunk stats"),
		MinAverageChunks:  rapid.SampledFrom([]float64{0, 1, 2}).Draw(t, "average"),
	}
	if rapid.Bool().Draw(t, "by stream") {
		opts.EncodeGroupArray = encodeGroupArray
	}
	return opts
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stripes := drawStripes(t)
		opts := drawWriterOptions(t)
		sections := rapid.MapOfN(rapid.StringN(1, -1, 20), rapid.SliceOf(rapid.Byte()), 0, 4).Draw(t, "sections")
		var out bytes.Buffer
		w := tablet.NewWriter(&out, opts)
		rows := uint64(0)
		for _, s := range stripes {
			rows += uint64(s.rows)
			if err := w.WriteStripe(s.rows, s.streams); err != nil {
				t.Fatal(err)
			}
		}
		for name, raw := range sections {
			if err := w.AddSection(name, raw); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if w.Written() != uint64(out.Len()) || w.Rows() != rows {
			t.Fatalf("%d bytes and %d rows are said to be %d and %d", out.Len(), rows, w.Written(), w.Rows())
		}
		file, err := openBytes(out.Bytes(), rapid.SampledFrom([]int{0, 1, 100}).Draw(t, "tail"))
		if err != nil {
			t.Fatal(err)
		}
		if err := readAll(file); err != nil {
			t.Fatal(err)
		}
		if file.Rows() != rows || len(file.Stripes()) != len(stripes) {
			t.Fatalf("%d rows in %d stripes, want %d in %d", file.Rows(), len(file.Stripes()), rows, len(stripes))
		}
		for name, want := range sections {
			if got, ok, err := file.Section(name); !ok || err != nil || !bytes.Equal(got, want) {
				t.Fatalf("section %q: got %x, %t, %v, want %x", name, got, ok, err, want)
			}
		}
		for i, s := range stripes {
			checkStripe(t, file, i, s)
		}
	})
}

func checkStripe(t *rapid.T, file *tablet.Tablet, index int, want stripe) {
	g, err := file.Group(int(file.Stripes()[index].Group))
	if err != nil {
		t.Fatal(err)
	}
	stats, err := file.ChunkStats(g)
	if err != nil {
		t.Fatal(err)
	}
	ids := []uint32{1000} // none has it
	for _, s := range want.streams {
		ids = append(ids, s.ID)
	}
	var plan tablet.Plan
	plan.Reset(g, index, ids)
	if err := plan.Load(make([]byte, plan.Size())); err != nil {
		t.Fatal(err)
	}
	if plan.Stream(0) != nil {
		t.Fatal("an absent stream has bytes")
	}
	for i, s := range want.streams {
		if got := plan.Stream(i + 1); !bytes.Equal(got, s.Data) {
			t.Fatalf("stream %d: got %x, want %x", s.ID, got, s.Data)
		}
		if stats == nil {
			continue
		}
		var chunks []tablet.ChunkStat
		for j := range stats.Chunks(index, s.ID) {
			c := stats.Chunk(index, s.ID, j)
			if stats.Find(index, s.ID, c.FirstRow) != j || stats.Find(index, s.ID, c.FirstRow+c.Rows-1) != j {
				t.Fatalf("chunk %d of stream %d is not found", j, s.ID)
			}
			chunks = append(chunks, c)
		}
		if diff := cmp.Diff(s.Chunks, chunks, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("chunks of stream %d (-want +got):\n%s", s.ID, diff)
		}
	}
}

func TestDedup(t *testing.T) {
	data, err := tablet.AppendChunk(nil, []byte("the same"), tablet.Raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, dedup := range []bool{false, true} {
		var out bytes.Buffer
		w := tablet.NewWriter(&out, tablet.WriterOptions{DedupStreams: dedup})
		if err := w.WriteStripe(1, []tablet.Stream{{ID: 4, Data: data}, {ID: 2, Data: data}}); err != nil {
			t.Fatal(err)
		}
		want := uint64(2 * len(data))
		if dedup {
			want = uint64(len(data))
		}
		if w.Written() != want {
			t.Errorf("dedup %t: %d bytes, want %d", dedup, w.Written(), want)
		}
	}
}

// The physical order of sections is the reference's, whatever the order of
// AddSection.
func TestSectionOrder(t *testing.T) {
	var out bytes.Buffer
	w := tablet.NewWriter(&out, tablet.WriterOptions{})
	for _, name := range []string{"z", tablet.SectionFeatures, tablet.SectionSchema, tablet.SectionStats, tablet.SectionMetadata} {
		if err := w.AddSection(name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	data, _ := tablet.AppendChunk(nil, []byte{1}, tablet.Raw)
	if err := w.WriteStripe(1, []tablet.Stream{{Data: data}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := mustOpen(t, out.Bytes(), 0).Footer()
	var listed []string
	for _, s := range f.Sections {
		listed = append(listed, s.Name)
	}
	want := []string{tablet.SectionFeatures, tablet.SectionSchema, tablet.SectionStats, tablet.SectionMetadata, "z"}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	sortBy(f.Sections, func(s tablet.Section) uint64 { return s.Pos })
	want = []string{tablet.SectionMetadata, tablet.SectionStats, tablet.SectionSchema, "z", tablet.SectionFeatures}
	for i, s := range f.Sections {
		if s.Name != want[i] {
			t.Errorf("section %d is %s, want %s", i, s.Name, want[i])
		}
	}
	if f.Groups[0].Pos <= f.Sections[2].Pos || f.Groups[0].Pos >= f.Sections[3].Pos {
		t.Error("the stripe group is not between schema and other sections")
	}
}

func TestWriterMisuse(t *testing.T) {
	data, _ := tablet.AppendChunk(nil, []byte{1}, tablet.Raw)
	tests := []struct {
		name string
		use  func(w *tablet.Writer) error
	}{
		{"empty name", func(w *tablet.Writer) error { return w.AddSection("", nil) }},
		{"reserved name", func(w *tablet.Writer) error { return w.AddSection(tablet.SectionChunkStats, nil) }},
		{"name taken", func(w *tablet.Writer) error {
			_ = w.AddSection("a", nil)
			return w.AddSection("a", nil)
		}},
		{"stream twice", func(w *tablet.Writer) error {
			return w.WriteStripe(1, []tablet.Stream{{ID: 3, Data: data}, {ID: 3, Data: data}})
		}},
		{"stream id reserved", func(w *tablet.Writer) error {
			return w.WriteStripe(1, []tablet.Stream{{ID: 1<<32 - 1, Data: data}})
		}},
		{"after close", func(w *tablet.Writer) error {
			_ = w.Close()
			return w.WriteStripe(1, nil)
		}},
		{"closed twice", func(w *tablet.Writer) error {
			_ = w.Close()
			return w.Close()
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := test.use(tablet.NewWriter(new(bytes.Buffer), tablet.WriterOptions{})); err == nil {
				t.Error("no error")
			}
		})
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrorsStick(t *testing.T) {
	w := tablet.NewWriter(brokenWriter{}, tablet.WriterOptions{})
	big := make([]byte, 1<<20)
	if err := w.WriteStripe(1, []tablet.Stream{{Data: big}}); !errors.Is(err, errBroken) {
		t.Fatalf("got %v", err)
	}
	if err := w.WriteStripe(1, nil); !errors.Is(err, errBroken) {
		t.Errorf("second stripe: got %v", err)
	}
	if err := w.Close(); !errors.Is(err, errBroken) {
		t.Errorf("close: got %v", err)
	}
}

func Example() {
	var out bytes.Buffer
	w := tablet.NewWriter(&out, tablet.WriterOptions{DedupStreams: true})
	data, _ := tablet.AppendChunk(nil, []byte("an encoded array"), tablet.Raw)
	_ = w.WriteStripe(3, []tablet.Stream{{ID: 1, Data: data}})
	_ = w.AddSection(tablet.SectionSchema, tablet.AppendSchema(nil, []tablet.Node{{Kind: 50}}))
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	file, err := tablet.Open(bytes.NewReader(out.Bytes()), int64(out.Len()), tablet.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	group, _ := file.Group(0)
	var plan tablet.Plan
	plan.Reset(group, 0, []uint32{0, 1})
	_ = plan.Load(make([]byte, plan.Size()))
	chunk, rest, err := tablet.CutChunk(plan.Stream(1))
	fmt.Printf("%d rows, stream 0: %d bytes, stream 1: %q, %d, %v\n",
		file.Rows(), len(plan.Stream(0)), chunk.Payload, len(rest), err)
	// Output: 3 rows, stream 0: 0 bytes, stream 1: "an encoded array", 0, <nil>
}
