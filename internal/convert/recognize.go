package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// The marks of the formats that are read: the last bytes of a Nimble file, the
// first and the last of a Parquet and of an Arrow file, the first of an Arrow stream.
const (
	nimbleMark      = "\xfa\xa1"
	parquetMark     = "PAR1"
	arrowMark       = "ARROW1"
	arrowStreamMark = "\xff\xff\xff\xff"
)

// unread are the beginnings of files that people hand over and that are not
// read, with what such a file is and what can be done about it.
var unread = []struct{ mark, what, why string }{
	{"\x1f\x8b", "gzip-compressed", "decompress it first"},
	{"\x28\xb5\x2f\xfd", "zstd-compressed", "decompress it first"},
	{"\x04\x22\x4d\x18", "LZ4-compressed", "decompress it first"},
	{"\xfd7zXZ\x00", "xz-compressed", "decompress it first"},
	{"PK\x03\x04", "zip-compressed", "decompress it first"},
	{"\x7fELF", "an ELF program", "not Nimble, Parquet, Arrow or text"},
}

// bzip2 has a digit, the size of its blocks, between its marks.
const (
	bzip2Mark  = "BZh"
	bzip2Block = "\x31\x41\x59\x26\x53\x59"
)

// Content is what the first and the last bytes of a file say that it is.
type Content struct {
	// Format is one that can be read, or FormatAuto.
	Format Format
	// What stands after "it is": "CSV text", "gzip-compressed". It is empty for
	// bytes that nothing is known of.
	What string
	// refusal is why the file is not read, if the format cannot be.
	refusal string
}

// Err returns why a file of that name is not read, nil if it is. It wraps
// [ErrFormat].
func (c Content) Err(name string) error {
	if c.Format != FormatAuto {
		return nil
	}
	return &formatError{name, c.refusal}
}

// headBytes is how much of a file is looked at.
const headBytes = 64 << 10

// Recognize looks at the first and the last bytes of a file: what ends as a Nimble
// file or begins and ends as a Parquet or an Arrow file is one, and text is CSV,
// or JSON lines if it begins as an object. The name
// matters where bytes are of no kind that is known, which may be a damaged file.
// Errors are those of reading.
func Recognize(r io.ReaderAt, size int64, name string) (Content, error) {
	head := make([]byte, min(size, headBytes))
	if _, err := r.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return Content{}, err
	}
	tail := make([]byte, min(size, int64(len(arrowMark))))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return Content{}, err
	}
	switch {
	case isWhole(head, tail, size, parquetMark):
		return Content{Format: FormatParquet, What: "Parquet"}, nil
	case isWhole(head, tail, size, arrowMark):
		return Content{Format: FormatArrow, What: "an Arrow file"}, nil
	case bytes.HasPrefix(head, []byte(arrowStreamMark)):
		return Content{Format: FormatArrowStream, What: "an Arrow stream"}, nil
	case bytes.HasSuffix(tail, []byte(nimbleMark)):
		return Content{Format: FormatNimble, What: "Nimble"}, nil
	}
	return recognizeHead(head, strings.EqualFold(filepath.Ext(name), ".nimble")), nil
}

// isWhole reports whether a file begins and ends with a mark.
func isWhole(head, tail []byte, size int64, mark string) bool {
	return size >= 2*int64(len(mark)) && bytes.HasPrefix(head, []byte(mark)) && bytes.HasSuffix(tail, []byte(mark))
}

// recognizeHead says what a file is that is neither Nimble nor Parquet nor Arrow.
func recognizeHead(head []byte, namedNimble bool) Content {
	for _, f := range unread {
		if bytes.HasPrefix(head, []byte(f.mark)) {
			return Content{What: f.what, refusal: f.what + ": " + f.why}
		}
	}
	if len(head) >= 10 && string(head[:3]) == bzip2Mark && string(head[4:10]) == bzip2Block {
		return Content{What: "bzip2-compressed", refusal: "bzip2-compressed: decompress it first"}
	}
	switch what := jsonKind(head); what {
	case jsonLinesText:
		return Content{Format: FormatJSONL, What: what}
	case jsonText:
		return Content{What: what, refusal: "one JSON array: write its elements on lines of their own"}
	}
	odd := bytes.IndexByte(head, 0)
	if namedNimble {
		odd = oddByte(head)
	}
	if bytes.HasPrefix(head, []byte(parquetMark)) && (odd >= 0 || isControl(head[min(4, len(head)-1)])) {
		return Content{What: "damaged Parquet", refusal: "damaged Parquet: it begins with PAR1 and does not end with it"}
	}
	if bytes.HasPrefix(head, []byte(arrowMark+"\x00")) {
		return Content{What: "damaged Arrow", refusal: "damaged Arrow: it begins with ARROW1 and does not end with it"}
	}
	if odd < 0 || isUTF16(head) { // that it is UTF-16 is said with the place
		return Content{Format: FormatCSV, What: "CSV text"}
	}
	what := "a NUL byte"
	if head[odd] != 0 {
		what = fmt.Sprintf("the byte 0x%02x", head[odd])
	}
	refusal := fmt.Sprintf("not Nimble, Parquet, Arrow or text (%s at byte %d)", what, odd)
	if namedNimble {
		refusal += ": a damaged Nimble file?"
	}
	return Content{refusal: refusal}
}

// What text that begins as JSON is called.
const (
	jsonLinesText = "JSON lines"
	jsonText      = "JSON"
)

// jsonKind returns what text that begins as JSON is called, "" for other text. A
// brace or a bracket may also begin a name in the header of a CSV file, so that
// one more token must be JSON.
func jsonKind(head []byte) string {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n")
	if len(text) < 2 || text[0] != '{' && text[0] != '[' {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(text))
	for range 2 {
		if _, err := d.Token(); err != nil {
			return ""
		}
	}
	if text[0] == '{' {
		return jsonLinesText
	}
	return jsonText
}

// isControl reports whether a byte is a control character that no text has.
func isControl(c byte) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' }

// oddByte returns the place of the first byte that UTF-8 text does not have, -1 if
// there is none. A character that the end cuts off is text.
func oddByte(head []byte) int {
	for i := 0; i < len(head); {
		r, size := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && size == 1 && utf8.FullRune(head[i:]) || isControl(head[i]) {
			return i
		}
		i += size
	}
	return -1
}

func isUTF16(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
}
