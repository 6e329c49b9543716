package fn

import (
	"strconv"
	"strings"
	"time"
)

// jodaFields are the fields that a text has, by the letters of a pattern.
type jodaFields struct {
	set   [128]bool
	value [128]int
	nanos int
	zone  *time.Location
}

func (f *jodaFields) put(letter byte, x int) { f.set[letter], f.value[letter] = true, x }

// or returns a field, or a value if the text does not have it.
func (f *jodaFields) or(letter byte, missing int) int {
	if f.set[letter] {
		return f.value[letter]
	}
	return missing
}

// parse reads a moment, in milliseconds, in a zone unless the text has one. Its
// error wraps ErrValue.
func (p jodaPattern) parse(text string, zone *time.Location) (int64, error) {
	f := jodaFields{zone: zone}
	rest := text
	for _, part := range p {
		var ok bool
		if rest, ok = part.parse(rest, &f); !ok {
			return 0, badValue("Invalid format: %q", text)
		}
	}
	if rest != "" {
		return 0, badValue("Invalid format: %q is malformed at %q", text, rest)
	}
	ms, ok := f.millis()
	if !ok {
		return 0, badValue("Cannot parse %q: a field is out of its range, or its zone has no such time", text)
	}
	return ms, nil
}

func (p jodaPart) parse(text string, f *jodaFields) (rest string, ok bool) {
	switch p.letter {
	case 0:
		if len(text) >= len(p.text) && strings.EqualFold(text[:len(p.text)], p.text) {
			return text[len(p.text):], true
		}
		return text, false
	case 'G':
		return f.names(text, 'G', []string{"AD", "BC", "CE", "BCE"}, 2)
	case 'a':
		return f.names(text, 'a', []string{"AM", "PM"}, 2)
	case 'E':
		return f.names(text, 'E', []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}, 3)
	case 'M':
		if p.count >= 3 {
			months := make([]string, 12)
			for i := range months {
				months[i] = time.Month(i + 1).String()
			}
			rest, ok = f.names(text, 'M', months, 3)
			f.value['M']++
			return rest, ok
		}
	case 'S':
		return p.parseFraction(text, f)
	case 'z':
		return f.zoneNamed(text)
	case 'Z':
		if p.count >= 3 {
			return f.zoneID(text)
		}
		return f.offset(text)
	}
	return p.parseNumber(text, f)
}

// maxDigits are the most digits of the letters that are numbers.
var maxDigits = map[byte]int{'D': 3, 'e': 1, 'C': 9, 'Y': 9, 'y': 9, 'x': 9}

func (p jodaPart) parseNumber(text string, f *jodaFields) (string, bool) {
	most, year := 2, p.letter == 'y' || p.letter == 'x' || p.letter == 'Y'
	if n, ok := maxDigits[p.letter]; ok {
		most = n
	}
	if p.tight && year {
		most = p.count
	}
	n := 0
	if year && p.count != 2 && p.letter != 'Y' && len(text) > 1 && (text[0] == '-' || text[0] == '+') && text[1] >= '0' && text[1] <= '9' {
		n = 1
	}
	begin := n
	for n < len(text) && n-begin < most && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	x, err := strconv.Atoi(text[:n])
	if n == begin || err != nil {
		return text, false
	}
	if year && p.count == 2 && n == 2 {
		// Of the years with these last two digits the one that is nearest to thirty
		// years ago.
		low := time.Now().UTC().Year() - 30 - 50
		x += (low - x + 99) / 100 * 100
	}
	f.put(p.letter, x)
	return text[n:], true
}

func (p jodaPart) parseFraction(text string, f *jodaFields) (string, bool) {
	n, unit := 0, 100_000_000
	for n < len(text) && n < p.count && text[n] >= '0' && text[n] <= '9' {
		f.nanos += int(text[n]-'0') * unit
		unit /= 10
		n++
	}
	return text[n:], n > 0
}

// names reads one of some names, whole or cut to so many letters, in any case.
func (f *jodaFields) names(text string, letter byte, names []string, short int) (string, bool) {
	for _, whole := range []bool{true, false} {
		for i, name := range names {
			if !whole {
				name = name[:short]
			}
			if len(text) >= len(name) && strings.EqualFold(text[:len(name)], name) {
				f.put(letter, i)
				return text[len(name):], true
			}
		}
	}
	return text, false
}

