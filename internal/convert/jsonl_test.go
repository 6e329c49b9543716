package convert

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// readJSONL returns the type and the rows, as JSON lines, of a text.
func readJSONL(tb testing.TB, text string, o Options) (schema *nimble.Type, out string, err error) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "in.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	o.From = FormatJSONL
	src, err := OpenSource(tb.Context(), path, o)
	if err != nil {
		return nil, "", err
	}
	defer src.Close()
	out, err = drain(src, FormatJSONL, o)
	return src.Schema(), out, err
}

func TestJSONLInfer(t *testing.T) {
	for _, c := range []struct{ values, want, first string }{
		{"1,null,2147483647", "INTEGER", "1"},
		{"1,2147483648", "BIGINT", "1"},
		{"-9223372036854775808", "BIGINT", "-9223372036854775808"},
		{"12345678901234567890123", "JSON", "12345678901234567890123"},
		{"1,1.5", "DOUBLE", "1"},
		{`"NaN",1.5,"-Infinity"`, "DOUBLE", `"NaN"`},
		{`"NaN"`, "VARCHAR", `"NaN"`},
		{"true,false", "BOOLEAN", "true"},
		{"true,1", "JSON", "true"},
		{`1,"a"`, "JSON", "1"},
		{`"1","2"`, "VARCHAR", `"1"`},
		{`"",null`, "VARCHAR", `""`},
		{`"2013-01-31"`, "DATE", `"2013-01-31"`},
		{`"2013-01-31","x"`, "VARCHAR", `"2013-01-31"`},
		{`"2013-01-31T08:30:00.5Z"`, "TIMESTAMP(ms)", `"2013-01-31T08:30:00.5Z"`},
		{"null,null", "VARCHAR", "null"},
		{"[],[1],[null,2]", "ARRAY<INTEGER>", "[]"},
		{"[[1.5],[]],null", "ARRAY<ARRAY<DOUBLE>>", "[[1.5],[]]"},
		{"[]", "ARRAY<VARCHAR>", "[]"},
		{"{}", "MAP<VARCHAR, VARCHAR>", "{}"},
		{`{"x":1},{"y":"a"},{}`, "ROW<x INTEGER, y VARCHAR>", `{"x":1,"y":null}`},
		{`{"x":{"z":[true]}}`, "ROW<x ROW<z ARRAY<BOOLEAN>>>", `{"x":{"z":[true]}}`},
		{`[{"x":1},{"y":2}]`, "ARRAY<ROW<x INTEGER, y INTEGER>>", `[{"x":1,"y":null},{"x":null,"y":2}]`},
		{`{"x": 1},[2]`, "JSON", `{"x": 1}`},
		{`"\u00e4\ud83d\ude00\ud800\udc00\n\"\\\/"`, "VARCHAR", "\"ä😀𐀀\\n\\\"\\\\/\""},
		{`"\udcff"`, "VARCHAR", `"\udcff"`},
	} {
		var text strings.Builder
		for _, value := range splitValues(c.values) {
			fmt.Fprintf(&text, "{\"v\" : %s}\n", value)
		}
		schema, out, err := readJSONL(t, text.String(), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.values, err)
			continue
		}
		bare := *schema.Children[0]
		bare.Attributes = nil
		if bare.String() != c.want {
			t.Errorf("%s is %s, want %s", c.values, bare.String(), c.want)
		}
		if first, _, _ := strings.Cut(out, "\n"); first != `{"v":`+c.first+`}` {
			t.Errorf("%s became %s, want %s", c.values, first, c.first)
		}
	}
}

// splitValues cuts a text at commas that are outside of brackets.
func splitValues(text string) (values []string) {
	depth, begin := 0, 0
	for i, c := range text {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth == 0 {
				values = append(values, text[begin:i])
				begin = i + 1
			}
		}
	}
	return append(values, text[begin:])
}

// TestJSONLAbsent tells null, empty and absent from each other.
func TestJSONLAbsent(t *testing.T) {
	const text = "\ufeff{\"a\":null,\"b\":\"\"}\r\n\n{\"b\":null}\n{}\n{\"c\":[],\"d\":{}}\n{\"d\":{\"e\":null},\"c\":null}"
	const want = `{"a":null,"b":"","c":null,"d":null}
{"a":null,"b":null,"c":null,"d":null}
{"a":null,"b":null,"c":null,"d":null}
{"a":null,"b":null,"c":[],"d":{"e":null}}
{"a":null,"b":null,"c":null,"d":{"e":null}}
`
	if _, out, err := readJSONL(t, text, Options{}); err != nil || out != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
	schema := parseSchema(t, "d MAP<VARCHAR, INTEGER>, z DATE")
	const asMap = `{"d":null,"z":null,"a":null,"b":"","c":null}
{"d":null,"z":null,"a":null,"b":null,"c":null}
{"d":null,"z":null,"a":null,"b":null,"c":null}
{"d":{},"z":null,"a":null,"b":null,"c":[]}
{"d":{"e":null},"z":null,"a":null,"b":null,"c":null}
`
	if _, out, err := readJSONL(t, text, Options{Schema: schema}); err != nil || out != asMap {
		t.Errorf("%v\n%s\nwant\n%s", err, out, asMap)
	}
}

