package nimble

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
)

// givenChunks returns what a rebuilt stream of a stripe is told of its chunks, nil if
// nothing.
type givenChunks func(stripe int, id uint32) ([]givenChunk, error)

// eachChunk calls fn with the encoded arrays of a stripe's stream.
func eachChunk(f *File, data []byte, stripe int, id uint32, fn func(array []byte) error) error {
	streams, err := streamsOf(f, data, stripe)
	if err != nil || int(id) >= len(streams) {
		return err
	}
	for rest := streams[id]; len(rest) > 0; {
		var c tablet.Chunk
		if c, rest, err = tablet.CutChunk(rest); err != nil {
			return err
		}
		array := make([]byte, c.RawLen)
		if err := c.Decode(array); err != nil {
			return err
		}
		if err := fn(array); err != nil {
			return err
		}
	}
	return nil
}

// chunksOf returns how many rows the chunks of a file have and, with layouts, how
// they are encoded.
func chunksOf(f *File, data []byte, layouts bool) givenChunks {
	return func(stripe int, id uint32) (given []givenChunk, err error) {
		err = eachChunk(f, data, stripe, id, func(array []byte) error {
			n, err := encoding.Describe(array, encoding.Options{VarintRowCount: f.VarintRowCounts()})
			if err != nil {
				return err
			}
			g := givenChunk{rows: n.Rows}
			if layouts {
				g.layout = layoutOf(n)
			}
			given = append(given, g)
			return nil
		})
		return given, err
	}
}

func layoutOf(n *encoding.Node) *encoding.Layout {
	l := &encoding.Layout{Kind: n.Kind, Compression: n.Compression}
	for _, c := range n.Children {
		l.Children = append(l.Children, layoutOf(c))
	}
	return l
}

// rebuild writes the rows of a file again, with the same stripes. given may be nil.
func rebuild(f *File, data []byte, o *WriterOptions, given givenChunks) ([]byte, error) {
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
		rows := vector.Row{}
		rows.N = r.Rows()
		for c := range f.Schema().Children {
			v, err := r.Read(c, r.Rows())
			if err != nil {
				return nil, err
			}
			rows.Fields = append(rows.Fields, v)
		}
		if rows.Valid, err = rootPresence(f, data, i); err != nil {
			return nil, err
		}
		if err := w.WriteRows(&rows); err != nil {
			return nil, err
		}
		for id, stream := range w.build.streams {
			if given == nil {
				break
			}
			if stream.chunks().given, err = given(i, uint32(id)); err != nil {
				return nil, err
			}
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

// rootPresence returns which rows of a stripe are not null as a whole, nil if all.
func rootPresence(f *File, data []byte, stripe int) (bits []uint64, err error) {
	row := 0
	err = eachChunk(f, data, stripe, f.root.stream, func(array []byte) error {
		d, err := encoding.OpenBool(NewSession(nil), array, encoding.Options{VarintRowCount: f.VarintRowCounts()})
		if err != nil {
			return err
		}
		defer d.Close()
		if bits == nil {
			bits = make([]uint64, vector.Words(f.StripeRows(stripe)))
		}
		if d.Rows() > f.StripeRows(stripe)-row {
			return fmt.Errorf("%d rows in a chunk of the root's nulls", d.Rows())
		}
		row += d.Rows()
		return d.ReadBits(bits, row-d.Rows(), d.Rows())
	})
	return bits, err
}

// compressed reports whether any payload of a stripe's stream is compressed, or its
// strings replaced by symbols, by a program whose bytes ours need not equal.
func compressed(f *File, data []byte) (bool, error) {
	for len(data) > 0 {
		chunk, rest, err := tablet.CutChunk(data)
		if err != nil {
			return false, err
		}
		if chunk.Codec != tablet.Raw {
			return true, nil
		}
		n, err := encoding.Describe(chunk.Payload, encoding.Options{VarintRowCount: f.VarintRowCounts()})
		if err != nil {
			return false, err
		}
		if anyCompressed(n) {
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
	return n.Compression != encoding.Uncompressed || n.Kind == encoding.KindFsst
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

// sectionsCompressed reports whether any section of a file is compressed.
func sectionsCompressed(f *File) bool {
	footer := f.Tablet().Footer()
	extents := append([]tablet.Extent{footer.Directory}, footer.Groups...)
	for _, s := range footer.Sections {
		extents = append(extents, s.Extent)
	}
	for _, e := range extents {
		if e.Codec != tablet.Raw {
			return true
		}
	}
	return false
}

// compareSections compares what the sections of two files hold, uncompressed.
func compareSections(f, g *File) error {
	names := func(f *File) (names []string) {
		for _, s := range f.Tablet().Footer().Sections {
			names = append(names, s.Name)
		}
		return names
	}
	if diff := cmp.Diff(names(f), names(g)); diff != "" {
		return fmt.Errorf("sections (-want +got):\n%s", diff)
	}
	for _, name := range names(f) {
		want, _, err1 := f.Tablet().Section(name)
		got, _, err2 := g.Tablet().Section(name)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		// Where groups of chunk statistics are depends on the sections before.
		if name != tablet.SectionChunkStats && !bytes.Equal(want, got) {
			return fmt.Errorf("section %s:\n got %x\nwant %x", name, got, want)
		}
	}
	if diff := cmp.Diff(f.Tablet().Stripes(), g.Tablet().Stripes()); diff != "" {
		return fmt.Errorf("stripes (-want +got):\n%s", diff)
	}
	return comparePlaces(f, g)
}

// comparePlaces compares where streams and chunks are in the stripes of two files.
func comparePlaces(f, g *File) error {
	for stripe, s := range f.Tablet().Stripes() {
		want, err1 := f.Tablet().Group(int(s.Group))
		got, err2 := g.Tablet().Group(int(s.Group))
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		wantChunks, err1 := f.Tablet().ChunkStats(want)
		gotChunks, err2 := g.Tablet().ChunkStats(got)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if (wantChunks == nil) != (gotChunks == nil) {
			return fmt.Errorf("stripe %d: one file alone has statistics of chunks", stripe)
		}
		for id := range uint32(max(want.Streams(), got.Streams())) {
			if want.Stream(stripe, id) != got.Stream(stripe, id) {
				return fmt.Errorf("stripe %d stream %d is at %v, want %v", stripe, id, got.Stream(stripe, id), want.Stream(stripe, id))
			}
			for i := 0; wantChunks != nil && i < wantChunks.Chunks(stripe, id); i++ {
				if i >= gotChunks.Chunks(stripe, id) || wantChunks.Chunk(stripe, id, i) != gotChunks.Chunk(stripe, id, i) {
					return fmt.Errorf("stripe %d stream %d: statistics of chunk %d", stripe, id, i)
				}
			}
		}
	}
	return nil
}
