package fn

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Java counts texts in UTF-16 units. A text of ASCII has a unit a byte; others
// are taken apart here.

// unitBuffers is the memory for the units of a row's texts.
type unitBuffers struct{ a, b, list []uint16 }

func unitsOf(r *Row) *unitBuffers {
	u, ok := r.Scratch.(*unitBuffers)
	if !ok {
		u = &unitBuffers{}
		r.Scratch = u
	}
	return u
}

// appendUnits appends the UTF-16 units of a text.
func appendUnits(dst []uint16, text []byte) []uint16 {
	for len(text) > 0 {
		c, size := utf8.DecodeRune(text)
		dst = utf16.AppendRune(dst, c)
		text = text[size:]
	}
	return dst
}

// appendText appends the text of units. Half a pair is a question mark, as where
// Java writes UTF-8.
func appendText(dst []byte, list []uint16) []byte {
	for i := 0; i < len(list); i++ {
		c := rune(list[i])
		if utf16.IsSurrogate(c) {
			pair := rune(utf8.RuneError)
			if i+1 < len(list) {
				pair = utf16.DecodeRune(c, rune(list[i+1]))
			}
			if c = pair; c == utf8.RuneError {
				c = '?'
			} else {
				i++
			}
		}
		dst = utf8.AppendRune(dst, c)
	}
	return dst
}

// unitCount returns the number of UTF-16 units of a text.
func unitCount(text []byte) int {
	n := 0
	for _, b := range text {
		if b&0xc0 != 0x80 { // the first byte of a character
			n++
		}
		if b >= 0xf0 {
			n++
		}
	}
	return n
}

func isASCII(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendPart appends the units from begin to end. Both are within the text.
func appendPart(dst []byte, u *unitBuffers, text []byte, begin, end int) []byte {
	if isASCII(text) {
		return append(dst, text[begin:end]...)
	}
	u.a = appendUnits(u.a[:0], text)
	return appendText(dst, u.a[begin:end])
}
