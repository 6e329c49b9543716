package tablet_test

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble/tablet"
)

func sortBy[T any, K cmp.Ordered](v []T, key func(T) K) {
	slices.SortStableFunc(v, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
}

// rebuild returns the raw bytes of a named section, made from what parsing raw
// gives; ok is false for names that this package does not parse.
func rebuild(name string, raw []byte) (again []byte, ok bool, err error) {
	switch name {
	case tablet.SectionSchema:
		nodes, err := tablet.ParseSchema(raw)
		return tablet.AppendSchema(nil, nodes), true, err
	case tablet.SectionMetadata:
		pairs, err := tablet.ParseMetadata(raw)
		return tablet.AppendMetadata(nil, pairs), true, err
	case tablet.SectionLegacyStats:
		rawBytes, err := tablet.ParseLegacyStats(raw)
		return tablet.AppendLegacyStats(nil, rawBytes), true, err
	case tablet.SectionFeatures:
		features, err := tablet.ParseFeatures(raw)
		return tablet.AppendFeatures(nil, features), true, err
	case tablet.SectionChunkStats:
		extents, err := tablet.ParseChunkRoot(raw)
		return tablet.AppendChunkRoot(nil, extents), true, err
	}
	return nil, false, nil
}

func TestGoldenSections(t *testing.T) {
	counts := map[string]int{}
	check := func(t *testing.T, name string, got, want []byte) {
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%x, want\n%x", name, got, want)
		}
		counts[name]++
	}
	for _, f := range goldenFiles(t) {
		t.Run(f.Name, func(t *testing.T) {
			file := mustOpen(t, f.data, 0)
			for _, s := range file.Footer().Sections {
				raw, _, err := file.Section(s.Name)
				if err != nil {
					t.Fatal(err)
				}
				again, ok, err := rebuild(s.Name, raw)
				if err != nil {
					t.Fatal(err)
				}
				if ok {
					check(t, s.Name, again, raw)
				}
			}
			p := file.Postscript()
			if p.FooterCodec == tablet.Raw {
				end := len(f.data) - tablet.PostscriptLen
				check(t, "footer", file.Footer().Append(nil), f.data[end-int(p.FooterLen):end])
			}
			if e := file.Footer().Directory; e.Len != 0 && e.Codec == tablet.Raw {
				check(t, "directory", tablet.AppendDirectory(nil, file.Stripes()), f.data[e.Pos:e.Pos+uint64(e.Len)])
			}
			for i, e := range file.Footer().Groups {
				if e.Codec == tablet.Raw {
					check(t, "group", rebuildGroup(t, file, i, f), f.data[e.Pos:e.Pos+uint64(e.Len)])
				}
			}
		})
	}
	t.Log(counts)
}

func isByStream(f goldenFile) bool {
	return strings.Contains(f.Options, "treamMajor")
}

