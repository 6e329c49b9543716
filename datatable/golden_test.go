package datatable_test

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/internal/golden"
)

// goldenCase is the description of a table that Pinot wrote.
type goldenCase struct {
	Name  string
	Input struct {
		Schema        *goldenSchema
		Rows          [][]json.RawMessage
		SetNullRowIDs [][]int32 `json:"setNullRowIds"`
		Exceptions    []goldenException
		Metadata      []goldenEntry
	}
	Wire goldenWire
}

// goldenWire is what Pinot's reader finds in a table.
type goldenWire struct {
	ReadError             string
	TotalBytes            int
	Schema                *goldenSchema
	Exceptions            []goldenException
	Metadata              []goldenEntry
	StringDictionary      []string
	NumRows               int
	DecodedRows           [][]json.RawMessage
	DecodedRowsEqualInput bool      `json:"decodedRowsEqualInputRows"`
	DecodedNullRowIDs     [][]int32 `json:"decodedNullRowIds"`
}

type goldenSchema struct{ ColumnNames, ColumnDataTypes []string }

type goldenException struct {
	ErrCode int32
	Message string
}

type goldenEntry struct{ Key, Value string }

func (s *goldenSchema) columns(t *testing.T) []datatable.Column {
	if s == nil {
		return nil
	}
	columns := make([]datatable.Column, len(s.ColumnNames))
	for i, name := range s.ColumnNames {
		typ, ok := datatable.ParseType(s.ColumnDataTypes[i])
		if !ok {
			t.Fatalf("type %s does not exist", s.ColumnDataTypes[i])
		}
		columns[i] = datatable.Column{Name: name, Type: typ}
	}
	return columns
}

// readCase reads the description in a file. Halves of surrogate pairs that stand
// alone, which Java strings may hold and Go's cannot, become private characters.
func readCase(t *testing.T, path string) *goldenCase {
	t.Helper()
	c := &goldenCase{}
	if err := json.Unmarshal(markSurrogates(readFile(t, path)), c); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return c
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// markSurrogates replaces \uD800–\uDFFF that are not pairs by \uE000–\uE7FF.
func markSurrogates(text []byte) []byte {
	out := append([]byte(nil), text...)
	half := func(i int, first, last uint64) bool {
		if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
			return false
		}
		code, err := strconv.ParseUint(string(text[i+2:i+6]), 16, 32)
		return err == nil && code >= first && code <= last
	}
	for i := 0; i < len(text); i++ {
		switch {
		case half(i, 0xd800, 0xdbff) && half(i+6, 0xdc00, 0xdfff):
			i += 11
		case half(i, 0xd800, 0xdfff):
			code, _ := strconv.ParseUint(string(text[i+2:i+6]), 16, 32)
			copy(out[i+2:], strconv.FormatUint(code+0x800, 16))
		}
	}
	return out
}

// javaBytes returns the UTF-8 that Java makes of a string: '?' for half a pair.
func javaBytes(s string) []byte {
	return []byte(strings.Map(func(r rune) rune {
		if r >= 0xe000 && r < 0xe800 {
			return '?'
		}
		return r
	}, s))
}

// goldenSets calls fn with each case of a folder, of the project's own set and
// of the full one.
func goldenSets(t *testing.T, sub string, fn func(t *testing.T, dir string, c *goldenCase)) {
	for _, dir := range golden.Dirs(t, sub) {
		var index []struct {
			Name      string
			Identical bool   `json:"bytesIdenticalTo1.5.0"` // then it is kept once
			Note      string // why it is not kept although it differs
		}
		if err := json.Unmarshal(readFile(t, filepath.Join(dir, "index.json")), &index); err != nil {
			t.Fatal(err)
		}
		ran := 0
		for _, entry := range index {
			path := filepath.Join(dir, entry.Name+".json")
			if _, err := os.Stat(path); err != nil && (entry.Identical || entry.Note != "") {
				continue
			}
			ran++
			t.Run(entry.Name, func(t *testing.T) { fn(t, dir, readCase(t, path)) })
		}
		if ran == 0 {
			t.Errorf("%s has no cases", dir)
		}
		t.Logf("%d cases in %s", ran, dir)
	}
}

var goldenFolders = []struct {
	sub     string
	release datatable.Release
}{
	{"pinot/datatable", datatable.Release15},
	{"pinot/datatable_head", datatable.ReleaseHead},
}

