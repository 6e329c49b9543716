package server

import (
	"strconv"
	"time"
)

const (
	microsPerSecond = 1_000_000
	secondsPerDay   = 86_400
	// firstGregorianDay is 1582-10-15, in days since 1970. Java's dates before it
	// are those of the Julian calendar.
	firstGregorianDay = -141_427
)

// appendTimestamp writes a moment as java.sql.Timestamp.toString does in UTC:
// yyyy-MM-dd HH:mm:ss and the fraction of the second without zeros at its end, of
// which it has at least one digit.
func appendTimestamp(dst []byte, micros int64) []byte {
	seconds, fraction := floorDiv(micros, microsPerSecond)
	day, second := floorDiv(seconds, secondsPerDay)
	year, month, date := civil(day)
	dst = appendPadded(dst, year, 4)
	dst = appendPadded(append(dst, '-'), month, 2)
	dst = appendPadded(append(dst, '-'), date, 2)
	dst = appendPadded(append(dst, ' '), second/3600, 2)
	dst = appendPadded(append(dst, ':'), second/60%60, 2)
	dst = appendPadded(append(dst, ':'), second%60, 2)
	digits := int64(6)
	for digits > 1 && fraction%10 == 0 {
		fraction /= 10
		digits--
	}
	return appendPadded(append(dst, '.'), fraction, int(digits))
}

func floorDiv(a, b int64) (quotient, rest int64) {
	quotient, rest = a/b, a%b
	if rest < 0 {
		quotient, rest = quotient-1, rest+b
	}
	return quotient, rest
}

// civil returns the date of a day since 1970, as Java's hybrid calendar has it. A
// year before the first is given as that of its era.
func civil(day int64) (year, month, date int64) {
	if day >= firstGregorianDay {
		y, m, d := time.Unix(day*secondsPerDay, 0).UTC().Date()
		return int64(y), int64(m), int64(d)
	}
	// Years that begin in March, so that the leap day is a year's last; day 0 is
	// the first of March of the year 0.
	const toMarchOfYear0 = 719_470
	period, inPeriod := floorDiv(day+toMarchOfYear0, 4*365+1)
	yearOfPeriod := min(inPeriod/365, 3)
	dayOfYear := inPeriod - 365*yearOfPeriod
	monthFromMarch := (5*dayOfYear + 2) / 153
	date = dayOfYear - (153*monthFromMarch+2)/5 + 1
	year = 4*period + yearOfPeriod
	month = monthFromMarch + 3
	if month > 12 {
		year, month = year+1, month-12
	}
	if year < 1 {
		year = 1 - year
	}
	return year, month, date
}

func appendPadded(dst []byte, n int64, digits int) []byte {
	var raw [20]byte
	text := strconv.AppendInt(raw[:0], n, 10)
	for range digits - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}
