package fn

import "fmt"

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
