package sql

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd    tokenKind = iota
	tokenWord             // text as written, word in upper case
	tokenQuoted           // text without the quotes
	tokenString           // text without the quotes
	tokenHex              // text: the digits of X'...'
	tokenNumber           // text as written
	tokenSymbol           // text as written
	tokenBad              // err says why
)

type token struct {
	kind       tokenKind
	at         Pos
	text       string
	word       string
	start, end int // bytes of the source
	err        error
}

// is reports whether the token is an unquoted word, given in upper case.
func (t token) is(word string) bool { return t.kind == tokenWord && t.word == word }

func (t token) symbol(text string) bool { return t.kind == tokenSymbol && t.text == text }

// describe names the token for messages.
func (t token) describe() string {
	switch t.kind {
	case tokenEnd:
		return "end of input"
	case tokenString:
		return "string " + quoteString(t.text)
	case tokenQuoted:
		return "identifier " + quoteName(t.text)
	default:
		return `"` + t.text + `"`
	}
}

// maxNameLength is the greatest length of an identifier in UTF-16 units.
const maxNameLength = 1024

// lexer cuts valid UTF-8 into tokens.
type lexer struct {
	src  string
	next int // byte offset
	at   Pos
}

// advance moves over n bytes.
func (l *lexer) advance(n int) {
	for _, r := range l.src[l.next : l.next+n] {
		if r == '\n' {
			l.at = Pos{Line: l.at.Line + 1, Column: 1}
		} else {
			l.at.Column++
		}
	}
	l.next += n
}

// skipBlanks moves over white space and comments.
func (l *lexer) skipBlanks() error {
	for l.next < len(l.src) {
		rest := l.src[l.next:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r):
			l.advance(size)
		case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			l.advance(end)
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return syntaxError(l.at, "comment is not closed")
			}
			l.advance(2 + end + 2)
		default:
			return nil
		}
	}
	return nil
}

// token reads the next token.
func (l *lexer) token() token {
	if err := l.skipBlanks(); err != nil {
		return token{kind: tokenBad, at: l.at, err: err}
	}
	t := token{at: l.at, start: l.next}
	rest := l.src[l.next:]
	if rest == "" {
		return l.finish(t, tokenEnd, "", 0)
	}
	switch c := rest[0]; {
	case c == '\'':
		return l.quoted(t, tokenString, rest, 0)
	case c == '"':
		return l.quoted(t, tokenQuoted, rest, 0)
	case (c == 'x' || c == 'X') && len(rest) > 1 && rest[1] == '\'':
		return l.quoted(t, tokenHex, rest, 1)
	}
	word, number := wordLength(rest), numberLength(rest)
	switch {
	case number > 0 && number >= word:
		return l.finish(t, tokenNumber, rest[:number], number)
	case word > 0:
		t.word = upper(rest[:word])
		if err := checkName(t.at, rest[:word]); err != nil {
			return l.bad(t, err)
		}
		return l.finish(t, tokenWord, rest[:word], word)
	}
	for _, symbol := range [...]string{"<>", "!=", "<=", ">=", "||"} {
		if strings.HasPrefix(rest, symbol) {
			return l.finish(t, tokenSymbol, symbol, len(symbol))
		}
	}
	if strings.IndexByte("()[],.;=<>+-*/%?", rest[0]) >= 0 {
		return l.finish(t, tokenSymbol, rest[:1], 1)
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return l.bad(t, syntaxError(t.at, "unexpected character %q", r))
}

func (l *lexer) finish(t token, kind tokenKind, text string, size int) token {
	l.advance(size)
	t.kind, t.text, t.end = kind, text, l.next
	return t
}

func (l *lexer) bad(t token, err error) token {
	t.kind, t.err = tokenBad, err
	return t
}

// quoted reads a text in quotes that starts at byte from of rest. Doubled
// quotes stand for one.
func (l *lexer) quoted(t token, kind tokenKind, rest string, from int) token {
	quote := rest[from]
	body := rest[from+1:]
	end := 0
	for {
		i := strings.IndexByte(body[end:], quote)
		if i < 0 {
			return l.bad(t, syntaxError(t.at, "quote %c is not closed", quote))
		}
		end += i
		if end+1 == len(body) || body[end+1] != quote {
			break
		}
		end += 2
	}
	pair := string([]byte{quote, quote})
	text := strings.ReplaceAll(body[:end], pair, pair[:1])
	if kind == tokenQuoted {
		if text == "" {
			return l.bad(t, syntaxError(t.at, "identifier is empty"))
		}
		if err := checkName(t.at, text); err != nil {
			return l.bad(t, err)
		}
	}
	return l.finish(t, kind, text, from+1+end+1)
}

// checkName checks the length of an identifier.
func checkName(at Pos, name string) error {
	if len(name) <= maxNameLength {
		return nil
	}
	units := 0
	for _, r := range name {
		units++
		if r > 0xffff {
			units++
		}
	}
	if units > maxNameLength {
		return syntaxError(at, "identifier of %d characters exceeds %d", units, maxNameLength)
	}
	return nil
}

// wordLength is the length in bytes of the word at the start of s. A word may
// start with a digit.
func wordLength(s string) int {
	for i, r := range s {
		if !isLetter(r) && !unicode.IsDigit(r) {
			return i
		}
	}
	return len(s)
}

func isLetter(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }

// numberLength is the length in bytes of the number at the start of s: digits
// with an optional point and an optional exponent.
func numberLength(s string) int {
	digits := digitsLength(s)
	n := digits
	if n < len(s) && s[n] == '.' {
		fraction := digitsLength(s[n+1:])
		digits += fraction
		n += 1 + fraction
	}
	if digits == 0 {
		return 0
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		exponent := n + 1
		if exponent < len(s) && (s[exponent] == '+' || s[exponent] == '-') {
			exponent++
		}
		if size := digitsLength(s[exponent:]); size > 0 {
			n = exponent + size
		}
	}
	return n
}

func digitsLength(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// upper changes ASCII letters only, so that no foreign letter makes a keyword.
func upper(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, s)
}
