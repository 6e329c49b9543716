package fn

import (
	"fmt"
	"strings"
)

// Type is a SQL type, named as Pinot names it.
type Type uint8

// The types. Array types are columns with several values a row.
const (
	Unknown Type = iota
	Int
	Long
	Float
	Double
	BigDecimal
	Boolean
	Timestamp // milliseconds since 1970, UTC
	String
	JSON
	Bytes
	IntArray
	LongArray
	FloatArray
	DoubleArray
	BooleanArray
	TimestampArray
	StringArray
	BytesArray
	// Nested is a row, a map, or a list of other than scalars: shown as JSON.
	Nested
)

var typeNames = [...]string{
	"UNKNOWN", "INT", "LONG", "FLOAT", "DOUBLE", "BIG_DECIMAL", "BOOLEAN", "TIMESTAMP", "STRING", "JSON", "BYTES",
	"INT_ARRAY", "LONG_ARRAY", "FLOAT_ARRAY", "DOUBLE_ARRAY", "BOOLEAN_ARRAY", "TIMESTAMP_ARRAY", "STRING_ARRAY",
	"BYTES_ARRAY", "JSON",
}

// String returns Pinot's name of the type.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// Numeric reports whether t is a number.
func (t Type) Numeric() bool { return t >= Int && t <= BigDecimal }

// Integral reports whether t is stored as an integer, bools excepted.
func (t Type) Integral() bool { return t == Int || t == Long || t == Timestamp }

// Textual reports whether t is stored as bytes.
func (t Type) Textual() bool { return t == String || t == JSON || t == Bytes }

// Array reports whether t has several values a row.
func (t Type) Array() bool { return t >= IntArray && t <= BytesArray }

// Elem returns the type of an array's elements.
func (t Type) Elem() Type {
	switch t {
	case IntArray:
		return Int
	case LongArray:
		return Long
	case FloatArray:
		return Float
	case DoubleArray:
		return Double
	case BooleanArray:
		return Boolean
	case TimestampArray:
		return Timestamp
	case StringArray:
		return String
	case BytesArray:
		return Bytes
	}
	return Unknown
}

// ParseType returns the type that CAST and its kin call by that name.
func ParseType(name string) (Type, bool) {
	t, ok := typeByName[strings.ToUpper(name)]
	return t, ok
}

var typeByName = map[string]Type{
	"INT": Int, "INTEGER": Int, "LONG": Long, "BIGINT": Long, "FLOAT": Float, "DOUBLE": Double,
	"DECIMAL": BigDecimal, "BIG_DECIMAL": BigDecimal, "BIGDECIMAL": BigDecimal, "BOOLEAN": Boolean,
	"TIMESTAMP": Timestamp, "STRING": String, "VARCHAR": String, "JSON": JSON, "BYTES": Bytes, "VARBINARY": Bytes,
	"INT_ARRAY": IntArray, "LONG_ARRAY": LongArray, "FLOAT_ARRAY": FloatArray, "DOUBLE_ARRAY": DoubleArray,
	"STRING_ARRAY": StringArray, "BOOLEAN_ARRAY": BooleanArray, "TIMESTAMP_ARRAY": TimestampArray,
}

// ArrayOf returns the array type of a scalar type.
func ArrayOf(t Type) (Type, bool) {
	switch t {
	case Int:
		return IntArray, true
	case Long:
		return LongArray, true
	case Float:
		return FloatArray, true
	case Double:
		return DoubleArray, true
	case Boolean:
		return BooleanArray, true
	case Timestamp:
		return TimestampArray, true
	case String:
		return StringArray, true
	case Bytes:
		return BytesArray, true
	}
	return Unknown, false
}
