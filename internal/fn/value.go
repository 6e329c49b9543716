package fn

import (
	"math"
	"strconv"
	"strings"
)

// Value is one SQL value: a literal. The field that counts follows from Type.
type Value struct {
	Type Type
	Null bool
	I    int64   // Int, Long, Timestamp
	F    float64 // Float, Double
	B    bool    // Boolean
	S    string  // String, JSON, Bytes
}

// Float64 returns a numeric value as a double.
func (v Value) Float64() float64 {
	if v.Type == Int || v.Type == Long || v.Type == Timestamp {
		return float64(v.I)
	}
	return v.F
}

// Text returns the value as Pinot writes it in names and predicates.
func (v Value) Text() string {
	switch {
	case v.Null:
		return "null"
	case v.Type == Int || v.Type == Long || v.Type == Timestamp:
		return strconv.FormatInt(v.I, 10)
	case v.Type == Float:
		return JavaFloat(float32(v.F))
	case v.Type == Double:
		return JavaDouble(v.F)
	case v.Type == Boolean:
		return strconv.FormatBool(v.B)
	}
	return v.S
}

// JavaDouble returns the text that Java's Double.toString gives since JDK 19:
// the shortest that reads back, plain from 1E-3 up to 1E7, else with an exponent.
func JavaDouble(x float64) string { return string(AppendJavaDouble(nil, x)) }

// JavaFloat returns the text that Java's Float.toString gives.
func JavaFloat(x float32) string { return string(AppendJavaFloat(nil, x)) }

// AppendJavaDouble appends the text of [JavaDouble] to dst.
func AppendJavaDouble(dst []byte, x float64) []byte { return appendJava(dst, x, 64) }

// AppendJavaFloat appends the text of [JavaFloat] to dst.
func AppendJavaFloat(dst []byte, x float32) []byte { return appendJava(dst, float64(x), 32) }

func appendJava(dst []byte, x float64, bits int) []byte {
	switch {
	case math.IsNaN(x):
		return append(dst, "NaN"...)
	case math.IsInf(x, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(x, -1):
		return append(dst, "-Infinity"...)
	}
	abs := math.Abs(x)
	start := len(dst)
	if abs == 0 || abs >= 1e-3 && abs < 1e7 {
		dst = strconv.AppendFloat(dst, x, 'f', -1, bits)
		if !strings.ContainsRune(string(dst[start:]), '.') {
			dst = append(dst, ".0"...)
		}
		return dst
	}
	// Go writes 1.5e+10 and 1e-05, Java 1.5E10 and 1.0E-5.
	var raw [32]byte
	text := strconv.AppendFloat(raw[:0], x, 'e', -1, bits)
	mantissa, exponent, _ := strings.Cut(string(text), "e")
	dst = append(dst, mantissa...)
	if !strings.Contains(mantissa, ".") {
		dst = append(dst, ".0"...)
	}
	dst = append(dst, 'E')
	if exponent[0] == '-' {
		dst = append(dst, '-')
	}
	return append(dst, strings.TrimLeft(exponent[1:], "0")...)
}
