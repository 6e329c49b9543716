package fn

import (
	"errors"
	"testing"
	"time"
)

func TestJodaFormat(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ms      int64
		zone    *time.Location
		pattern string
		want    string
	}{
		{1704164645123, time.UTC, "yyyy-MM-dd'T'HH:mm:ss.SSSZ", "2024-01-02T03:04:05.123+0000"},
		{1704164645123, time.UTC, "EEEE, dd MMMM yy", "Tuesday, 02 January 24"},
		{1704164645123, time.UTC, "D e w x", "2 2 1 2024"},
		{0, time.UTC, "H:k:K:h a", "0:24:0:12 AM"},
		{-1, time.UTC, "s.SS G C 'o''clock'", "59.99 AD 19 o'clock"},
		{1720000000000, berlin, "yyyy-MM-dd HH:mm zzz ZZ ZZZ", "2024-07-03 11:46 CEST +02:00 Europe/Berlin"},
		{-253402300799999, time.UTC, "yyyy-MM-dd", "-6060-01-02"},
	} {
		p, err := compileJoda(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if got := string(p.append(nil, time.UnixMilli(c.ms).In(c.zone))); got != c.want {
			t.Errorf("%s of %d: %q, want %q", c.pattern, c.ms, got, c.want)
		}
	}
	for _, pattern := range []string{"", "QQ", "fff", "yyyy b"} {
		if _, err := compileJoda(pattern); !errors.Is(err, ErrValue) {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

func TestJodaParse(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	const wrong = -12345
	for _, c := range []struct {
		pattern, text string
		want          int64
	}{
		{"yyyy-MM-dd HH:mm", "2024-11-03 01:30", 1730611800000}, // twice there: the first
		{"yyyy-MM-dd HH:mm", "2024-03-10 02:30", wrong},         // never there
		{"yyyy-MM-dd ZZZ", "2024-01-02 UTC", 1704153600000},
		{"dd/MMM/yyyy Z", "02/jan/2024 +0530", 1704133800000},
		{"hh:mm a Z", "12:30 PM Z", 45000000},
		{"xxxx-'W'ww-e Z", "2024-W01-2 Z", 1704153600000},
		{"yyyy-DDD Z", "2024-366 Z", 1735603200000},
		{"yyyy-DDD Z", "2023-366 Z", wrong},
		{"yyyyMMdd Z", "20240102 Z", 1704153600000},
		{"yyyy-MM-dd Z", "2024-13-02 Z", wrong},
		{"yyyy-MM-dd Z", "2024-02-30 Z", wrong},
		{"yyyy", "2024x", wrong},
		{"yyyy", "", wrong},
		{"HH:mm Z", "24:00 Z", wrong},
	} {
		p, err := compileJoda(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.parse(c.text, newYork)
		if (err != nil) != (c.want == wrong) || err == nil && got != c.want || err != nil && !errors.Is(err, ErrValue) {
			t.Errorf("%q by %s: %d, %v, want %d", c.text, c.pattern, got, err, c.want)
		}
	}
}

func FuzzJoda(f *testing.F) {
	f.Add("yyyy-MM-dd'T'HH:mm:ss.SSSZZ", "2024-01-02T03:04:05.678+05:30")
	f.Add("EEE, d MMM yy hh a z", "Tue, 2 Jan 24 03 AM UTC")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		p, err := compileJoda(pattern)
		if err != nil || len(pattern) > 100 {
			return
		}
		if ms, err := p.parse(text, time.UTC); err == nil {
			p.append(nil, time.UnixMilli(ms).UTC())
		}
	})
}
