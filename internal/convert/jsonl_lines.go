package convert

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLineBytes bounds the length of a line of JSON.
const maxLineBytes = 256 << 20

// jsonLines reads the lines of a file that have something on them.
type jsonLines struct {
	r    *bufio.Reader
	name string
	line int // of what was returned last, from 1
	long []byte
}

func newJSONLines(in *input) jsonLines {
	// Without what else input has, of which nothing knows the context.
	return jsonLines{r: bufio.NewReaderSize(struct{ io.Reader }{in}, firstBufferBytes), name: in.Name()}
}

// next returns the next line, valid until the next call, or io.EOF.
func (l *jsonLines) next() ([]byte, error) {
	for {
		line, err := l.read()
		if l.line == 1 {
			line = bytes.TrimPrefix(line, byteOrderMark)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// read returns the next line. At the end of the file the error is io.EOF, also if
// there is a line.
func (l *jsonLines) read() ([]byte, error) {
	l.line++
	line, err := l.r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return l.checked(line, err)
	}
	l.long = l.long[:0]
	for errors.Is(err, bufio.ErrBufferFull) {
		l.long = append(l.long, line...)
		if len(l.long) > maxLineBytes {
			return nil, l.fail(0, fmt.Errorf("a line exceeds %d bytes", maxLineBytes))
		}
		line, err = l.r.ReadSlice('\n')
	}
	l.long = append(l.long, line...)
	return l.checked(l.long, err)
}

// checked returns a line, or nothing of one that could not be read.
func (*jsonLines) checked(line []byte, err error) ([]byte, error) {
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return line, err
}

// fail says what is wrong in the line, at a byte from 1 on, or with all of it.
func (l *jsonLines) fail(column int, err error) error {
	return &PlaceError{File: l.name, Line: l.line, Column: column, Err: err}
}
