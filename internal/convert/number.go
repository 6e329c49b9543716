package convert

import (
	"math"
	"strconv"
	"unsafe"
)

// parseInteger reads -?(0|[1-9][0-9]*) in the range of an int64: the form in
// which an integer prints. Minus zero is not of it.
func parseInteger(text []byte) (n int64, ok bool) {
	digits := text
	if len(text) > 1 && text[0] == '-' {
		digits = text[1:]
		if digits[0] == '0' {
			return 0, false
		}
	}
	if len(digits) == 0 || len(digits) > 19 || digits[0] == '0' && len(digits) > 1 {
		return 0, false
	}
	var u uint64
	for _, c := range digits {
		d := c - '0'
		if d > 9 {
			return 0, false
		}
		u = u*10 + uint64(d)
	}
	if len(digits) == len(text) {
		return int64(u), u <= math.MaxInt64
	}
	return -int64(u), u <= 1<<63
}

// numeral is what the text of a decimal number looks like:
//
//	-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
type numeral struct {
	point    bool
	exponent bool // with an exponent
	sign     bool // of the exponent
	decimals int  // digits after the point
	digits   int  // from the first that is not 0
	trailing bool // the last digit after the point is 0
	zero     bool // no digit but 0
}

// scanNumeral reads text as a numeral.
func scanNumeral(text []byte) (n numeral, ok bool) {
	i := 0
	if i < len(text) && text[i] == '-' {
		i++
	}
	begin := i
	n.zero = true
	i = n.scanDigits(text, i)
	if i == begin || text[begin] == '0' && i > begin+1 {
		return n, false
	}
	if i < len(text) && text[i] == '.' {
		n.point = true
		begin = i + 1
		i = n.scanDigits(text, begin)
		n.decimals = i - begin
		if n.decimals == 0 {
			return n, false
		}
		n.trailing = text[i-1] == '0'
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		n.exponent = true
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			n.sign = true
			i++
		}
		begin = i
		for i < len(text) && text[i]-'0' <= 9 {
			i++
		}
		if i == begin {
			return n, false
		}
	}
	return n, i == len(text)
}

// scanDigits counts the digits from text[i] on and returns where they end.
func (n *numeral) scanDigits(text []byte, i int) int {
	for i < len(text) && text[i]-'0' <= 9 {
		n.zero = n.zero && text[i] == '0'
		if !n.zero {
			n.digits++
		}
		i++
	}
	return i
}

// isNonFinite reports whether text is one of the forms in which a float that is
// no number prints.
func isNonFinite(text []byte) bool {
	switch string(text) {
	case "NaN", "Infinity", "-Infinity":
		return true
	}
	return false
}

// parseFloat reads a numeral, NaN, Infinity or -Infinity. A number that is
// beyond the range of the bits is not ok.
func parseFloat(text []byte, bits int) (x float64, ok bool) {
	if isNonFinite(text) {
		x, err := strconv.ParseFloat(string(text), bits)
		return x, err == nil
	}
	if _, ok := scanNumeral(text); !ok {
		return 0, false
	}
	// The string is not kept: the text is valid, and an error that quotes it
	// is dropped.
	x, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(text), len(text)), bits)
	return x, err == nil
}

// floatStyle is how the floats of a column print.
type floatStyle struct {
	// fixed is the number of digits after the point where it is the same for
	// the whole column, and -1 for as few digits as tell the value from others.
	fixed int
	// bare leaves the ".0" of whole numbers away.
	bare bool
}

var dottedStyle = floatStyle{fixed: -1}

