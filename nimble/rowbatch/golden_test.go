package rowbatch

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// goldenCase is a line of a manifest: blobs with the schema and the rows.
type goldenCase struct {
	Name    string              `json:"name"`
	Files   []string            `json:"files"`
	Blobs   []string            `json:"blobs"`
	Blob    string              `json:"blob"`
	Rows    any                 `json:"rows"`
	Variant string              `json:"variant"`
	Columns string              `json:"columns"`
	Range   string              `json:"range"`
	Header  bool                `json:"hasHeader"`
	Type    string              `json:"type"`
	Codec   string              `json:"compression"`
	Indices string              `json:"indicesEncoding"`
	Sizes   string              `json:"sizesEncoding"`
	Maps    map[string][]string `json:"flatMapColumns"`
	Schema  string              `json:"schemaFile"`

	dir string
}

// goldenCases returns the cases of the manifests in nimble/rowbatch/sub.
func goldenCases(tb testing.TB, sub string) []goldenCase {
	tb.Helper()
	var cases []goldenCase
	for _, dir := range golden.Dirs(tb, filepath.Join("nimble/rowbatch", sub)) {
		for _, line := range bytes.Split(bytes.TrimSpace(readFile(tb, filepath.Join(dir, "manifest.jsonl"))), []byte("\n")) {
			c := goldenCase{dir: dir}
			if err := json.Unmarshal(line, &c); err != nil {
				tb.Fatalf("%s: %v", dir, err)
			}
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		tb.Fatalf("no cases in %q", sub)
	}
	return cases
}

func readFile(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func (c *goldenCase) read(tb testing.TB, name string) []byte {
	tb.Helper()
	return readFile(tb, filepath.Join(c.dir, name))
}

// blobs returns the blobs and the rows of each, as decoded JSON.
func (c *goldenCase) blobs(tb testing.TB) (blobs [][]byte, rows [][]any) {
	tb.Helper()
	names := append(c.Files, c.Blobs...)
	if c.Blob != "" {
		names = append(names, c.Blob)
	}
	for _, name := range names {
		blobs = append(blobs, c.read(tb, name))
		rows = append(rows, parseRows(tb, c.read(tb, strings.TrimSuffix(name, ".bin")+".rows.jsonl")))
	}
	return blobs, rows
}

func parseRows(tb testing.TB, data []byte) []any {
	tb.Helper()
	rows := []any{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for d.More() {
		var row any
		if err := d.Decode(&row); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

func (c *goldenCase) schema(tb testing.TB) *Schema {
	tb.Helper()
	s, err := ParseSchema(c.read(tb, c.Schema))
	if err != nil {
		tb.Fatalf("%s: %v", c.Name, err)
	}
	return s
}

func newTestDeserializer(tb testing.TB, s *Schema, o Options) *Deserializer {
	tb.Helper()
	d, err := NewDeserializer(s, encoding.NewSession(pool.New(pool.Options{})), o)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// match compares rows with decoded JSON.
func match(want []any, t *nimble.Type, got *vector.Row) error {
	if got.N != len(want) {
		return fmt.Errorf("%d rows instead of %d", got.N, len(want))
	}
	for i := range want {
		w, g := normal(want[i], t), render(got, t, i)
		if !reflect.DeepEqual(w, g) {
			return fmt.Errorf("row %d: %v instead of %v", i, g, w)
		}
	}
	return nil
}

// normal returns decoded JSON with scalars as texts and maps in order.
func normal(x any, t *nimble.Type) any {
	switch x := x.(type) {
	case nil:
		return nil
	case json.Number:
		switch t.Kind {
		case nimble.Real:
			f, _ := strconv.ParseFloat(string(x), 32)
			return floatText(f, 32)
		case nimble.Double:
			f, _ := strconv.ParseFloat(string(x), 64)
			return floatText(f, 64)
		}
		return string(x)
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			if t.Kind == nimble.Map || t.Kind == nimble.FlatMap {
				pair := e.([]any)
				out[i] = []any{normal(pair[0], t.Children[0]), normal(pair[1], t.Children[1])}
			} else {
				out[i] = normal(e, t.Children[0])
			}
		}
		return inOrder(out, t)
	case map[string]any:
		if t.Kind != nimble.Row {
			return fmt.Sprint(x)
		}
		out := map[string]any{}
		for i, name := range t.Names {
			out[name] = normal(x[name], t.Children[i])
		}
		return out
	}
	return fmt.Sprint(x)
}

func inOrder(list []any, t *nimble.Type) []any {
	if t.Kind == nimble.Map || t.Kind == nimble.FlatMap {
		sort.Slice(list, func(i, j int) bool { return fmt.Sprint(list[i]) < fmt.Sprint(list[j]) })
	}
	return list
}

func floatText(x float64, bits int) string {
	switch {
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(x, 'g', -1, bits)
}

// render returns row i of v in the form of normal.
func render(v vector.Vector, t *nimble.Type, i int) any {
	if !vector.Valid(v.Validity(), i) {
		return nil
	}
	switch v := v.(type) {
	case *vector.Bools:
		x, _ := v.At(i)
		return fmt.Sprint(x)
	case *vector.Vec[int8]:
		return fmt.Sprint(v.Values[i])
	case *vector.Vec[int16]:
		return fmt.Sprint(v.Values[i])
	case *vector.Vec[int32]:
		return fmt.Sprint(v.Values[i])
	case *vector.Vec[int64]:
		return fmt.Sprint(v.Values[i])
	case *vector.Vec[float32]:
		if x := v.Values[i]; x != x && math.Float32bits(x) != 0x7fc00000 {
			return fmt.Sprintf("NaN:0x%x", math.Float32bits(x))
		}
		return floatText(float64(v.Values[i]), 32)
	case *vector.Vec[float64]:
		if x := v.Values[i]; x != x && math.Float64bits(x) != 0x7ff8000000000000 {
			return fmt.Sprintf("NaN:0x%x", math.Float64bits(x))
		}
		return floatText(v.Values[i], 64)
	case *vector.Vec[vector.View]:
		b := v.Values[i].Bytes(v.Buffers.List())
		text := base64.StdEncoding.EncodeToString(b)
		if t.Kind == nimble.Varbinary {
			return text
		}
		if s := string(b); strings.ToValidUTF8(s, "") == s {
			return s
		}
		return fmt.Sprint(map[string]any{"b64": text})
	case *vector.Timestamps:
		nanos := uint16(0)
		if v.Nanos != nil {
			nanos = v.Nanos[i]
		}
		return fmt.Sprintf("%d.%03d", v.Micros.Values[i], nanos)
	case *vector.List:
		out := []any{}
		begin, end := v.Span(i)
		for j := begin; j < end; j++ {
			out = append(out, render(v.Elem, t.Children[0], j))
		}
		return out
	case *vector.Map:
		out := []any{}
		begin, end := v.Span(i)
		for j := begin; j < end; j++ {
			out = append(out, []any{render(v.Keys, t.Children[0], j), render(v.Values, t.Children[1], j)})
		}
		return inOrder(out, t)
	case *vector.Row:
		out := map[string]any{}
		for f, name := range t.Names {
			out[name] = render(v.Fields[f], t.Children[f], i)
		}
		return out
	}
	panic(fmt.Sprintf("a vector of kind %v", v.Kind()))
}

// isRefused reports whether something was refused by name.
func isRefused(err error) bool {
	return errors.Is(err, ErrUnsupported) || errors.Is(err, encoding.ErrUnsupported)
}

func TestGoldenRead(t *testing.T) {
	blobs, rows := 0, 0
	for _, c := range goldenCases(t, "") {
		s := c.schema(t)
		d := newTestDeserializer(t, s, Options{Headerless: !c.Header})
		data, want := c.blobs(t)
		out := d.NewRows()
		var all []any
		for i, blob := range data {
			if err := d.Read(out, blob); err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			if err := match(want[i], s.Type(), out); err != nil {
				t.Errorf("%s: blob %d: %v", c.Name, i, err)
			}
			all = append(all, want[i]...)
			blobs++
		}
		if err := d.Read(out, data...); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if err := match(all, s.Type(), out); err != nil {
			t.Errorf("%s: all blobs: %v", c.Name, err)
		}
		rows += len(all)
	}
	t.Logf("%d blobs, %d rows", blobs, rows)
}

func TestGoldenAsStruct(t *testing.T) {
	cases, rows := 0, 0
	for _, c := range goldenCases(t, "") {
		typeFile := filepath.Join(c.dir, c.Name+".asstruct.type.txt")
		text, err := os.ReadFile(typeFile)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		out, err := nimble.ParseType(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatalf("%s: %v", typeFile, err)
		}
		d := newTestDeserializer(t, c.schema(t), Options{Output: out})
		data, _ := c.blobs(t)
		got := d.NewRows()
		if err := d.Read(got, data...); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		want := parseRows(t, c.read(t, c.Name+".asstruct.rows.jsonl"))
		if err := match(want, out, got); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		cases++
		rows += len(want)
	}
	if cases == 0 {
		t.Fatal("no flat map is read as a row")
	}
	t.Logf("%d cases, %d rows", cases, rows)
}

// TestGoldenProjectedAndSliced reads blobs of version Projection.
func TestGoldenProjectedAndSliced(t *testing.T) {
	blobs := 0
	for _, sub := range []string{"projected", "sliced"} {
		for _, c := range goldenCases(t, sub) {
			s := c.schema(t)
			d := newTestDeserializer(t, s, Options{})
			data, want := c.blobs(t)
			out := d.NewRows()
			for i, blob := range data {
				if err := d.Read(out, blob); err != nil {
					t.Fatalf("%s: %v", c.Name, err)
				}
				if err := match(want[i], s.Type(), out); err != nil {
					t.Errorf("%s/%s: blob %d: %v", sub, c.Name, i, err)
				}
				blobs++
			}
		}
	}
	t.Logf("%d blobs", blobs)
}

// TestGoldenTablet reads blobs of version Tablet, streams of files.
func TestGoldenTablet(t *testing.T) {
	blobs, refused := 0, map[string]int{}
	for _, c := range goldenCases(t, "ktablet") {
		if c.Rows == nil { // a schema
			continue
		}
		base, _, _ := strings.Cut(c.Name, ".")
		c.Schema = base + ".schema.bin"
		s := c.schema(t)
		data, want := c.blobs(t)
		d := newTestDeserializer(t, s, Options{})
		out := d.NewRows()
		if err := d.Read(out, data[0]); err != nil {
			if isRefused(err) {
				refused[err.Error()]++
				continue
			}
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if err := match(want[0], s.Type(), out); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		h, _, err := ReadHeader(data[0], false)
		if err != nil || h.Version != Tablet || (h.ResumeKey != nil) != strings.Contains(c.Name, "resume") {
			t.Errorf("%s: header %+v, %v", c.Name, h, err)
		}
		blobs++
	}
	t.Logf("%d blobs; refused: %v", blobs, refused)
}
