package convert

import (
	"bytes"
	"math"
	"strings"
	"time"

	"github.com/decantdb/decant/nimble"
)

const (
	secondsPerDay = 24 * 60 * 60
	microsPerDay  = secondsPerDay * 1_000_000
)

// parseDate reads YYYY-MM-DD, a day that exists from the year 1 on, and returns
// the days since 1970.
func parseDate(text []byte) (days int64, ok bool) {
	if len(text) != 10 || text[4] != '-' || text[7] != '-' {
		return 0, false
	}
	year, ok1 := fixedDigits(text[0:4])
	month, ok2 := fixedDigits(text[5:7])
	day, ok3 := fixedDigits(text[8:10])
	if !ok1 || !ok2 || !ok3 || year == 0 || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, false
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day {
		return 0, false
	}
	return t.Unix() / secondsPerDay, true
}

// parseAnyDate reads what appendDate writes, of any year.
func parseAnyDate(text []byte) (days int64, ok bool) {
	if days, ok := parseDate(text); ok {
		return days, true
	}
	const longestYear = 7 // of 32 bits of days
	digits := bytes.TrimLeft(text, "+-")
	signs, year := len(text)-len(digits), len(digits)-len("-MM-DD")
	if signs > 1 || year < 4 || year > longestYear || signs == 0 && year > 4 {
		return 0, false
	}
	years, ok := fixedDigits(digits[:year])
	if text[0] == '-' {
		years = -years
	}
	// The calendar of a year is that of 400 years later, and so many have 146,097 days.
	cycles, inCycle := floorDiv(int64(years), 400)
	var near [10]byte
	copy(near[:], appendPadded(nil, int(inCycle)+400, 4))
	copy(near[4:], digits[year:])
	days, inYear := parseDate(near[:])
	return days + (cycles-1)*146_097, ok && inYear
}

// fixedDigits reads text of digits alone.
func fixedDigits(text []byte) (n int, ok bool) {
	for _, c := range text {
		d := c - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + int(d)
	}
	return n, true
}

// momentForm is how a moment is written:
//
//	YYYY-MM-DD(T| )HH:MM:SS[.f{1,9}][Z|(+|-)HH:MM]
type momentForm struct {
	separator byte
	digits    int  // of the fraction
	zone      byte // 0 = none, 'Z', or '+' for an offset
	offset    int  // minutes east of UTC
}

// String returns the form as a pattern, such as YYYY-MM-DDTHH:MM:SS.fffZ.
func (f momentForm) String() string {
	b := []byte("YYYY-MM-DD?HH:MM:SS")
	b[10] = f.separator
	if f.digits > 0 {
		b = append(b, '.')
		b = append(b, strings.Repeat("f", f.digits)...)
	}
	return string(f.appendZone(b))
}

// parseMomentForm reads a pattern as String writes it.
func parseMomentForm(pattern string) (momentForm, bool) {
	digits := strings.NewReplacer("YYYY", "2000", "MM", "01", "DD", "01", "HH", "00", "SS", "00", "f", "0")
	_, form, ok := parseMoment([]byte(digits.Replace(pattern)))
	return form, ok && form.String() == pattern
}

// moment is a time in UTC, as a Nimble timestamp holds it.
type moment struct {
	micros int64
	nanos  uint16 // 0..999, after micros
}

// parseMoment reads a moment in any of the forms.
func parseMoment(text []byte) (m moment, form momentForm, ok bool) {
	const date = len("YYYY-MM-DD")
	if len(text) <= date {
		return m, form, false
	}
	days, ok := parseDate(text[:date])
	if !ok {
		return m, form, false
	}
	return form.parseClock(days, text[date:])
}

// parseAnyMoment reads what appendMoment writes, of any year.
func parseAnyMoment(text []byte) (m moment, ok bool) {
	date := bytes.IndexAny(text, "T ")
	if date < 0 {
		return m, false
	}
	const most = int64(math.MaxInt64/microsPerDay) + 1
	days, ok := parseAnyDate(text[:date])
	if !ok || days < -most || days > most {
		return m, false
	}
	var form momentForm
	m, _, ok = form.parseClock(days, text[date:])
	overflows := days < 1-most && m.micros > 0 || days > most-2 && m.micros < 0
	return m, ok && !overflows
}

// parseClock reads what follows the date of a moment, from the separator on.
func (f momentForm) parseClock(days int64, text []byte) (m moment, form momentForm, ok bool) {
	const toSeconds = len("THH:MM:SS")
	if len(text) < toSeconds || text[0] != 'T' && text[0] != ' ' {
		return m, f, false
	}
	f.separator = text[0]
	seconds, ok2 := parseClock(text[1:toSeconds])
	nanos, digits, rest, ok3 := parseFraction(text[toSeconds:])
	f.digits = digits
	ok4 := f.parseZone(rest)
	if !ok2 || !ok3 || !ok4 {
		return m, f, false
	}
	m.micros = (days*secondsPerDay+seconds-int64(f.offset)*60)*1e6 + int64(nanos/1000)
	m.nanos = uint16(nanos % 1000)
	return m, f, true
}

