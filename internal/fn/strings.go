package fn

import (
	"bytes"
	"encoding/json"
	"unicode"
	"unicode/utf8"
)

// texts is the family of functions of texts. Positions and lengths count UTF-16
// units.
var texts = []Function{
	{Name: "upper", Rows: takes(String, rows(func(r *Row) error { r.Out = appendUpper(r.Out, r.Text(0)); return nil }), String)},
	{Name: "lower", Rows: takes(String, rows(func(r *Row) error { r.Out = appendLower(r.Out, r.Text(0)); return nil }), String)},
	{Name: "initcap", Rows: takes(String, rows(initCap), String)},
	{Name: "reverse", Rows: takes(String, rows(reverseText), String)},
	{Name: "length", Rows: takes(Int, rows(func(r *Row) error { r.I = int64(unitCount(r.Text(0))); return nil }), String)},
	{Name: "trim", Rows: either(
		takes(String, rows(func(r *Row) error { r.Out = append(r.Out, bytes.TrimFunc(r.Text(0), isControl)...); return nil }), String),
		takes(String, rows(trimCharacters), String, String, String),
	)},
	{Name: "ltrim", Rows: takes(String, rows(func(r *Row) error { r.Out = append(r.Out, bytes.TrimLeft(r.Text(0), whiteSpace)...); return nil }), String)},
	{Name: "rtrim", Rows: takes(String, rows(func(r *Row) error { r.Out = append(r.Out, bytes.TrimRight(r.Text(0), whiteSpace)...); return nil }), String)},
	{Name: "substr", Rows: either(
		takes(String, rows(substr), String, Int),
		takes(String, rows(substr), String, Int, Int),
	)},
	{Name: "substring", Rows: either(
		takes(String, rows(substring), String, Int),
		takes(String, rows(substring), String, Int, Int),
	)},
	{Name: "leftsubstr", Alias: []string{"left"}, Rows: takes(String, rows(leftText), String, Int)},
	{Name: "rightsubstr", Alias: []string{"right"}, Rows: takes(String, rows(rightText), String, Int)},
	{Name: "concat", Rows: either(
		takes(String, rows(func(r *Row) error { r.Out = append(append(r.Out, r.Text(0)...), r.Text(1)...); return nil }), String, String),
		takes(String, rows(func(r *Row) error { r.Out = joined(r, 0, 2, 1); return nil }), String, String, String),
	)},
	{Name: "concatws", Rows: takes(String, rows(func(r *Row) error { r.Out = joined(r, 1, 0, 2); return nil }), String, String, String)},
	{Name: "startswith", Rows: takes(Boolean, rows(func(r *Row) error { r.B = bytes.HasPrefix(r.Text(0), r.Text(1)); return nil }), String, String)},
	{Name: "endswith", Rows: takes(Boolean, rows(func(r *Row) error { r.B = bytes.HasSuffix(r.Text(0), r.Text(1)); return nil }), String, String)},
	{Name: "contains", Rows: takes(Boolean, rows(func(r *Row) error { r.B = bytes.Contains(r.Text(0), r.Text(1)); return nil }), String, String)},
	{Name: "replace", Rows: takes(String, rows(func(r *Row) error { replaceAll(r, r.Text(2)); return nil }), String, String, String)},
	{Name: "remove", Rows: takes(String, rows(func(r *Row) error { replaceAll(r, nil); return nil }), String, String)},
	{Name: "lpad", Rows: takes(String, rows(pad(true)), String, Int, String)},
	{Name: "rpad", Rows: takes(String, rows(pad(false)), String, Int, String)},
	{Name: "repeat", Rows: either(takes(String, rows(repeat), String, Int), takes(String, rows(repeat), String, String, Int))},
	{Name: "codepoint", Rows: takes(Int, rows(codePoint), String)},
	{Name: "chr", Rows: takes(String, rows(character), Int)},
	{Name: "strcmp", Rows: takes(Int, rows(compareTo), String, String)},
	{Name: "isjson", Rows: takes(Boolean, rows(func(r *Row) error { t := r.Text(0); r.B = len(t) == 0 || json.Valid(t); return nil }), String)},
}

const whiteSpace = " \t\n\v\f\r"

func isControl(c rune) bool { return c <= ' ' }

// upperSpecial are the characters whose upper case is more than one.
var upperSpecial = map[rune]string{
	'ß': "SS", 'ŉ': "ʼN", 'ǰ': "J̌", 'ΐ': "Ϊ́", 'ΰ': "Ϋ́", 'և': "ԵՒ", 'ẖ': "H̱", 'ẗ': "T̈", 'ẘ': "W̊", 'ẙ': "Y̊", 'ẚ': "Aʾ",
	'ﬀ': "FF", 'ﬁ': "FI", 'ﬂ': "FL", 'ﬃ': "FFI", 'ﬄ': "FFL", 'ﬅ': "ST", 'ﬆ': "ST",
}

func appendUpper(dst, text []byte) []byte {
	for _, c := range string(text) {
		switch special, ok := upperSpecial[c]; {
		case c < utf8.RuneSelf:
			dst = append(dst, byte(unicode.ToUpper(c)))
		case ok:
			dst = append(dst, special...)
		default:
			dst = utf8.AppendRune(dst, unicode.ToUpper(c))
		}
	}
	return dst
}

