package datatable_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/decantdb/decant/datatable"
)

// sample is a table with every section in use, at known places:
//
//	52  exceptions  i32 1, i32 200, i32 4 "boom"                       16 bytes
//	68  dictionary  i32 1, i32 1 "s"                                    9
//	77  schema      i32 2, "s", "a", "STRING", "INT_ARRAY"             37
//	114 fixed       i32 0, i32 0, i32 2; index: (8, 18), (26, 0)       28
//	142 variable    i32 7, i32 8; bitmap of row 0                      26
//	168 metadata    i32 12; i32 1, i32 5, i32 9                        16
func sample(t *testing.T) []byte {
	t.Helper()
	columns := []datatable.Column{{Name: "s", Type: datatable.String}, {Name: "a", Type: datatable.IntArray}}
	b, err := datatable.NewBuilder(nil, columns, datatable.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b.StartRow()
	b.SetString(0, []byte("s"))
	b.SetIntArray(1, []int32{7, 8})
	b.FinishRow()
	b.SetNullRows(0, []int32{0})
	b.AddException(200, "boom")
	b.SetMetadata(datatable.NumSegmentsQueried, 9)
	data := mustAppend(t, b)
	if len(data) != 184 {
		t.Fatalf("the sample has %d bytes", len(data))
	}
	return data
}

func TestDamageIsLocated(t *testing.T) {
	for _, c := range []struct {
		name    string
		at      int // where the i32 value is written
		value   uint32
		section string
		offset  int
	}{
		{"version", 0, 3, "header", 0},
		{"negative rows", 4, 1 << 31, "header", 4},
		{"negative columns", 8, 1 << 31, "header", 4},
		{"more columns", 8, 3, "schema", 0},
		{"start in the header", 12, 51, "header", 12},
		{"start past the end", 20, 185, "header", 20},
		{"negative start", 28, 1 << 31, "header", 28},
		{"negative length", 32, 1 << 31, "header", 28},
		{"length past the end", 48, 100, "header", 44},
		{"too many rows", 4, 3, "fixed", 0},
		{"exception count", 52, 2, "exceptions", 0},
		{"negative exception count", 52, 1 << 31, "exceptions", 0},
		{"exception length", 60, 5, "exceptions", 12},
		{"string count", 68, 2, "dictionary", 0},
		{"string length", 72, 2, "dictionary", 8},
		{"negative string length", 72, 1 << 31, "dictionary", 8},
		{"schema count", 77, 1, "schema", 0},
		{"name length", 81, 100, "schema", 8},
		{"type length", 91, 5, "schema", 14},
		{"null range", 126, 27, "fixed", 12},
		{"null length", 130, 27, "fixed", 12},
		{"bitmap form", 150, 1, "variable", 8},
		{"bitmap count", 154, 0xffffffff, "variable", 16},
		{"bitmap row", 164, 1, "variable", 26},
		{"metadata length", 168, 13, "metadata", 0},
		{"negative metadata length", 168, 1 << 31, "metadata", 0},
		{"metadata count", 172, 2, "metadata", 0},
		{"metadata key", 176, 45, "metadata", 4},
		{"metadata of another kind", 176, 2, "metadata", 8},
	} {
		data := sample(t)
		binary.BigEndian.PutUint32(data[c.at:], c.value)
		table, err := datatable.Open(data)
		var format *datatable.FormatError
		if !errors.As(err, &format) {
			t.Errorf("%s: %v, %v", c.name, table, err)
			continue
		}
		if format.Section != c.section || format.Offset != c.offset {
			t.Errorf("%s: %v is in %s at byte %d, not in %s at byte %d",
				c.name, err, format.Section, format.Offset, c.section, c.offset)
		}
		want := datatable.ErrCorrupt
		if c.name == "version" {
			want = datatable.ErrVersion
		}
		if !errors.Is(err, want) {
			t.Errorf("%s: %v is no %v", c.name, err, want)
		}
	}
}

func TestCutTablesAreRejected(t *testing.T) {
	data := sample(t)
	for n := range data {
		if _, err := datatable.Open(data[:n]); !errors.Is(err, datatable.ErrCorrupt) {
			t.Errorf("%d of %d bytes: %v", n, len(data), err)
		}
	}
	if _, err := datatable.Open(append(data, 1, 2, 3)); err != nil {
		t.Errorf("with bytes behind it: %v", err)
	}
}

func TestDamagedCells(t *testing.T) {
	for _, c := range []struct {
		name  string
		at    int
		value uint32
	}{
		{"string id", 114, 1},
		{"negative string id", 114, 1 << 31},
		{"offset", 118, 27},
		{"negative offset", 118, 1 << 31},
		{"length", 122, 7},
		{"negative length", 122, 1 << 31},
		{"huge length", 122, 1<<31 - 1},
	} {
		data := sample(t)
		binary.BigEndian.PutUint32(data[c.at:], c.value)
		table := mustOpen(t, data)
		_, err := table.String(0, 0)
		if _, err2 := table.AppendInts(nil, 0, 1); err == nil {
			err = err2
		}
		var format *datatable.FormatError
		if !errors.As(err, &format) || format.Section != "fixed" || format.Offset > 4 {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A damaged slot or value of each type of varying size gives an error.
func TestDamagedCellsOfEveryType(t *testing.T) {
	for _, typ := range allTypes() {
		b := newBuilder(t, nil, typ)
		b.StartRow()
		fullCell(b, 0, typ)
		b.FinishRow()
		data := mustAppend(t, b)
		fixed := fixedSection(data)
		if typ == datatable.Unknown || len(fixed) == 4 || typ.Stored() == datatable.Long || typ == datatable.Double {
			continue
		}
		at := len(data) - len(fixed) - bytesAfterFixed(data)
		for _, slot := range [][2]uint32{{1 << 30, 1}, {0, 1 << 30}, {1 << 31, 1}, {0, 1 << 31}, {0, 1<<31 - 1}} {
			damaged := bytes.Clone(data)
			binary.BigEndian.PutUint32(damaged[at:], slot[0])
			binary.BigEndian.PutUint32(damaged[at+4:], slot[1])
			if text, err := cellText(mustOpen(t, damaged), 0, 0); !errors.Is(err, datatable.ErrCorrupt) {
				t.Errorf("%v with slot %x is %s, %v", typ, slot, text, err)
			}
		}
	}
}

// bytesAfterFixed is the number of bytes behind the fixed section.
func bytesAfterFixed(data []byte) int {
	word := func(at int) int { return int(binary.BigEndian.Uint32(data[at:])) }
	return len(data) - word(36) - word(40)
}

func TestMisuseOfATablePanics(t *testing.T) {
	table := mustOpen(t, sample(t))
	for name, use := range map[string]func(){
		"another type":     func() { table.Int(0, 0) },
		"row beyond":       func() { table.IsNull(1, 0) },
		"negative row":     func() { table.IsNull(-1, 0) },
		"column beyond":    func() { table.IsNull(0, 2) },
		"string id beyond": func() { table.DictString(1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			use()
		}()
	}
}
