package nimble

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
)

// rebuildOptions are the writer's options that a case describes, or the reason
// why its file cannot be rebuilt.
func (c *goldenFile) rebuildOptions(f *File) (o *WriterOptions, reason string) {
	e := encoding.DefaultEncodeOptions()
	o = &WriterOptions{Encoding: &e, Metadata: f.Metadata(), Workers: 1}
	text := c.Options
	if before, order, ok := strings.Cut(text, "featureReordering {1:["); ok {
		keys, after, _ := strings.Cut(order, "]}")
		o.FlatMaps = map[string]FlatMapOptions{f.Schema().Names[1]: {Order: strings.Split(keys, ",")}}
		text = before + after
	}
	for _, token := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == ',' && !strings.HasPrefix(text, "schema") }) {
		token = strings.TrimSpace(token)
		if token == "" || plainOption.MatchString(token) || o.parse(token, f) {
			continue
		}
		factors, ok := strings.CutPrefix(token, "read factors ")
		if ok {
			e.Candidates, e.Compression = nil, encoding.Uncompressed
		}
		r, ok := readFactor(factors)
		if !ok {
			return nil, token
		}
		e.Candidates = append(e.Candidates, r)
	}
	return o, ""
}

// plainOption matches descriptions of what is a default, made by the data, or of no
// effect on streams that are not compressed.
var plainOption = regexp.MustCompile(`^(default|all null|all containers empty|\d+ (rows|columns|stripes)|flush (after every write|each)|` +
	`schemaAttributes .*|metadata (user\.key=value|empty)|disableSharedStringBuffers|identical columns( deduplicated)?|` +
	`no write\(\) call|write of 0 rows|no columns|flatMapColumns fm|all keys in all rows|dictionaryArrayColumns [am]|` +
	`deduplicatedMapColumns m|ignoreTopLevelNulls|chunk( after every write)?|fm2 dynamic|flat map|all maps empty|` +
	`flat map of dictionary arrays|flatmap c\d|integers/strings only|dictionaryArrayColumns \+ chunks|` +
	`(cluster|hash|sorted) index .*|comp Zstd|openzl|comp OpenZL|experimental)$`)

// parse sets what one word of a case's description says.
func (o *WriterOptions) parse(token string, f *File) bool {
	word, number := cutNumber(token)
	switch word {
	case "no compression policy":
		o.Encoding.Compression = encoding.Uncompressed
	case "lz", "comp Lz":
		o.Encoding.Compression = encoding.LZ4
	case "fixedBitWidthUseExactBits", "exactBits":
		o.Encoding.ExactBits = true
	case "experimentalCompactRowCountEncoding", "compactRowCount":
		o.Encoding.VarintRowCount = true
	case "all possible encodings factor":
		o.Encoding.Candidates = allCandidates()
	case "enableChunking=false", "nochunking":
		o.Unchunked = true
	case "skipConstantFlatMapInMapStreams", "skipInMap":
		o.DropConstantInMaps = true
	case "metadataCompressionThreshold=":
		o.CompressOverBytes = number
	case "metaCompression":
		o.CompressOverBytes = 1
	case "max chunk raw", "chunk max":
		o.ChunkBytes = number
	case "chunkCompression", "chunkCompression zstd":
		o.ChunkCodec = tablet.Zstd
	case "chunkCompression lz4 + chunking":
		o.ChunkCodec = tablet.LZ4
	case "Trivial only":
		o.Encoding.Candidates = []encoding.ReadFactor{{Kind: encoding.KindTrivial, Factor: 1}}
	case "enableStatsCollection=false":
		o.Stats = StatsNone
	case "enableStreamDeduplication=false", "noDedup":
		o.StoreEqualStreams = true
	case "stripe group kStreamMajor", "kStreamMajor + compact row count", "streamMajor":
		o.GroupsByStream = true
		o.Encoding.VarintRowCount = o.Encoding.VarintRowCount || strings.Contains(token, "compact")
	case "enableChunkIndex":
		o.ChunkStats, o.MinAverageChunks = true, DefaultMinAverageChunks
	case "chunkIndex":
		o.ChunkStats = true
	case "chunkStatsMinAvgChunks=":
		o.MinAverageChunks = float64(number)
	case "enableEncodingSelectionCache":
		o.KeepSelection = true
	case "fm predefined keys":
		var keys []string
		for _, k := range f.root.children[f.Schema().Field("fm")].keys {
			keys = append(keys, k.label)
		}
		o.FlatMaps = map[string]FlatMapOptions{"fm": {Keys: keys}}
	default:
		return false
	}
	return true
}

