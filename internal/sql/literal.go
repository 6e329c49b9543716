package sql

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// LiteralType is the type of a literal. The parser makes Null, Boolean, Int,
// Long, Double and String; the others appear when constant calls are folded.
type LiteralType uint8

// The types, each with the Go type of [Literal.Value].
const (
	Null        LiteralType = iota // nil
	Boolean                        // bool
	Int                            // int32
	Long                           // int64
	Float                          // float32
	Double                         // float64
	BigDecimal                     // string, plain decimal text
	String                         // string, valid UTF-8
	Bytes                          // []byte
	IntArray                       // []int32
	LongArray                      // []int64
	FloatArray                     // []float32
	DoubleArray                    // []float64
	StringArray                    // []string
)

var literalTypeNames = [...]string{
	"UNKNOWN", "BOOLEAN", "INT", "LONG", "FLOAT", "DOUBLE", "BIG_DECIMAL", "STRING", "BYTES",
	"INT_ARRAY", "LONG_ARRAY", "FLOAT_ARRAY", "DOUBLE_ARRAY", "STRING_ARRAY",
}

// String returns Pinot's name of the type ("UNKNOWN" for null).
func (t LiteralType) String() string {
	if int(t) < len(literalTypeNames) {
		return literalTypeNames[t]
	}
	return fmt.Sprintf("LiteralType(%d)", uint8(t))
}

// Literal is a constant.
type Literal struct {
	At    Pos
	Type  LiteralType
	Value any // of the Go type that belongs to Type
}

// Text returns the value as Pinot writes it into predicates and column names:
// numbers as Java does, bytes as lower-case hex, lists as [1, 2, 3], null as
// null; a string is itself, without quotes.
func (e *Literal) Text() string {
	switch v := e.Value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int32:
		return strconv.FormatInt(int64(v), 10)
	case int64:
		return strconv.FormatInt(v, 10)
	case float32:
		return string(AppendJavaFloat(nil, float64(v), 32))
	case float64:
		return string(AppendJavaFloat(nil, v, 64))
	case string:
		return v
	case []byte:
		return hex.EncodeToString(v)
	case []int32:
		return listText(v, func(v int32) string { return strconv.FormatInt(int64(v), 10) })
	case []int64:
		return listText(v, func(v int64) string { return strconv.FormatInt(v, 10) })
	case []float32:
		return listText(v, func(v float32) string { return string(AppendJavaFloat(nil, float64(v), 32)) })
	case []float64:
		return listText(v, func(v float64) string { return string(AppendJavaFloat(nil, v, 64)) })
	case []string:
		return listText(v, func(v string) string { return v })
	default:
		return "null"
	}
}

func listText[T any](list []T, text func(T) string) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = text(v)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// AppendJavaFloat appends the text that Java's Double.toString (bitSize 64) or
// Float.toString (bitSize 32) gives: at least one digit behind the point, an
// exponent (1.0E10) below 0.001 and from ten million on, NaN, Infinity and
// -Infinity. The digits are the fewest that read back, as Java prints them since 19.
func AppendJavaFloat(dst []byte, v float64, bitSize int) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, "NaN"...)
	case math.IsInf(v, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(v, -1):
		return append(dst, "-Infinity"...)
	}
	if abs := math.Abs(v); abs == 0 || abs >= 1e-3 && abs < 1e7 {
		start := len(dst)
		dst = strconv.AppendFloat(dst, v, 'f', -1, bitSize)
		if bytes.IndexByte(dst[start:], '.') < 0 {
			dst = append(dst, ".0"...)
		}
		return dst
	}
	text := strconv.AppendFloat(nil, v, 'e', -1, bitSize)
	if bytes.IndexByte(text, '.') < 0 {
		// Java takes the nearest of two digits where one would do: 4.9E-324.
		two := strconv.AppendFloat(nil, v, 'e', 1, bitSize)
		if same, err := strconv.ParseFloat(string(two), bitSize); err == nil && same == v {
			text = two
		}
	}
	mantissa, exponent, _ := bytes.Cut(text, []byte("e"))
	dst = append(dst, mantissa...)
	if bytes.IndexByte(mantissa, '.') < 0 {
		dst = append(dst, ".0"...)
	}
	dst = append(dst, 'E')
	if exponent[0] == '-' {
		dst = append(dst, '-')
	}
	return append(dst, bytes.TrimLeft(exponent[1:], "0")...)
}

// sameValue compares values bit by bit, so that NaN equals itself and the two
// zeros differ.
func (e *Literal) sameValue(o *Literal) bool {
	switch v := e.Value.(type) {
	case float32:
		w, ok := o.Value.(float32)
		return ok && math.Float32bits(v) == math.Float32bits(w)
	case float64:
		w, ok := o.Value.(float64)
		return ok && math.Float64bits(v) == math.Float64bits(w)
	case []byte:
		w, ok := o.Value.([]byte)
		return ok && bytes.Equal(v, w)
	case []int32:
		w, ok := o.Value.([]int32)
		return ok && slices.Equal(v, w)
	case []int64:
		w, ok := o.Value.([]int64)
		return ok && slices.Equal(v, w)
	case []float32:
		w, ok := o.Value.([]float32)
		return ok && slices.EqualFunc(v, w, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) })
	case []float64:
		w, ok := o.Value.([]float64)
		return ok && slices.EqualFunc(v, w, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
	case []string:
		w, ok := o.Value.([]string)
		return ok && slices.Equal(v, w)
	default:
		return e.Value == o.Value
	}
}
