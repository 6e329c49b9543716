package nimble

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
)

// rebuildOptions are the writer's options that a case describes, if it was
// written with something that this package's writer has.
func (c *goldenFile) rebuildOptions(f *File) (*WriterOptions, bool) {
	e := encoding.DefaultEncodeOptions()
	o := &WriterOptions{Encoding: &e, Metadata: f.Metadata()}
	if strings.HasPrefix(c.Name, "fuzz_") {
		return nil, false // the candidates were random and are not described
	}
	for _, token := range strings.FieldsFunc(c.Options, func(r rune) bool { return r == ';' || r == ',' && !strings.HasPrefix(c.Options, "schema") }) {
		token = strings.TrimSpace(token)
		switch {
		case token == "" || plainOption.MatchString(token):
		case token == "no compression policy":
			e.Compression = encoding.Uncompressed
		case token == "lz4":
			e.Compression = encoding.LZ4
		case token == "fixedBitWidthUseExactBits":
			e.ExactBits = true
		case token == "experimentalCompactRowCountEncoding":
			e.VarintRowCount = true
		case strings.HasPrefix(token, "read factors "):
			e.Candidates, e.Compression = nil, encoding.Uncompressed
			token = strings.TrimPrefix(token, "read factors ")
			fallthrough
		case len(e.Candidates) < 2 && strings.Contains(token, "="):
			r, ok := readFactor(token)
			if !ok {
				return nil, false
			}
			e.Candidates = append(e.Candidates, r)
		default:
			return nil, false
		}
	}
	return o, true
}

// plainOption matches descriptions of what is a default or made by the data.
var plainOption = regexp.MustCompile(`^(default|all null|all containers empty|\d+ (rows|columns|stripes)|flush after every write|` +
	`schemaAttributes .*|metadata (user\.key=value|empty)|disableSharedStringBuffers|identical columns deduplicated|` +
	`no write\(\) call|write of 0 rows|no columns)$`)

func readFactor(text string) (encoding.ReadFactor, bool) {
	name, factor, _ := strings.Cut(text, "=")
	x, err := strconv.ParseFloat(factor, 32)
	for _, r := range encoding.DefaultReadFactors() {
		if err == nil && r.Kind.String() == name {
			return encoding.ReadFactor{Kind: r.Kind, Factor: float32(x)}, true
		}
	}
	return encoding.ReadFactor{}, false
}

// writable reports whether the writer has all of a type's kinds.
func writable(t *Type) bool {
	if t.Kind >= FlatMap {
		return false
	}
	for _, c := range t.Children {
		if !writable(c) {
			return false
		}
	}
	return true
}

// hasNullRows reports whether rows of the root are null, which a batch cannot
// say.
func hasNullRows(f *File) bool { return f.Stats() != nil && f.Stats()[0].Nulls > 0 }

// compressed reports whether any payload of a stripe's stream is compressed,
// by a program whose bytes ours need not equal.
func compressed(f *File, data []byte) (bool, error) {
	for len(data) > 0 {
		chunk, rest, err := tablet.CutChunk(data)
		if err != nil {
			return false, err
		}
		n, err := encoding.Describe(chunk.Payload, encoding.Options{VarintRowCount: f.VarintRowCounts()})
		if err != nil {
			return false, err
		}
		if chunk.Codec != tablet.Raw || anyCompressed(n) {
			return true, nil
		}
		data = rest
	}
	return false, nil
}

func anyCompressed(n *encoding.Node) bool {
	for _, c := range n.Children {
		if anyCompressed(c) {
			return true
		}
	}
	return n.Compression != encoding.Uncompressed
}

// streamsOf returns the bytes of all streams of a stripe by id.
func streamsOf(f *File, data []byte, stripe int) ([][]byte, error) {
	t := f.Tablet()
	g, err := t.Group(int(t.Stripes()[stripe].Group))
	if err != nil {
		return nil, err
	}
	streams := make([][]byte, g.Streams())
	for id := range streams {
		r := g.Stream(stripe, uint32(id))
		streams[id] = data[r.Pos : r.Pos+uint64(r.Len)]
	}
	return streams, nil
}

