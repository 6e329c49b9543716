package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/internal/golden"
	"github.com/google/go-cmp/cmp"
)

// dataTableCase is the description of a DataTable that Pinot wrote.
type dataTableCase struct {
	Name  string
	Input struct{ Rows [][]json.RawMessage }
	Wire  struct {
		ReadError         string
		Header            map[string]int
		Schema            struct{ ColumnNames, ColumnDataTypes []string }
		Exceptions        []struct{ ErrCode, Message any }
		Metadata          []struct{ Key, Value string }
		NumRows           int
		DecodedRows       [][]json.RawMessage
		RowsAsGiven       bool      `json:"decodedRowsEqualInputRows"`
		DecodedNullRowIDs [][]int32 `json:"decodedNullRowIds"`
	}
}

// exact reads JSON with its numbers as they are written.
func exact[T any](t *testing.T, text []byte) T {
	t.Helper()
	var v T
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.200q", err, text)
	}
	return v
}

// surrogates are the halves of characters in JSON, in pairs where they are.
var surrogates = regexp.MustCompile(`(?i)\\ud[89ab]..\\ud[c-f]..|\\ud[89a-f]..`)

// noHalves puts a question mark in the place of half a pair, as Java does when it
// writes UTF-8.
func noHalves(text []byte) []byte {
	if len(text) == len(`\ud83d\ude00`) {
		return text
	}
	return []byte("?")
}

