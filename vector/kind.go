package vector

// Kind is the physical kind of a vector.
type Kind uint8

// The kinds. String stands for text and for binary alike.
const (
	KindBool Kind = iota + 1
	KindInt8
	KindInt16
	KindInt32
	KindInt64
	KindUint8
	KindUint16
	KindUint32
	KindUint64
	KindFloat32
	KindFloat64
	KindString
	KindTimestamp
	KindList
	KindMap
	KindRow
)

var kindNames = [...]string{
	KindBool: "bool", KindInt8: "int8", KindInt16: "int16", KindInt32: "int32", KindInt64: "int64",
	KindUint8: "uint8", KindUint16: "uint16", KindUint32: "uint32", KindUint64: "uint64",
	KindFloat32: "float32", KindFloat64: "float64", KindString: "string",
	KindTimestamp: "timestamp", KindList: "list", KindMap: "map", KindRow: "row",
}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return "invalid"
}

// Value is the constraint of what a [Vec] may hold.
type Value interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64 | View
}

// KindOf returns the kind of a Vec of T.
func KindOf[T Value]() Kind {
	var zero T
	switch any(zero).(type) {
	case int8:
		return KindInt8
	case int16:
		return KindInt16
	case int32:
		return KindInt32
	case int64:
		return KindInt64
	case uint8:
		return KindUint8
	case uint16:
		return KindUint16
	case uint32:
		return KindUint32
	case uint64:
		return KindUint64
	case float32:
		return KindFloat32
	case float64:
		return KindFloat64
	default:
		return KindString
	}
}

// Form is how a [Vec] stores its rows. See the package comment.
type Form uint8

// The forms. A zero Vec is flat.
const (
	Flat Form = iota
	Constant
	Dictionary
	RunLength
	Sparse
)

var formNames = [...]string{"flat", "constant", "dictionary", "run-length", "sparse"}

// String returns the form's name.
func (f Form) String() string {
	if int(f) < len(formNames) {
		return formNames[f]
	}
	return "invalid"
}

// Vector is a column: *Vec[T], *Bools, *Timestamps, *List, *Map or *Row. It is
// dispatched on once per batch, never per value.
type Vector interface {
	Kind() Kind
	// Len returns the number of rows.
	Len() int
	// Validity returns the bitmap of present rows, nil if all are present.
	Validity() []uint64
	// Reset makes the vector empty and keeps its memory.
	Reset()
	// Release gives the vector's own memory back to its pool and empties it.
	// The vector can be used again.
	Release()
}
