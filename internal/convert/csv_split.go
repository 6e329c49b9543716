package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Limits of a CSV file. A block of records is at most one buffer of text and
// maxBlockFields fields of 12 bytes.
const (
	firstBufferBytes = 256 << 10
	maxRecordBytes   = 64 << 20
	maxColumns       = 1 << 16
	maxBlockFields   = 1 << 20
)

// field is one field of a block: text[begin:end], its quotes and the second of
// each pair of quotes inside taken away.
type field struct {
	begin, end uint32
	quoted     bool
}

// block is some records of a CSV file. It is valid until the splitter's next
// call; until then those who read it may write to text.
type block struct {
	text    []byte
	fields  []field // row by row
	columns int
	rows    int
	line    int // of the first byte of text, from 1
}

// bytes returns the text of a field, which may be written to.
func (b *block) bytes(f *field) []byte { return b.text[f.begin:f.end:f.end] }

// column returns the fields from the given column of the first row on; every
// b.columns-th belongs to the column.
func (b *block) column(col int) []field {
	if b.rows == 0 {
		return nil
	}
	return b.fields[col:]
}

// lineOf returns the line on which the field of a row and column begins.
func (b *block) lineOf(row, col int) int {
	f := b.fields[row*b.columns+col]
	return b.line + bytes.Count(b.text[:f.begin], newline)
}

var (
	newline       = []byte{'\n'}
	byteOrderMark = []byte("\xef\xbb\xbf")
)

// splitter cuts CSV into records and fields, a block at a time, and lends out
// its buffer instead of copying.
type splitter struct {
	src   io.Reader
	name  string // of the file, for errors
	first string // what the first record is, for errors
	delim byte

	buf     []byte
	begin   int // of what no block has had
	end     int
	atEOF   bool
	line    int   // of buf[begin]
	offset  int64 // of buf[begin] in the file
	started bool
	escaped []uint32 // fields of the block with pairs of quotes inside
	block   block
}

func newSplitter(src io.Reader, name string, delim byte) *splitter {
	return &splitter{src: src, name: name, first: "the header", delim: delim, buf: make([]byte, firstBufferBytes), line: 1}
}

