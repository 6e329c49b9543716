package tablet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/nimble/tablet"
)

// writeStripes writes a file of stripes with the given rows, each with streams 0
// and 2 of some bytes.
func writeStripes(t testing.TB, opts tablet.WriterOptions, rows ...uint32) []byte {
	var out bytes.Buffer
	w := tablet.NewWriter(&out, opts)
	for i, n := range rows {
		a, _ := tablet.AppendChunk(nil, bytes.Repeat([]byte{byte(i)}, 100), tablet.Zstd)
		b, _ := tablet.AppendChunk(nil, bytes.Repeat([]byte{'x', byte(i)}, 200), tablet.LZ4)
		b, _ = tablet.AppendChunk(b, []byte{byte(i)}, tablet.Raw)
		if err := w.WriteStripe(n, []tablet.Stream{{ID: 0, Data: a}, {ID: 2, Data: b}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestOpenRefuses(t *testing.T) {
	data := writeStripes(t, tablet.WriterOptions{}, 5)
	end := func(fromEnd int, b ...byte) []byte {
		changed := bytes.Clone(data)
		copy(changed[len(changed)-fromEnd:], b)
		return changed
	}
	tests := []struct {
		name string
		data []byte
		want error
	}{
		{"nothing", nil, tablet.ErrCorrupt},
		{"19 bytes", data[len(data)-19:], tablet.ErrCorrupt},
		{"wrong magic", end(1, 0xA0), tablet.ErrCorrupt},
		{"newer major version", end(6, 1), tablet.ErrUnsupported},
		{"footer longer than the file", end(20, 0xFF, 0xFF), tablet.ErrCorrupt},
		{"empty footer", end(20, 0, 0), tablet.ErrCorrupt},
		{"footer codec", end(16, byte(tablet.OpenZL)), tablet.ErrUnsupported},
		{"footer not compressed", end(16, byte(tablet.Zstd)), tablet.ErrCorrupt},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := openBytes(test.data, 0)
			var place *tablet.PlaceError
			if !errors.Is(err, test.want) || !errors.As(err, &place) {
				t.Errorf("got error %v", err)
			}
		})
	}
	if _, err := openBytes(end(4, 99), 0); err != nil {
		t.Errorf("a newer minor version is refused: %v", err)
	}
}

func TestFileShorterThanSaid(t *testing.T) {
	data := writeStripes(t, tablet.WriterOptions{}, 5)
	if _, err := tablet.Open(bytes.NewReader(data), int64(len(data))+10, tablet.Options{}); !errors.Is(err, tablet.ErrCorrupt) {
		t.Errorf("got error %v", err)
	}
}

type failingReader struct{}

func (failingReader) ReadAt([]byte, int64) (int, error) { return 0, io.ErrClosedPipe }

func TestReadErrorsPass(t *testing.T) {
	_, err := tablet.Open(failingReader{}, 1000, tablet.Options{})
	if !errors.Is(err, io.ErrClosedPipe) || errors.Is(err, tablet.ErrCorrupt) {
		t.Errorf("got error %v", err)
	}
}

func TestVerifyChecksumRefusesOtherKinds(t *testing.T) {
	data := writeStripes(t, tablet.WriterOptions{}, 5)
	data[len(data)-15] = 7
	if err := mustOpen(t, data, 0).VerifyChecksum(); !errors.Is(err, tablet.ErrUnsupported) {
		t.Errorf("got error %v", err)
	}
}

func TestStripeAt(t *testing.T) {
	file := mustOpen(t, writeStripes(t, tablet.WriterOptions{}, 3, 1, 4), 0)
	var got []int
	for row := range file.Rows() + 2 {
		got = append(got, file.StripeAt(row))
	}
	if diff := cmp.Diff([]int{0, 0, 0, 1, 2, 2, 2, 2, 3, 3}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	empty := mustOpen(t, writeStripes(t, tablet.WriterOptions{}), 0)
	if got := empty.StripeAt(0); got != 0 || empty.Rows() != 0 {
		t.Errorf("no stripes: got stripe %d of %d rows", got, empty.Rows())
	}
}

func TestGroupsAreShared(t *testing.T) {
	file := mustOpen(t, writeStripes(t, tablet.WriterOptions{GroupBytes: 1}, 3, 1, 4), 0)
	if n := len(file.Footer().Groups); n != 3 {
		t.Fatalf("%d groups, want one for each stripe", n)
	}
	for i := range 3 {
		a, err := file.Group(i)
		if err != nil {
			t.Fatal(err)
		}
		b, err := file.Group(i)
		if err != nil {
			t.Fatal(err)
		}
		first, end := a.Stripes()
		if a != b || a.Index() != i || first != i || end != i+1 || a.Streams() != 3 {
			t.Errorf("group %d: %p and %p, stripes %d to %d, %d streams", i, a, b, first, end, a.Streams())
		}
	}
}

func TestGroupByStreamNeedsDecoder(t *testing.T) {
	data := writeStripes(t, tablet.WriterOptions{EncodeGroupArray: encodeGroupArray}, 3, 1, 4)
	file, err := tablet.Open(bytes.NewReader(data), int64(len(data)), tablet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Group(0); !errors.Is(err, tablet.ErrUnsupported) {
		t.Errorf("got error %v", err)
	}
}

func TestLimit(t *testing.T) {
	var out bytes.Buffer
	w := tablet.NewWriter(&out, tablet.WriterOptions{CompressOverBytes: 10})
	if err := w.AddSection("zeros", make([]byte, 10_000)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]error{10_000: nil, 9_999: tablet.ErrUnsupported} {
		file, err := tablet.Open(bytes.NewReader(out.Bytes()), int64(out.Len()), tablet.Options{LimitBytes: limit})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := file.Section("zeros"); !errors.Is(err, want) {
			t.Errorf("limit %d: got error %v", limit, err)
		}
	}
}

// readCounter counts reads.
type readCounter struct {
	r     io.ReaderAt
	reads int
}

func (c *readCounter) ReadAt(b []byte, pos int64) (int, error) {
	c.reads++
	return c.r.ReadAt(b, pos)
}

func TestPlanCoalesces(t *testing.T) {
	big := func(n int) []byte {
		data, _ := tablet.AppendChunk(nil, make([]byte, n), tablet.Raw)
		return data
	}
	var out bytes.Buffer
	w := tablet.NewWriter(&out, tablet.WriterOptions{})
	// 0 and 1 touch; 2 is small enough to be read along; 4 is not.
	streams := []tablet.Stream{
		{ID: 0, Data: big(10)},
		{ID: 1, Data: big(20)},
		{ID: 2, Data: big(1000)},
		{ID: 3, Data: big(30)},
		{ID: 4, Data: big(100_000)},
		{ID: 5, Data: big(40)},
	}
	if err := w.WriteStripe(1, streams); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	counter := &readCounter{r: bytes.NewReader(out.Bytes())}
	file, err := tablet.Open(counter, int64(out.Len()), tablet.Options{TailBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	g, err := file.Group(0)
	if err != nil {
		t.Fatal(err)
	}
	counter.reads = 0
	var plan tablet.Plan
	plan.Reset(g, 0, []uint32{5, 3, 0, 9, 1, 3})
	if want := uint64(15 + 25 + 1005 + 35 + 45); plan.Size() != want || len(plan.Reads()) != 2 {
		t.Errorf("%d bytes in %d reads, want %d in 2", plan.Size(), len(plan.Reads()), want)
	}
	if err := plan.Load(make([]byte, plan.Size()-1)); err == nil {
		t.Error("short memory is accepted")
	}
	if err := plan.Load(make([]byte, plan.Size())); err != nil {
		t.Fatal(err)
	}
	if counter.reads != 2 {
		t.Errorf("%d reads", counter.reads)
	}
	for i, id := range []int{5, 3, 0, -1, 1, 3} {
		var want []byte
		if id >= 0 {
			want = streams[id].Data
		}
		if got := plan.Stream(i); !bytes.Equal(got, want) || uint64(len(got)) != plan.Range(i).Len {
			t.Errorf("stream %d: got %d bytes, want %d", id, len(got), len(want))
		}
	}
}

func TestCutChunkRefuses(t *testing.T) {
	le := binary.LittleEndian.AppendUint32
	tests := []struct {
		name   string
		stream []byte
		want   error
	}{
		{"short header", []byte{1, 0, 0, 0}, tablet.ErrCorrupt},
		{"short payload", []byte{2, 0, 0, 0, 0, 1}, tablet.ErrCorrupt},
		{"no raw length", []byte{3, 0, 0, 0, 1, 9, 9, 9}, tablet.ErrCorrupt},
		{"raw length that cannot be", append(le([]byte{5, 0, 0, 0, 3}, 256), 0), tablet.ErrCorrupt},
		{"raw length of 3 GiB", append(le([]byte{0, 0, 2, 0, 1}, 3<<30), make([]byte, 128<<10)...), tablet.ErrUnsupported},
		{"meta-internal", []byte{0, 0, 0, 0, 2}, tablet.ErrUnsupported},
		{"openzl", []byte{0, 0, 0, 0, 4}, tablet.ErrUnsupported},
		{"unknown codec", []byte{0, 0, 0, 0, 77}, tablet.ErrUnsupported},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, _, err := tablet.CutChunk(test.stream); !errors.Is(err, test.want) {
				t.Errorf("got error %v", err)
			}
		})
	}
}

func TestChunkDecodeRefuses(t *testing.T) {
	array := bytes.Repeat([]byte("abc"), 100)
	for _, codec := range []tablet.Codec{tablet.Zstd, tablet.LZ4} {
		stream, err := tablet.AppendChunk(nil, array, codec)
		if err != nil {
			t.Fatal(err)
		}
		c, _, err := tablet.CutChunk(stream)
		if err != nil || c.Codec != codec || c.RawLen != len(array) {
			t.Fatalf("%s: got %s of %d bytes, %v", codec, c.Codec, c.RawLen, err)
		}
		if err := c.Decode(make([]byte, len(array)-1)); !errors.Is(err, tablet.ErrCorrupt) {
			t.Errorf("%s: memory of the wrong length: %v", codec, err)
		}
		for _, rawLen := range []int{len(array) - 1, len(array) + 1} {
			wrong := c
			wrong.RawLen = rawLen
			if err := wrong.Decode(make([]byte, rawLen)); !errors.Is(err, tablet.ErrCorrupt) {
				t.Errorf("%s: raw length %d: %v", codec, rawLen, err)
			}
		}
	}
}

// A chunk is kept compressed if that saves a fifth, its raw length counted.
func TestGoldenChunkCompression(t *testing.T) {
	compressed := map[tablet.Codec]int{}
	for _, f := range goldenFiles(t) {
		file := mustOpen(t, f.data, 0)
		for stripe, s := range file.Stripes() {
			g, err := file.Group(int(s.Group))
			if err != nil {
				t.Fatal(err)
			}
			for id := range g.Streams() {
				r := g.Stream(stripe, uint32(id))
				for rest := f.data[r.Pos : r.Pos+r.Len]; len(rest) > 0; {
					var c tablet.Chunk
					if c, rest, err = tablet.CutChunk(rest); err != nil {
						t.Fatal(err)
					}
					compressed[c.Codec]++
					if stored := len(c.Payload) + 4; c.Codec != tablet.Raw && 10*stored > 8*c.RawLen {
						t.Errorf("%s: %d bytes stored of %d", f.Name, stored, c.RawLen)
					}
				}
			}
		}
	}
	t.Log(compressed)
}
