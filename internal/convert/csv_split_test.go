package convert

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestSplitterMovesEachByteOnce splits a long record, for which the buffer grows,
// and short ones after it, in small blocks: what is buffered is moved when there
// is something to read, not with each block.
func TestSplitterMovesEachByteOnce(t *testing.T) {
	const longBytes, shortRows = 3 << 20, 400_000
	short := strings.Repeat("x,abcdefgh\n", shortRows)
	text := "h," + strings.Repeat("y", longBytes) + "\n\n" + short
	s := newSplitter(strings.NewReader(text), "t.csv", ',')
	rows, moved, buffered := 0, 0, false
	for {
		begin, end, room := s.begin+len(s.block.text), s.end, len(s.buf)
		b, err := s.next(16)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if room == len(s.buf) && s.begin != begin {
			moved += end - begin
		}
		buffered = buffered || s.begin > 0
		if at := len(text) - len(short); rows > 0 {
			want := at + (rows-1)*len("x,abcdefgh\n")
			if s.offset != int64(want) || b.line != rows+2 || string(b.bytes(&b.fields[1])) != "abcdefgh" {
				t.Fatalf("row %d is at byte %d, line %d, not at byte %d", rows, s.offset, b.line, want)
			}
		}
		rows += b.rows
	}
	if rows != 1+shortRows {
		t.Errorf("%d rows instead of %d", rows, 1+shortRows)
	}
	if !buffered || moved > len(text) {
		t.Errorf("%d bytes moved for %d", moved, len(text))
	}
	t.Logf("%d bytes moved for %d", moved, len(text))
}
