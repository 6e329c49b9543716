package convert

import (
	"io"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// jsonlSink writes a JSON object a line, with a member for each column in the
// order of the schema.
type jsonlSink struct {
	w     io.Writer
	text  *Text
	names [][]byte // {"name": or ,"name":
	buf   []byte
}

func newJSONLSink(w io.Writer, schema *nimble.Type) (Sink, error) {
	text, err := NewText(schema, JSONText)
	if err != nil {
		return nil, err
	}
	s := &jsonlSink{w: w, text: text}
	for i, name := range schema.Names {
		start := []byte{'{'}
		if i > 0 {
			start = []byte{','}
		}
		s.names = append(s.names, append(appendJSONString(start, []byte(name)), ':'))
	}
	return s, nil
}

func (s *jsonlSink) Write(b *vector.Batch) error {
	if err := s.text.Render(b); err != nil {
		return err
	}
	for row := range s.text.Rows() {
		if len(s.names) == 0 {
			s.buf = append(s.buf, '{')
		}
		for col, name := range s.names {
			s.buf = append(s.buf, name...)
			text, present := s.text.Cell(row, col)
			if !present {
				text = []byte("null")
			}
			s.buf = append(s.buf, text...)
		}
		s.buf = append(s.buf, "}\n"...)
		if len(s.buf) >= flushBytes {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *jsonlSink) flush() error {
	_, err := s.w.Write(s.buf)
	s.buf = s.buf[:0]
	return err
}

func (s *jsonlSink) Close() error { return s.flush() }
