package convert

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestRecognize names a file by its content.
func TestRecognize(t *testing.T) {
	var zipped, zstandard bytes.Buffer
	g := gzip.NewWriter(&zipped)
	z, err := zstd.NewWriter(&zstandard)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []interface {
		Write(p []byte) (int, error)
		Close() error
	}{g, z} {
		if _, err := w.Write([]byte("a,b\n")); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, content, what string
		format              Format
		refusal             string // after the name
	}{
		{"a.csv", "", "CSV text", FormatCSV, ""},
		{"a.csv", "a,b\n", "CSV text", FormatCSV, ""},
		{"a.csv", "a,\xff\n", "CSV text", FormatCSV, ""},
		{"a.csv", "PAR1,b\n", "CSV text", FormatCSV, ""},
		{"a.csv", "PAR1", "CSV text", FormatCSV, ""},
		{"a.csv", "[id],{name}\n", "CSV text", FormatCSV, ""},
		{"a.csv", "{id},b\n", "CSV text", FormatCSV, ""},
		{"a.csv", "\xff\xfea\x00", "CSV text", FormatCSV, ""},
		{"a.csv", "BZh9,b\n", "CSV text", FormatCSV, ""},
		{"a.nimble", "a,ä\n", "CSV text", FormatCSV, ""},
		{"a.nimble", strings.Repeat("x", headBytes-1) + "ä", "CSV text", FormatCSV, ""},
		{"a.csv", "....\xfa\xa1", "Nimble", FormatNimble, ""},
		{"a.csv", "\xfa\xa1", "Nimble", FormatNimble, ""},
		{"a.csv", "PAR1PAR1", "Parquet", FormatParquet, ""},
		{"x.arrow", "ARROW1\x00\x00....", "damaged Arrow", 0, "damaged Arrow: it begins with ARROW1 and does not end with it"},
		{"a.csv", "ARROW1,b\n", "CSV text", FormatCSV, ""},
		{"x.gz", zipped.String(), "gzip-compressed", 0, "gzip-compressed: decompress it first"},
		{"x.zst", zstandard.String(), "zstd-compressed", 0, "zstd-compressed: decompress it first"},
		{"x.bz2", "BZh91AY&SY....", "bzip2-compressed", 0, "bzip2-compressed: decompress it first"},
		{"x.xz", "\xfd7zXZ\x00....", "xz-compressed", 0, "xz-compressed: decompress it first"},
		{"x.zip", "PK\x03\x04....", "zip-compressed", 0, "zip-compressed: decompress it first"},
		{"x", "\x7fELF....", "an ELF program", 0, "an ELF program: not Nimble, Parquet, Arrow or text"},
		{"h.jsonl", "{\"a\":1}\n{\"a\":2}\n", "JSON lines", FormatJSONL, ""},
		{"h.jsonl", "{}\n", "JSON lines", FormatJSONL, ""},
		{"h.csv", "\xef\xbb\xbf \n { \"a\": 1}", "JSON lines", FormatJSONL, ""},
		{"h.json", "[\n {\"a\":1}]\n", "JSON", 0, "one JSON array: write its elements on lines of their own"},
		{"x.parquet", "PAR1\x15\x04\x15", "damaged Parquet", 0, "damaged Parquet: it begins with PAR1 and does not end with it"},
		{"x.parquet", "PAR1....\x00", "damaged Parquet", 0, "damaged Parquet: it begins with PAR1 and does not end with it"},
		{"x.bin", "abc\x00", "", 0, "not Nimble, Parquet, Arrow or text (a NUL byte at byte 3)"},
		{"x.nimble", "abc\x00", "", 0, "not Nimble, Parquet, Arrow or text (a NUL byte at byte 3): a damaged Nimble file?"},
		{"x.nimble", "ab\x02", "", 0, "not Nimble, Parquet, Arrow or text (the byte 0x02 at byte 2): a damaged Nimble file?"},
		{"x.nimble", "ab\xff,", "", 0, "not Nimble, Parquet, Arrow or text (the byte 0xff at byte 2): a damaged Nimble file?"},
	} {
		got, err := Recognize(strings.NewReader(c.content), int64(len(c.content)), c.name)
		if err != nil || got.What != c.what || got.Format != c.format {
			t.Errorf("%s %.20q: %+v %v, want %q", c.name, c.content, got, err, c.what)
		}
		path := writeFile(t, c.name, c.content)
		_, err = FormatOfFile(path)
		if c.refusal == "" && err != nil {
			t.Errorf("%s %.20q: %v", c.name, c.content, err)
		}
		if c.refusal != "" && (!errors.Is(err, ErrFormat) || err.Error() != path+": "+c.refusal) {
			t.Errorf("%s %.20q: %v, want %s", c.name, c.content, err, c.refusal)
		}
		if src, openErr := OpenSource(t.Context(), path, Options{}); c.refusal != "" && (openErr == nil || openErr.Error() != err.Error()) {
			t.Errorf("%s %.20q opens as %v, %v", c.name, c.content, src, openErr)
		} else if openErr == nil {
			if err := src.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestCutShort cuts a file at every byte. The rest is refused: nothing of it is
// taken for text.
func TestCutShort(t *testing.T) {
	dir := t.TempDir()
	csv := writeFile(t, "in.csv", "a,b,c\n1,x,1.5\n2,y,2.25\n3,,\n")
	// So many bytes may be the name of a column.
	for name, shortest := range map[string]int{"t.nimble": 4, "t.parquet": len(parquetMark), "t.arrow": len(arrowMark)} {
		path := filepath.Join(dir, name)
		if _, err := Convert(t.Context(), csv, path, Options{}, nil); err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for size := len(whole) - 1; size > shortest; size-- {
			if err := os.Truncate(path, int64(size)); err != nil {
				t.Fatal(err)
			}
			if format, err := FormatOfFile(path); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "damaged") {
				t.Fatalf("%d of %d bytes of %s: %v %v", size, len(whole), name, format, err)
			}
		}
	}
}
