package encoding

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
)

// goldenCase is one line of a manifest: an array that the reference wrote.
type goldenCase struct {
	File           string          `json:"file"`
	Encoding       string          `json:"encoding"`
	DataType       string          `json:"dataType"`
	RowCount       int             `json:"rowCount"`
	VarintRowCount bool            `json:"varintRowCount"`
	Compression    string          `json:"compression"`
	ExpectedFile   string          `json:"expectedFile"`
	NullsFile      string          `json:"nullsFile"`
	AlphabetFile   string          `json:"alphabetFile"`
	Layout         json.RawMessage `json:"layout"`

	data     []byte
	values   []byte // as the README of the golden set describes them
	nulls    []byte // 1 where null, nil = none
	alphabet []byte
}

// goldenSet loads all cases of one root, or those that keep accepts.
type goldenSet struct {
	dir   string
	files map[string][]byte
	cases []*goldenCase
}

func loadGolden(tb testing.TB, dir string) *goldenSet {
	tb.Helper()
	set := &goldenSet{dir: dir, files: map[string][]byte{}}
	manifests, err := filepath.Glob(filepath.Join(dir, "manifest*.jsonl"))
	if err != nil || len(manifests) == 0 {
		tb.Fatalf("no manifest in %s (%v)", dir, err)
	}
	for _, m := range manifests {
		f, err := os.Open(m)
		if err != nil {
			tb.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			c := &goldenCase{}
			if err := json.Unmarshal(lines.Bytes(), c); err != nil {
				tb.Fatalf("%s: %v", m, err)
			}
			c.data = set.read(tb, c.File)
			c.values = set.read(tb, c.ExpectedFile)
			c.nulls = set.read(tb, c.NullsFile)
			c.alphabet = set.read(tb, c.AlphabetFile)
			set.cases = append(set.cases, c)
		}
		if err := lines.Err(); err != nil {
			tb.Fatalf("%s: %v", m, err)
		}
		if err := f.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	return set
}

// read returns a file of the set, nil for no name. Files are shared by cases.
func (s *goldenSet) read(tb testing.TB, name string) []byte {
	if name == "" {
		return nil
	}
	if b, ok := s.files[name]; ok {
		return b
	}
	b, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil {
		tb.Fatal(err)
	}
	s.files[name] = b
	return b
}

// options returns what the case has to be opened with.
func (c *goldenCase) options() Options {
	o := Options{VarintRowCount: c.VarintRowCount}
	if c.alphabet != nil {
		o.Alphabet = func(DictionaryScope, uint32) ([]byte, error) { return c.alphabet, nil }
	}
	return o
}

// refused reports whether the case is one that is refused by name.
func (c *goldenCase) refused() bool {
	switch {
	case c.Encoding == "SubIntSplit", c.Encoding == "FrequencyPartition":
		return true
	default:
		return strings.Contains(string(c.Layout), `"comp":"openzl"`)
	}
}

// null reports whether row i is null.
func (c *goldenCase) null(i int) bool { return c.nulls != nil && c.nulls[i] != 0 }

// strings cuts the expected values of a string case.
func (c *goldenCase) strings() [][]byte {
	var out [][]byte
	for b := c.values; len(b) > 0; {
		n := 4 + int(binary.LittleEndian.Uint32(b))
		out = append(out, b[4:n])
		b = b[n:]
	}
	return out
}

// forGolden runs fn for each case of each root, in one subtest a root.
func forGolden(t *testing.T, fn func(t *testing.T, c *goldenCase)) {
	for _, dir := range golden.Dirs(t, "nimble/encodings") {
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(dir)))), func(t *testing.T) {
			set := loadGolden(t, dir)
			for _, c := range set.cases {
				fn(t, c)
			}
			t.Logf("%d cases", len(set.cases))
		})
	}
}