// rebuild writes the rows of a file again, with the same stripes.
func rebuild(f *File, o *WriterOptions) ([]byte, error) {
	var out bytes.Buffer
	w, err := NewWriter(&out, f.Schema(), o)
	if err != nil {
		return nil, err
	}
	s := NewSession(nil)
	for i := range f.NumStripes() {
		r, err := f.OpenStripe(s, i, nil)
		if err != nil {
			return nil, err
		}
		b := &vector.Batch{N: r.Rows()}
		for c := range f.Schema().Children {
			v, err := r.Read(c, r.Rows())
			if err != nil {
				return nil, err
			}
			b.Columns = append(b.Columns, v)
		}
		if err := w.WriteBatch(b); err != nil {
			return nil, err
		}
		if err := w.Flush(); err != nil {
			return nil, err
		}
		r.Close()
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func TestGoldenFilesRebuilt(t *testing.T) {
	var files, whole, streams, skipped int
	for _, c := range goldenFiles(t) {
		f := c.open(t)
		o, ok := c.rebuildOptions(f)
		if !ok || !writable(f.Schema()) || hasNullRows(f) {
			skipped++
			continue
		}
		got, err := rebuild(f, o)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		n, all, err := compareStreams(f, c.data, got)
		if err != nil {
			t.Errorf("%s (%s): %v", c.Name, c.Options, err)
			continue
		}
		checkStats(t, c.Name, f, got, all)
		files++
		streams += n
		if all {
			whole++
			if !bytes.Equal(got, c.data) {
				t.Errorf("%s (%s): the streams are equal, the files of %d and %d bytes are not", c.Name, c.Options, len(got), len(c.data))
			}
		}
	}
	t.Logf("%d files rebuilt, %d of them without compressed payloads byte for byte; %d uncompressed streams equal; %d files are of other kinds or options",
		files, whole, streams, skipped)
	if whole == 0 {
		t.Error("no file could be compared as a whole")
	}
}

// checkStats compares the statistics of a golden file with those of the file
// rebuilt; physical sizes only if their streams are equal.
func checkStats(t *testing.T, name string, f *File, data []byte, physical bool) {
	t.Helper()
	g, err := Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for i, want := range f.Stats() {
		got := g.Stats()[i]
		if !physical {
			got.PhysicalBytes = want.PhysicalBytes
		}
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%s: statistics of type %d:\n got %+v\nwant %+v", name, i, got, want)
		}
	}
}

// compareStreams compares the streams of a golden file that have no compressed
// payload with those of a file rebuilt. It returns how many are equal and whether
// that is all of them, the statistics included.
func compareStreams(f *File, want, got []byte) (equal int, all bool, err error) {
	g, err := Open(bytes.NewReader(got), int64(len(got)), nil)
	if err != nil {
		return 0, false, err
	}
	all = !statsCompressed(f) && !statsCompressed(g)
	for stripe := range f.NumStripes() {
		wants, err := streamsOf(f, want, stripe)
		if err != nil {
			return 0, false, err
		}
		gots, err := streamsOf(g, got, stripe)
		if err != nil {
			return 0, false, err
		}
		if len(wants) != len(gots) {
			return 0, false, fmt.Errorf("stripe %d: %d streams instead of %d", stripe, len(gots), len(wants))
		}
		for id := range wants {
			// Whether a payload is worth compressing depends on the program too.
			theirs, err1 := compressed(f, wants[id])
			ours, err2 := compressed(g, gots[id])
			if err := errors.Join(err1, err2); err != nil {
				return 0, false, fmt.Errorf("stripe %d stream %d: %w", stripe, id, err)
			}
			if theirs || ours {
				all = false
				continue
			}
			if !bytes.Equal(wants[id], gots[id]) {
				return 0, false, fmt.Errorf("stripe %d stream %d:\n got %x\nwant %x", stripe, id, gots[id], wants[id])
			}
			equal++
		}
	}
	return equal, all, nil
}

// statsCompressed reports whether the statistics have a compressed payload.
func statsCompressed(f *File) bool {
	raw, ok, err := f.Tablet().Section(tablet.SectionStats)
	if !ok || err != nil {
		return false
	}
	h, rest, err := parseStatsHeader(raw)
	if err != nil {
		return false
	}
	for _, n := range h.lengths {
		if d, err := encoding.Describe(rest[:n], encoding.Options{}); err == nil && anyCompressed(d) {
			return true
		}
		rest = rest[n:]
	}
	return false
}
