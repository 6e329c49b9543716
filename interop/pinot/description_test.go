//go:build pinot

package pinot_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/decantdb/decant/datatable"
	"pgregory.net/rapid"
)

// release is a Pinot release as both halves call it.
type release struct {
	name    string
	target  datatable.Release
	lastKey datatable.MetadataKey
	// anyObject says that the builder takes any bytes as an object. Otherwise
	// they have to be an intermediate result that it knows.
	anyObject bool
}

var releases = []release{
	{"1.5.0", datatable.Release15, datatable.QueryID, true},
	{"1.4.0", datatable.Release14, datatable.WorkloadName, true},
	{"1.3.0", datatable.Release13, datatable.MaxRowsInJoinReached, false},
}

// description is a table to build: for Pinot as JSON, for us as calls.
type description struct {
	Schema        *schema     `json:"schema"`
	Rows          [][]cell    `json:"rows"`
	SetNullRowIDs [][]int32   `json:"setNullRowIds"`
	Exceptions    []exception `json:"exceptions"`
	Metadata      []entry     `json:"metadata"`

	columns []datatable.Column
}

type schema struct {
	ColumnNames     []string `json:"columnNames"`
	ColumnDataTypes []string `json:"columnDataTypes"`
}

type exception struct {
	Code    int32  `json:"errCode"`
	Message string `json:"message"`
}

type entry struct {
	Key   string `json:"key"`
	Value string `json:"value"`

	set func(b *datatable.Builder)
}

// cell is one cell: what Pinot is told, and how ours is set.
type cell struct {
	text any
	set  func(b *datatable.Builder, col int)
}

// MarshalJSON returns what Pinot is told.
func (c cell) MarshalJSON() ([]byte, error) { return json.Marshal(c.text) }

// build gives the description to b.
func (d *description) build(b *datatable.Builder) {
	for _, row := range d.Rows {
		b.StartRow()
		for col, c := range row {
			c.set(b, col)
		}
		b.FinishRow()
	}
	for col, rows := range d.SetNullRowIDs {
		b.SetNullRows(col, rows)
	}
	for _, e := range d.Exceptions {
		b.AddException(e.Code, e.Message)
	}
	for _, e := range d.Metadata {
		e.set(b)
	}
}

// drawDescription draws a table that the release can build.
func drawDescription(t *rapid.T, r release) *description {
	d := &description{Exceptions: drawExceptions(t), Metadata: drawMetadata(t, r)}
	if rapid.IntRange(0, 19).Draw(t, "without schema") == 0 {
		return d
	}
	d.Schema = &schema{[]string{}, []string{}}
	for range rapid.IntRange(0, 8).Draw(t, "columns") {
		c := datatable.Column{
			Name: rapid.StringN(0, 6, -1).Draw(t, "name"),
			Type: rapid.SampledFrom(columnTypes).Draw(t, "type"),
		}
		d.columns = append(d.columns, c)
		d.Schema.ColumnNames = append(d.Schema.ColumnNames, c.Name)
		d.Schema.ColumnDataTypes = append(d.Schema.ColumnDataTypes, c.Type.String())
	}
	rows := rapid.IntRange(0, 12).Draw(t, "rows")
	for range rows {
		row := []cell{}
		for _, c := range d.columns {
			row = append(row, drawCell(t, r, c.Type))
		}
		d.Rows = append(d.Rows, row)
	}
	if rapid.Bool().Draw(t, "null handling") {
		for range d.columns {
			d.SetNullRowIDs = append(d.SetNullRowIDs, drawNullRows(t, rows))
		}
	}
	return d
}

func drawExceptions(t *rapid.T) []exception {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) exception {
		return exception{rapid.Int32Range(-1, 700).Draw(t, "code"), drawText(t)}
	}), 0, 3).Draw(t, "exceptions")
}

func drawMetadata(t *rapid.T, r release) []entry {
	var entries []entry
	for range rapid.IntRange(0, 6).Draw(t, "entries") {
		key := datatable.MetadataKey(rapid.Int32Range(0, int32(r.lastKey)).Draw(t, "key"))
		e := entry{Key: key.String()}
		switch key.Kind() {
		case datatable.TextValue:
			e.Value = drawText(t)
			e.set = func(b *datatable.Builder) { b.SetMetadataText(key, e.Value) }
		case datatable.BoolValue:
			v := rapid.Bool().Draw(t, "value")
			e.Value = strconv.FormatBool(v)
			e.set = func(b *datatable.Builder) { b.SetMetadataBool(key, v) }
		case datatable.IntValue:
			v := rapid.Int32().Draw(t, "value")
			e.Value = fmt.Sprint(v)
			e.set = func(b *datatable.Builder) { b.SetMetadata(key, int64(v)) }
		case datatable.LongValue:
			v := rapid.Int64().Draw(t, "value")
			e.Value = fmt.Sprint(v)
			e.set = func(b *datatable.Builder) { b.SetMetadata(key, v) }
		}
		entries = append(entries, e)
	}
	return entries
}

