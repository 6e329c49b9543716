package encoding

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/pool"
)

// encodeGolden is one line of a manifest or of the selections.
type encodeGolden struct {
	File              string
	Encoding          string // that was written
	RequestedEncoding string
	DataType          string
	Pattern           string
	Mode              string // of a selection
	RowCount          int
	VarintRowCount    bool
	Compression       string
	Nested            string
	Opt               string
	Options           struct {
		ExactBits                bool
		BlockBitPackingBlockSize int
		DeltaBlockSize           int
		Scope                    uint8
		DictionaryID             uint32
	}
	Layout       *encodeGoldenLayout
	ExpectedFile string
	AlphabetFile string
	NullsFile    string
}

type encodeGoldenLayout struct {
	Enc      string
	Comp     string
	Children []*encodeGoldenLayout
}

// encodeGoldenLines decodes the lines of a file of JSON lines in each golden
// folder that has it.
func encodeGoldenLines[T any](t *testing.T, pattern string, fn func(dir string, line T)) {
	t.Helper()
	for _, dir := range golden.Dirs(t, "nimble/encodings") {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sc := bufio.NewScanner(bytes.NewReader(raw))
			sc.Buffer(nil, 1<<20)
			for sc.Scan() {
				var line T
				if err := json.Unmarshal(sc.Bytes(), &line); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				fn(dir, line)
			}
		}
	}
}

func encodeKindOf(t *testing.T, name string) Kind {
	t.Helper()
	for k, n := range kindNames {
		if n == name {
			return Kind(k)
		}
	}
	t.Fatalf("unknown encoding %q", name)
	return 0
}

func encodeTypeOf(t *testing.T, name string) DataType {
	t.Helper()
	for dt, n := range dataTypeNames {
		if strings.EqualFold(n, name) {
			return DataType(dt)
		}
	}
	t.Fatalf("unknown data type %q", name)
	return 0
}

