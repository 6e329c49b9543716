package nimble

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/vector"
)

// eachLine decodes the lines of a file of JSON.
func eachLine[T any](t *testing.T, path string, fn func(T)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var x T
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&x); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		fn(x)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// keyCase is an encoded key of the reference.
type keyCase struct {
	Type       string         `json:"type"`
	Ascending  *bool          `json:"ascending"`
	NullsFirst bool           `json:"nullsFirst"`
	Row        map[string]any `json:"row"`
	Key        string         `json:"key"`
}

func TestGoldenKeys(t *testing.T) {
	ran := 0
	for _, dir := range golden.Dirs(t, "nimble/index") {
		eachLine(t, filepath.Join(dir, "keyencoder.jsonl"), func(c keyCase) {
			var got []byte
			var err error
			if c.Ascending == nil { // b ascending, a descending, c ascending
				for _, column := range []struct {
					name, typ string
					order     KeyOrder
				}{{"b", "varchar", KeyOrder{}}, {"a", "bigint", KeyOrder{Descending: true}}, {"c", "double", KeyOrder{}}} {
					if err == nil {
						got, err = AppendKey(got, one(t, column.typ, c.Row[column.name]), 0, column.order)
					}
				}
			} else {
				got, err = AppendKey(nil, one(t, c.Type, c.Row["k"]), 0, KeyOrder{Descending: !*c.Ascending, NullsFirst: c.NullsFirst})
			}
			if err != nil || hex.EncodeToString(got) != c.Key {
				t.Errorf("%+v: %x, %v", c, got, err)
			}
			ran++
		})
	}
	t.Logf("%d keys", ran)
}

// one returns a vector of a decoded JSON value.
func one(t *testing.T, typ string, value any) vector.Vector {
	t.Helper()
	v, err := newVector(nil, &Type{Kind: map[string]Kind{
		"boolean": Boolean, "tinyint": TinyInt, "smallint": SmallInt, "integer": Integer, "date": Integer, "bigint": BigInt,
		"real": Real, "double": Double, "varchar": Varchar, "varbinary": Varbinary, "timestamp": Timestamp,
	}[typ]})
	if err != nil {
		t.Fatal(err)
	}
	if value == nil {
		appendNull(v)
		return v
	}
	text := fmt.Sprint(value)
	var x int64
	fmt.Sscan(text, &x)
	switch v := v.(type) {
	case *vector.Bools:
		v.Append(value == true)
	case *vector.Vec[int8]:
		v.Append(int8(x))
	case *vector.Vec[int16]:
		v.Append(int16(x))
	case *vector.Vec[int32]:
		v.Append(int32(x))
	case *vector.Vec[int64]:
		v.Append(x)
	case *vector.Vec[float32]:
		v.Append(float32(floatOf(text)))
	case *vector.Vec[float64]:
		v.Append(floatOf(text))
	case *vector.Vec[vector.View]:
		data := []byte(text)
		if b64, ok := value.(map[string]any); ok {
			text, typ = b64["b64"].(string), "varbinary"
		}
		if typ == "varbinary" {
			if data, err = base64.StdEncoding.DecodeString(text); err != nil {
				t.Fatal(err)
			}
		}
		vector.AppendString(v, data)
	case *vector.Timestamps:
		moment := value.(map[string]any)
		sec, _ := moment["sec"].(json.Number).Int64()
		nanos, _ := moment["nanos"].(json.Number).Int64()
		v.Append(sec*1_000_000+nanos/1000, uint16(nanos%1000))
	}
	return v
}

func floatOf(text string) float64 {
	if strings.HasPrefix(text, "NaN") {
		return math.NaN()
	}
	var x float64
	fmt.Sscan(strings.Replace(text, "Infinity", "Inf", 1), &x)
	return x
}

// lookup is a look-up of the reference: rows of one key, or from a lower up to an
// upper bound.
type lookup struct {
	Point  *string    `json:"point"`
	Lower  *string    `json:"lower"`
	Upper  *string    `json:"upper"`
	Ranges [][2]int64 `json:"ranges"`
	Error  string     `json:"error"`
}

type indexCase struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Columns string `json:"columns"`
	Rows    int64  `json:"rows"`
}

func unhex(t *testing.T, text *string) []byte {
	t.Helper()
	if text == nil {
		return nil
	}
	b, err := hex.DecodeString(*text)
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte{}, b...)
}