func TestGoldenEncode(t *testing.T) {
	for _, folder := range goldenFolders {
		goldenSets(t, folder.sub, func(t *testing.T, dir string, c *goldenCase) {
			b := buildCase(t, c, folder.release)
			path := filepath.Join(dir, c.Name)
			table, err := b.AppendTo(nil)
			if c.Input.Schema == nil {
				table, err = b.AppendMetadataOnlyTo(nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			compareTables(t, table, readFile(t, path+".bin"), c)
			if want, err := os.ReadFile(path + ".metadataonly.bin"); err == nil {
				table, err := b.AppendMetadataOnlyTo(nil)
				if err != nil {
					t.Fatal(err)
				}
				compareTables(t, table, want, c)
			}
			if want, err := os.ReadFile(path + ".dataonly.bin"); err == nil {
				table, err := b.AppendDataOnlyTo(nil)
				if err != nil {
					t.Fatal(err)
				}
				compareTables(t, table, want, c)
			}
		})
	}
}

// buildCase sets what the reference's builder was given.
func buildCase(t *testing.T, c *goldenCase, release datatable.Release) *datatable.Builder {
	t.Helper()
	columns := c.Input.Schema.columns(t)
	b, err := datatable.NewBuilder(nil, columns, datatable.Options{Release: release})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range c.Input.Rows {
		b.StartRow()
		for col, cell := range row {
			setCell(t, b, col, columns[col].Type, cell, release)
		}
		b.FinishRow()
	}
	for col, rows := range c.Input.SetNullRowIDs {
		b.SetNullRows(col, rows)
	}
	for _, e := range c.Input.Exceptions {
		b.AddException(e.ErrCode, e.Message)
	}
	for _, e := range c.Input.Metadata {
		setMetadata(t, b, e)
	}
	return b
}

func setMetadata(t *testing.T, b *datatable.Builder, e goldenEntry) {
	t.Helper()
	key, ok := datatable.ParseMetadataKey(e.Key)
	if !ok {
		return // the reference does not write it either
	}
	switch key.Kind() {
	case datatable.TextValue:
		b.SetMetadataText(key, e.Value)
	case datatable.BoolValue:
		b.SetMetadataBool(key, strings.EqualFold(e.Value, "true"))
	default:
		n, err := strconv.ParseInt(e.Value, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		b.SetMetadata(key, n)
	}
}

// sameWhenEncoded reports whether two strings of the case differ in Java and
// not in UTF-8. The reference gives them two numbers in the dictionary; nobody
// who has UTF-8 can.
func sameWhenEncoded(c *goldenCase) bool {
	distinct := map[string]string{}
	for _, row := range c.Input.Rows {
		for _, cell := range row {
			var s string
			if json.Unmarshal(cell, &s) != nil {
				continue
			}
			encoded := string(javaBytes(s))
			if before, ok := distinct[encoded]; ok && before != s {
				return true
			}
			distinct[encoded] = s
		}
	}
	return false
}

// compareTables compares a table with the reference's: all sections byte by
// byte, except that metadata, and exceptions if there are several, are compared
// as maps, since their order is that of a Java hash table.
func compareTables(t *testing.T, got, want []byte, c *goldenCase) {
	t.Helper()
	if n, m := binary.BigEndian.Uint32(got[24:]), binary.BigEndian.Uint32(want[24:]); m > 0 && sameWhenEncoded(c) {
		// A dictionary with an entry less; TestGoldenDecode reads the reference's.
		if n >= m {
			t.Errorf("a dictionary of %d bytes, not less than %d", n, m)
		}
		return
	}
	if len(c.Input.Exceptions) <= 1 && len(c.Input.Metadata) <= 1 {
		if string(got) != string(want) {
			t.Errorf("the table is\n%x, not\n%x", got, want)
		}
		return
	}
	if string(got[:52]) != string(want[:52]) {
		t.Fatalf("the header is\n%x, not\n%x", got[:52], want[:52])
	}
	begin := 52
	if len(c.Input.Exceptions) > 1 {
		begin = int(binary.BigEndian.Uint32(want[20:]))
	}
	end := int(binary.BigEndian.Uint32(want[44:]) + binary.BigEndian.Uint32(want[48:]))
	if string(got[begin:end]) != string(want[begin:end]) {
		t.Errorf("the sections are\n%x, not\n%x", got[begin:end], want[begin:end])
	}
	if c.Wire.ReadError != "" {
		return // the reference cannot read its own metadata
	}
	gotTable, err := datatable.Open(got)
	if err != nil {
		t.Fatal(err)
	}
	wantTable, err := datatable.Open(want)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := metadataMap(gotTable), metadataMap(wantTable); !reflect.DeepEqual(got, want) {
		t.Errorf("metadata are\n%v, not\n%v", got, want)
	}
	if got, want := exceptionMap(gotTable), exceptionMap(wantTable); !reflect.DeepEqual(got, want) {
		t.Errorf("exceptions are\n%v, not\n%v", got, want)
	}
}

func metadataMap(table *datatable.Table) map[string]string {
	m := map[string]string{}
	for _, e := range table.Metadata() {
		m[e.Key.String()] = e.Value()
	}
	return m
}

func exceptionMap(table *datatable.Table) map[int32]string {
	m := map[int32]string{}
	for _, e := range table.Exceptions() {
		m[e.Code] = string(e.Message)
	}
	return m
}

func TestGoldenDecode(t *testing.T) {
	for _, folder := range goldenFolders {
		goldenSets(t, folder.sub, func(t *testing.T, dir string, c *goldenCase) {
			want := &c.Wire
			if want.DecodedRowsEqualInput {
				want.DecodedRows = c.Input.Rows
			}
			checkWire(t, readFile(t, filepath.Join(dir, c.Name+".bin")), want)
		})
	}
}

func TestGoldenResponses(t *testing.T) {
	for _, dir := range golden.Dirs(t, "pinot/broker/wire") {
		paths, err := filepath.Glob(filepath.Join(dir, "*.resp.bin"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s has no responses: %v", dir, err)
		}
		for _, path := range paths {
			t.Run(filepath.Base(path), func(t *testing.T) {
				var want goldenWire
				text := readFile(t, strings.TrimSuffix(path, ".bin")+".json")
				if err := json.Unmarshal(markSurrogates(text), &want); err != nil {
					t.Fatal(err)
				}
				checkWire(t, readFile(t, path), &want)
			})
		}
		t.Logf("%d responses in %s", len(paths), dir)
	}
}

// checkWire opens a table and compares all of it with what Pinot read.
func checkWire(t *testing.T, data []byte, want *goldenWire) {
	t.Helper()
	table, err := datatable.Open(data)
	if want.ReadError != "" {
		if err == nil {
			t.Errorf("opened, though the reference fails with %s", want.ReadError)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(data) != want.TotalBytes || table.Rows() != want.NumRows {
		t.Errorf("%d bytes and %d rows, not %d and %d", len(data), table.Rows(), want.TotalBytes, want.NumRows)
	}
	if got, want := table.Columns(), want.Schema.columns(t); !reflect.DeepEqual(got, want) {
		t.Errorf("columns are %v, not %v", got, want)
	}
	for i, s := range want.StringDictionary {
		if i >= table.NumStrings() || string(table.DictString(i)) != s {
			t.Errorf("string %d of %d is not %q", i, table.NumStrings(), s)
		}
	}
	var metadata []goldenEntry
	for _, e := range table.Metadata() {
		metadata = append(metadata, goldenEntry{e.Key.String(), e.Value()})
	}
	if len(metadata)+len(want.Metadata) > 0 && !reflect.DeepEqual(metadata, want.Metadata) {
		t.Errorf("metadata are\n%v, not\n%v", metadata, want.Metadata)
	}
	var exceptions []goldenException
	for _, e := range table.Exceptions() {
		exceptions = append(exceptions, goldenException{e.Code, string(e.Message)})
	}
	if len(exceptions)+len(want.Exceptions) > 0 && !reflect.DeepEqual(exceptions, want.Exceptions) {
		t.Errorf("exceptions are\n%v, not\n%v", exceptions, want.Exceptions)
	}
	checkCells(t, table, want)
	checkNullRows(t, table, want.DecodedNullRowIDs)
}

func checkCells(t *testing.T, table *datatable.Table, want *goldenWire) {
	t.Helper()
	for row, cells := range want.DecodedRows {
		for col, cell := range cells {
			want, readable := wantCell(t, table.Columns()[col].Type, cell)
			got, err := cellText(table, row, col)
			switch {
			case !readable && err == nil:
				t.Errorf("row %d column %d is %s, which the reference cannot read", row, col, got)
			case readable && (err != nil || got != want):
				t.Fatalf("row %d column %d is %s, %v, not %s", row, col, got, err, want)
			}
		}
	}
}

// checkNullRows compares the null bitmaps with lists of rows. Without lists
// there is nothing to compare with.
func checkNullRows(t *testing.T, table *datatable.Table, want [][]int32) {
	t.Helper()
	for col, rows := range want {
		var got []int32
		if valid := table.Validity(col); valid != nil {
			for row := range table.Rows() {
				if valid[row/64]>>(row%64)&1 == 0 {
					got = append(got, int32(row))
				}
			}
		}
		if len(got)+len(rows) > 0 && !reflect.DeepEqual(got, rows) {
			t.Errorf("null rows of column %d are %v, not %v", col, got, rows)
		}
	}
}