// wantDataTableValue returns what a cell of a description is to become.
func wantDataTableValue(t *testing.T, typ string, cell json.RawMessage) any {
	t.Helper()
	value := exact[any](t, cell)
	if elem, ok := strings.CutSuffix(typ, "_ARRAY"); ok && value != nil {
		list := []any{}
		for _, c := range exact[[]json.RawMessage](t, cell) {
			list = append(list, wantDataTableValue(t, elem, c))
		}
		return list
	}
	object, _ := value.(map[string]any)
	if value == nil || object["setNull"] == true {
		return nil
	}
	switch typ {
	case "BOOLEAN":
		return value != json.Number("0")
	case "LONG":
		return json.Number(value.(string))
	case "TIMESTAMP":
		millis, err := strconv.ParseInt(value.(string), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return time.UnixMilli(millis).UTC().Format("2006-01-02T15:04:05.000Z")
	case "FLOAT", "DOUBLE":
		return wantFloat(t, typ, object)
	case "BIG_DECIMAL":
		return wantDecimal(object)
	case "MAP":
		return object["json"]
	case "OBJECT":
		return map[string]any{"type": object["type"], "hex": object["hex"]}
	case "UUID":
		digits := value.(string)
		return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
	}
	return value
}

func wantFloat(t *testing.T, typ string, cell map[string]any) any {
	size := map[string]int{"FLOAT": 32, "DOUBLE": 64}[typ]
	bits, err := strconv.ParseUint(cell["bits"].(string), 16, size)
	if err != nil {
		t.Fatal(err)
	}
	var x any = math.Float64frombits(bits)
	f := math.Float64frombits(bits)
	if size == 32 {
		x, f = math.Float32frombits(uint32(bits)), float64(math.Float32frombits(uint32(bits)))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strings.Replace(strings.Replace(fmt.Sprint(f), "Inf", "Infinity", 1), "+", "", 1)
	}
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return json.Number(text)
}

func wantDecimal(cell map[string]any) string {
	unscaled, _ := new(big.Int).SetString(cell["unscaled"].(string), 10)
	scale, _ := cell["scale"].(json.Number).Int64()
	if scale < 0 {
		return fmt.Sprintf("%vE+%d", unscaled, -scale)
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(scale), nil)
	return new(big.Rat).SetFrac(unscaled, unit).FloatString(int(scale))
}

// wantRows returns the rows of a description, and whether Pinot can read them all.
func (c *dataTableCase) wantRows(t *testing.T) (rows [][]any, readable bool) {
	t.Helper()
	cells := c.Wire.DecodedRows
	if c.Wire.RowsAsGiven {
		cells = c.Input.Rows
	}
	rows, readable = [][]any{}, c.Wire.ReadError == ""
	for r := range cells {
		row := []any{}
		for i, typ := range c.Wire.Schema.ColumnDataTypes {
			readable = readable && !bytes.Contains(cells[r][i], []byte(`"readError"`))
			if c.Wire.DecodedNullRowIDs != nil && slices.Contains(c.Wire.DecodedNullRowIDs[i], int32(r)) {
				row = append(row, nil)
			} else if readable {
				row = append(row, wantDataTableValue(t, typ, cells[r][i]))
			}
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	return rows, readable
}

// dataTableJSON is what the command prints.
type dataTableJSON struct {
	Columns    []columnJSON
	NumRows    int
	Rows       [][]any
	Exceptions []struct{ Code, Message any }
	Sections   []sectionJSON
	Metadata   []struct{ Key, Value string }
}

func TestGoldenDataTables(t *testing.T) {
	for _, sub := range []string{"pinot/datatable", "pinot/datatable_head"} {
		for _, dir := range golden.Dirs(t, sub) {
			paths, err := filepath.Glob(filepath.Join(dir, "*.bin"))
			if err != nil {
				t.Fatal(err)
			}
			ran := 0
			for _, path := range paths {
				name, part, _ := strings.Cut(filepath.Base(path), ".")
				ran++
				text, err := os.ReadFile(filepath.Join(dir, name+".json"))
				if err != nil {
					t.Fatal(err)
				}
				c := exact[dataTableCase](t, surrogates.ReplaceAllFunc(text, noHalves))
				switch rows, readable := c.wantRows(t); {
				case !readable:
					checkDamaged(t, path)
				case part == "bin":
					checkDataTable(t, path, &c, rows)
				default:
					mustRun(t, "datatable", "--sections", path)
					mustRun(t, "datatable", "--sections", "--format=json", path)
				}
			}
			if ran == 0 {
				t.Errorf("no tables in %s", dir)
			}
			t.Logf("%d tables in %s", ran, dir)
		}
	}
}

// checkDamaged prints a table of which Pinot cannot read a cell or the metadata.
func checkDamaged(t *testing.T, path string) {
	t.Helper()
	for _, format := range []string{"table", "json"} {
		_, stderr, code := run(t, "datatable", "--sections", "--format", format, path)
		if code == ExitOK && stderr == "" || code == ExitFailed && strings.Contains(stderr, path) {
			continue // such a cell may be a null
		}
		t.Errorf("%s: code %d, %s", path, code, stderr)
	}
}

// checkDataTable compares what is printed of a table with its description.
func checkDataTable(t *testing.T, path string, c *dataTableCase, rows [][]any) {
	t.Helper()
	stdout := mustRun(t, "datatable", "--sections", "--format", "json", path)
	got := exact[dataTableJSON](t, []byte(stdout))
	if diff := cmp.Diff(rows, got.Rows); diff != "" {
		t.Errorf("%s: rows: %s", c.Name, diff)
	}
	if got.NumRows != c.Wire.NumRows || len(got.Columns) != len(c.Wire.Schema.ColumnNames) {
		t.Errorf("%s: %d rows of %d columns", c.Name, got.NumRows, len(got.Columns))
	}
	for i, name := range c.Wire.Schema.ColumnNames {
		if want := (columnJSON{name, c.Wire.Schema.ColumnDataTypes[i]}); got.Columns[i] != want {
			t.Errorf("%s: column %v, want %v", c.Name, got.Columns[i], want)
		}
	}
	if len(got.Exceptions) != len(c.Wire.Exceptions) || len(got.Metadata) != len(c.Wire.Metadata) {
		t.Errorf("%s: %d exceptions and %d metadata", c.Name, len(got.Exceptions), len(got.Metadata))
	}
	for _, e := range c.Wire.Exceptions {
		if want := (struct{ Code, Message any }{e.ErrCode, e.Message}); !slices.Contains(got.Exceptions, want) {
			t.Errorf("%s: no exception %v", c.Name, want)
		}
	}
	for _, e := range c.Wire.Metadata {
		if !slices.Contains(got.Metadata, e) {
			t.Errorf("%s: no metadata %v in %v", c.Name, e, got.Metadata)
		}
	}
	for _, s := range got.Sections {
		want, ok := c.Wire.Header[s.Name+"Length"]
		if s.Name == "metadata" {
			want += 4 // its length
		}
		if ok && s.Bytes != want || ok && s.Name != "metadata" && s.Begin != c.Wire.Header[s.Name+"Offset"] {
			t.Errorf("%s: section %v, want %d bytes", c.Name, s, want)
		}
	}
	mustRun(t, "datatable", "--sections", path)
}

func TestDataTableText(t *testing.T) {
	b, err := datatable.NewBuilder(nil, []datatable.Column{
		{Name: "n", Type: datatable.Int}, {Name: "s", Type: datatable.String}, {Name: "list", Type: datatable.StringArray},
	}, datatable.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b.StartRow()
	b.SetInt(0, -12)
	b.SetString(1, []byte("<a>\x1b"))
	b.SetStringArray(2, [][]byte{[]byte("x"), []byte("y")})
	b.FinishRow()
	b.StartRow()
	b.SetNull(0)
	b.SetNull(1)
	b.FinishRow()
	b.AddException(200, "it failed\nbadly")
	b.SetMetadata(datatable.TotalDocs, 7)
	data, err := b.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, "t.bin", string(data))
	const rows = "" +
		"   n  s          list\n" +
		"----  ---------  ---------\n" +
		" -12  <a>\\u001b  [\"x\",\"y\"]\n" +
		"NULL  NULL       []\n" +
		"exception 200: it failed\nbadly\n"
	if diff := cmp.Diff(rows, mustRun(t, "datatable", path)); diff != "" {
		t.Error(diff)
	}
	got := mustRun(t, "datatable", path, "--sections")
	if !strings.HasSuffix(got, "\n\nmetadata   value\n---------  -----\ntotalDocs  7\n\n"+rows) || !strings.HasPrefix(got, "section ") {
		t.Errorf("%s", got)
	}
	const object = `{"columns":[{"name":"n","type":"INT"},{"name":"s","type":"STRING"},{"name":"list","type":"STRING_ARRAY"}],"numRows":2,"rows":[
[-12,"<a>\u001b",["x","y"]],
[null,null,[]]
],"exceptions":[{"code":200,"message":"it failed\nbadly"}]}
`
	if diff := cmp.Diff(object, mustRun(t, "datatable", "--format", "json", path)); diff != "" {
		t.Error(diff)
	}
}

func TestNoDataTable(t *testing.T) {
	for name, path := range map[string]string{
		"empty": write(t, "empty.bin", ""), "text": write(t, "text.bin", strings.Repeat("no table\n", 20)), "another": flights,
		"missing": filepath.Join(t.TempDir(), "missing"), "folder": t.TempDir(),
	} {
		stdout, stderr, code := run(t, "datatable", path)
		if code != ExitFailed || stdout != "" || !strings.Contains(stderr, path) {
			t.Errorf("%s: code %d, %q, %q", name, code, stdout, stderr)
		}
	}
}