// Every look-up finds all rows that the list of keys says, which the reference
// finds too, except for keys whose rows lie in several chunks.
func TestGoldenIndexes(t *testing.T) {
	files, lookups, more := 0, 0, 0
	for _, dir := range golden.Dirs(t, "nimble/index") {
		eachLine(t, filepath.Join(dir, "manifest.jsonl"), func(c indexCase) {
			files++
			x, keys := openIndexCase(t, dir, c)
			eachLine(t, filepath.Join(dir, c.Name+".lookups.jsonl"), func(l lookup) {
				lookups++
				got, want, err := tryLookup(t, x, l, keys)
				if err != nil {
					t.Errorf("%s: %+v: %v", c.Name, l, err)
					return
				}
				if !slices.Equal(sortedRows(got), want) {
					t.Errorf("%s: %+v: %v, want rows %v", c.Name, l, got, want)
				}
				var recorded []RowRange
				for _, r := range l.Ranges {
					recorded = append(recorded, RowRange{r[0], r[1]})
				}
				if l.Error == "" && !reflect.DeepEqual(got, recorded) {
					if !slices.Equal(sortedRows(got), sortedRows(recorded)) {
						more++
					} else if x.Kind != SortedIndex {
						t.Errorf("%s: %+v: %v", c.Name, l, got)
					}
				}
			})
		})
	}
	t.Logf("%d files, %d look-ups, of which %d find more than the reference", files, lookups, more)
}

// openIndexCase opens the only index of a case, and checks its keys against those
// listed and against the rows.
func openIndexCase(t *testing.T, dir string, c indexCase) (*Index, [][]byte) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, c.Name+".nimble"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	indexes, errs := f.Indexes()
	if len(errs) > 0 || len(indexes) != 1 {
		t.Fatalf("%s: %d indexes, %v", c.Name, len(indexes), errs)
	}
	x := indexes[0]
	if x.Kind.String() != c.Kind || strings.Join(x.Columns, ",") != c.Columns || x.Keys != uint64(c.Rows) {
		t.Errorf("%s: %v index of %v with %d keys", c.Name, x.Kind, x.Columns, x.Keys)
	}
	text, err := os.ReadFile(filepath.Join(dir, c.Name+".keys.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var keys [][]byte
	for _, line := range strings.Fields(string(text)) {
		keys = append(keys, unhex(t, &line))
	}
	checkKeys(t, f, x, keys)
	return x, keys
}

// checkKeys encodes the keys of all rows anew.
func checkKeys(t *testing.T, f *File, x *Index, keys [][]byte) {
	t.Helper()
	as, err := f.Schema().Project(x.Columns...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Scan(ScanOptions{As: as})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	row := 0
	for b, err := s.Next(); err == nil; b, err = s.Next() {
		for i := range b.N {
			key, err := x.AppendKey(nil, b.Columns, i)
			if err != nil || !bytes.Equal(key, keys[row]) {
				t.Fatalf("row %d: key %x, want %x, %v", row, key, keys[row], err)
			}
			row++
		}
	}
	if row != len(keys) {
		t.Errorf("%d rows, %d keys", row, len(keys))
	}
}

func tryLookup(t *testing.T, x *Index, l lookup, keys [][]byte) (got []RowRange, want []int64, err error) {
	t.Helper()
	from, to := unhex(t, l.Lower), unhex(t, l.Upper)
	if l.Point != nil {
		from = unhex(t, l.Point)
		to = append(slices.Clone(from), 0)
		got, err = x.Find(from)
	} else {
		got, err = x.FindRange(from, to)
	}
	for row, k := range keys {
		if (from == nil || bytes.Compare(k, from) >= 0) && (to == nil || bytes.Compare(k, to) < 0) {
			want = append(want, int64(row))
		}
	}
	return got, want, err
}

// sortedRows returns the rows of ranges, ascending.
func sortedRows(ranges []RowRange) []int64 {
	var rows []int64
	for _, r := range ranges {
		for row := r.Begin; row < r.End; row++ {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows)
	return rows
}

// A flipped byte in an index ends in an error or in fewer or other rows, never in a
// panic, and does not keep the rows from being read.
func TestGoldenIndexesDamaged(t *testing.T) {
	flips := 0
	for _, dir := range golden.Dirs(t, "nimble/index") {
		eachLine(t, filepath.Join(dir, "manifest.jsonl"), func(c indexCase) {
			data, err := os.ReadFile(filepath.Join(dir, c.Name+".nimble"))
			if err != nil {
				t.Fatal(err)
			}
			for pos := 0; pos < len(data); pos += 7 {
				damaged := bytes.Clone(data)
				damaged[pos] ^= 1 << (pos % 8)
				f, err := Open(bytes.NewReader(damaged), int64(len(damaged)), nil)
				if err != nil {
					continue
				}
				flips++
				indexes, _ := f.Indexes()
				for _, x := range indexes {
					_, _ = x.Find([]byte{0, 0x80, 0, 0, 0, 0, 0, 0, 9})
					_, _ = x.FindRange([]byte{0}, nil)
				}
			}
		})
	}
	t.Logf("%d damaged copies", flips)
}