func rebuildGroup(t *testing.T, file *tablet.Tablet, index int, f goldenFile) []byte {
	g, err := file.Group(index)
	if err != nil {
		t.Fatal(err)
	}
	var starts, lens []uint32
	first, end := g.Stripes()
	for stripe := first; stripe < end; stripe++ {
		for id := range g.Streams() {
			r := g.Stream(stripe, uint32(id))
			start := uint32(0)
			if r.Len != 0 {
				start = uint32(r.Pos - file.Stripes()[stripe].Pos)
			}
			starts = append(starts, start)
			lens = append(lens, uint32(r.Len))
		}
	}
	if !isByStream(f) {
		return tablet.AppendGroup(nil, end-first, starts, lens)
	}
	raw, err := tablet.AppendGroupByStream(nil, end-first, starts, lens, encodeGroupArray)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

var (
	thresholdOption = regexp.MustCompile(`metadataCompressionThreshold=(\d+)`)
	averageOption   = regexp.MustCompile(`chunkStatsMinAvgChunks=(\d+)`)
)

// writerOptions are the options under which the reference wrote f.
func writerOptions(f goldenFile) tablet.WriterOptions {
	opts := tablet.WriterOptions{
		DedupStreams: !strings.Contains(f.Options, "noDedup") && !strings.Contains(f.Options, "enableStreamDeduplication=false"),
		ChunkStats:   strings.Contains(f.Options, "unkIndex"),
	}
	if strings.Contains(f.Options, "enableChunkIndex") {
		opts.MinAverageChunks = 2 // the default; the random files have 0
	}
	if isByStream(f) {
		opts.EncodeGroupArray = encodeGroupArray
	}
	if m := thresholdOption.FindStringSubmatch(f.Options); m != nil {
		opts.CompressOverBytes, _ = strconv.Atoi(m[1])
	}
	if m := averageOption.FindStringSubmatch(f.Options); m != nil {
		opts.MinAverageChunks, _ = strconv.ParseFloat(m[1], 64)
	}
	return opts
}

// rewrite writes the pieces of a file anew.
func rewrite(t *testing.T, file *tablet.Tablet, opts tablet.WriterOptions) []byte {
	var out bytes.Buffer
	w := tablet.NewWriter(&out, opts)
	var plan tablet.Plan
	for stripe, s := range file.Stripes() {
		g, err := file.Group(int(s.Group))
		if err != nil {
			t.Fatal(err)
		}
		stats, err := file.ChunkStats(g)
		if err != nil {
			t.Fatal(err)
		}
		ids := make([]uint32, g.Streams())
		for id := range ids {
			ids[id] = uint32(id)
		}
		sortBy(ids, func(id uint32) uint64 { return g.Stream(stripe, id).Pos })
		plan.Reset(g, stripe, ids)
		if err := plan.Load(make([]byte, plan.Size())); err != nil {
			t.Fatal(err)
		}
		streams := make([]tablet.Stream, len(ids))
		for i, id := range ids {
			streams[i] = tablet.Stream{ID: id, Data: plan.Stream(i), Chunks: chunkPlaces(t, plan.Stream(i))}
			for j := range streams[i].Chunks {
				if stats != nil {
					streams[i].Chunks[j].Rows = stats.Chunk(stripe, id, j).Rows
					streams[i].Chunks[j].Nulls = stats.Chunk(stripe, id, j).Nulls
				}
			}
		}
		if err := w.WriteStripe(s.Rows, streams); err != nil {
			t.Fatal(err)
		}
	}
	sections := slices.Clone(file.Footer().Sections)
	sortBy(sections, func(s tablet.Section) uint64 { return s.Pos })
	for _, s := range sections {
		if s.Name == tablet.SectionChunkStats {
			continue
		}
		raw, _, err := file.Section(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.AddSection(s.Name, raw); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// chunkPlaces finds where the chunks of a stream begin.
func chunkPlaces(t *testing.T, stream []byte) []tablet.ChunkStat {
	var chunks []tablet.ChunkStat
	for rest := stream; len(rest) > 0; {
		chunks = append(chunks, tablet.ChunkStat{Pos: uint32(len(stream) - len(rest)), Rows: 1})
		var err error
		if _, rest, err = tablet.CutChunk(rest); err != nil {
			t.Fatal(err)
		}
	}
	return chunks
}

// A file put together again from its streams and sections has the same bytes,
// unless it has compressed sections (another compressor's bytes) or an index,
// which lies outside stripes and named sections.
func TestGoldenRewrite(t *testing.T) {
	same, compressed, indexed := 0, 0, 0
	for _, f := range goldenFiles(t) {
		t.Run(f.Name, func(t *testing.T) {
			file := mustOpen(t, f.data, 0)
			got := rewrite(t, file, writerOptions(f))
			_, hasIndex, err := file.Section(tablet.SectionIndexes)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case hasIndex:
				indexed++
			case hasZstd(file):
				compressed++
			default:
				same++
				if !bytes.Equal(got, f.data) {
					t.Errorf("got %d bytes, want %d; they differ from %d on", len(got), len(f.data), commonPrefix(got, f.data))
				}
				return
			}
			again := mustOpen(t, got, 0)
			if err := readAll(again); err != nil {
				t.Error(err)
			}
			for _, s := range file.Footer().Sections {
				want, _, _ := file.Section(s.Name)
				raw, ok, err := again.Section(s.Name)
				if s.Name != tablet.SectionChunkStats && (!ok || err != nil || !bytes.Equal(raw, want)) {
					t.Errorf("section %s differs: %t, %v", s.Name, ok, err)
				}
			}
			if stripes := again.Stripes(); !slices.Equal(stripes, file.Stripes()) {
				t.Errorf("got stripes %v, want %v", stripes, file.Stripes())
			}
		})
	}
	t.Logf("%d files with the same bytes, %d with compressed sections, %d with an index", same, compressed, indexed)
}

func hasZstd(file *tablet.Tablet) bool {
	f := file.Footer()
	isZstd := func(e tablet.Extent) bool { return e.Codec == tablet.Zstd }
	return file.Postscript().FooterCodec == tablet.Zstd || isZstd(f.Directory) || slices.ContainsFunc(f.Groups, isZstd) ||
		slices.ContainsFunc(f.Sections, func(s tablet.Section) bool { return isZstd(s.Extent) })
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
