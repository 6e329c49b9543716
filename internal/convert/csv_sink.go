package convert

import (
	"bytes"
	"io"
	"strings"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// csvSink writes a header and a line for each row. It quotes where the field
// would be read as another one otherwise: the empty string, a null text, text
// that looks like a value of another type, and what holds a delimiter, a quote
// or a line end.
type csvSink struct {
	w       io.Writer
	text    *Text
	nulls   *nullTexts
	delim   byte
	special [256]bool // bytes that a field without quotes may not hold
	strings []bool    // by column: a value that looks typed is quoted
	buf     []byte
}

func newCSVSink(w io.Writer, schema *nimble.Type, o Options) (Sink, error) {
	delim, err := o.delimiter()
	if err != nil {
		return nil, err
	}
	text, err := NewText(schema, PlainText)
	if err != nil {
		return nil, err
	}
	s := &csvSink{w: w, text: text, nulls: newNullTexts(o.Nulls), delim: delim}
	for _, c := range []byte{'"', '\n', '\r', delim} {
		s.special[c] = true
	}
	for _, t := range schema.Children {
		l, err := nimble.ParseLogical(t.Logical)
		if err != nil {
			return nil, err
		}
		s.strings = append(s.strings, t.Kind.IsString() && l.Kind != nimble.LogicalDecimal)
	}
	if !o.NoHeader {
		s.header(schema.Names)
	}
	return s, nil
}

func (s *csvSink) header(names []string) {
	for i, name := range names {
		if i > 0 {
			s.buf = append(s.buf, s.delim)
		}
		// A mark of the byte order at the start would be taken for one.
		// So would a name be that is alone and has what may be a delimiter.
		alone := len(names) == 1 && (name == "" || strings.ContainsAny(name, otherDelimiters))
		quote := alone || i == 0 && len(name) >= 3 && name[0] == 0xef || s.mustQuote([]byte(name))
		s.field([]byte(name), quote)
	}
	s.buf = append(s.buf, '\n')
}

func (s *csvSink) mustQuote(text []byte) bool {
	for _, c := range text {
		if s.special[c] {
			return true
		}
	}
	return false
}

func (s *csvSink) field(text []byte, quote bool) {
	if !quote {
		s.buf = append(s.buf, text...)
		return
	}
	s.buf = append(s.buf, '"')
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			break
		}
		s.buf = append(s.buf, text[:i+1]...)
		s.buf = append(s.buf, '"')
		text = text[i+1:]
	}
	s.buf = append(s.buf, text...)
	s.buf = append(s.buf, '"')
}

func (s *csvSink) Write(b *vector.Batch) error {
	if err := s.text.Render(b); err != nil {
		return err
	}
	for row := range s.text.Rows() {
		for col, isString := range s.strings {
			if col > 0 {
				s.buf = append(s.buf, s.delim)
			}
			text, present := s.text.Cell(row, col)
			if !present {
				s.buf = append(s.buf, s.nulls.printed()...)
				continue
			}
			s.field(text, s.nulls.match(text) || s.mustQuote(text) || isString && looksTyped(text))
		}
		s.buf = append(s.buf, '\n')
		if len(s.buf) >= flushBytes {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *csvSink) flush() error {
	_, err := s.w.Write(s.buf)
	s.buf = s.buf[:0]
	return err
}

func (s *csvSink) Close() error { return s.flush() }