func TestJSONLErrors(t *testing.T) {
	deep := strings.Repeat("[", nimble.MaxDepth+2)
	for _, c := range []struct {
		text         string
		line, column int
		schema       string
	}{
		{"{}\n[1]\n", 2, 1, ""},
		{"{}\n\n{\"a\":}\n", 3, 6, ""},
		{`{"a":1`, 1, 7, ""},
		{`{"a":01}`, 1, 6, ""},
		{`{"a":1} x`, 1, 9, ""},
		{`{"a":"\x"}`, 1, 8, ""},
		{`{"a":"\ud800"}`, 1, 13, ""},
		{`{"a":"`, 1, 7, ""},
		{"{\"a\":\"\t\"}", 1, 7, ""},
		{`{"a":1,"a":2}`, 1, 8, ""},
		{`{"b":1, "a":"x"}`, 1, 13, "a INTEGER"},
		{`{"b":1, "a": [1]}`, 1, 14, "a INTEGER"},
		{`{"a": 300}`, 1, 7, "a TINYINT"},
		{`{"a": {"300": 1}}`, 1, 8, "a MAP<TINYINT, INTEGER>"},
		{`{"a": ` + deep + `}`, 1, 0, ""},
	} {
		var o Options
		if c.schema != "" {
			o.Schema = parseSchema(t, c.schema)
		}
		_, _, err := readJSONL(t, c.text, o)
		var place *PlaceError
		if !errors.As(err, &place) || place.Line != c.line || c.column > 0 && place.Column != c.column {
			t.Errorf("%.40q: %v, want line %d and column %d", c.text, err, c.line, c.column)
		}
	}
}

// TestJSONLSparse reads small texts that stand for huge tables.
func TestJSONLSparse(t *testing.T) {
	var wide strings.Builder
	for i := range maxColumns / 2 {
		fmt.Fprintf(&wide, `,"%d":1`, i)
	}
	object := "{" + wide.String()[1:] + "}"
	for name, text := range map[string]string{
		"lines":    object + strings.Repeat("\n{}", 20_000),
		"elements": `{"a":[` + object + strings.Repeat(",{}", 20_000) + "]}",
		"nulls":    `{"a":` + object + "}" + strings.Repeat("\n{\"a\":null}", 20_000),
	} {
		src, err := OpenSource(t.Context(), writeFile(t, "sparse.jsonl", text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = src.Next()
		}
		if !errors.Is(err, errAbsent) {
			t.Errorf("%s: error %v", name, err)
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestJSONLLong reads a string of 100 MB.
func TestJSONLLong(t *testing.T) {
	const size = 100_000_000
	path := writeFile(t, "long.jsonl", `{"a":"`+strings.Repeat("ä", size/2)+"\"}\n{\"a\":\"x\"}\n")
	src, err := OpenSource(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	b, err := src.Next()
	if err != nil {
		t.Fatal(err)
	}
	v := b.Columns[0].(*vector.Vec[vector.View])
	if got := len(v.Values[0].Bytes(v.Buffers.List())); got != size {
		t.Errorf("%d bytes instead of %d", got, size)
	}
}

// FuzzJSONL reads any text as JSON lines, writes it, and reads that again, which
// changes nothing more.
func FuzzJSONL(f *testing.F) {
	for _, text := range []string{
		"{\"a\":1}\n{\"a\":2.5,\"b\":[1,null]}\n", "{\"a\":{\"b\":{}}}\n{\"a\":{\"b\":{\"c\":\"2013-01-31\"}}}",
		`{"a":"\ud83d\ude00\udc80"}`, "{\"a\":[[],[{}]]}\n{}", `{"a":1e400}`, `{"a":["NaN",1]}`,
		"{\"a\":\"2013-01-01 10:00:00.50+01:00\"}", "{\"a\":true}\n{\"a\":{\"x\":1}}", `{"":null}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, first, err := readJSONL(t, text, Options{})
		if err != nil {
			return
		}
		schema, second, err := readJSONL(t, first, Options{})
		if err != nil || second != first {
			t.Fatalf("%q became %q as %v: %v", first, second, schema, err)
		}
	})
}
