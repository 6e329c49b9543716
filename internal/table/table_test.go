package table

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

const tripSchema = `{
 "schemaName": "trips",
 "dimensionFieldSpecs": [
  {"name": "i", "dataType": "INT"}, {"name": "s", "dataType": "STRING", "maxLength": 5},
  {"name": "js", "dataType": "JSON"}, {"name": "by", "dataType": "BYTES"}, {"name": "bo", "dataType": "BOOLEAN"},
  {"name": "mi", "dataType": "INT", "singleValueField": false}, {"name": "d", "dataType": "DOUBLE", "defaultNullValue": 7.5}
 ],
 "metricFieldSpecs": [{"name": "bd", "dataType": "BIG_DECIMAL"}, {"name": "m", "dataType": "LONG"}],
 "dateTimeFieldSpecs": [{"name": "ts", "dataType": "TIMESTAMP", "format": "TIMESTAMP", "granularity": "1:DAYS"}]
}`

// textRows is a source of columns of texts; "NULL" is null.
type textRows struct {
	names []string
	rows  [][]string
	fails error // behind the rows
	done  bool
}

func (s *textRows) Schema() *nimble.Type {
	t := &nimble.Type{Kind: nimble.Row, Names: s.names}
	for range s.names {
		t.Children = append(t.Children, &nimble.Type{Kind: nimble.Varchar})
	}
	return t
}

func (s *textRows) Next() (*vector.Batch, error) {
	if s.done {
		if s.fails != nil {
			return nil, s.fails
		}
		return nil, io.EOF
	}
	s.done = true
	b := &vector.Batch{N: len(s.rows)}
	for i := range s.names {
		v := vector.NewVec[vector.View](nil)
		for _, row := range s.rows {
			if row[i] == "NULL" {
				v.AppendNull()
			} else {
				vector.AppendString(v, []byte(row[i]))
			}
		}
		b.Columns = append(b.Columns, v)
	}
	return b, nil
}

