package convert

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

func (n *textNode) bools(v *vector.Bools) {
	for _, row := range n.rows {
		if row >= 0 {
			n.bytes = strconv.AppendBool(n.bytes, vector.Bit(v.Bits, int(row)))
		}
		n.end()
	}
}

// integers renders what is stored in integers.
func integers[T int8 | int16 | int32 | int64](n *textNode, values []T) {
	if n.logical.Kind == nimble.LogicalNone {
		for _, row := range n.rows {
			if row >= 0 {
				n.bytes = strconv.AppendInt(n.bytes, int64(values[row]), 10)
			}
			n.end()
		}
		return
	}
	quote := n.mode == JSONText && (n.logical.Kind == nimble.LogicalDate || n.logical.Kind == nimble.LogicalTime)
	for _, row := range n.rows {
		if row >= 0 {
			n.bytes = appendQuote(n.bytes, quote)
			n.bytes = appendStored(n.bytes, int64(values[row]), &n.logical)
			n.bytes = appendQuote(n.bytes, quote)
		}
		n.end()
	}
}

func appendQuote(dst []byte, quote bool) []byte {
	if quote {
		return append(dst, '"')
	}
	return dst
}

// appendStored writes a value that is stored in an integer.
func appendStored(dst []byte, x int64, l *nimble.Logical) []byte {
	switch l.Kind {
	case nimble.LogicalDate:
		return appendDate(dst, x)
	case nimble.LogicalTime:
		return appendTime(dst, x, l.Unit)
	case nimble.LogicalUnsigned:
		if l.Bits == 64 {
			return strconv.AppendUint(dst, uint64(x), 10)
		}
	case nimble.LogicalDecimal:
		var buf [20]byte
		return appendPoint(dst, strconv.AppendInt(buf[:0], x, 10), l.Scale)
	}
	return strconv.AppendInt(dst, x, 10)
}

// appendTime writes HH:MM:SS and the fraction; a value that is no time of day
// is written as the integer it is.
func appendTime(dst []byte, x int64, unit nimble.Unit) []byte {
	per := nanosPer(unit)
	if x < 0 || x >= secondsPerDay*1e9/per {
		return strconv.AppendInt(dst, x, 10)
	}
	nanos := x * per
	dst = appendClock(dst, int(nanos/1e9))
	return appendFraction(dst, int(nanos%1e9), unitDigits(unit))
}

// appendPoint writes the digits of an unscaled decimal with a point before the
// last scale ones.
func appendPoint(dst, digits []byte, scale int) []byte {
	if digits[0] == '-' {
		dst = append(dst, '-')
		digits = digits[1:]
	}
	if scale == 0 {
		return append(dst, digits...)
	}
	whole := len(digits) - scale
	if whole <= 0 {
		dst = append(dst, '0', '.')
		for range -whole {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	dst = append(dst, digits[:whole]...)
	dst = append(dst, '.')
	return append(dst, digits[whole:]...)
}

func floats[T float32 | float64](n *textNode, values []T, bits int) {
	for _, row := range n.rows {
		if row >= 0 {
			x := float64(values[row])
			quote := n.mode == JSONText && (math.IsNaN(x) || math.IsInf(x, 0))
			n.bytes = appendQuote(n.bytes, quote)
			n.bytes = appendFloat(n.bytes, x, bits, n.style)
			n.bytes = appendQuote(n.bytes, quote)
		}
		n.end()
	}
}

func (n *textNode) moments(micros []int64, nanos []uint16) {
	quote := n.mode == JSONText
	for _, row := range n.rows {
		if row >= 0 {
			m := moment{micros: micros[row]}
			if nanos != nil {
				m.nanos = nanos[row]
			}
			n.bytes = appendQuote(n.bytes, quote)
			n.bytes = appendMoment(n.bytes, m, n.form)
			n.bytes = appendQuote(n.bytes, quote)
		}
		n.end()
	}
}

func (n *textNode) strings(values []vector.View, buffers [][]byte) {
	for _, row := range n.rows {
		if row >= 0 {
			n.bytes = n.appendString(n.bytes, values[row].Bytes(buffers))
		}
		n.end()
	}
}

// appendString writes what is stored in bytes.
func (n *textNode) appendString(dst, stored []byte) []byte {
	quote := n.mode == JSONText
	switch {
	case n.raw && bytes.IndexByte(stored, '\n') < 0 && json.Valid(stored):
		return append(dst, stored...)
	case n.typ.Kind == nimble.Varchar && quote:
		return appendJSONString(dst, stored)
	case n.typ.Kind == nimble.Varchar, n.bytesText:
		return append(dst, stored...)
	case n.logical.Kind == nimble.LogicalDecimal:
		return appendPoint(dst, twosComplement(stored).Append(nil, 10), n.logical.Scale)
	case n.logical.Kind == nimble.LogicalUUID && len(stored) == 16:
		dst = appendQuote(dst, quote)
		dst = appendUUID(dst, stored)
	default:
		dst = appendQuote(dst, quote)
		dst = hex.AppendEncode(dst, stored)
	}
	return appendQuote(dst, quote)
}

func appendUUID(dst, id []byte) []byte {
	dst = hex.AppendEncode(dst, id[:4])
	for _, part := range [][]byte{id[4:6], id[6:8], id[8:10], id[10:]} {
		dst = hex.AppendEncode(append(dst, '-'), part)
	}
	return dst
}

// appendJSONString writes text as a JSON string. Bytes that are not UTF-8 become
// lone surrogates, from which they can be told; text that is UTF-8 has none.
func appendJSONString(dst, text []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, size := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, '\\', 'u', 'd', 'c', digits[c>>4], digits[c&15])
			} else {
				dst = append(dst, text[i:i+size]...)
				i += size - 1
			}
		}
		i++
	}
	return append(dst, '"')
}
