package datatable

import "fmt"

// Type is the type of a column.
type Type uint8

// The types, with what a slot holds. "offset, n" are two i32, the place in the
// variable section and a count.
const (
	Int             Type = iota + 1 // i32
	Long                            // i64
	Float                           // f32, the bits kept
	Double                          // f64, the bits kept
	BigDecimal                      // offset, bytes: i16 scale and unscaled two's complement
	Boolean                         // i32 0 or 1
	Timestamp                       // i64 milliseconds since 1970 in UTC
	String                          // i32 dictionary id
	JSON                            // as String
	Bytes                           // offset, bytes
	UUID                            // offset, 16; after 1.5 only
	Map                             // offset, bytes of: i32 entries; entries × (lstr key, lbytes JSON)
	Object                          // offset, bytes of the payload; at offset: i32 type id, payload
	Unknown                         // as a null Object
	IntArray                        // offset, elements: i32 each
	LongArray                       // offset, elements: i64 each
	FloatArray                      // offset, elements: f32 each, NaNs made canonical
	DoubleArray                     // offset, elements: f64 each, NaNs made canonical
	BooleanArray                    // offset, elements: i32 each
	TimestampArray                  // offset, elements: i64 each
	StringArray                     // offset, elements: i32 dictionary ids
	BytesArray                      // offset, elements: lbytes each
	UUIDArray                       // offset, elements: lbytes each; after 1.5 only
	BigDecimalArray                 // offset, elements: lbytes each; after 1.5 only
)

// typeInfo says how a type is named and stored.
type typeInfo struct {
	name      string
	stored    Type // the type with the same slots and setters
	slotBytes int
	headOnly  bool
}

var types = [...]typeInfo{
	Int:             {name: "INT", stored: Int, slotBytes: 4},
	Long:            {name: "LONG", stored: Long, slotBytes: 8},
	Float:           {name: "FLOAT", stored: Float, slotBytes: 4},
	Double:          {name: "DOUBLE", stored: Double, slotBytes: 8},
	BigDecimal:      {name: "BIG_DECIMAL", stored: BigDecimal, slotBytes: 8},
	Boolean:         {name: "BOOLEAN", stored: Int, slotBytes: 4},
	Timestamp:       {name: "TIMESTAMP", stored: Long, slotBytes: 8},
	String:          {name: "STRING", stored: String, slotBytes: 4},
	JSON:            {name: "JSON", stored: String, slotBytes: 4},
	Bytes:           {name: "BYTES", stored: Bytes, slotBytes: 8},
	UUID:            {name: "UUID", stored: Bytes, slotBytes: 8, headOnly: true},
	Map:             {name: "MAP", stored: Map, slotBytes: 8},
	Object:          {name: "OBJECT", stored: Object, slotBytes: 8},
	Unknown:         {name: "UNKNOWN", stored: Unknown, slotBytes: 8},
	IntArray:        {name: "INT_ARRAY", stored: IntArray, slotBytes: 8},
	LongArray:       {name: "LONG_ARRAY", stored: LongArray, slotBytes: 8},
	FloatArray:      {name: "FLOAT_ARRAY", stored: FloatArray, slotBytes: 8},
	DoubleArray:     {name: "DOUBLE_ARRAY", stored: DoubleArray, slotBytes: 8},
	BooleanArray:    {name: "BOOLEAN_ARRAY", stored: IntArray, slotBytes: 8},
	TimestampArray:  {name: "TIMESTAMP_ARRAY", stored: LongArray, slotBytes: 8},
	StringArray:     {name: "STRING_ARRAY", stored: StringArray, slotBytes: 8},
	BytesArray:      {name: "BYTES_ARRAY", stored: BytesArray, slotBytes: 8},
	UUIDArray:       {name: "UUID_ARRAY", stored: BytesArray, slotBytes: 8, headOnly: true},
	BigDecimalArray: {name: "BIG_DECIMAL_ARRAY", stored: BigDecimalArray, slotBytes: 8, headOnly: true},
}

func (t Type) known() bool { return t >= Int && int(t) < len(types) }

// String returns the type's name on the wire.
func (t Type) String() string {
	if !t.known() {
		return fmt.Sprintf("type %d", uint8(t))
	}
	return types[t].name
}

// Stored returns the type whose slots, setters and getters t uses: Int for
// Boolean, Long for Timestamp, String for JSON, Bytes for UUID, the same for
// their arrays, and else t itself.
func (t Type) Stored() Type { return types[t].stored }

// ParseType returns the type of a name on the wire, such as "LONG_ARRAY".
func ParseType(name string) (Type, bool) {
	for t := Int; int(t) < len(types); t++ {
		if types[t].name == name {
			return t, true
		}
	}
	return 0, false
}

// inBandNull reports whether a null of type t is told by its slot, not by a
// bitmap.
func (t Type) inBandNull() bool { return t == Object || t == Unknown || t == Map }

// Column is a column of a table.
type Column struct {
	Name string
	Type Type
	// Scale is what [Builder.AppendBatch] takes as the number of decimal places
	// of a BigDecimal or BigDecimalArray column. It is not part of the table's
	// schema, so [Open] leaves it 0.
	Scale int16
}

// Release is the Pinot release of the peer that will read a table.
type Release uint8

// The releases. The zero Release is the one to choose when in doubt.
const (
	Release15   Release = iota // 1.5
	Release14                  // 1.4
	Release13                  // 1.3
	ReleaseHead                // after 1.5
)

// lastKeys are the metadata keys up to which a release knows them. A reader
// cannot skip a key that it does not know.
var lastKeys = [...]MetadataKey{
	Release15: QueryID, Release14: WorkloadName, Release13: MaxRowsInJoinReached,
	ReleaseHead: LiteModeLeafStageLimitReached,
}
