package cli

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/decantdb/decant/datatable"
)

// objectJSON is a cell of type OBJECT, an intermediate result.
type objectJSON struct {
	Type int32  `json:"type"`
	Hex  string `json:"hex"`
}

// dataTableValue returns a cell as a value that encoding/json writes: nil for
// null, bool, int32, int64, float32 and float64 that are finite, string,
// objectJSON, the JSON of a map, and []any of these for arrays.
func dataTableValue(t *datatable.Table, row, col int) (any, error) {
	typ := t.Columns()[col].Type
	if t.IsNull(row, col) {
		return nil, nil
	}
	switch typ {
	case datatable.Int:
		return t.Int(row, col), nil
	case datatable.Boolean:
		return t.Int(row, col) != 0, nil
	case datatable.Long:
		return t.Long(row, col), nil
	case datatable.Timestamp:
		return momentText(t.Long(row, col)), nil
	case datatable.Float:
		return finite(t.Float(row, col)), nil
	case datatable.Double:
		return finite(t.Double(row, col)), nil
	case datatable.String, datatable.JSON:
		text, err := t.String(row, col)
		return string(text), err
	case datatable.Bytes, datatable.UUID:
		data, err := t.Bytes(row, col)
		return bytesText(typ)(data), err
	case datatable.BigDecimal:
		d, err := t.BigDecimal(row, col)
		if err != nil {
			return nil, err
		}
		return decimalText(d), nil
	case datatable.Object:
		id, payload, err := t.Object(row, col)
		return objectJSON{id, hex.EncodeToString(payload)}, err
	case datatable.Map:
		entries, err := t.AppendMap(nil, row, col)
		return mapJSON(entries), err
	}
	return dataTableArray(t, row, col)
}

func dataTableArray(t *datatable.Table, row, col int) (any, error) {
	switch typ := t.Columns()[col].Type; typ {
	case datatable.IntArray:
		values, err := t.AppendInts(nil, row, col)
		return listOf(values, func(x int32) any { return x }), err
	case datatable.BooleanArray:
		values, err := t.AppendInts(nil, row, col)
		return listOf(values, func(x int32) any { return x != 0 }), err
	case datatable.LongArray:
		values, err := t.AppendLongs(nil, row, col)
		return listOf(values, func(x int64) any { return x }), err
	case datatable.TimestampArray:
		values, err := t.AppendLongs(nil, row, col)
		return listOf(values, momentText), err
	case datatable.FloatArray:
		values, err := t.AppendFloats(nil, row, col)
		return listOf(values, finite[float32]), err
	case datatable.DoubleArray:
		values, err := t.AppendDoubles(nil, row, col)
		return listOf(values, finite[float64]), err
	case datatable.StringArray:
		values, err := t.AppendStrings(nil, row, col)
		return listOf(values, func(x []byte) any { return string(x) }), err
	case datatable.BytesArray, datatable.UUIDArray:
		values, err := t.AppendBlobs(nil, row, col)
		return listOf(values, bytesText(typ)), err
	case datatable.BigDecimalArray:
		values, err := t.AppendBigDecimals(nil, row, col)
		return listOf(values, decimalText), err
	default:
		return nil, fmt.Errorf("column %d: values of type %v are not shown", col, typ)
	}
}

func listOf[T any](values []T, of func(T) any) []any {
	list := make([]any, len(values))
	for i, x := range values {
		list[i] = of(x)
	}
	return list
}

// finite returns a number or, of what is none in JSON, its name.
func finite[T float32 | float64](x T) any {
	switch f := float64(x); {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return x
}

func momentText(millis int64) any {
	return time.UnixMilli(millis).UTC().Format("2006-01-02T15:04:05.000Z")
}

// bytesText returns how the bytes of a type are written.
func bytesText(typ datatable.Type) func([]byte) any {
	return func(b []byte) any {
		text := hex.EncodeToString(b)
		if (typ == datatable.UUID || typ == datatable.UUIDArray) && len(b) == 16 {
			return strings.Join([]string{text[:8], text[8:12], text[12:16], text[16:20], text[20:]}, "-")
		}
		return text
	}
}

// decimalText returns all digits of d, with an exponent if its scale is negative.
func decimalText(d datatable.Decimal) any {
	text := d.Int().String()
	scale := int(d.Scale)
	if scale <= 0 {
		if scale < 0 {
			text += fmt.Sprintf("E+%d", -scale)
		}
		return text
	}
	digits, negative := strings.CutPrefix(text, "-")
	if missing := scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	text = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	if negative {
		text = "-" + text
	}
	return text
}

// mapJSON returns an object with the entries in their order. A value that is not
// JSON becomes a string.
func mapJSON(entries []datatable.MapEntry) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range entries {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(stringJSON(e.Key))
		b.WriteByte(':')
		if json.Valid(e.JSON) {
			b.Write(e.JSON)
		} else {
			b.Write(stringJSON(e.JSON))
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

func stringJSON(text []byte) []byte {
	quoted, _ := json.Marshal(string(text)) // of a string there is no error
	return quoted
}