// appendFloat appends the shortest text that reads back as x, with an exponent
// below 1e-6 and from 1e21 on.
func appendFloat(dst []byte, x float64, bits int, style floatStyle) []byte {
	switch {
	case math.IsNaN(x):
		return append(dst, "NaN"...)
	case math.IsInf(x, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(x, -1):
		return append(dst, "-Infinity"...)
	}
	size := math.Abs(x)
	if size >= 1e21 || size < 1e-6 && size != 0 {
		return strconv.AppendFloat(dst, x, 'e', -1, bits)
	}
	if style.fixed >= 0 {
		before := len(dst)
		dst = strconv.AppendFloat(dst, x, 'f', style.fixed, bits)
		if back, err := strconv.ParseFloat(string(dst[before:]), bits); err == nil && back == x {
			return dst
		}
		dst = dst[:before] // the value has more digits than its column had
	}
	dst = strconv.AppendFloat(dst, x, 'f', -1, bits)
	if !style.bare && x == math.Trunc(x) {
		dst = append(dst, ".0"...)
	}
	return dst
}

// exactDigits is how many significant digits any decimal number keeps in a
// float64 and back.
const exactDigits = 15

// textStyles says in which styles the value of a float's text prints as that
// text.
type textStyles uint8

const (
	asDotted textStyles = 1 << iota
	asBare
	asFixed // with as many decimals as it has
)

// survives reports whether text, a numeral, has in a float64 the very value it
// denotes, and the styles in which that prints as the text.
func (n numeral) survives(text []byte) (styles textStyles, ok bool) {
	if !n.exponent && n.digits <= exactDigits && n.decimals <= exactDigits {
		// From 1e-6 on these print without an exponent.
		if n.zero || n.decimals < 6 || n.digits > n.decimals-6 {
			if n.point {
				styles |= asFixed
			}
			switch {
			case !n.point:
				styles |= asBare
			case !n.trailing:
				styles |= asDotted | asBare
			case n.decimals == 1:
				styles |= asDotted
			}
		}
		return styles, true
	}
	x, ok := parseFloat(text, 64)
	if !ok {
		return 0, false
	}
	var buf [400]byte
	shortest := strconv.AppendFloat(buf[:0], x, 'e', -1, 64)
	if !sameNumber(text, shortest) {
		return 0, false
	}
	if string(appendFloat(buf[:0], x, 64, dottedStyle)) == string(text) {
		styles |= asDotted
	}
	if string(appendFloat(buf[:0], x, 64, floatStyle{fixed: -1, bare: true})) == string(text) {
		styles |= asBare
	}
	if n.point && n.decimals <= maxFixed &&
		string(appendFloat(buf[:0], x, 64, floatStyle{fixed: n.decimals})) == string(text) {
		styles |= asFixed
	}
	return styles, true
}

// maxFixed bounds the decimals of a fixed style.
const maxFixed = 30

// sameNumber reports whether two numerals denote the same number, minus zero
// being another one than zero.
func sameNumber(a, b []byte) bool {
	if (a[0] == '-') != (b[0] == '-') {
		return false
	}
	aPower, aOK := leadingPower(a)
	bPower, bOK := leadingPower(b)
	if !aOK || !bOK {
		return false
	}
	i, j := nextDigit(a, -1, true), nextDigit(b, -1, true)
	if i == len(a) || j == len(b) {
		return i == len(a) && j == len(b)
	}
	if aPower != bPower {
		return false
	}
	for i < len(a) && j < len(b) {
		if a[i] != b[j] {
			return false
		}
		i, j = nextDigit(a, i, false), nextDigit(b, j, false)
	}
	// What the longer one has more must be zeros.
	return nextDigit(a, i-1, true) == len(a) && nextDigit(b, j-1, true) == len(b)
}

// nextDigit returns the place of the first digit of the mantissa after place i,
// zeros left out if so asked, or len(text).
func nextDigit(text []byte, i int, skipZeros bool) int {
	for i++; i < len(text); i++ {
		switch c := text[i]; {
		case c == 'e' || c == 'E':
			return len(text)
		case c-'0' <= 9 && !(skipZeros && c == '0'):
			return i
		}
	}
	return len(text)
}

// leadingPower returns the power of ten of the first digit that is not 0. A
// numeral without one, or with an exponent beyond reason, is not ok unless it
// is zero.
func leadingPower(text []byte) (power int, ok bool) {
	point, first, end := -1, -1, len(text)
	for i, c := range text {
		if c == 'e' || c == 'E' {
			end = i
			break
		}
		if c == '.' {
			point = i
		} else if first < 0 && c >= '1' && c <= '9' {
			first = i
		}
	}
	if point < 0 {
		point = end
	}
	if first < 0 {
		return 0, true
	}
	exponent := 0
	if end < len(text) {
		var err error
		if exponent, err = strconv.Atoi(string(text[end+1:])); err != nil {
			return 0, false
		}
	}
	if first < point {
		return exponent + point - first - 1, true
	}
	return exponent + point - first, true
}