// zoneNames are the abbreviations that are read.
var zoneNames = map[string]string{
	"UTC": "UTC", "UT": "UTC", "GMT": "UTC", "EST": "America/New_York", "EDT": "America/New_York", "CST": "America/Chicago", "CDT": "America/Chicago",
	"MST": "America/Denver", "MDT": "America/Denver", "PST": "America/Los_Angeles", "PDT": "America/Los_Angeles",
}

func (f *jodaFields) zoneNamed(text string) (string, bool) {
	for _, n := range []int{3, 2} {
		if len(text) < n {
			continue
		}
		if id, ok := zoneNames[text[:n]]; ok {
			zone, err := loadZone(id)
			f.zone = zone
			return text[n:], err == nil
		}
	}
	return text, false
}

func (f *jodaFields) zoneID(text string) (string, bool) {
	n := 0
	for n < len(text) && (isLetter(text[n]) || strings.IndexByte("/_+-0123456789:", text[n]) >= 0) {
		n++
	}
	zone, err := loadZone(text[:n])
	if err != nil {
		return text, false
	}
	f.zone = zone
	return text[n:], true
}

// offset reads Z, +hh, +hhmm or +hh:mm.
func (f *jodaFields) offset(text string) (string, bool) {
	if strings.HasPrefix(text, "Z") {
		f.zone = time.UTC
		return text[1:], true
	}
	for _, layout := range []string{"-07:00", "-0700", "-07"} {
		n := len(layout)
		if len(text) < n {
			continue
		}
		if at, err := time.Parse(layout, text[:n]); err == nil {
			_, seconds := at.Zone()
			f.zone = time.FixedZone("", seconds)
			return text[n:], true
		}
	}
	return text, false
}

// millis puts the fields together.
func (f *jodaFields) millis() (int64, bool) {
	day, ok := f.date()
	if !ok {
		return 0, false
	}
	hour := f.or('H', f.or('k', 0)%24)
	if f.set['K'] || f.set['h'] {
		half := f.or('K', f.or('h', 0)%12)
		if half > 11 || f.or('h', 1) > 12 || f.or('h', 1) < 1 {
			return 0, false
		}
		hour = half + 12*f.or('a', boolInt(hour >= 12))
	}
	minute, second := f.or('m', 0), f.or('s', 0)
	if hour > 23 || minute > 59 || second > 59 || f.or('k', 1) > 24 || f.or('k', 1) < 1 {
		return 0, false
	}
	local := day.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second + time.Duration(f.nanos))
	return localMillis(local, f.zone)
}

// date returns the start of the day, as if in UTC.
func (f *jodaFields) date() (time.Time, bool) {
	year := 1970
	if f.set['M'] || f.set['d'] || f.set['D'] {
		year = 2000
	}
	year = f.or('y', f.or('Y', year))
	if f.or('G', 0)%2 == 1 {
		year = 1 - year
	}
	switch {
	case f.set['x'] || f.set['w'] || f.set['e']:
		week, weekday := f.or('w', 1), f.or('e', 1)
		if week < 1 || week > 53 || weekday < 1 || weekday > 7 {
			return time.Time{}, false
		}
		fourth := time.Date(f.or('x', year), 1, 4, 0, 0, 0, 0, time.UTC)
		return fourth.AddDate(0, 0, 1-isoWeekday(fourth)+7*(week-1)+weekday-1), true
	case f.set['D']:
		day := time.Date(year, 1, f.value['D'], 0, 0, 0, 0, time.UTC)
		return day, day.Year() == year && f.value['D'] > 0
	}
	month, dayOfMonth := f.or('M', 1), f.or('d', 1)
	day := time.Date(year, time.Month(month), dayOfMonth, 0, 0, 0, 0, time.UTC)
	return day, month >= 1 && month <= 12 && int(day.Month()) == month && day.Day() == dayOfMonth
}

// localMillis returns the moment at which clocks in a zone show what local does in
// UTC: of two the first; there may be none.
func localMillis(local time.Time, zone *time.Location) (int64, bool) {
	for _, near := range []time.Duration{-24 * time.Hour, 24 * time.Hour} {
		_, offset := local.Add(near).In(zone).Zone()
		at := local.Add(-time.Duration(offset) * time.Second)
		if _, there := at.In(zone).Zone(); there == offset {
			return at.UnixMilli(), true
		}
	}
	return 0, false
}
