package nimble

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// goldenFile is a case of a manifest: a file with the rows that it holds.
type goldenFile struct {
	Name    string `json:"name"`
	Rows    int    `json:"rows"`
	Type    string `json:"type"`
	Options string `json:"options"`

	dir  string
	data []byte
}

// goldenFiles returns all cases of the manifests in nimble/files and
// nimble/files_fuzz of all roots.
func goldenFiles(tb testing.TB) []goldenFile {
	tb.Helper()
	var cases []goldenFile
	for _, root := range golden.Roots(tb) {
		for _, sub := range []string{"nimble/files", "nimble/files_fuzz"} {
			dir := filepath.Join(root, sub)
			manifest, err := os.ReadFile(filepath.Join(dir, "manifest.jsonl"))
			if errors.Is(err, os.ErrNotExist) && sub != "nimble/files" {
				continue
			}
			if err != nil {
				tb.Fatal(err)
			}
			for _, line := range bytes.Split(bytes.TrimSpace(manifest), []byte("\n")) {
				c := goldenFile{dir: dir}
				if err := json.Unmarshal(line, &c); err != nil {
					tb.Fatalf("%s: %v", dir, err)
				}
				if c.data, err = os.ReadFile(filepath.Join(dir, c.Name+".nimble")); err != nil {
					tb.Fatal(err)
				}
				cases = append(cases, c)
			}
		}
	}
	if len(cases) == 0 {
		tb.Fatal("no golden files")
	}
	return cases
}

// open opens the case's file.
func (c *goldenFile) open(tb testing.TB) *File {
	tb.Helper()
	f, err := Open(bytes.NewReader(c.data), int64(len(c.data)), nil)
	if err != nil {
		tb.Fatalf("%s: %v", c.Name, err)
	}
	return f
}

