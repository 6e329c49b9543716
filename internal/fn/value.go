package fn

import (
	"strconv"

	"github.com/decantdb/decant/internal/sql"
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
		return string(sql.AppendJavaFloat(nil, v.F, 32))
	case v.Type == Double:
		return string(sql.AppendJavaFloat(nil, v.F, 64))
	case v.Type == Boolean:
		return strconv.FormatBool(v.B)
	}
	return v.S
}
