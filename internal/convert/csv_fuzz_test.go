package convert

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble"
)

// cell is a field as a person sees it.
type cell struct {
	text   string
	quoted bool
}

// cells cuts a text into records.
func cells(text string) ([][]cell, error) {
	s := newSplitter(bytes.NewReader([]byte(text)), "fuzz", ',')
	var records [][]cell
	for {
		b, err := s.next(3)
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return nil, err
		}
		for row := range b.rows {
			var record []cell
			for col := range b.columns {
				f := &b.fields[row*b.columns+col]
				record = append(record, cell{string(b.bytes(f)), f.quoted})
			}
			records = append(records, record)
		}
	}
}

// FuzzCSVInfer reads any text as CSV, writes it, and reads that again. Nulls and
// text stay what they are, numbers stay equal, and the types are the same.
func FuzzCSVInfer(f *testing.F) {
	for _, text := range []string{
		"a,b\n1,x\n", "a\n1\n1.7\n007\n", "a\n\"1\"\n", "a,b\r\n,\"\"\r\n", "a\n-0\n1e+21\n", "a\n1.10\n2.20\n",
		"a\n2013-01-01\n", "a\n2013-01-01 10:00:00.50+01:00\n", "a\nNaN\n0.1\n", "a\n9007199254740993\n1.5\n",
		"a,b\n\"x\"\"y\n\",NA\n", "a\n0.000001\n1e-07\n5.0\n", "a\ntrue\n\n", "\xef\xbb\xbfa\n1\n", "a\n12E4\n",
	} {
		f.Add(text)
	}
	path := filepath.Join(f.TempDir(), "in.csv")
	f.Fuzz(func(t *testing.T, text string) {
		o := Options{Nulls: []string{"NA"}}
		first, err := cells(text)
		schema, out, openErr := rewrite(t, path, text, o)
		if wrong := err != nil || len(first) == 0; wrong != (openErr != nil) && (wrong || !wrongHeader(openErr)) {
			t.Fatalf("split: %v, read: %v", err, openErr)
		}
		if openErr != nil {
			return
		}
		second, err := cells(out)
		if err != nil || len(first) != len(second) {
			t.Fatalf("%q became %q: %v", text, out, err)
		}
		for row := range first {
			for col, a := range first[row] {
				if b := second[row][col]; !same(a, b, row > 0, schema.Children[col].Kind == nimble.Double) {
					t.Fatalf("%+v became %+v in %q as %v", a, b, out, schema)
				}
			}
		}
		again, out2, err := rewrite(t, path, out, o)
		if err != nil || out2 != out || !again.Equal(schema) {
			t.Fatalf("%q as %v became %q as %v: %v", out, schema, out2, again, err)
		}
	})
}

// wrongHeader reports whether a text was split, but its header is refused.
func wrongHeader(err error) bool {
	return strings.Contains(err.Error(), "already") || strings.Contains(err.Error(), "--delimiter")
}

// rewrite reads a text as CSV and writes it as CSV.
func rewrite(t *testing.T, path, text string, o Options) (schema *nimble.Type, out string, err error) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := OpenSource(t.Context(), path, Options{From: FormatCSV, Nulls: o.Nulls})
	if err != nil {
		return nil, "", err
	}
	defer src.Close()
	out, err = drain(src, FormatCSV, o)
	if err != nil {
		t.Fatalf("what was inferred is not read: %v", err)
	}
	return src.Schema(), out, nil
}

// same reports whether a field is what another one was.
func same(a, b cell, isValue, isDouble bool) bool {
	if isValue {
		null := func(c cell) bool { return !c.quoted && (c.text == "" || c.text == "NA") }
		if null(a) || null(b) {
			return null(a) && null(b)
		}
		if isDouble && !isNonFinite([]byte(a.text)) {
			return sameNumber([]byte(a.text), []byte(b.text))
		}
	}
	return a.text == b.text
}

// FuzzCSVSplit compares with the standard library where it takes a text for
// CSV: it is stricter, and treats carriage returns in another way.
func FuzzCSVSplit(f *testing.F) {
	for _, text := range []string{"a,b\n1,2\n", "\"a\"\"b\",\"\n\"\n\n,\n", "a,b", "a,\"b\"\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if bytes.ContainsAny([]byte(text), "\r") {
			return
		}
		want, err := csv.NewReader(bytes.NewReader([]byte(text))).ReadAll()
		if err != nil || len(want) == 0 || len(want[0]) == 1 {
			return
		}
		got, err := cells(text)
		if bytes.HasPrefix([]byte(text), []byte("\xff\xfe")) || bytes.HasPrefix([]byte(text), []byte("\xfe\xff")) ||
			bytes.HasPrefix([]byte(text), []byte("\xef\xbb\xbf")) || text[0] == '\n' {
			return
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: %v, %d records instead of %d", text, err, len(got), len(want))
		}
		for row := range want {
			for col := range want[row] {
				if got[row][col].text != want[row][col] {
					t.Fatalf("%q: %q instead of %q", text, got[row][col].text, want[row][col])
				}
			}
		}
	})
}