// wantRows returns the rows that the case holds, as decoded JSON.
func (c *goldenFile) wantRows(tb testing.TB) []map[string]any {
	tb.Helper()
	data, err := os.Open(filepath.Join(c.dir, c.Name+".rows.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer data.Close()
	var rows []map[string]any
	d := json.NewDecoder(bufio.NewReader(data))
	d.UseNumber()
	for {
		var row map[string]any
		err := d.Decode(&row)
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			tb.Fatalf("%s: row %d: %v", c.Name, len(rows), err)
		}
		rows = append(rows, row)
	}
}

func TestGoldenFilesRead(t *testing.T) {
	var files, rows, columns int
	refused := map[string]int{}
	for _, c := range goldenFiles(t) {
		f := c.open(t)
		want := c.wantRows(t)
		if f.Rows() != int64(len(want)) {
			t.Errorf("%s: %d rows, want %d", c.Name, f.Rows(), len(want))
			continue
		}
		for i, name := range f.Schema().Names {
			err := readGoldenColumn(f, i, name, want)
			switch {
			case err == nil:
				columns++
			case errors.Is(err, encoding.ErrUnsupported):
				refused[refusal(err)]++
			default:
				t.Errorf("%s: column %s %v: %v", c.Name, name, f.Schema().Children[i], err)
			}
		}
		files++
		rows += len(want)
	}
	t.Logf("%d files, %d rows, %d columns; refused: %v", files, rows, columns, refused)
}

// refusal is what is refused, without the place.
func refusal(err error) string {
	text := err.Error()
	return text[strings.LastIndex(text, ": ")+2:]
}

// readGoldenColumn compares a column with the rows expected, read in batches
// whose sizes share no factor with anything.
func readGoldenColumn(f *File, i int, name string, want []map[string]any) error {
	s, err := f.Scan(ScanOptions{Columns: []int{i}, BatchRows: 37})
	if err != nil {
		return err
	}
	defer s.Close()
	typ := f.Schema().Children[i]
	row := 0
	for {
		b, err := s.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		for j := range b.N {
			if err := match(want[row][name], typ, b.Columns[0], j); err != nil {
				return fmt.Errorf("row %d: %w", row, err)
			}
			row++
		}
	}
	if row != len(want) {
		return fmt.Errorf("%d rows instead of %d", row, len(want))
	}
	return nil
}

// match compares row i of v with a decoded JSON value.
func match(want any, t *Type, v vector.Vector, i int) error {
	if !vector.Valid(v.Validity(), i) {
		if want != nil {
			return fmt.Errorf("null instead of %v", want)
		}
		return nil
	}
	if want == nil {
		return errors.New("a value instead of null")
	}
	switch v := v.(type) {
	case *vector.Bools:
		x, _ := v.At(i)
		return same(x, want)
	case *vector.Vec[int8]:
		return matchNumber(want, v, i, func(x int8) string { return strconv.Itoa(int(x)) })
	case *vector.Vec[int16]:
		return matchNumber(want, v, i, func(x int16) string { return strconv.Itoa(int(x)) })
	case *vector.Vec[int32]:
		return matchNumber(want, v, i, func(x int32) string { return strconv.Itoa(int(x)) })
	case *vector.Vec[int64]:
		return matchNumber(want, v, i, func(x int64) string { return strconv.FormatInt(x, 10) })
	case *vector.Vec[float32]:
		return matchNumber(want, v, i, floatText32)
	case *vector.Vec[float64]:
		return matchNumber(want, v, i, floatText64)
	case *vector.Vec[vector.View]:
		x, _ := v.At(i)
		return same(stringJSON(x.Bytes(v.Buffers.List()), t.Kind), want)
	case *vector.Timestamps:
		micros, _ := v.Micros.At(i)
		return matchMoment(want, micros, v.Nanos, i)
	case *vector.List:
		begin, end := v.Span(i)
		return matchList(want, t.Children[0], v.Elem, begin, end)
	case *vector.Map:
		begin, end := v.Span(i)
		return matchMap(want, t, v, begin, end)
	case *vector.Row:
		fields := want.(map[string]any)
		for f, name := range t.Names {
			if err := match(fields[name], t.Children[f], v.Fields[f], i); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	}
	return fmt.Errorf("a vector of kind %v", v.Kind())
}

func same(got, want any) error {
	if fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("%v instead of %v", got, want)
	}
	return nil
}

func matchNumber[T vector.Value](want any, v *vector.Vec[T], i int, text func(T) string) error {
	x, _ := v.At(i)
	number := fmt.Sprint(want)
	if got := text(x); got != number {
		if f, err := strconv.ParseFloat(number, 64); err == nil && (text(x) == floatText64(f) || text(x) == floatText32(float32(f))) {
			return nil
		}
		return fmt.Errorf("%s instead of %s", got, number)
	}
	return nil
}

func floatText32(x float32) string {
	if x != x && math.Float32bits(x) != 0x7fc00000 {
		return fmt.Sprintf("NaN:0x%x", math.Float32bits(x))
	}
	return specialText(float64(x), strconv.FormatFloat(float64(x), 'g', -1, 32))
}

func floatText64(x float64) string {
	if x != x && math.Float64bits(x) != 0x7ff8000000000000 {
		return fmt.Sprintf("NaN:0x%x", math.Float64bits(x))
	}
	return specialText(x, strconv.FormatFloat(x, 'g', -1, 64))
}

func specialText(x float64, text string) string {
	switch {
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	default:
		return text
	}
}

// stringJSON returns a string as decoded JSON has it.
func stringJSON(b []byte, k Kind) any {
	text := base64.StdEncoding.EncodeToString(b)
	if k == Varbinary {
		return text
	}
	if s := string(b); strings.ToValidUTF8(s, "") == s {
		return s
	}
	return map[string]any{"b64": text}
}

func matchMoment(want any, micros int64, nanos []uint16, i int) error {
	fields := want.(map[string]any)
	sec, err := fields["sec"].(json.Number).Int64()
	if err != nil {
		return err
	}
	ns, err := fields["nanos"].(json.Number).Int64()
	if err != nil {
		return err
	}
	var rest uint16
	if nanos != nil {
		rest = nanos[i]
	}
	return same([]any{micros, rest}, []any{sec*1_000_000 + ns/1000, ns % 1000})
}

func matchList(want any, elem *Type, v vector.Vector, begin, end int) error {
	list := want.([]any)
	if len(list) != end-begin {
		return fmt.Errorf("%d elements instead of %d", end-begin, len(list))
	}
	for j, x := range list {
		if err := match(x, elem, v, begin+j); err != nil {
			return fmt.Errorf("[%d]: %w", j, err)
		}
	}
	return nil
}

// matchMap compares a map with pairs in another order.
func matchMap(want any, t *Type, v *vector.Map, begin, end int) error {
	pairs := want.([]any)
	if len(pairs) != end-begin {
		return fmt.Errorf("%d pairs instead of %d", end-begin, len(pairs))
	}
	used := make([]bool, len(pairs))
	for _, p := range pairs {
		pair := p.([]any)
		found := false
		for j := begin; j < end && !found; j++ {
			if used[j-begin] {
				continue
			}
			found = match(pair[0], t.Children[0], v.Keys, j) == nil && match(pair[1], t.Children[1], v.Values, j) == nil
			used[j-begin] = found
		}
		if !found {
			return fmt.Errorf("no pair %v", p)
		}
	}
	return nil
}
