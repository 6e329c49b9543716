package fn

import (
	"strconv"
	"time"
)

const (
	millisPerDay = 86_400_000
	// firstGregorianMs is 1582-10-15. Java's dates before it are those of the
	// Julian calendar.
	firstGregorianMs = -12_219_292_800_000
)

// AppendMoment writes milliseconds since 1970 as Java's Timestamp does, in UTC:
// yyyy-MM-dd HH:mm:ss and a fraction of at least one digit. A year before the
// first is given as that of its era.
func AppendMoment(dst []byte, ms int64) []byte {
	seconds, fraction := ms/1000, ms%1000
	if fraction < 0 {
		seconds, fraction = seconds-1, fraction+1000
	}
	whole := seconds * 1000 // wraps around for the earliest moments, as in Java
	year, month, day := javaDate(whole)
	second := (whole%millisPerDay + millisPerDay) % millisPerDay / 1000
	dst = appendPadded(dst, year, 4)
	dst = appendPadded(append(dst, '-'), month, 2)
	dst = appendPadded(append(dst, '-'), day, 2)
	dst = appendPadded(append(dst, ' '), second/3600, 2)
	dst = appendPadded(append(dst, ':'), second/60%60, 2)
	dst = appendPadded(append(dst, ':'), second%60, 2)
	digits := 3
	for digits > 1 && fraction%10 == 0 {
		fraction /= 10
		digits--
	}
	return appendPadded(append(dst, '.'), fraction, digits)
}

// javaDate returns the date of a moment in Java's hybrid calendar.
func javaDate(ms int64) (year, month, day int64) {
	if ms >= firstGregorianMs {
		y, m, d := time.UnixMilli(ms).UTC().Date()
		return int64(y), int64(m), int64(d)
	}
	days := ms / millisPerDay
	if ms%millisPerDay < 0 {
		days--
	}
	// Years that begin in March, so that the leap day is a year's last; day 0 is
	// the first of March of the year 0.
	sinceMarch := days + 719_470
	period := sinceMarch / 1461
	if sinceMarch%1461 < 0 {
		period--
	}
	inPeriod := sinceMarch - period*1461
	yearOfPeriod := min(inPeriod/365, 3)
	dayOfYear := inPeriod - 365*yearOfPeriod
	fromMarch := (5*dayOfYear + 2) / 153
	day = dayOfYear - (153*fromMarch+2)/5 + 1
	year, month = 4*period+yearOfPeriod, fromMarch+3
	if month > 12 {
		year, month = year+1, month-12
	}
	if year < 1 {
		year = 1 - year
	}
	return year, month, day
}

func appendPadded(dst []byte, x int64, width int) []byte {
	digits := 1
	for y := x; y >= 10; y /= 10 {
		digits++
	}
	for range width - digits {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, x, 10)
}
