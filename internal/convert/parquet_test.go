package convert

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// secondReader returns the rows of a flat Parquet file as another library reads
// them.
func secondReader(tb testing.TB, path string) (columns []*parquet.Column, rows []parquet.Row) {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		tb.Fatal(err)
	}
	for _, group := range file.RowGroups() {
		reader := group.Rows()
		buf := make([]parquet.Row, 100)
		for {
			n, err := reader.ReadRows(buf)
			for _, row := range buf[:n] {
				rows = append(rows, row.Clone())
			}
			if err != nil || n == 0 {
				break
			}
		}
		if err := reader.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	return file.Root().Columns(), rows
}

// TestSecondReader reads what became of a CSV file's fields with another
// Parquet library.
func TestSecondReader(t *testing.T) {
	const in = "testdata/flights.csv"
	dir := t.TempDir()
	o := Options{Nulls: []string{"NA"}}
	middle, out := filepath.Join(dir, "a.nimble"), filepath.Join(dir, "a.parquet")
	if _, err := Convert(t.Context(), in, middle, o, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Convert(t.Context(), middle, out, o, nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns, rows := secondReader(t, out)
	if len(columns) != len(records[0]) || len(rows) != len(records)-1 {
		t.Fatalf("%d columns and %d rows, want %d and %d", len(columns), len(rows), len(records[0]), len(records)-1)
	}
	for i, row := range rows {
		for col, value := range row {
			if name := columns[col].Name(); name != records[0][col] {
				t.Fatalf("column %d is %q, want %q", col, name, records[0][col])
			}
			if got := fieldOf(value); got != records[i+1][col] {
				t.Errorf("row %d, %s: %q, want %q", i, records[0][col], got, records[i+1][col])
			}
		}
	}
}

// fieldOf returns the text that a value has in flights.csv.
func fieldOf(v parquet.Value) string {
	switch {
	case v.IsNull():
		return "NA"
	case v.Kind() == parquet.ByteArray:
		return string(v.ByteArray())
	case v.Kind() == parquet.Int64:
		return time.UnixMilli(v.Int64()).UTC().Format(time.RFC3339)
	default:
		return strconv.Itoa(int(v.Int32()))
	}
}

// TestParquetTypes checks the logical types that another library finds.
func TestParquetTypes(t *testing.T) {
	schema := parseSchema(t, everyType)
	path := filepath.Join(t.TempDir(), "a.parquet")
	b := vector.NewBatch(nil, newVectors(schema)...)
	b.N = 1
	for _, c := range b.Columns {
		appendNull(c)
	}
	writeBatches(t, path, FormatParquet, schema, b)
	columns, rows := secondReader(t, path)
	if len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
	want := map[string]string{
		"bo": "BOOLEAN", "i8": "INT(8,true)", "i16": "INT(16,true)", "i32": "INT(32,true)", "i64": "INT(64,true)",
		"f32": "FLOAT", "f64": "DOUBLE", "s": "STRING", "b": "BYTE_ARRAY",
		"ts":  "TIMESTAMP(isAdjustedToUTC=true,unit=NANOS)",
		"tsu": "TIMESTAMP(isAdjustedToUTC=true,unit=MICROS)",
		"tsm": "TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS)",
		"d":   "DATE", "d9": "DECIMAL(9,2)", "d18": "DECIMAL(18,18)", "d38": "DECIMAL(38,10)", "d76": "DECIMAL(76,0)",
		"tm": "TIME(isAdjustedToUTC=false,unit=MILLIS)", "tu": "TIME(isAdjustedToUTC=false,unit=MICROS)",
		"tn": "TIME(isAdjustedToUTC=false,unit=NANOS)",
		"u8": "INT(8,false)", "u16": "INT(16,false)", "u32": "INT(32,false)", "u64": "INT(64,false)",
		"j": "JSON", "id": "UUID",
	}
	for _, c := range columns {
		if typ, ok := want[c.Name()]; ok && c.Type().String() != typ {
			t.Errorf("%s is %s, want %s", c.Name(), c.Type(), typ)
		}
	}
}

// foreign is a row as another library writes it.
type foreign struct {
	ID     int64             `parquet:"id,delta"`
	Name   *string           `parquet:"name,optional,dict"`
	Kind   string            `parquet:"kind,enum"`
	JSON   string            `parquet:"json,json"`
	Price  int64             `parquet:"price,decimal(2:18)"`
	When   time.Time         `parquet:"when,timestamp(microsecond)"`
	Day    int32             `parquet:"day,date"`
	UUID   [16]byte          `parquet:"uuid,uuid"`
	Tags   []string          `parquet:"tags,list"`
	Scores map[string]uint32 `parquet:"scores"`
	Inner  *inner            `parquet:"inner,optional"`
}

type inner struct {
	X float32 `parquet:"x"`
	Y []byte  `parquet:"y"`
}

// TestSecondWriter reads a file of another library: nulls first, then values.
func TestSecondWriter(t *testing.T) {
	name := "n"
	rows := []foreign{
		{ID: 1, When: time.Unix(0, 0)},
		{ID: 2, When: time.Unix(0, 1000), Kind: "A", JSON: `{"a":1}`},
		{
			ID: math.MaxInt64, Name: &name, Kind: "B", JSON: "[]", Price: -5, When: time.UnixMicro(-1), Day: -1,
			UUID: [16]byte{15: 1}, Tags: []string{"", "t"}, Scores: map[string]uint32{"k": math.MaxUint32},
			Inner: &inner{X: 0.5, Y: []byte{0xff}},
		},
	}
	var file bytes.Buffer
	if err := parquet.Write(&file, rows); err != nil {
		t.Fatal(err)
	}
	src, err := OpenSource(t.Context(), writeFile(t, "a", file.String()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	wantSchema := `ROW<id BIGINT, name VARCHAR, kind VARCHAR, json JSON, price DECIMAL(18,2), when TIMESTAMP(us), ` +
		`day DATE, uuid UUID, tags ARRAY<VARCHAR>, scores MAP<VARCHAR, UINT32>, inner ROW<x REAL, y VARBINARY>>`
	if got := src.Schema().String(); got != wantSchema {
		t.Errorf("schema %s", got)
	}
	got, err := drain(src, FormatJSONL, Options{})
	want := `{"id":1,"name":null,"kind":"","json":"","price":0.00,"when":"1970-01-01T00:00:00.000000Z","day":"1970-01-01","uuid":"00000000-0000-0000-0000-000000000000","tags":[],"scores":{},"inner":null}
{"id":2,"name":null,"kind":"A","json":"{\"a\":1}","price":0.00,"when":"1970-01-01T00:00:00.000001Z","day":"1970-01-01","uuid":"00000000-0000-0000-0000-000000000000","tags":[],"scores":{},"inner":null}
{"id":9223372036854775807,"name":"n","kind":"B","json":"[]","price":-0.05,"when":"1969-12-31T23:59:59.999999Z","day":"1969-12-31","uuid":"00000000-0000-0000-0000-000000000001","tags":["","t"],"scores":{"k":4294967295},"inner":{"x":0.5,"y":"ff"}}
`
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestParquetRefused has values that the types of a file cannot hold.
func TestParquetRefused(t *testing.T) {
	for typ, fill := range map[string]func(v vector.Vector){
		"UINT8":        func(v vector.Vector) { v.(*vector.Vec[int16]).Append(256) },
		"UINT16":       func(v vector.Vector) { v.(*vector.Vec[int32]).Append(-1) },
		"UINT32":       func(v vector.Vector) { v.(*vector.Vec[int64]).Append(1 << 32) },
		"DECIMAL(3,0)": func(v vector.Vector) { v.(*vector.Vec[int64]).Append(1000) },
		"DECIMAL(19,0)": func(v vector.Vector) {
			vector.AppendString(v.(*vector.Vec[vector.View]), bytes.Repeat([]byte{0x7f}, 9))
		},
		"TIME(ms)":      func(v vector.Vector) { v.(*vector.Vec[int64]).Append(math.MaxInt64) },
		"TIMESTAMP":     func(v vector.Vector) { v.(*vector.Timestamps).Append(math.MaxInt64, 0) },
		"TIMESTAMP(us)": func(v vector.Vector) { v.(*vector.Timestamps).Append(0, 1) },
		"TIMESTAMP(ms)": func(v vector.Vector) { v.(*vector.Timestamps).Append(1, 0) },
		"UUID":          func(v vector.Vector) { vector.AppendString(v.(*vector.Vec[vector.View]), []byte("short")) },
	} {
		schema := parseSchema(t, "v "+typ)
		b := vector.NewBatch(nil, newVectors(schema)...)
		b.N = 1
		fill(b.Columns[0])
		sink, err := NewSink(&bytes.Buffer{}, FormatParquet, schema, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := sink.Write(b); err == nil {
			t.Errorf("a value beyond %s is no error", typ)
		}
	}
}

// TestDamage changes bytes of a file, and cuts it short. Reading it is an error
// or is not, and is over.
func TestDamage(t *testing.T) {
	schema := parseSchema(t, "i INTEGER, s VARCHAR, l ARRAY<VARCHAR>, x DECIMAL(38,2), m MAP<VARCHAR, INTEGER>")
	b := vector.NewBatch(nil, newVectors(schema)...)
	b.N = 20
	for i := range b.N {
		b.Columns[0].(*vector.Vec[int32]).Append(int32(i * i))
		vector.AppendString(b.Columns[1].(*vector.Vec[vector.View]), bytes.Repeat([]byte{'x'}, i))
		l := b.Columns[2].(*vector.List)
		vector.AppendString(l.Elem.(*vector.Vec[vector.View]), []byte("a"))
		l.Append()
		vector.AppendString(b.Columns[3].(*vector.Vec[vector.View]), []byte{byte(i)})
		m := b.Columns[4].(*vector.Map)
		for j := range i % 4 {
			vector.AppendString(m.Keys.(*vector.Vec[vector.View]), []byte{byte('a' + j)})
			m.Values.(*vector.Vec[int32]).Append(int32(j))
		}
		m.Append()
	}
	for _, format := range []Format{FormatParquet, FormatArrow, FormatArrowStream} {
		t.Run(format.String(), func(t *testing.T) { damage(t, format, schema, b) })
	}
}

// damage reads damaged files of a format, of the rows of b.
func damage(t *testing.T, format Format, schema *nimble.Type, b *vector.Batch) {
	path := filepath.Join(t.TempDir(), "a")
	writeBatches(t, path, format, schema, b)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	failed, files := 0, 0
	for i := 0; i < len(whole); i += 3 {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 1 << (i % 8)
		for _, data := range [][]byte{damaged, whole[:i]} {
			files++
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			src, err := OpenSource(t.Context(), path, Options{From: format})
			if err != nil {
				failed++
				continue
			}
			if _, err := drain(src, FormatJSONL, Options{}); err != nil {
				failed++
			}
			if err := src.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	// Every shorter file is refused, and many of those with another bit. Of a stream no
	// bit is checked, and what ends between two messages is one.
	if format != FormatArrowStream && 2*failed < files || 3*failed < files {
		t.Errorf("%d of %d files are refused", failed, files)
	}
}

// TestZones keeps clock readings apart from moments, and names of zones.
func TestZones(t *testing.T) {
	schema := parseSchema(t, "utc TIMESTAMP(us), local TIMESTAMP(us), zone TIMESTAMP(ms)")
	schema.Children[1].Attributes = []nimble.Attribute{{Key: ZoneKey, Value: LocalZone}}
	schema.Children[2].Attributes = []nimble.Attribute{{Key: ZoneKey, Value: "Europe/Paris"}}
	b := vector.NewBatch(nil, newVectors(schema)...)
	b.N = 1
	for _, c := range b.Columns {
		c.(*vector.Timestamps).Append(0, 0)
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	writeBatches(t, path, FormatParquet, schema, b)
	src, err := OpenSource(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if !src.Schema().Equal(schema) {
		t.Errorf("schema %v", src.Schema().Children)
	}
	want := "utc,local,zone\n1970-01-01T00:00:00.000000Z,1970-01-01T00:00:00.000000,1970-01-01T00:00:00.000Z\n"
	if got, err := drain(src, FormatCSV, Options{}); err != nil || got != want {
		t.Errorf("%v %q", err, got)
	}
}