// appendLower writes a sigma at the end of a word in its final form.
func appendLower(dst, text []byte) []byte {
	afterLetter := false
	for i, c := range string(text) {
		next, _ := utf8.DecodeRune(text[min(len(text), i+utf8.RuneLen(c)):])
		switch {
		case c == 'İ':
			dst = append(dst, "i̇"...)
		case c == 'Σ' && afterLetter && !unicode.IsLetter(next):
			dst = append(dst, "ς"...)
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(c))
		}
		afterLetter = unicode.IsLetter(c)
	}
	return dst
}

func initCap(r *Row) error {
	first := true
	for _, c := range string(r.Text(0)) {
		if first {
			r.Out = utf8.AppendRune(r.Out, unicode.ToTitle(c))
		} else {
			r.Out = utf8.AppendRune(r.Out, unicode.ToLower(c))
		}
		first = unicode.IsSpace(c)
	}
	return nil
}

func reverseText(r *Row) error {
	text := r.Text(0)
	for len(text) > 0 {
		c, size := utf8.DecodeLastRune(text)
		r.Out = utf8.AppendRune(r.Out, c)
		text = text[:len(text)-size]
	}
	return nil
}

// trimCharacters takes the side, the characters and the text.
func trimCharacters(r *Row) error {
	side, characters, text := string(r.Text(0)), string(r.Text(1)), r.Text(2)
	if side != "TRAILING" {
		text = bytes.TrimLeft(text, characters)
	}
	if side != "LEADING" {
		text = bytes.TrimRight(text, characters)
	}
	r.Out = append(r.Out, text...)
	return nil
}

// clamp counts a negative position from the end and holds it within n.
func clamp(at int64, n int) int {
	if at < 0 {
		at += int64(n)
	}
	return int(max(0, min(at, int64(n))))
}

// part writes the units from begin to end, counted from the end where negative.
func part(r *Row, begin, end int64) {
	text := r.Text(0)
	n := unitCount(text)
	from, to := clamp(begin, n), clamp(end, n)
	if from < to {
		r.Out = appendPart(r.Out, unitsOf(r), text, from, to)
	}
}

func substr(r *Row) error {
	end := int64(unitCount(r.Text(0)))
	if r.Args() == 3 && r.Int(2) != -1 {
		end = r.Int(2)
	}
	part(r, r.Int(1), end)
	return nil
}

func substring(r *Row) error {
	begin, end := r.Int(1)-1, int64(unitCount(r.Text(0)))
	if r.Args() == 3 {
		end = begin + r.Int(2)
	}
	part(r, begin, end)
	return nil
}

func leftText(r *Row) error {
	part(r, 0, max(0, r.Int(1)))
	return nil
}

func rightText(r *Row) error {
	n := int64(unitCount(r.Text(0)))
	part(r, max(0, n-max(0, r.Int(1))), n)
	return nil
}

// joined writes two arguments with a third one between them.
func joined(r *Row, first, separator, second int) []byte {
	return append(append(append(r.Out, r.Text(first)...), r.Text(separator)...), r.Text(second)...)
}

// replaceAll writes the first argument with the second replaced.
func replaceAll(r *Row, with []byte) {
	text, old := r.Text(0), r.Text(1)
	for len(old) > 0 && !r.Full() {
		i := bytes.Index(text, old)
		if i < 0 {
			break
		}
		r.Out = append(append(r.Out, text[:i]...), with...)
		text = text[i+len(old):]
	}
	r.Out = append(r.Out, text...)
}

// pad fills a text up to a length.
func pad(left bool) func(*Row) error {
	return func(r *Row) error {
		text, size, filler := r.Text(0), r.Int(1), r.Text(2)
		if size > int64(r.mostBytes) {
			return badValue("a text of %d characters", size)
		}
		if len(filler) == 0 {
			filler = []byte{' '}
		}
		u := unitsOf(r)
		u.b = appendUnits(u.b[:0], filler)
		u.list = u.list[:0]
		for i := range int(size) - unitCount(text) {
			u.list = append(u.list, u.b[i%len(u.b)])
		}
		if !left {
			r.Out = append(r.Out, text...)
		}
		r.Out = appendText(r.Out, u.list)
		if left {
			r.Out = append(r.Out, text...)
		}
		return nil
	}
}

func repeat(r *Row) error {
	n := r.Int(r.Args() - 1)
	for i := int64(0); i < n && !r.Full(); i++ {
		if i > 0 && r.Args() == 3 {
			r.Out = append(r.Out, r.Text(1)...)
		}
		r.Out = append(r.Out, r.Text(0)...)
	}
	return nil
}

func codePoint(r *Row) error {
	c, size := utf8.DecodeRune(r.Text(0))
	if size == 0 {
		return badValue("the code point of no character")
	}
	r.I = int64(c)
	return nil
}

func character(r *Row) error {
	c := r.Int(0)
	if c < 0 || c > unicode.MaxRune {
		return badValue("no character has the number %d", c)
	}
	r.Out = utf8.AppendRune(r.Out, rune(c))
	return nil
}

// compareTo is Java's: the difference of the first units that differ, or of the
// lengths.
func compareTo(r *Row) error {
	u := unitsOf(r)
	u.a, u.b = appendUnits(u.a[:0], r.Text(0)), appendUnits(u.b[:0], r.Text(1))
	for i := range min(len(u.a), len(u.b)) {
		if u.a[i] != u.b[i] {
			r.I = int64(u.a[i]) - int64(u.b[i])
			return nil
		}
	}
	r.I = int64(len(u.a) - len(u.b))
	return nil
}
