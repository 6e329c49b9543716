package datatable_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/decantdb/decant/datatable"
)

// goldenCell is any of the forms of a cell in a description that are objects.
type goldenCell struct {
	Skip, SetNull bool
	ReadError     string
	Bits          string // of a float
	Unscaled      string // of a decimal
	Scale         int16
	JSON          json.RawMessage // of a map
	Type          int32           // of an object
	Hex           string
}

func parse[T any](t *testing.T, cell json.RawMessage) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(cell, &v); err != nil {
		t.Fatalf("cell %s: %v", cell, err)
	}
	return v
}

func parseAll[T any](t *testing.T, cell json.RawMessage, fn func(*testing.T, json.RawMessage) T) []T {
	t.Helper()
	var all []T
	for _, elem := range parse[[]json.RawMessage](t, cell) {
		all = append(all, fn(t, elem))
	}
	return all
}

func isObject(cell json.RawMessage) bool { return len(cell) > 0 && cell[0] == '{' }

func parseLong(t *testing.T, cell json.RawMessage) int64 {
	n, err := strconv.ParseInt(parse[string](t, cell), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func parseBits(t *testing.T, cell json.RawMessage) uint64 {
	n, err := strconv.ParseUint(parse[goldenCell](t, cell).Bits, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func parseFloat(t *testing.T, cell json.RawMessage) float32 {
	return math.Float32frombits(uint32(parseBits(t, cell)))
}

func parseDouble(t *testing.T, cell json.RawMessage) float64 {
	return math.Float64frombits(parseBits(t, cell))
}

func parseDecimal(t *testing.T, cell json.RawMessage) datatable.Decimal {
	c := parse[goldenCell](t, cell)
	unscaled, ok := new(big.Int).SetString(c.Unscaled, 10)
	if !ok {
		t.Fatalf("decimal %s", cell)
	}
	return datatable.NewDecimal(unscaled, c.Scale)
}

func parseString(t *testing.T, cell json.RawMessage) []byte {
	return javaBytes(parse[string](t, cell))
}

func parseHex(t *testing.T, cell json.RawMessage) []byte {
	return mustHex(t, parse[string](t, cell))
}

func mustHex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// parseMap returns the entries of a map in the order of the text.
func parseMap(t *testing.T, cell json.RawMessage) []datatable.MapEntry {
	dec := json.NewDecoder(bytes.NewReader(parse[goldenCell](t, cell).JSON))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	entries := []datatable.MapEntry{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, value); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, datatable.MapEntry{Key: []byte(key.(string)), JSON: escapeHalves(compact.String())})
	}
	return entries
}

// escapeHalves escapes characters beyond the basic plane as Java's JSON does.
func escapeHalves(text string) []byte {
	var out []byte
	for _, r := range text {
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			out = fmt.Appendf(out, `\u%04X\u%04X`, high, low)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// setCell sets a cell as the reference's builder was told to.
func setCell(t *testing.T, b *datatable.Builder, col int, typ datatable.Type, cell json.RawMessage, release datatable.Release) {
	t.Helper()
	inBand := typ == datatable.Object || typ == datatable.Unknown || typ == datatable.Map
	if isObject(cell) {
		switch c := parse[goldenCell](t, cell); {
		case c.Skip:
			return
		case c.SetNull && (inBand || release == datatable.ReleaseHead):
			b.SetNull(col)
			return
		case c.SetNull:
			b.SetNullInBand(col)
			return
		}
	}
	if string(cell) == "null" {
		if typ == datatable.Map {
			b.SetMap(col, nil)
		} else {
			b.SetNull(col)
		}
		return
	}
	switch typ.Stored() {
	case datatable.Int:
		b.SetInt(col, parse[int32](t, cell))
	case datatable.Long:
		b.SetLong(col, parseLong(t, cell))
	case datatable.Float:
		b.SetFloat(col, parseFloat(t, cell))
	case datatable.Double:
		b.SetDouble(col, parseDouble(t, cell))
	case datatable.BigDecimal:
		b.SetBigDecimal(col, parseDecimal(t, cell))
	case datatable.String:
		b.SetString(col, parseString(t, cell))
	case datatable.Bytes:
		b.SetBytes(col, parseHex(t, cell))
	case datatable.Map:
		b.SetMap(col, parseMap(t, cell))
	case datatable.Object:
		c := parse[goldenCell](t, cell)
		b.SetObject(col, c.Type, mustHex(t, c.Hex))
	case datatable.IntArray:
		b.SetIntArray(col, parse[[]int32](t, cell))
	case datatable.LongArray:
		b.SetLongArray(col, parseAll(t, cell, parseLong))
	case datatable.FloatArray:
		b.SetFloatArray(col, parseAll(t, cell, parseFloat))
	case datatable.DoubleArray:
		b.SetDoubleArray(col, parseAll(t, cell, parseDouble))
	case datatable.StringArray:
		b.SetStringArray(col, parseAll(t, cell, parseString))
	case datatable.BytesArray:
		b.SetBytesArray(col, parseAll(t, cell, parseHex))
	case datatable.BigDecimalArray:
		b.SetBigDecimalArray(col, parseAll(t, cell, parseDecimal))
	default:
		t.Fatalf("a cell %s of type %v", cell, typ)
	}
}

// wantCell returns the text of a cell as cellText prints it, and whether the
// reference can read it.
func wantCell(t *testing.T, typ datatable.Type, cell json.RawMessage) (text string, readable bool) {
	t.Helper()
	if isObject(cell) {
		switch c := parse[goldenCell](t, cell); {
		case c.ReadError != "":
			return "", false
		case c.SetNull:
			return "null", true
		}
	}
	if string(cell) == "null" {
		return "null", true
	}
	switch typ.Stored() {
	case datatable.Int, datatable.IntArray:
		return string(cell), true
	case datatable.Long:
		return fmt.Sprint(parseLong(t, cell)), true
	case datatable.Float:
		return floatText(parseFloat(t, cell)), true
	case datatable.Double:
		return doubleText(parseDouble(t, cell)), true
	case datatable.BigDecimal:
		return decimalText(parseDecimal(t, cell)), true
	case datatable.String:
		return textText(parseString(t, cell)), true
	case datatable.Bytes:
		return hexText(parseHex(t, cell)), true
	case datatable.Map:
		return mapText(parseMap(t, cell)), true
	case datatable.Object:
		c := parse[goldenCell](t, cell)
		return fmt.Sprintf("%d:%s", c.Type, c.Hex), true
	case datatable.LongArray:
		return list(parseAll(t, cell, parseLong), longText), true
	case datatable.FloatArray:
		return list(parseAll(t, cell, parseFloat), floatText), true
	case datatable.DoubleArray:
		return list(parseAll(t, cell, parseDouble), doubleText), true
	case datatable.StringArray:
		return list(parseAll(t, cell, parseString), textText), true
	case datatable.BytesArray:
		return list(parseAll(t, cell, parseHex), hexText), true
	case datatable.BigDecimalArray:
		return list(parseAll(t, cell, parseDecimal), decimalText), true
	}
	t.Fatalf("a cell %s of type %v", cell, typ)
	return "", false
}

// cellText reads a cell with the getter of its type and prints it, bit by bit. A
// null that a bitmap tells of is printed as its placeholder.
func cellText(table *datatable.Table, row, col int) (string, error) {
	typ := table.Columns()[col].Type
	inBand := typ == datatable.Object || typ == datatable.Unknown || typ == datatable.Map
	if inBand && table.IsNull(row, col) {
		return "null", nil
	}
	switch typ.Stored() {
	case datatable.Int:
		return fmt.Sprint(table.Int(row, col)), nil
	case datatable.Long:
		return fmt.Sprint(table.Long(row, col)), nil
	case datatable.Float:
		return floatText(table.Float(row, col)), nil
	case datatable.Double:
		return doubleText(table.Double(row, col)), nil
	case datatable.BigDecimal:
		v, err := table.BigDecimal(row, col)
		return decimalText(v), err
	case datatable.String:
		v, err := table.String(row, col)
		return textText(v), err
	case datatable.Bytes:
		v, err := table.Bytes(row, col)
		return hexText(v), err
	case datatable.Map:
		v, err := table.AppendMap(nil, row, col)
		return mapText(v), err
	case datatable.Object:
		id, v, err := table.Object(row, col)
		return fmt.Sprintf("%d:%x", id, v), err
	case datatable.IntArray:
		v, err := table.AppendInts(nil, row, col)
		return list(v, func(x int32) string { return fmt.Sprint(x) }), err
	case datatable.LongArray:
		v, err := table.AppendLongs(nil, row, col)
		return list(v, longText), err
	case datatable.FloatArray:
		v, err := table.AppendFloats(nil, row, col)
		return list(v, floatText), err
	case datatable.DoubleArray:
		v, err := table.AppendDoubles(nil, row, col)
		return list(v, doubleText), err
	case datatable.StringArray:
		v, err := table.AppendStrings(nil, row, col)
		return list(v, textText), err
	case datatable.BytesArray:
		v, err := table.AppendBlobs(nil, row, col)
		return list(v, hexText), err
	case datatable.BigDecimalArray:
		v, err := table.AppendBigDecimals(nil, row, col)
		return list(v, decimalText), err
	}
	return "", fmt.Errorf("an unknown %v that is not null", typ)
}

func longText(x int64) string                { return fmt.Sprint(x) }
func floatText(x float32) string             { return fmt.Sprintf("%08x", math.Float32bits(x)) }
func doubleText(x float64) string            { return fmt.Sprintf("%016x", math.Float64bits(x)) }
func textText(x []byte) string               { return fmt.Sprintf("%q", x) }
func hexText(x []byte) string                { return hex.EncodeToString(x) }
func decimalText(x datatable.Decimal) string { return fmt.Sprintf("%v/%d", x.Int(), x.Scale) }

func list[T any](v []T, text func(T) string) string {
	texts := make([]string, len(v))
	for i, x := range v {
		texts[i] = text(x)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

func mapText(entries []datatable.MapEntry) string {
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = fmt.Sprintf("%q:%s", e.Key, e.JSON)
	}
	slices.Sort(texts)
	return "{" + strings.Join(texts, ",") + "}"
}
