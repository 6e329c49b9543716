package convert

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/decantdb/decant/nimble"
)

// errJSON means that a line is no JSON object.
var errJSON = errors.New("not JSON")

// jsonCursor reads the JSON of one line, token by token.
type jsonCursor struct {
	line    []byte
	at      int
	token   int // where the last value or mistake begins
	scratch []byte
}

// start begins a line.
func (c *jsonCursor) start(line []byte) { c.line, c.at, c.token = line, 0, 0 }

// column returns the byte of the line, from 1, where the last value or mistake begins.
func (c *jsonCursor) column() int { return c.token + 1 }

// fail says what is wrong at the cursor.
func (c *jsonCursor) fail(want string) error {
	c.token = c.at
	if c.at >= len(c.line) {
		return fmt.Errorf("%w: it ends where %s should be", errJSON, want)
	}
	return fmt.Errorf("%w: %q where %s should be", errJSON, c.line[c.at], want)
}

// peek returns the first byte of the next token, 0 at the end.
func (c *jsonCursor) peek() byte {
	for ; c.at < len(c.line); c.at++ {
		if b := c.line[c.at]; b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b
		}
	}
	return 0
}

// accept passes over a byte if it is the next token.
func (c *jsonCursor) accept(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.at++
	return true
}

// word passes over null, true or false if that is the next token.
func (c *jsonCursor) word(word string) bool {
	c.peek()
	if !bytes.HasPrefix(c.line[c.at:], []byte(word)) {
		return false
	}
	c.at += len(word)
	return true
}

// end makes sure that nothing follows.
func (c *jsonCursor) end() error {
	if c.peek() != 0 || c.at < len(c.line) {
		return c.fail("the end")
	}
	return nil
}

// number returns the text of a number.
func (c *jsonCursor) number() ([]byte, error) {
	c.peek()
	begin := c.at
	c.token = begin
	for c.at < len(c.line) && (c.line[c.at]-'0' <= 9 || bytes.IndexByte([]byte("+-.eE"), c.line[c.at]) >= 0) {
		c.at++
	}
	text := c.line[begin:c.at]
	if _, ok := scanNumeral(text); !ok {
		c.at = begin
		return nil, c.fail("a value")
	}
	return text, nil
}

// text returns the bytes of a string, which are valid until the next call. A lone low
// surrogate from DC80 to DCFF is the byte that appendJSONString wrote so.
func (c *jsonCursor) text() ([]byte, error) {
	if !c.accept('"') {
		return nil, c.fail("a string")
	}
	begin := c.at
	c.token = begin - 1
	for c.at < len(c.line) && c.line[c.at] != '"' && c.line[c.at] != '\\' && c.line[c.at] >= ' ' {
		c.at++
	}
	if c.at < len(c.line) && c.line[c.at] == '"' {
		c.at++
		return c.line[begin : c.at-1], nil
	}
	c.scratch = append(c.scratch[:0], c.line[begin:c.at]...)
	for c.at < len(c.line) && c.line[c.at] >= ' ' {
		b := c.line[c.at]
		c.at++
		switch b {
		case '"':
			return c.scratch, nil
		case '\\':
			if err := c.escape(); err != nil {
				return nil, err
			}
		default:
			c.scratch = append(c.scratch, b)
		}
	}
	return nil, c.fail("the end of a string")
}

// escapes are the characters that stand for others behind a backslash, and those.
const escapes, escaped = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// escape reads what is behind a backslash.
func (c *jsonCursor) escape() error {
	if c.at < len(c.line) {
		if i := bytes.IndexByte([]byte(escapes), c.line[c.at]); i >= 0 {
			c.scratch = append(c.scratch, escaped[i])
			c.at++
			return nil
		}
	}
	r, ok := c.hex()
	if !ok {
		return c.fail("an escape")
	}
	switch {
	case r >= 0xdc80 && r <= 0xdcff:
		c.scratch = append(c.scratch, byte(r))
		return nil
	case utf16.IsSurrogate(r):
		begin := c.at
		low := rune(0)
		if c.at < len(c.line) && c.line[c.at] == '\\' {
			c.at++
			low, _ = c.hex()
		}
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			c.at = begin
			return c.fail("the other half of a surrogate pair")
		}
	}
	c.scratch = utf8.AppendRune(c.scratch, r)
	return nil
}

// hex reads u and four digits.
func (c *jsonCursor) hex() (r rune, ok bool) {
	if len(c.line)-c.at < 5 || c.line[c.at] != 'u' || !isHex(c.line[c.at+1:c.at+5]) {
		return 0, false
	}
	for _, d := range c.line[c.at+1 : c.at+5] {
		if d > '9' {
			d = d&0xf + 9
		}
		r = r<<4 | rune(d&0xf)
	}
	c.at += 5
	return r, true
}

// members calls member with the name of each member of an object, for which it reads
// the value. The name is valid until then.
func (c *jsonCursor) members(member func(name []byte) error) error {
	if !c.accept('{') {
		return c.fail("an object")
	}
	if c.accept('}') {
		return nil
	}
	for {
		name, err := c.text()
		if err != nil {
			return err
		}
		if !c.accept(':') {
			return c.fail("a colon")
		}
		if err := member(name); err != nil {
			return err
		}
		if c.accept('}') {
			return nil
		}
		if !c.accept(',') {
			return c.fail("a comma or the end of an object")
		}
	}
}

// elements calls element for each element of an array, which it reads.
func (c *jsonCursor) elements(element func() error) error {
	if !c.accept('[') {
		return c.fail("an array")
	}
	if c.accept(']') {
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if c.accept(']') {
			return nil
		}
		if !c.accept(',') {
			return c.fail("a comma or the end of an array")
		}
	}
}

// skip passes over a value and returns its text.
func (c *jsonCursor) skip(depth int) (text []byte, err error) {
	if depth > nimble.MaxDepth {
		return nil, fmt.Errorf("%w: nested more than %d levels", errJSON, nimble.MaxDepth)
	}
	first := c.peek()
	begin := c.at
	switch {
	case first == '{':
		err = c.members(func([]byte) error {
			_, err := c.skip(depth + 1)
			return err
		})
	case first == '[':
		err = c.elements(func() error {
			_, err := c.skip(depth + 1)
			return err
		})
	case first == '"':
		_, err = c.text()
	case c.word("null"), c.word("true"), c.word("false"):
	default:
		_, err = c.number()
	}
	if err == nil {
		c.token = begin
	}
	return c.line[begin:c.at], err
}
