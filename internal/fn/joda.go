package fn

import (
	"strconv"
	"strings"
	"time"
)

// jodaPattern is a pattern of Joda time, which is a list of its letters, each with
// how often it stands there, and texts between them:
//
//	G era   C century   Y year of era   y year   x week's year   w week   e weekday
//	E weekday's name   D day of year   M month   d day   a half of the day   K hour of
//	it   h clock hour of it   H hour   k clock hour   m minute   s second   S fraction
//	z zone's name   Z offset, or zone
type jodaPattern []jodaPart

type jodaPart struct {
	letter byte // 0 is a text
	count  int
	text   string
	tight  bool // a number follows at once
}

// numericLetters are those that are numbers, whatever their count.
const numericLetters = "CYxweyDdKhHkmsS"

// compileJoda reads a pattern. Its error wraps ErrValue.
func compileJoda(pattern string) (jodaPattern, error) {
	if pattern == "" {
		return nil, badValue("Invalid pattern specification")
	}
	var parts jodaPattern
	for i := 0; i < len(pattern); {
		c := pattern[i]
		if !isLetter(c) {
			text, next := jodaText(pattern, i)
			parts = append(parts, jodaPart{text: text})
			i = next
			continue
		}
		n := i + 1
		for n < len(pattern) && pattern[n] == c {
			n++
		}
		if !strings.ContainsRune("GCYxweEyDMdaKhHkmsSzZ", rune(c)) {
			return nil, badValue("Illegal pattern component: %s", pattern[i:n])
		}
		parts = append(parts, jodaPart{letter: c, count: n - i})
		i = n
	}
	for i := range parts[:len(parts)-1] {
		next := parts[i+1]
		parts[i].tight = next.letter != 0 && (strings.IndexByte(numericLetters, next.letter) >= 0 || next.letter == 'M' && next.count <= 2)
	}
	return parts, nil
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// jodaText reads a text between letters, of which parts may be in quotes.
func jodaText(pattern string, i int) (text string, next int) {
	var b strings.Builder
	quoted := false
	for ; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\'' && i+1 < len(pattern) && pattern[i+1] == '\'':
			b.WriteByte(c)
			i++
		case c == '\'':
			quoted = !quoted
		case !quoted && isLetter(c):
			return b.String(), i
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), i
}

// append writes a moment.
func (p jodaPattern) append(dst []byte, t time.Time) []byte {
	for _, part := range p {
		dst = part.append(dst, t)
	}
	return dst
}

func (p jodaPart) append(dst []byte, t time.Time) []byte {
	weekYear, week := t.ISOWeek()
	switch p.letter {
	case 0:
		return append(dst, p.text...)
	case 'G':
		return append(dst, [...]string{"AD", "BC"}[boolInt(t.Year() <= 0)]...)
	case 'C':
		return appendPadding(dst, yearOfEra(t)/100, p.count)
	case 'Y', 'y', 'x':
		year := map[byte]int{'Y': yearOfEra(t), 'y': t.Year(), 'x': weekYear}[p.letter]
		if p.count == 2 {
			return appendPadding(dst, abs(year)%100, 2)
		}
		return appendPadding(dst, year, p.count)
	case 'M':
		if p.count >= 3 {
			return append(dst, shortName(t.Month().String(), p.count)...)
		}
		return appendPadding(dst, int(t.Month()), p.count)
	case 'E':
		return append(dst, shortName(t.Weekday().String(), p.count)...)
	case 'a':
		return append(dst, [...]string{"AM", "PM"}[boolInt(t.Hour() >= 12)]...)
	case 'S':
		digits := strconv.AppendInt(nil, int64(t.Nanosecond())+1_000_000_000, 10)[1:]
		for len(digits) < p.count {
			digits = append(digits, '0')
		}
		return append(dst, digits[:p.count]...)
	case 'z':
		return append(dst, zoneName(t)...)
	case 'Z':
		return p.appendOffset(dst, t)
	}
	return appendPadding(dst, map[byte]int{
		'w': week, 'e': isoWeekday(t), 'D': t.YearDay(), 'd': t.Day(), 'K': t.Hour() % 12, 'h': (t.Hour()+11)%12 + 1,
		'H': t.Hour(), 'k': (t.Hour()+23)%24 + 1, 'm': t.Minute(), 's': t.Second(),
	}[p.letter], p.count)
}

func (p jodaPart) appendOffset(dst []byte, t time.Time) []byte {
	if p.count >= 3 {
		return append(dst, t.Location().String()...)
	}
	_, seconds := t.Zone()
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	dst = appendPadding(append(dst, sign), seconds/3600, 2)
	if p.count == 2 {
		dst = append(dst, ':')
	}
	return appendPadding(dst, seconds/60%60, 2)
}

func yearOfEra(t time.Time) int {
	if y := t.Year(); y > 0 {
		return y
	}
	return 1 - t.Year()
}

func abs(x int) int { return max(x, -x) }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// shortName cuts a name to three letters unless four or more are wanted.
func shortName(name string, count int) string {
	if count >= 4 {
		return name
	}
	return name[:3]
}

// appendPadding writes a number with zeros up to a width, which a sign is not part
// of.
func appendPadding(dst []byte, x, width int) []byte {
	if x < 0 {
		dst, x = append(dst, '-'), -x
	}
	digits := strconv.Itoa(x)
	for n := len(digits); n < width; n++ {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

// zoneName returns the abbreviation of a moment's zone. Before zones had one, it is
// that of the zone's standard time now.
func zoneName(t time.Time) string {
	name, _ := t.Zone()
	if name == "LMT" {
		name, _ = time.Date(2024, 1, 1, 0, 0, 0, 0, t.Location()).Zone()
	}
	return name
}