// parseClock reads HH:MM:SS and returns the seconds.
func parseClock(text []byte) (seconds int64, ok bool) {
	if len(text) != 8 || text[2] != ':' || text[5] != ':' {
		return 0, false
	}
	h, ok1 := fixedDigits(text[0:2])
	m, ok2 := fixedDigits(text[3:5])
	s, ok3 := fixedDigits(text[6:8])
	return int64(h*3600 + m*60 + s), ok1 && ok2 && ok3 && h < 24 && m < 60 && s < 60
}

// parseFraction reads a point and up to nine digits, or nothing.
func parseFraction(text []byte) (nanos, digits int, rest []byte, ok bool) {
	if len(text) == 0 || text[0] != '.' {
		return 0, 0, text, true
	}
	scale := 100_000_000
	for _, c := range text[1:] {
		d := c - '0'
		if d > 9 {
			break
		}
		if digits == 9 {
			return 0, 0, nil, false
		}
		nanos += int(d) * scale
		scale /= 10
		digits++
	}
	return nanos, digits, text[1+digits:], digits > 0
}

// parseZone reads what is behind the fraction.
func (f *momentForm) parseZone(text []byte) bool {
	switch {
	case len(text) == 0:
		return true
	case len(text) == 1:
		f.zone = text[0]
		return text[0] == 'Z'
	case len(text) != 6 || text[0] != '+' && text[0] != '-' || text[3] != ':':
		return false
	}
	h, ok1 := fixedDigits(text[1:3])
	m, ok2 := fixedDigits(text[4:6])
	f.zone = '+'
	f.offset = h*60 + m
	if text[0] == '-' {
		f.offset = -f.offset
		if f.offset == 0 {
			return false
		}
	}
	return ok1 && ok2 && h < 24 && m < 60
}

func (f momentForm) appendZone(dst []byte) []byte {
	switch f.zone {
	case 'Z':
		return append(dst, 'Z')
	case '+':
		sign, offset := byte('+'), f.offset
		if offset < 0 {
			sign, offset = '-', -offset
		}
		dst = append(dst, sign)
		dst = appendPadded(dst, offset/60, 2)
		dst = append(dst, ':')
		return appendPadded(dst, offset%60, 2)
	}
	return dst
}

// unit returns the coarsest unit that a file of the form needs, seconds left
// out since Parquet has no timestamps of them.
func (f momentForm) unit() nimble.Unit {
	switch {
	case f.digits <= 3:
		return nimble.Millisecond
	case f.digits <= 6:
		return nimble.Microsecond
	default:
		return nimble.Nanosecond
	}
}

// appendMoment writes m in the form. A fraction that needs more digits than the
// form has is written in full.
func appendMoment(dst []byte, m moment, form momentForm) []byte {
	local := m.micros + int64(form.offset)*60e6
	if (local < m.micros) != (form.offset < 0) {
		local, form.offset, form.zone = m.micros, 0, 'Z' // beyond an int64
	}
	days, inDay := floorDiv(local, microsPerDay)
	dst = appendDate(dst, days)
	dst = append(dst, form.separator)
	dst = appendClock(dst, int(inDay/1e6))
	nanos := int(inDay%1e6)*1000 + int(m.nanos)
	dst = appendFraction(dst, nanos, form.digits)
	return form.appendZone(dst)
}

// appendDate writes YYYY-MM-DD; years of other than four digits have a sign.
func appendDate(dst []byte, days int64) []byte {
	t := time.Unix(days*secondsPerDay, 0).UTC()
	year, month, day := t.Date()
	switch {
	case year < 0:
		dst = append(dst, '-')
		year = -year
	case year > 9999:
		dst = append(dst, '+')
	}
	dst = appendPadded(dst, year, 4)
	dst = append(dst, '-')
	dst = appendPadded(dst, int(month), 2)
	dst = append(dst, '-')
	return appendPadded(dst, day, 2)
}

func appendClock(dst []byte, seconds int) []byte {
	dst = appendPadded(dst, seconds/3600, 2)
	dst = append(dst, ':')
	dst = appendPadded(dst, seconds/60%60, 2)
	dst = append(dst, ':')
	return appendPadded(dst, seconds%60, 2)
}

// appendFraction writes a point and the digits of nanos, at least as many as
// asked for.
func appendFraction(dst []byte, nanos, digits int) []byte {
	kept := nanos
	for i := digits; i < 9; i++ {
		if kept%10 != 0 {
			digits, kept = 9, nanos
			break
		}
		kept /= 10
	}
	if digits == 0 {
		return dst
	}
	return appendPadded(append(dst, '.'), kept, digits)
}

// appendPadded writes n >= 0 with at least the given number of digits.
func appendPadded(dst []byte, n, digits int) []byte {
	var buf [20]byte
	i := len(buf)
	for n > 0 || digits > 0 {
		i--
		buf[i] = byte('0' + n%10)
		n /= 10
		digits--
	}
	return append(dst, buf[i:]...)
}

// floorDiv divides toward minus infinity; the rest is not negative.
func floorDiv(a, b int64) (quotient, rest int64) {
	quotient, rest = a/b, a%b
	if rest < 0 {
		return quotient - 1, rest + b
	}
	return quotient, rest
}