func newTrips(t *testing.T, config *Config) (*Data, *Table) {
	t.Helper()
	data, err := OpenData(filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseSchema([]byte(tripSchema))
	if err != nil {
		t.Fatal(err)
	}
	trips, err := data.Create("trips", s, config)
	if err != nil {
		t.Fatal(err)
	}
	return data, trips
}

// stored returns the rows of all segments as texts.
func stored(t *testing.T, from *Table) (rows []string) {
	t.Helper()
	segments, err := from.Segments()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range segments {
		raw, err := os.ReadFile(from.Path(s))
		if err != nil {
			t.Fatal(err)
		}
		f, err := nimble.Open(strings.NewReader(string(raw)), int64(len(raw)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.Rows() != s.Rows {
			t.Errorf("%s has %d rows, the manifest says %d", s.Name, f.Rows(), s.Rows)
		}
		scan, err := f.Scan(nimble.ScanOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for {
			b, err := scan.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for row := range b.Rows() {
				var line []string
				for i, v := range b.Columns {
					line = append(line, textOf(t, v, f.Schema().Children[i], row))
				}
				rows = append(rows, strings.Join(line, "|"))
			}
		}
		if err := scan.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

func textOf(t *testing.T, v vector.Vector, typ *nimble.Type, row int) string {
	t.Helper()
	if list, ok := v.(*vector.List); ok && vector.Valid(list.Valid, row) {
		var parts []string
		begin, end := list.Span(row)
		for e := begin; e < end; e++ {
			parts = append(parts, textOf(t, list.Elem, typ.Children[0], e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	var c cell
	if !vector.Valid(v.Validity(), row) {
		return "NULL"
	}
	if err := c.read(v, typ, nimble.Logical{}, row); err != nil {
		t.Fatal(err)
	}
	return string(c.appendText(nil))
}

// TestAddNormalises takes in values as Pinot does, with and without nulls.
func TestAddNormalises(t *testing.T) {
	names := []string{"i", "s", "js", "by", "bo", "mi", "d", "bd", "m", "ts", "other"}
	in := [][]string{
		{"42", "short", `{"a": [1, 2]}`, "00fF", "TRUE", "1;2", "-0", "1.500", "3", "2024-01-02 03:04:05.6", "x"},
		{" 7 ", "longer than five", "null", "", "no", "5", "NaN", "1e3", "2.0", "1704164645123", "x"},
		{"NULL", "zero\x00byte", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "x"},
	}
	first := []string{
		`42|short|{"a":[1,2]}|00ff|true|[1,2]|0|1.5|3|2024-01-02 03:04:05.6`,
		`7|longe|null||false|[5]|%s|1000|2|2024-01-02 03:04:05.123`,
	}
	for name, c := range map[string]struct {
		nulls bool
		nan   string
		last  string
	}{
		"nulls are kept": {true, "NULL", "NULL|zero|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL"},
		"defaults":       {false, "7.5", "-2147483648|zero|null||false|[-2147483648]|7.5|0|0|1970-01-01 00:00:00.0"},
	} {
		t.Run(name, func(t *testing.T) {
			_, trips := newTrips(t, newConfig("trips", c.nulls))
			if _, err := trips.Add(Input{Source: &textRows{names: names, rows: in}, Name: "in", SplitTexts: true}); err != nil {
				t.Fatal(err)
			}
			want := []string{first[0], fmt.Sprintf(first[1], c.nan), c.last}
			if diff := cmp.Diff(want, stored(t, trips)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestAddRawJSON takes in values as JSON lines have them.
func TestAddRawJSON(t *testing.T) {
	_, trips := newTrips(t, newConfig("trips", true))
	in := &textRows{names: []string{"i", "s", "js", "mi", "bd"}, rows: [][]string{
		{"1", `"a\"b"`, `{"k": null}`, "[1, 2]", "0.10"}, {`"2"`, "12", "null", "[]", `"7"`},
	}}
	if _, err := trips.Add(Input{Source: in, Name: "in", RawJSON: true}); err != nil {
		t.Fatal(err)
	}
	want := []string{`1|a"b|{"k":null}|NULL|NULL|[1,2]|NULL|0.1|NULL|NULL`, `2|12|NULL|NULL|NULL|NULL|NULL|7|NULL|NULL`}
	if diff := cmp.Diff(want, stored(t, trips)); diff != "" {
		t.Error(diff)
	}
}

// TestAddFailsAsAWhole wants nothing to be left of an addition that fails.
func TestAddFailsAsAWhole(t *testing.T) {
	_, trips := newTrips(t, nil)
	good := func() Input {
		return Input{Source: &textRows{names: []string{"i"}, rows: [][]string{{"1"}}}, Name: "good"}
	}
	broken := errors.New("broken")
	for _, bad := range []struct {
		in   *textRows
		want error
		text string
	}{
		{&textRows{names: []string{"i"}, rows: [][]string{{"1"}, {"twelve"}}}, ErrValue, `bad: row 2: field i: invalid value: "twelve" is no INT`},
		{&textRows{names: []string{"i"}, rows: [][]string{{"2147483648"}}}, ErrValue, `bad: row 1: field i: invalid value: "2147483648" is no INT`},
		{&textRows{names: []string{"i"}, fails: broken}, broken, "bad: broken"},
	} {
		_, err := trips.Add(good(), Input{Source: bad.in, Name: "bad"})
		if !errors.Is(err, bad.want) || err.Error() != bad.text {
			t.Errorf("%v, want %s", err, bad.text)
		}
	}
	if rows := stored(t, trips); len(rows) > 0 {
		t.Errorf("rows of a failed addition: %q", rows)
	}
	entries, err := os.ReadDir(trips.dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Errorf("files are left: %v", entries)
	}
}

// TestAddConcurrently wants the rows of all who add at the same time.
func TestAddConcurrently(t *testing.T) {
	data, _ := newTrips(t, nil)
	const workers, times = 4, 8
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			trips, err := data.Open("TRIPS")
			if err != nil {
				t.Error(err)
				return
			}
			for i := range times {
				in := &textRows{names: []string{"i"}, rows: [][]string{{fmt.Sprint(w*times + i)}}}
				if _, err := trips.Add(Input{Source: in, Name: "in"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	trips, err := data.Open("trips")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, row := range stored(t, trips) {
		seen[row] = true
	}
	if len(seen) != workers*times {
		t.Errorf("%d different rows, want %d", len(seen), workers*times)
	}
	if v, err := trips.Version(); err != nil || v != workers*times {
		t.Errorf("version %d, %v", v, err)
	}
}

func TestTables(t *testing.T) {
	data, trips := newTrips(t, nil)
	if _, err := data.Create("Trips", trips.Schema, nil); !errors.Is(err, ErrExists) {
		t.Errorf("the same name in another case: %v", err)
	}
	if _, err := data.Create("../x", trips.Schema, nil); !errors.Is(err, ErrSchema) {
		t.Errorf("a name with a path: %v", err)
	}
	other, err := ParseSchema([]byte(strings.Replace(tripSchema, "trips", "others", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if err := data.PutSchema(other); err != nil {
		t.Fatal(err)
	}
	if err := data.PutSchema(trips.Schema); !errors.Is(err, ErrExists) {
		t.Errorf("the schema of a table is replaced: %v", err)
	}
	names, err := data.SchemaNames()
	if diff := cmp.Diff([]string{"others", "trips"}, names); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if err := data.DropSchema("trips"); err == nil {
		t.Error("the schema of a table is dropped")
	}
	if err := errors.Join(data.DropSchema("others"), data.Drop("trips")); err != nil {
		t.Fatal(err)
	}
	if _, err := trips.Segments(); !errors.Is(err, ErrNotFound) {
		t.Errorf("segments of a table that is gone: %v", err)
	}
	for _, err := range []error{data.Drop("trips"), data.DropSchema("others"), data.DropSchema("../x")} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%v", err)
		}
	}
	if entries, err := os.ReadDir(data.dir); err != nil || len(entries) != 1 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

func TestParseSchemaRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`: "unexpected end",
		`{"schemaName": "a/b", "dimensionFieldSpecs": [{"name": "x", "dataType": "INT"}]}`: "no name of letters",
		`{"schemaName": "a"}`: "no fields",
		`{"schemaName": "a", "dimensionFieldSpecs": [{"name": "x", "dataType": "INTEGERS"}]}`:                              `unknown dataType "INTEGERS"`,
		`{"schemaName": "a", "dimensionFieldSpecs": [{"name": "x", "dataType": "INT"}, {"name": "x", "dataType": "INT"}]}`: "two fields x",
		`{"schemaName": "a", "dimensionFieldSpecs": [{"name": "$x", "dataType": "INT"}]}`:                                  "may not be called",
		`{"schemaName": "a", "metricFieldSpecs": [{"name": "x", "dataType": "INT", "singleValueField": false}]}`:           "has one value",
		`{"schemaName": "a", "dimensionFieldSpecs": [{"name": "x", "dataType": "INT", "defaultNullValue": "many"}]}`:       `"many" is no INT`,
		`{"schemaName": "a", "complexFieldSpecs": [{"name": "x", "dataType": "MAP"}]}`:                                     "complex fields",
	} {
		_, err := ParseSchema([]byte(text))
		if !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