func encodeReadFile(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// encodeLoad reads the values of a case, all that there are if rows is negative.
func encodeLoad(t *testing.T, dir, dataType, file, nullsFile string, rows int) *encodeInput {
	t.Helper()
	var nulls []byte
	if nullsFile != "" {
		nulls = encodeReadFile(t, dir, nullsFile)
	}
	return encodeValues(dataType, encodeReadFile(t, dir, file), nulls, rows)
}

// fsstRatio is what an option _ratio2 means: Fsst whatever its size.
func (c *encodeGolden) fsstRatio() float64 {
	if strings.Contains(c.Opt, "_ratio2") {
		return math.Inf(1)
	}
	return 0
}

// restartRows is the N of an option _restartN.
func (c *encodeGolden) restartRows(t *testing.T) int {
	_, digits, ok := strings.Cut(c.Opt, "_restart")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// acceptAll keeps every compressed payload that fits where the raw one would.
const acceptAll = 1e9

// encodeChecker compares what was encoded with what is recorded.
type encodeChecker struct {
	session *Session
	// Nodes that may have a payload, and those where our build of the codec
	// compressed the payload less or more than the original, so that only one
	// of the two kept it.
	nodes, otherCodec int
}

func newEncodeChecker(p *pool.Pool) *encodeChecker { return &encodeChecker{session: NewSession(p)} }

// check compares bytes. Where payloads may be compressed their bytes depend on
// the build of the codec, so it compares the kinds of the tree and the values.
// The symbol table of Fsst depends on the build too, and on the table depends
// what is selected below: then it compares the kind of the root and the values.
func (k *encodeChecker) check(t *testing.T, dir string, c encodeGolden, codec Compression, got []byte) {
	t.Helper()
	if c.Encoding == KindFsst.String() {
		if kind := Kind(got[0]); kind != KindFsst {
			t.Errorf("%s: written as %v", c.File, kind)
		}
		k.checkValues(t, dir, c, got)
		return
	}
	if codec == Uncompressed {
		if want := encodeReadFile(t, dir, c.File); !bytes.Equal(got, want) {
			t.Errorf("%s:\ngot  %x\nwant %x", c.File, clip(got), clip(want))
		}
		return
	}
	tree, err := CaptureLayout(got, Options{VarintRowCount: c.VarintRowCount})
	if err != nil {
		t.Errorf("%s: %v", c.File, err)
		return
	}
	if got, want := layoutText(tree), c.Layout.text(); got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", c.File, got, want)
		return
	}
	k.compareCodecs(tree, c.Layout, codec)
	k.checkValues(t, dir, c, got)
}

// checkValues decodes what was encoded.
func (k *encodeChecker) checkValues(t *testing.T, dir string, c encodeGolden, got []byte) {
	t.Helper()
	decode := &goldenCase{
		DataType: c.DataType, RowCount: c.RowCount, VarintRowCount: c.VarintRowCount,
		data: got, values: encodeReadFile(t, dir, c.ExpectedFile),
	}
	if c.NullsFile != "" {
		decode.nulls = encodeReadFile(t, dir, c.NullsFile)
	}
	if err := conform(k.session, decode); err != nil {
		t.Errorf("%s: %v", c.File, err)
	}
}

func (k *encodeChecker) compareCodecs(l *Layout, want *encodeGoldenLayout, codec Compression) {
	k.nodes++
	if (l.Compression == codec) != (want.Comp != "none") {
		k.otherCodec++
	}
	for i, c := range l.Children {
		k.compareCodecs(c, want.Children[i], codec)
	}
}

func (k *encodeChecker) finish(t *testing.T) {
	t.Helper()
	t.Logf("compressed cases: %d of %d nodes differ in whether the payload was kept compressed", k.otherCodec, k.nodes)
	k.session.Release()
	if n := k.session.Pool().Stats().Outstanding; n != 0 {
		t.Errorf("%d buffers were not given back", n)
	}
}

// layoutText writes the kinds of a tree as Kind(children).
func layoutText(l *Layout) string {
	var children []string
	for _, c := range l.Children {
		children = append(children, layoutText(c))
	}
	return l.Kind.String() + "(" + strings.Join(children, " ") + ")"
}

func (l *encodeGoldenLayout) text() string {
	var children []string
	for _, c := range l.Children {
		children = append(children, c.text())
	}
	return l.Enc + "(" + strings.Join(children, " ") + ")"
}

var encodeCodecs = map[string]Compression{"none": Uncompressed, "zstd": Zstd, "lz4": LZ4}

// TestGoldenEncodeForced encodes values in a given encoding and compares bytes.
func TestGoldenEncodeForced(t *testing.T) {
	p := pool.New(pool.Options{})
	checker := newEncodeChecker(p)
	ran := map[Kind]int{}
	encodeGoldenLines(t, "manifest*.jsonl", func(dir string, c encodeGolden) {
		kind := encodeKindOf(t, c.RequestedEncoding)
		dt := encodeTypeOf(t, c.DataType)
		codec, ok := encodeCodecs[c.Compression]
		if !ok || !writesKind(kind) {
			return
		}
		e, err := NewEncoder(p, EncodeOptions{
			Compression:     codec,
			AcceptRatio:     acceptAll,
			VarintRowCount:  c.VarintRowCount,
			ExactBits:       c.Options.ExactBits,
			PackedBlockRows: c.Options.BlockBitPackingBlockSize,
			DeltaBlockRows:  c.Options.DeltaBlockSize,
			FsstRatio:       c.fsstRatio(),
			RestartRows:     c.restartRows(t),
			Layout:          forcedLayout(kind, dt, c.Nested, codec),
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := encodeLoad(t, dir, c.DataType, c.ExpectedFile, c.NullsFile, c.RowCount).encode(e, nil)
		if err != nil {
			t.Errorf("%s: %v", c.File, err)
			return
		}
		ran[kind]++
		checker.check(t, dir, c, codec, got)
	})
	encodeLogCounts(t, ran)
	checker.finish(t)
}

// writesKind reports whether the encoder has the encoding for any type.
func writesKind(k Kind) bool {
	return k == KindNullable || boolEncodeSuite()[k].append != nil ||
		stringEncodeSuite()[k].append != nil || numericEncodeSuite[uint64]()[k].append != nil
}

func encodeLogCounts(t *testing.T, ran map[Kind]int) {
	t.Helper()
	total := 0
	for k := range numKinds {
		if n := ran[Kind(k)]; n > 0 {
			t.Logf("%v: %d cases", Kind(k), n)
			total += n
		}
	}
	if total == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d cases", total)
}

func clip(b []byte) []byte { return b[:min(len(b), 160)] }

// TestGoldenEncodeRefused forces encodings on values that they cannot hold.
func TestGoldenEncodeRefused(t *testing.T) {
	type refusal struct{ Encoding, DataType, Pattern, Stage string }
	ran := map[Kind]int{}
	encodeGoldenLines(t, "skipped.jsonl", func(dir string, c refusal) {
		if c.Stage != "encode" {
			return
		}
		kind := encodeKindOf(t, c.Encoding)
		in := encodeLoad(t, dir, c.DataType, "data/"+c.DataType+"_"+c.Pattern+".expected", "", -1)
		o := EncodeOptions{Layout: forcedLayout(kind, in.dt, "trivial", Uncompressed)}
		if got, err := in.encode(mustEncoder(t, nil, o), nil); !errors.Is(err, ErrIncompatible) {
			t.Errorf("%s of %s %s: %x, %v", c.Encoding, c.DataType, c.Pattern, clip(got), err)
		}
		ran[kind]++
	})
	encodeLogCounts(t, ran)
}
