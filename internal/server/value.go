package server

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/internal/sql"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// values writes values of a column as JSON.
type values struct {
	vec   vector.Vector
	bytes bool // strings are BYTES
	elem  *values
}

// newValues decodes the column, so that each of its values is at hand.
func newValues(v vector.Vector, t *nimble.Type) (*values, error) {
	c := &values{vec: v, bytes: t.Kind == nimble.Varbinary && !convert.IsDecimal(t)}
	switch v := v.(type) {
	case *vector.Bools:
	case *vector.Vec[int32]:
		v.Flatten()
	case *vector.Vec[int64]:
		v.Flatten()
	case *vector.Vec[float32]:
		v.Flatten()
	case *vector.Vec[float64]:
		v.Flatten()
	case *vector.Vec[vector.View]:
		v.Flatten()
	case *vector.Timestamps:
		v.Micros.Flatten()
	case *vector.List:
		if t.Kind != nimble.Array && t.Kind != nimble.DedupArray {
			return nil, fmt.Errorf("lists for %v", t)
		}
		var err error
		if c.elem, err = newValues(v.Elem, t.Children[0]); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("a vector of kind %v has no JSON", v.Kind())
	}
	return c, nil
}

// append writes the value of a row.
func (c *values) append(dst []byte, row int) []byte {
	if !vector.Valid(c.vec.Validity(), row) {
		return append(dst, "null"...)
	}
	switch v := c.vec.(type) {
	case *vector.Bools:
		return strconv.AppendBool(dst, vector.Bit(v.Bits, row))
	case *vector.Vec[int32]:
		return strconv.AppendInt(dst, int64(v.Values[row]), 10)
	case *vector.Vec[int64]:
		return strconv.AppendInt(dst, v.Values[row], 10)
	case *vector.Vec[float32]:
		return appendFloat(dst, float64(v.Values[row]), 32)
	case *vector.Vec[float64]:
		return appendFloat(dst, v.Values[row], 64)
	case *vector.Timestamps:
		dst = append(dst, '"')
		dst = appendTimestamp(dst, v.Micros.Values[row])
		return append(dst, '"')
	case *vector.Vec[vector.View]:
		text := v.Values[row].Bytes(v.Buffers.List())
		if !c.bytes {
			return appendString(dst, text)
		}
		dst = append(dst, '"')
		dst = hex.AppendEncode(dst, text)
		return append(dst, '"')
	case *vector.List:
		dst = append(dst, '[')
		begin, end := v.Span(row)
		for i := begin; i < end; i++ {
			if i > begin {
				dst = append(dst, ',')
			}
			dst = c.elem.append(dst, i)
		}
		return append(dst, ']')
	}
	return dst
}

// appendFloat writes a float as Jackson does: what is no number as a string.
func appendFloat(dst []byte, x float64, bits int) []byte {
	special := math.IsNaN(x) || math.IsInf(x, 0)
	if special {
		dst = append(dst, '"')
	}
	dst = sql.AppendJavaFloat(dst, x, bits)
	if special {
		dst = append(dst, '"')
	}
	return dst
}

// appendString writes a JSON string as Jackson does: beyond quotes, backslashes
// and control characters it escapes the code points that Java has as pairs.
// Bytes that are not UTF-8 become U+FFFD, as in Java.
func appendString(dst, text []byte) []byte {
	const digits = "0123456789ABCDEF"
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '"' || c == '\\':
				dst = append(dst, '\\', c)
			case c >= ' ':
				dst = append(dst, c)
			case shortEscapes[c] != 0:
				dst = append(dst, '\\', shortEscapes[c])
			default:
				dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
			}
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		i += size
		if r < 0x10000 {
			dst = utf8.AppendRune(dst, r)
			continue
		}
		high, low := utf16.EncodeRune(r)
		for _, unit := range [...]rune{high, low} {
			dst = append(dst, '\\', 'u', digits[unit>>12], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
		}
	}
	return append(dst, '"')
}

var shortEscapes = [' ']byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}
