package encoding

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
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
	RequestedEncoding string
	DataType          string
	Pattern           string
	Mode              string // of a selection
	RowCount          int
	VarintRowCount    bool
	Compression       string
	Nested            string
	Options           struct {
		ExactBits bool
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

// encodeLoad reads the values of a case, without those of null rows.
func encodeLoad(t *testing.T, dir, dataType, file, nulls string, rows int) *encodeInput {
	t.Helper()
	in := &encodeInput{dt: encodeTypeOf(t, dataType), rows: rows}
	data := encodeReadFile(t, dir, file)
	present := func(int) bool { return true }
	if nulls != "" {
		isNull := encodeReadFile(t, dir, nulls)
		in.valid = make([]uint64, vector.Words(rows)+1)
		for i, b := range isNull {
			if b == 0 {
				vector.SetBit(in.valid, i)
			}
		}
		present = func(i int) bool { return isNull[i] == 0 }
	}
	in.bits = make([]uint64, vector.Words(rows))
	var raw []byte
	for i := range rows {
		var value []byte
		switch width := in.dt.Bytes(); {
		case in.dt == String:
			n := int(binary.LittleEndian.Uint32(data))
			value, data = data[4:4+n], data[4+n:]
		default:
			value, data = data[:width], data[width:]
		}
		if !present(i) {
			continue
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
	if len(data) != 0 {
		t.Fatalf("%s: %d bytes left", file, len(data))
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
	}
	return l
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
func (k *encodeChecker) check(t *testing.T, dir string, c encodeGolden, codec Compression, got []byte) {
	t.Helper()
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
			Compression:    codec,
			AcceptRatio:    acceptAll,
			VarintRowCount: c.VarintRowCount,
			ExactBits:      c.Options.ExactBits,
			Layout:         forcedLayout(kind, dt, c.Nested, codec),
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
