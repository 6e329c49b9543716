package encoding

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// encodeGolden is one line of a manifest or of the selections.
type encodeGolden struct {
	dir               string
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
	}
	Layout       *encodeGoldenLayout
	ExpectedFile string
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

// encodeInput is an array in the shapes that the encoder takes.
type encodeInput struct {
	dt      DataType
	u8      []uint8
	u16     []uint16
	u32     []uint32
	u64     []uint64
	views   []vector.View
	buffers [][]byte
	bits    []uint64
	present int
	valid   []uint64 // nil: no nulls
	rows    int
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

// encodeLoad reads the values of a case.
func encodeLoad(t *testing.T, dir, dataType, file, nullsFile string, rows int) *encodeInput {
	t.Helper()
	var nulls []byte
	if nullsFile != "" {
		nulls = encodeReadFile(t, dir, nullsFile)
	}
	return encodeValues(dataType, encodeReadFile(t, dir, file), nulls, rows)
}

// encodeValues takes values as the README of the golden set describes them, and
// leaves out those of null rows.
func encodeValues(dataType string, data, nulls []byte, rows int) *encodeInput {
	in := &encodeInput{rows: rows, bits: make([]uint64, vector.Words(rows))}
	for dt, name := range dataTypeNames {
		if strings.EqualFold(name, dataType) {
			in.dt = DataType(dt)
		}
	}
	if nulls != nil {
		in.valid = make([]uint64, vector.Words(rows)+1)
	}
	var raw []byte
	for i := range rows {
		var value []byte
		switch width := in.dt.Bytes(); in.dt {
		case String:
			n := int(binary.LittleEndian.Uint32(data))
			value, data = data[4:4+n], data[4+n:]
		default:
			value, data = data[:width], data[width:]
		}
		if nulls != nil {
			if nulls[i] != 0 {
				continue
			}
			vector.SetBit(in.valid, i)
		}
		switch in.dt {
		case String:
			in.views = append(in.views, vector.MakeView(value, uint32(len(in.buffers)), 0))
			in.buffers = append(in.buffers, value)
		case Bool:
			if value[0] != 0 {
				vector.SetBit(in.bits, in.present)
			}
		default:
			raw = append(raw, value...)
		}
		in.present++
	}
	switch in.dt.Bytes() {
	case 1:
		in.u8 = encodeNumbers[uint8](raw)
	case 2:
		in.u16 = encodeNumbers[uint16](raw)
	case 4:
		in.u32 = encodeNumbers[uint32](raw)
	case 8:
		in.u64 = encodeNumbers[uint64](raw)
	}
	return in
}

// encodeNumbers returns raw little-endian bytes as numbers.
func encodeNumbers[T Integer](raw []byte) []T {
	out := make([]T, len(raw)/physicalBytes[T]())
	if _, err := binary.Decode(raw, binary.LittleEndian, out); err != nil {
		panic(err)
	}
	return out
}

// encode runs the entry point for the input's type.
func (in *encodeInput) encode(e *Encoder, dst []byte) ([]byte, error) {
	switch {
	case in.dt == String:
		return AppendNullableStrings(e, dst, in.views, in.buffers, in.valid, in.rows)
	case in.dt == Bool:
		return AppendNullableBools(e, dst, in.bits, in.valid, in.rows)
	}
	switch in.dt.Bytes() {
	case 1:
		return AppendNullable(e, dst, in.dt, in.u8, in.valid, in.rows)
	case 2:
		return AppendNullable(e, dst, in.dt, in.u16, in.valid, in.rows)
	case 4:
		return AppendNullable(e, dst, in.dt, in.u32, in.valid, in.rows)
	}
	return AppendNullable(e, dst, in.dt, in.u64, in.valid, in.rows)
}

// trivialLayout is the layout of Trivial through and through.
func trivialLayout(dt DataType, c Compression) *Layout {
	l := &Layout{Kind: KindTrivial, Compression: c}
	if dt == String {
		l.Children = []*Layout{{Kind: KindTrivial, Compression: c}}
	}
	return l
}

// forcedLayout is the layout of kind with its children Trivial or selected.
func forcedLayout(kind Kind, dt DataType, nested string, c Compression) *Layout {
	if kind == KindTrivial && dt == String || kind == KindSparseBool || kind == KindRLE && dt == Bool {
		return &Layout{Kind: kind, Compression: c, Children: nestedLayouts(nested, c, Uint32)}
	}
	l := &Layout{Kind: kind, Compression: c}
	switch kind {
	case KindDictionary:
		l.Children = nestedLayouts(nested, c, dt, Uint32)
	case KindRLE:
		l.Children = nestedLayouts(nested, c, Uint32, dt)
	case KindMainlyConstant:
		l.Children = nestedLayouts(nested, c, Bool, dt)
	case KindNullable:
		l.Children = nestedLayouts(nested, c, dt, Bool)
	case KindDelta:
		l.Children = nestedLayouts(nested, c, dt, dt, Bool)
	case KindALP:
		l.Children = nestedLayouts(nested, c, Uint64, Uint32, dt)
	case KindPFOR:
		l.Children = nestedLayouts(nested, c, Uint32, dt)
	case KindFsst:
		l.Children = nestedLayouts(nested, c, Uint32)
	case KindBlockBitPacking, KindFOR:
		l.Children = nestedLayouts(nested, c, Uint8, Uint32, Uint64)
	}
	return l
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

func nestedLayouts(nested string, c Compression, types ...DataType) []*Layout {
	out := make([]*Layout, len(types))
	for i, dt := range types {
		if nested == "trivial" {
			out[i] = trivialLayout(dt, c)
		}
	}
	return out
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
