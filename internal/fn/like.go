package fn

import (
	"bytes"
	"unicode/utf8"
)

// LikePattern is a compiled LIKE pattern: % stands for any text, _ for one
// character, and a backslash takes the next character as it is. Letters match
// in either case, as Pinot's LIKE does.
type LikePattern struct {
	parts []likePart // between the %
	text  string
}

// likePart is a piece between two %: literal runes and single wild cards.
type likePart struct {
	runes []rune // anyRune is _
	ascii []byte // runes folded, if they are all ASCII and none is a wild card
}

const anyRune = -1

// CompileLike compiles a pattern. escape is the character that takes the next
// one as it is, normally a backslash.
func CompileLike(pattern string, escape rune) LikePattern {
	p := LikePattern{text: pattern}
	var part likePart
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped:
			part.runes = append(part.runes, fold(r))
			escaped = false
		case r == escape:
			escaped = true
		case r == '%':
			p.parts = append(p.parts, part.finish())
			part = likePart{}
		case r == '_':
			part.runes = append(part.runes, anyRune)
		default:
			part.runes = append(part.runes, fold(r))
		}
	}
	if escaped {
		part.runes = append(part.runes, escape)
	}
	p.parts = append(p.parts, part.finish())
	return p
}

func (p likePart) finish() likePart {
	ascii := make([]byte, 0, len(p.runes))
	for _, r := range p.runes {
		if r == anyRune || r >= utf8.RuneSelf {
			return p
		}
		ascii = append(ascii, byte(r))
	}
	p.ascii = ascii
	return p
}

// String returns the pattern's text.
func (p *LikePattern) String() string { return p.text }

// Match reports whether all of s matches.
func (p *LikePattern) Match(s []byte) bool {
	first := &p.parts[0]
	n, ok := first.matchHere(s)
	if !ok {
		return false
	}
	s = s[n:]
	if len(p.parts) == 1 {
		return len(s) == 0
	}
	last := len(p.parts) - 1
	for i := 1; i < last; i++ {
		n, ok := p.parts[i].find(s)
		if !ok {
			return false
		}
		s = s[n:]
	}
	return p.parts[last].matchEnd(s)
}

// matchHere matches the part at the start of s and returns its length there.
func (p *likePart) matchHere(s []byte) (n int, ok bool) {
	if p.ascii != nil {
		return len(p.ascii), len(s) >= len(p.ascii) && equalFold(s[:len(p.ascii)], p.ascii)
	}
	for _, want := range p.runes {
		if n >= len(s) {
			return 0, false
		}
		r, size := utf8.DecodeRune(s[n:])
		if want != anyRune && fold(r) != want {
			return 0, false
		}
		n += size
	}
	return n, true
}

// find returns the end of the first place in s where the part matches.
func (p *likePart) find(s []byte) (end int, ok bool) {
	if len(p.runes) == 0 {
		return 0, true
	}
	if p.ascii != nil {
		at := indexFold(s, p.ascii)
		return at + len(p.ascii), at >= 0
	}
	for at := 0; at < len(s); {
		if n, ok := p.matchHere(s[at:]); ok {
			return at + n, true
		}
		_, size := utf8.DecodeRune(s[at:])
		at += size
	}
	return 0, false
}

// matchEnd reports whether the part matches at the end of s.
func (p *likePart) matchEnd(s []byte) bool {
	at := len(s)
	for range p.runes {
		if at == 0 {
			return false
		}
		_, size := utf8.DecodeLastRune(s[:at])
		at -= size
	}
	n, ok := p.matchHere(s[at:])
	return ok && n == len(s)-at
}

// indexFold returns the first place of the folded text sub in s, -1 if none.
func indexFold(s, sub []byte) int {
	if len(sub) == 0 {
		return 0
	}
	lower, upper := sub[0], sub[0]
	if 'a' <= lower && lower <= 'z' {
		upper -= 'a' - 'A'
	}
	for at := 0; at+len(sub) <= len(s); at++ {
		rest := s[at : len(s)-len(sub)+1]
		next := bytes.IndexByte(rest, lower)
		if upper != lower {
			if u := bytes.IndexByte(rest[:boundOf(next, len(rest))], upper); u >= 0 {
				next = u
			}
		}
		if next < 0 {
			return -1
		}
		at += next
		if equalFold(s[at:at+len(sub)], sub) {
			return at
		}
	}
	return -1
}

func boundOf(at, n int) int {
	if at < 0 {
		return n
	}
	return at
}

// equalFold reports whether s, in lower case, is the folded ASCII text t of the
// same length.
func equalFold(s, t []byte) bool {
	for i, c := range s[:len(t)] {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != t[i] {
			return false
		}
	}
	return true
}
