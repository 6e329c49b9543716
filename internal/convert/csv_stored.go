package convert

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"math/big"
	"strconv"

	"github.com/decantdb/decant/nimble"
)

// parseStored reads the text of a value that is stored in an integer.
func parseStored(text []byte, l *nimble.Logical) (x int64, ok bool) {
	switch l.Kind {
	case nimble.LogicalDate:
		return parseAnyDate(text)
	case nimble.LogicalTime:
		return parseTime(text, l.Unit)
	case nimble.LogicalUnsigned:
		u, err := strconv.ParseUint(string(text), 10, l.Bits)
		return int64(u), err == nil
	case nimble.LogicalDecimal:
		var buf [nimble.MaxDecimalDigits + 2]byte
		unscaled, ok := appendUnscaled(buf[:0], text, l)
		if !ok {
			return 0, false
		}
		return parseWhole(unscaled)
	default:
		return parseWhole(text)
	}
}

// parseWhole reads an integer that may have a plus and leading zeros.
func parseWhole(text []byte) (x int64, ok bool) {
	if x, ok := parseInteger(text); ok {
		return x, true
	}
	x, err := strconv.ParseInt(string(text), 10, 64)
	return x, err == nil
}

// parseTime reads HH:MM:SS with a fraction that the unit holds.
func parseTime(text []byte, unit nimble.Unit) (x int64, ok bool) {
	if len(text) < 8 {
		return 0, false
	}
	seconds, ok1 := parseClock(text[:8])
	nanos, _, rest, ok2 := parseFraction(text[8:])
	if !ok1 || !ok2 || len(rest) > 0 {
		return 0, false
	}
	total := seconds*1e9 + int64(nanos)
	per := nanosPer(unit)
	return total / per, total%per == 0
}

// nanosPer returns the nanoseconds of a unit.
func nanosPer(unit nimble.Unit) int64 {
	switch unit {
	case nimble.Second:
		return 1e9
	case nimble.Millisecond:
		return 1e6
	case nimble.Microsecond:
		return 1e3
	default:
		return 1
	}
}

// fits reports whether the unit, 0 meaning any, holds m without a rest.
func (m moment) fits(unit nimble.Unit) bool {
	switch unit {
	case nimble.Second:
		return m.nanos == 0 && m.micros%1e6 == 0
	case nimble.Millisecond:
		return m.nanos == 0 && m.micros%1e3 == 0
	case nimble.Microsecond:
		return m.nanos == 0
	default:
		return true
	}
}

// appendUnscaled writes the digits of a decimal number without its point, with
// as many after it as the scale says. A number with more digits than the type
// has, before or after the point, is not ok.
func appendUnscaled(dst, text []byte, l *nimble.Logical) (unscaled []byte, ok bool) {
	n, ok := scanNumeral(text)
	if !ok || n.exponent {
		return nil, false
	}
	for n.decimals > l.Scale {
		if text[len(text)-1] != '0' {
			return nil, false
		}
		text = text[:len(text)-1]
		n.decimals--
		if !n.zero {
			n.digits--
		}
	}
	if n.digits+l.Scale-n.decimals > l.Precision && !n.zero {
		return nil, false
	}
	for _, c := range text {
		if c != '.' {
			dst = append(dst, c)
		}
	}
	for range l.Scale - n.decimals {
		dst = append(dst, '0')
	}
	return dst, true
}

// storeBytes turns the text of a value that is stored in bytes into these, in
// the same memory: they are never longer than the text.
func storeBytes(text []byte, kind nimble.Kind, l *nimble.Logical) (stored []byte, ok bool) {
	switch {
	case l.Kind == nimble.LogicalJSON:
		return text, json.Valid(text)
	case l.Kind == nimble.LogicalUUID:
		return storeUUID(text)
	case kind == nimble.Varbinary:
		return storeHex(text)
	default:
		return text, true
	}
}

// storeHex reads an even number of hexadecimal digits.
func storeHex(text []byte) (stored []byte, ok bool) {
	if len(text)%2 != 0 || !isHex(text) {
		return nil, false
	}
	n, err := hex.Decode(text, text)
	return text[:n], err == nil
}

// storeUUID reads 8-4-4-4-12 hexadecimal digits.
func storeUUID(text []byte) (stored []byte, ok bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return nil, false
	}
	for _, part := range [][]byte{text[:8], text[9:13], text[14:18], text[19:23], text[24:]} {
		if !isHex(part) {
			return nil, false
		}
	}
	digits := append(text[:8], text[9:13]...)
	digits = append(digits, text[14:18]...)
	digits = append(digits, text[19:23]...)
	return storeHex(append(digits, text[24:36]...))
}

func isHex(text []byte) bool {
	for _, c := range text {
		if c-'0' > 9 && (c|0x20)-'a' > 5 {
			return false
		}
	}
	return true
}

// appendDecimal writes the big-endian two's complement of a decimal number.
func appendDecimal(dst, text []byte, l *nimble.Logical) (stored []byte, ok bool) {
	var buf [nimble.MaxDecimalDigits + 2]byte
	unscaled, ok := appendUnscaled(buf[:0], text, l)
	if !ok {
		return nil, false
	}
	x, ok := new(big.Int).SetString(string(unscaled), 10)
	if !ok {
		return nil, false
	}
	return appendTwosComplement(dst, x), true
}

// appendTwosComplement writes x big-endian in as few bytes as hold its sign.
func appendTwosComplement(dst []byte, x *big.Int) []byte {
	if x.Sign() >= 0 {
		if x.BitLen()%8 == 0 {
			dst = append(dst, 0)
		}
		return append(dst, x.Bytes()...)
	}
	// -x-1 has the complement's bits.
	inverse := new(big.Int).Not(x)
	size := inverse.BitLen()/8 + 1
	begin := len(dst)
	dst = append(dst, make([]byte, size)...)
	inverse.FillBytes(dst[begin:])
	for i := begin; i < len(dst); i++ {
		dst[i] ^= math.MaxUint8
	}
	return dst
}

// twosComplement reads what appendTwosComplement writes; no bytes are zero.
func twosComplement(stored []byte) *big.Int {
	x := new(big.Int).SetBytes(stored)
	if len(stored) > 0 && stored[0]&0x80 != 0 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(stored))))
	}
	return x
}