func drawNullRows(t *rapid.T, rows int) []int32 {
	var nulls []int32
	for row := range rows {
		if rapid.IntRange(0, 3).Draw(t, "null") == 0 {
			nulls = append(nulls, int32(row))
		}
	}
	return nulls
}

// columnTypes are the types that all releases up to 1.5 have.
var columnTypes = []datatable.Type{
	datatable.Int, datatable.Long, datatable.Float, datatable.Double, datatable.BigDecimal, datatable.Boolean,
	datatable.Timestamp, datatable.String, datatable.JSON, datatable.Bytes, datatable.Map, datatable.Object,
	datatable.Unknown, datatable.IntArray, datatable.LongArray, datatable.FloatArray, datatable.DoubleArray,
	datatable.BooleanArray, datatable.TimestampArray, datatable.StringArray,
}

// drawCell draws a cell that is set, or not set in one of eight rows. Cells that
// Pinot's reader takes for something else if they are not set always are.
func drawCell(t *rapid.T, r release, typ datatable.Type) cell {
	switch typ {
	case datatable.Object, datatable.Unknown, datatable.BigDecimal:
	default:
		if rapid.IntRange(0, 7).Draw(t, "skip") == 0 {
			return cell{map[string]bool{"skip": true}, func(*datatable.Builder, int) {}}
		}
	}
	switch typ {
	case datatable.Int:
		v := rapid.Int32().Draw(t, "int")
		return cell{v, func(b *datatable.Builder, col int) { b.SetInt(col, v) }}
	case datatable.Boolean:
		v := rapid.Bool().Draw(t, "boolean")
		return cell{map[bool]int{true: 1}[v], func(b *datatable.Builder, col int) { b.SetBoolean(col, v) }}
	case datatable.Long, datatable.Timestamp:
		v := rapid.Int64().Draw(t, "long")
		return cell{fmt.Sprint(v), func(b *datatable.Builder, col int) { b.SetLong(col, v) }}
	case datatable.Float:
		v := drawFloat(t)
		return cell{floatBits(v), func(b *datatable.Builder, col int) { b.SetFloat(col, v) }}
	case datatable.Double:
		v := drawDouble(t)
		return cell{doubleBits(v), func(b *datatable.Builder, col int) { b.SetDouble(col, v) }}
	case datatable.String, datatable.JSON:
		v := drawText(t)
		return cell{v, func(b *datatable.Builder, col int) { b.SetString(col, []byte(v)) }}
	case datatable.Bytes:
		v := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "bytes")
		return cell{hex.EncodeToString(v), func(b *datatable.Builder, col int) { b.SetBytes(col, v) }}
	case datatable.BigDecimal:
		return drawDecimal(t)
	case datatable.Map:
		return drawMap(t)
	case datatable.Object:
		return drawObject(t, r)
	case datatable.Unknown:
		return nullCell
	}
	return drawArray(t, typ)
}

func drawArray(t *rapid.T, typ datatable.Type) cell {
	const most = 5
	switch typ {
	case datatable.IntArray:
		v := rapid.SliceOfN(rapid.Int32(), 0, most).Draw(t, "ints")
		return cell{v, func(b *datatable.Builder, col int) { b.SetIntArray(col, v) }}
	case datatable.BooleanArray:
		v := rapid.SliceOfN(rapid.Int32Range(0, 1), 0, most).Draw(t, "booleans")
		return cell{v, func(b *datatable.Builder, col int) { b.SetIntArray(col, v) }}
	case datatable.LongArray, datatable.TimestampArray:
		v := rapid.SliceOfN(rapid.Int64(), 0, most).Draw(t, "longs")
		return cell{each(v, func(x int64) any { return fmt.Sprint(x) }), func(b *datatable.Builder, col int) { b.SetLongArray(col, v) }}
	case datatable.FloatArray:
		v := rapid.SliceOfN(rapid.Custom(drawFloat), 0, most).Draw(t, "floats")
		return cell{each(v, floatBits), func(b *datatable.Builder, col int) { b.SetFloatArray(col, v) }}
	case datatable.DoubleArray:
		v := rapid.SliceOfN(rapid.Custom(drawDouble), 0, most).Draw(t, "doubles")
		return cell{each(v, doubleBits), func(b *datatable.Builder, col int) { b.SetDoubleArray(col, v) }}
	case datatable.StringArray:
		v := rapid.SliceOfN(rapid.Custom(drawText), 0, most).Draw(t, "strings")
		return cell{v, func(b *datatable.Builder, col int) {
			texts := [][]byte{}
			for _, s := range v {
				texts = append(texts, []byte(s))
			}
			b.SetStringArray(col, texts)
		}}
	}
	panic(fmt.Sprintf("no cells of type %v", typ))
}