// cutNumber cuts the number off the end of a word, of bytes or without a unit.
func cutNumber(token string) (word string, number int) {
	m := numbered.FindStringSubmatch(token)
	if m == nil {
		return token, 0
	}
	number, err := strconv.Atoi(m[2])
	if err != nil {
		return token, 0
	}
	return strings.TrimSpace(m[1]), number
}

var numbered = regexp.MustCompile(`^(\D+?)(\d+)(?:B|\.0)?$`)

func readFactor(text string) (encoding.ReadFactor, bool) {
	name, factor, _ := strings.Cut(text, "=")
	x, err := strconv.ParseFloat(factor, 32)
	for k := range encoding.KindSharedDictionary {
		if err == nil && strings.EqualFold(k.String(), name) {
			return encoding.ReadFactor{Kind: k, Factor: float32(x)}, true
		}
	}
	return encoding.ReadFactor{}, false
}

// allCandidates are the encodings that can be selected.
func allCandidates() []encoding.ReadFactor {
	all := encoding.DefaultReadFactors()
	for _, k := range []encoding.Kind{
		encoding.KindALP, encoding.KindSimdForBitpack, encoding.KindBlockBitPacking,
		encoding.KindDeltaBlock, encoding.KindFsst, encoding.KindHuffman,
	} {
		all = append(all, encoding.ReadFactor{Kind: k})
	}
	for i := range all {
		all[i].Factor = 1
	}
	return all
}

// random reports whether the candidates of the case's encodings were random, and are
// not described.
func (c *goldenFile) random() bool { return strings.HasPrefix(c.Name, "fuzz_") }

// TestGoldenFilesRebuilt writes the rows of all files again, with encodings selected
// from rows and options. The files are equal unless a program that is not the
// reference's compressed a part, or there is an index, which the writer has not: then
// the streams are that have no such part, and the sections once they are decompressed.
func TestGoldenFilesRebuilt(t *testing.T) {
	rebuildAll(t, func(c *goldenFile) bool { return !c.random() })
}

// TestGoldenRandomFilesReplayed does so with the files whose candidates are not known.
// How their chunks are encoded is given; all else comes of rows and options.
func TestGoldenRandomFilesReplayed(t *testing.T) {
	rebuildAll(t, (*goldenFile).random)
}

func rebuildAll(t *testing.T, wanted func(*goldenFile) bool) {
	var files, whole, sections, streams int
	reasons := map[string]int{}
	for _, c := range goldenFiles(t) {
		if !wanted(&c) {
			continue
		}
		f := c.open(t)
		got, reason := c.rebuild(t, f)
		if reason != "" {
			reasons[reason]++
			continue
		}
		g := mustOpen(t, got)
		n, all, err := compareStreams(f, c.data, got)
		if err != nil {
			t.Errorf("%s (%s): %.500v", c.Name, c.Options, err)
			continue
		}
		checkStats(t, c.Name, f, got, all)
		files++
		streams += n
		_, indexed, err := f.Tablet().Section(tablet.SectionIndexes)
		if err != nil {
			t.Error(err)
		}
		switch {
		case !all || indexed:
		case sectionsCompressed(f) || sectionsCompressed(g):
			sections++
			if err := compareSections(f, g); err != nil {
				t.Errorf("%s (%s): %.500v", c.Name, c.Options, err)
			}
		default:
			whole++
			if !bytes.Equal(got, c.data) {
				t.Errorf("%s (%s): the streams are equal, the files of %d and %d bytes are not", c.Name, c.Options, len(got), len(c.data))
			}
		}
	}
	t.Logf("%d files rebuilt: %d byte for byte, %d whose sections alone are compressed, the uncompressed streams of %d (%d streams in all); not rebuilt: %v",
		files, whole, sections, files-whole-sections, streams, reasons)
	if whole == 0 {
		t.Error("no file could be compared as a whole")
	}
}

// rebuild returns the case's file written again, or the reason why it cannot be.
func (c *goldenFile) rebuild(t *testing.T, f *File) (data []byte, reason string) {
	t.Helper()
	o, reason := c.rebuildOptions(f)
	if reason != "" {
		return nil, reason
	}
	// When chunks were made is not in the rows.
	var given givenChunks
	if c.random() || !o.Unchunked && strings.Contains(strings.ToLower(c.Options), "chunk") {
		given = chunksOf(f, c.data, c.random())
	}
	data, err := rebuild(f, c.data, o, given)
	if errors.Is(err, encoding.ErrUnsupported) {
		return nil, refusal(err)
	}
	if err != nil {
		t.Fatalf("%s (%s): %v", c.Name, c.Options, err)
	}
	return data, ""
}
