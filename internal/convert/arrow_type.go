package convert

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"

	"github.com/decantdb/decant/nimble"
)

// maxDecimal128Digits is the largest precision of an Arrow decimal128.
const maxDecimal128Digits = 38

// arrowSchema returns the Arrow schema of a row type.
func arrowSchema(t *nimble.Type) (*arrow.Schema, error) {
	fields, err := arrowFields(t)
	if err != nil {
		return nil, err
	}
	return arrow.NewSchema(fields, nil), nil
}

func arrowFields(t *nimble.Type) ([]arrow.Field, error) {
	var fields []arrow.Field
	for i, c := range t.Children {
		f, err := arrowField(t.Names[i], c)
		if err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// arrowField returns a nullable field.
func arrowField(name string, t *nimble.Type) (arrow.Field, error) {
	typ, err := arrowType(t)
	if err != nil {
		return arrow.Field{}, fmt.Errorf("%s: %w", name, err)
	}
	return arrow.Field{Name: name, Type: typ, Nullable: true}, nil
}

// arrowType returns the Arrow type of a column, as in the map of types in
// docs/compat.md.
func arrowType(t *nimble.Type) (arrow.DataType, error) {
	l, err := nimble.ParseLogical(t.Logical)
	if err != nil {
		return nil, err
	}
	if l.Kind != nimble.LogicalNone && l.Kind != nimble.LogicalTimestamp {
		return arrowLogical(l)
	}
	switch t.Kind {
	case nimble.Boolean:
		return arrow.FixedWidthTypes.Boolean, nil
	case nimble.TinyInt:
		return arrow.PrimitiveTypes.Int8, nil
	case nimble.SmallInt:
		return arrow.PrimitiveTypes.Int16, nil
	case nimble.Integer:
		return arrow.PrimitiveTypes.Int32, nil
	case nimble.BigInt:
		return arrow.PrimitiveTypes.Int64, nil
	case nimble.Real:
		return arrow.PrimitiveTypes.Float32, nil
	case nimble.Double:
		return arrow.PrimitiveTypes.Float64, nil
	case nimble.Varchar:
		return arrow.BinaryTypes.String, nil
	case nimble.Varbinary:
		return arrow.BinaryTypes.Binary, nil
	case nimble.Timestamp:
		return &arrow.TimestampType{Unit: arrowUnit(l.Unit), TimeZone: zoneOf(t)}, nil
	case nimble.Array, nimble.DedupArray:
		elem, err := arrowField("element", t.Children[0])
		if err != nil {
			return nil, err
		}
		return arrow.ListOfField(elem), nil
	case nimble.Map, nimble.FlatMap, nimble.SlidingWindowMap:
		key, err := arrowField("key", t.Children[0])
		if err != nil {
			return nil, err
		}
		key.Nullable = false
		value, err := arrowField("value", t.Children[1])
		if err != nil {
			return nil, err
		}
		return arrow.MapOfFields(key, value), nil
	case nimble.Row:
		fields, err := arrowFields(t)
		return arrow.StructOf(fields...), err
	}
	return nil, fmt.Errorf("arrow: %w: %v", nimble.ErrSchema, t)
}

// arrowUnit returns the unit of timestamps.
func arrowUnit(u nimble.Unit) arrow.TimeUnit {
	switch u {
	case nimble.Second:
		return arrow.Second
	case nimble.Millisecond:
		return arrow.Millisecond
	case nimble.Microsecond:
		return arrow.Microsecond
	default:
		return arrow.Nanosecond
	}
}

// zoneOf returns the time zone as Arrow has it, "" for clock readings.
func zoneOf(t *nimble.Type) string {
	switch zone := attribute(t, ZoneKey); zone {
	case "":
		return "UTC"
	case LocalZone:
		return ""
	default:
		return zone
	}
}

func arrowLogical(l nimble.Logical) (arrow.DataType, error) {
	switch l.Kind {
	case nimble.LogicalDate:
		return arrow.FixedWidthTypes.Date32, nil
	case nimble.LogicalDecimal:
		if l.Precision <= maxDecimal128Digits {
			return &arrow.Decimal128Type{Precision: int32(l.Precision), Scale: int32(l.Scale)}, nil
		}
		return &arrow.Decimal256Type{Precision: int32(l.Precision), Scale: int32(l.Scale)}, nil
	case nimble.LogicalTime:
		switch l.Unit {
		case nimble.Microsecond:
			return arrow.FixedWidthTypes.Time64us, nil
		case nimble.Nanosecond:
			return arrow.FixedWidthTypes.Time64ns, nil
		case nimble.Second:
			return arrow.FixedWidthTypes.Time32s, nil
		default:
			return arrow.FixedWidthTypes.Time32ms, nil
		}
	case nimble.LogicalUnsigned:
		switch l.Bits {
		case 8:
			return arrow.PrimitiveTypes.Uint8, nil
		case 16:
			return arrow.PrimitiveTypes.Uint16, nil
		case 32:
			return arrow.PrimitiveTypes.Uint32, nil
		default:
			return arrow.PrimitiveTypes.Uint64, nil
		}
	case nimble.LogicalJSON:
		return extensions.NewJSONType(arrow.BinaryTypes.String)
	case nimble.LogicalUUID:
		return extensions.NewUUIDType(), nil
	}
	return nil, fmt.Errorf("arrow: %w: logical type %v", nimble.ErrUnsupported, l)
}

// typesOfArrow returns the row type of Arrow fields. Types that the map of types
// does not have are refused by name.
func typesOfArrow(fields []arrow.Field) (*nimble.Type, error) {
	t := &nimble.Type{Kind: nimble.Row}
	for _, f := range fields {
		c, err := typeOfArrow(f.Type)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		t.Names = append(t.Names, f.Name)
		t.Children = append(t.Children, c)
	}
	return t, nil
}

// plainKinds are the Arrow types that a kind alone stands for.
var plainKinds = map[arrow.Type]nimble.Kind{
	arrow.NULL: nimble.Varchar,
	arrow.BOOL: nimble.Boolean, arrow.INT8: nimble.TinyInt, arrow.INT16: nimble.SmallInt,
	arrow.INT32: nimble.Integer, arrow.INT64: nimble.BigInt,
	arrow.FLOAT32: nimble.Real, arrow.FLOAT64: nimble.Double,
	arrow.STRING: nimble.Varchar, arrow.BINARY: nimble.Varbinary,
	arrow.LARGE_STRING: nimble.Varchar, arrow.LARGE_BINARY: nimble.Varbinary,
	arrow.STRING_VIEW: nimble.Varchar, arrow.BINARY_VIEW: nimble.Varbinary,
	arrow.FIXED_SIZE_BINARY: nimble.Varbinary,
}

// plainLogicals are the Arrow types that a logical type without arguments
// stands for.
var plainLogicals = map[arrow.Type]nimble.Logical{
	arrow.DATE32: {Kind: nimble.LogicalDate},
	arrow.UINT8:  {Kind: nimble.LogicalUnsigned, Bits: 8},
	arrow.UINT16: {Kind: nimble.LogicalUnsigned, Bits: 16},
	arrow.UINT32: {Kind: nimble.LogicalUnsigned, Bits: 32},
	arrow.UINT64: {Kind: nimble.LogicalUnsigned, Bits: 64},
}

func typeOfArrow(dt arrow.DataType) (*nimble.Type, error) {
	if kind, ok := plainKinds[dt.ID()]; ok {
		return &nimble.Type{Kind: kind}, nil
	}
	if l, ok := plainLogicals[dt.ID()]; ok {
		return l.Type(), nil
	}
	switch dt := dt.(type) {
	case *arrow.TimestampType:
		return typeOfTimestamp(dt), nil
	case *arrow.Time32Type:
		return nimble.Logical{Kind: nimble.LogicalTime, Unit: unitOfArrow(dt.Unit)}.Type(), nil
	case *arrow.Time64Type:
		return nimble.Logical{Kind: nimble.LogicalTime, Unit: unitOfArrow(dt.Unit)}.Type(), nil
	case arrow.DecimalType:
		return typeOfDecimal(dt)
	case arrow.ExtensionType:
		switch dt.ExtensionName() {
		case "arrow.json":
			return nimble.Logical{Kind: nimble.LogicalJSON}.Type(), nil
		case "arrow.uuid":
			return nimble.Logical{Kind: nimble.LogicalUUID}.Type(), nil
		}
		return typeOfArrow(dt.StorageType())
	case *arrow.MapType:
		row, err := typesOfArrow([]arrow.Field{dt.KeyField(), dt.ItemField()})
		if err != nil {
			return nil, err
		}
		return &nimble.Type{Kind: nimble.Map, Children: row.Children}, nil
	case *arrow.StructType:
		return typesOfArrow(dt.Fields())
	case *arrow.DictionaryType:
		if _, nested := dt.ValueType.(arrow.NestedType); !nested && dt.ValueType.ID() != arrow.NULL {
			return typeOfArrow(dt.ValueType)
		}
	case *arrow.ListType, *arrow.LargeListType, *arrow.FixedSizeListType:
		elem, err := typeOfArrow(dt.(arrow.ListLikeType).Elem())
		if err != nil {
			return nil, err
		}
		return &nimble.Type{Kind: nimble.Array, Children: []*nimble.Type{elem}}, nil
	}
	return nil, fmt.Errorf("arrow: %w: type %v", nimble.ErrUnsupported, dt)
}

func typeOfTimestamp(dt *arrow.TimestampType) *nimble.Type {
	t := nimble.Logical{Kind: nimble.LogicalTimestamp, Unit: unitOfArrow(dt.Unit)}.Type()
	switch dt.TimeZone {
	case "UTC":
	case "":
		setAttribute(t, ZoneKey, LocalZone)
	default:
		setAttribute(t, ZoneKey, dt.TimeZone)
	}
	return t
}

func unitOfArrow(u arrow.TimeUnit) nimble.Unit {
	switch u {
	case arrow.Second:
		return nimble.Second
	case arrow.Millisecond:
		return nimble.Millisecond
	case arrow.Microsecond:
		return nimble.Microsecond
	default:
		return nimble.Nanosecond
	}
}

func typeOfDecimal(dt arrow.DecimalType) (*nimble.Type, error) {
	precision, scale := dt.GetPrecision(), dt.GetScale()
	if precision < 1 || precision > nimble.MaxDecimalDigits || scale < 0 || scale > precision {
		return nil, fmt.Errorf("arrow: %w: type %v", nimble.ErrUnsupported, dt)
	}
	return nimble.Logical{Kind: nimble.LogicalDecimal, Precision: int(precision), Scale: int(scale)}.Type(), nil
}

// maxArrowOffset is the largest offset of a string or a list.
const maxArrowOffset = math.MaxInt32