// drawText draws few short texts often, and any text sometimes.
func drawText(t *rapid.T) string {
	if rapid.Bool().Draw(t, "usual") {
		return rapid.SampledFrom([]string{"", "a", "b", "value-7", "ü🎲"}).Draw(t, "text")
	}
	return rapid.StringN(0, 12, -1).Draw(t, "text")
}

// drawFloat draws any bits: NaN payloads, infinities and signed zeros as well.
func drawFloat(t *rapid.T) float32 {
	special := []uint32{0, 1 << 31, 0x7fc00000, 0xffc00001, 0x7f800001, 0x7f800000, 0xff800000}
	if rapid.Bool().Draw(t, "special") {
		return math.Float32frombits(rapid.SampledFrom(special).Draw(t, "bits"))
	}
	return math.Float32frombits(rapid.Uint32().Draw(t, "bits"))
}

func drawDouble(t *rapid.T) float64 {
	special := []uint64{0, 1 << 63, 0x7ff8000000000000, 0xfff8000000000001, 0x7ff0000000000001, 0x7ff0000000000000}
	if rapid.Bool().Draw(t, "special") {
		return math.Float64frombits(rapid.SampledFrom(special).Draw(t, "bits"))
	}
	return math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
}

func floatBits(x float32) any {
	return map[string]string{"bits": fmt.Sprintf("%08x", math.Float32bits(x))}
}

func doubleBits(x float64) any {
	return map[string]string{"bits": fmt.Sprintf("%016x", math.Float64bits(x))}
}

func drawDecimal(t *rapid.T) cell {
	unscaled := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "unscaled"))
	if rapid.Bool().Draw(t, "negative") {
		unscaled.Neg(unscaled)
	}
	scale := rapid.Int16().Draw(t, "scale")
	v := datatable.NewDecimal(unscaled, scale)
	text := map[string]any{"unscaled": unscaled.String(), "scale": scale}
	return cell{text, func(b *datatable.Builder, col int) { b.SetBigDecimal(col, v) }}
}

// drawMap draws a map whose values look the same in any writer's JSON.
func drawMap(t *rapid.T) cell {
	if rapid.IntRange(0, 4).Draw(t, "null") == 0 {
		return cell{nil, func(b *datatable.Builder, col int) { b.SetMap(col, nil) }}
	}
	values := []string{"0", "-17", "true", "null", `"two"`, `"ü"`, "2.5", `[1,"x",{}]`, `{"z":"q"}`}
	entries, text := []datatable.MapEntry{}, []byte(`{"json":{`)
	for i := range rapid.IntRange(0, 3).Draw(t, "entries") {
		e := datatable.MapEntry{
			Key:  fmt.Appendf(nil, "key %d", 7*i),
			JSON: []byte(rapid.SampledFrom(values).Draw(t, "value")),
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%q:%s", e.Key, e.JSON)
		entries = append(entries, e)
	}
	text = append(text, "}}"...)
	return cell{json.RawMessage(text), func(b *datatable.Builder, col int) { b.SetMap(col, entries) }}
}

var nullCell = cell{map[string]bool{"setNull": true}, (*datatable.Builder).SetNull}

func drawObject(t *rapid.T, r release) cell {
	if rapid.IntRange(0, 4).Draw(t, "null") == 0 {
		return nullCell
	}
	// A string, a long and a double, and their sizes in bytes.
	id := rapid.Int32Range(0, 2).Draw(t, "type")
	least, most := 8, 8
	if r.anyObject {
		id = rapid.Int32Range(0, 99).Draw(t, "any type")
		least, most = 1, 30
	}
	payload := rapid.SliceOfN(rapid.Byte(), least, most).Draw(t, "payload")
	if id == 0 && !r.anyObject {
		payload = []byte("text")
	}
	text := map[string]any{"type": id, "hex": hex.EncodeToString(payload)}
	return cell{text, func(b *datatable.Builder, col int) { b.SetObject(col, id, payload) }}
}

func each[T any](values []T, fn func(T) any) []any {
	out := []any{}
	for _, x := range values {
		out = append(out, fn(x))
	}
	return out
}