// next returns the next records, at least one and at most maxRows, or io.EOF.
// All records of a file have as many fields as the first one. Errors are of
// type *PlaceError.
func (s *splitter) next(maxRows int) (*block, error) {
	b := &s.block
	s.drop(len(b.text))
	*b = block{fields: b.fields[:0], columns: b.columns, line: s.line}
	s.escaped = s.escaped[:0]
	// Where at least half of the buffer is ahead it stays where it is, so that
	// each byte is moved once at most, however small the blocks are.
	if s.end-s.begin < len(s.buf)/2 {
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
	if b.columns > 0 {
		maxRows = max(1, min(maxRows, maxBlockFields/b.columns))
	}
	for {
		used, err := s.records(maxRows)
		if err != nil {
			return nil, err
		}
		if b.rows > 0 {
			b.text = s.buf[s.begin : s.begin+used]
			s.unescape()
			return b, nil
		}
		switch {
		case used > 0: // nothing but empty lines
			s.drop(used)
			b.line = s.line
			err = s.fill()
		case s.atEOF:
			err = io.EOF
		case s.begin > 0:
			err = s.fill()
		default:
			err = s.grow()
		}
		if err != nil {
			return nil, err
		}
	}
}

// drop forgets the first n bytes, which were a block.
func (s *splitter) drop(n int) {
	s.line += bytes.Count(s.buf[s.begin:s.begin+n], newline)
	s.begin += n
	s.offset += int64(n)
}

// unread makes the next block begin with the first record of this one.
func (s *splitter) unread() { s.block.text = nil }

// fill moves what is left to the front of the buffer and reads until it is full,
// unless the file is at its end.
func (s *splitter) fill() error {
	if !s.atEOF {
		copy(s.buf, s.buf[s.begin:s.end])
		s.begin, s.end = 0, s.end-s.begin
		n, err := io.ReadFull(s.src, s.buf[s.end:])
		s.end += n
		s.atEOF = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !s.atEOF {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if s.started {
		return nil
	}
	s.started = true
	if isUTF16(s.buf[:s.end]) {
		return s.errorAt(1, 1, errors.New("the text is UTF-16, not UTF-8"))
	}
	if bytes.HasPrefix(s.buf[:s.end], byteOrderMark) {
		s.begin, s.offset = 3, 3
	}
	return nil
}

// grow doubles the buffer, in which there is no whole record.
func (s *splitter) grow() error {
	if len(s.buf) >= maxRecordBytes {
		return s.errorAt(s.line, 1, fmt.Errorf("a record exceeds %d bytes", maxRecordBytes))
	}
	bigger := make([]byte, 2*len(s.buf))
	copy(bigger, s.buf[:s.end])
	s.buf = bigger
	return s.fill()
}

// records adds whole records to the block and returns how many bytes they have.
func (s *splitter) records(maxRows int) (used int, err error) {
	b := &s.block
	pos := s.begin
	for b.rows < maxRows && pos < s.end {
		if b.columns > 1 && s.emptyLine(pos) {
			pos += 1 + bytes.IndexByte(s.buf[pos:s.end], '\n')
			continue
		}
		first, escaped := len(b.fields), len(s.escaped)
		next, whole, err := s.record(pos)
		if err != nil {
			return 0, err
		}
		if !whole {
			b.fields, s.escaped = b.fields[:first], s.escaped[:escaped]
			break
		}
		if err := s.checkColumns(pos, len(b.fields)-first); err != nil {
			return 0, err
		}
		b.rows++
		pos = next
	}
	return pos - s.begin, nil
}

// emptyLine reports whether nothing but a line end is at pos.
func (s *splitter) emptyLine(pos int) bool {
	c := s.buf[pos]
	return c == '\n' || c == '\r' && pos+1 < s.end && s.buf[pos+1] == '\n'
}

// checkColumns checks the number of fields of the record at pos.
func (s *splitter) checkColumns(pos, n int) error {
	b := &s.block
	switch {
	case n == b.columns:
		return nil
	case n > maxColumns:
		return s.errorAt(s.lineAt(pos), maxColumns+1, fmt.Errorf("more than %d columns", maxColumns))
	case b.columns == 0:
		b.columns = n
		return nil
	}
	unit := "fields"
	if n == 1 {
		unit = "field"
	}
	return s.errorAt(s.lineAt(pos), 0, fmt.Errorf("%d %s, %s has %d", n, unit, s.first, b.columns))
}

// record adds the fields of the record at pos to the block. It returns where
// the next record begins, and whole = false if the buffer ends before that.
func (s *splitter) record(pos int) (next int, whole bool, err error) {
	buf, delim := s.buf[:s.end], s.delim
	fields := s.block.fields
	first := len(fields)
	for {
		begin := pos
		if pos < len(buf) && buf[pos] == '"' {
			end, escaped, whole, err := s.quoted(pos, len(fields)-first+1)
			if !whole || err != nil {
				return 0, false, err
			}
			if escaped {
				s.escaped = append(s.escaped, uint32(len(fields)))
			}
			fields = append(fields, field{uint32(begin + 1 - s.begin), uint32(end - s.begin), true})
			pos = end + 1
			if pos < len(buf) && buf[pos] == '\r' {
				pos++
			}
		} else {
			for pos < len(buf) && buf[pos] != delim && buf[pos] != '\n' {
				pos++
			}
			end := pos
			if pos < len(buf) && buf[pos] == '\n' && end > begin && buf[end-1] == '\r' {
				end--
			}
			fields = append(fields, field{uint32(begin - s.begin), uint32(end - s.begin), false})
		}
		s.block.fields = fields
		if pos == len(buf) {
			return pos, s.atEOF, nil
		}
		pos++
		if buf[pos-1] == '\n' {
			return pos, true, nil
		}
	}
}

// quoted finds the closing quote of the field that begins with the quote at
// pos, and checks that the field ends there.
func (s *splitter) quoted(pos, column int) (closing int, escaped, whole bool, err error) {
	buf := s.buf[:s.end]
	closing = pos + 1
	for {
		i := bytes.IndexByte(buf[closing:], '"')
		if i < 0 {
			if s.atEOF {
				err = s.errorAt(s.lineAt(pos), column, errors.New("a quoted field does not end"))
			}
			return 0, false, false, err
		}
		closing += i
		if closing+1 == len(buf) || buf[closing+1] != '"' {
			break
		}
		escaped = true
		closing += 2
	}
	after := buf[closing+1:]
	switch {
	case len(after) == 0:
		return closing, escaped, s.atEOF, nil
	case after[0] == s.delim, after[0] == '\n', after[0] == '\r' && len(after) > 1 && after[1] == '\n':
		return closing, escaped, true, nil
	case after[0] == '\r' && len(after) == 1 && !s.atEOF:
		return 0, false, false, nil
	default:
		return 0, false, false, s.errorAt(s.lineAt(pos), column, errors.New("text after a closing quote"))
	}
}

// unescape takes the second of each pair of quotes out of the block's fields.
// The bytes that become free are no line ends, so that lines still count.
func (s *splitter) unescape() {
	for _, i := range s.escaped {
		f := &s.block.fields[i]
		text := s.block.bytes(f)
		n := 0
		for i := 0; i < len(text); i++ {
			text[n] = text[i]
			n++
			if text[i] == '"' {
				i++
			}
		}
		for i := n; i < len(text); i++ {
			text[i] = '"'
		}
		f.end = f.begin + uint32(n)
	}
}

// lineAt returns the line of buf[pos].
func (s *splitter) lineAt(pos int) int {
	return s.line + bytes.Count(s.buf[s.begin:pos], newline)
}

func (s *splitter) errorAt(line, column int, err error) error {
	return &PlaceError{File: s.name, Line: line, Column: column, Err: err}
}
