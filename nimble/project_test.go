package nimble

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
	"pgregory.net/rapid"
)

func TestProject(t *testing.T) {
	schema, err := ParseSchema(`id BIGINT, r ROW<a INTEGER, b ROW<c REAL, d VARCHAR>>, "x.y" DOUBLE,
		l ARRAY<ROW<e INTEGER, f VARCHAR>>, m MAP<VARCHAR, ROW<g INTEGER, h INTEGER>>, k FLATMAP<INTEGER, BIGINT>`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ paths, want string }{
		{"id", "ROW<id BIGINT>"},
		{"r.b.d id", "ROW<r ROW<b ROW<d VARCHAR>>, id BIGINT>"},
		{"r.b.d r.a r.b.c", "ROW<r ROW<b ROW<d VARCHAR, c REAL>, a INTEGER>>"},
		{"r r.a", "ROW<r ROW<a INTEGER, b ROW<c REAL, d VARCHAR>>>"},
		{`"x.y"`, `ROW<"x.y" DOUBLE>`},
		{"l[].f", "ROW<l ARRAY<ROW<f VARCHAR>>>"},
		{"m[].h", "ROW<m MAP<VARCHAR, ROW<h INTEGER>>>"},
		{"k['7'] k['9']", "ROW<k FLATMAP<INTEGER, BIGINT>>[7 9]"},
		{"m['it''s']", "ROW<m MAP<VARCHAR, ROW<g INTEGER, h INTEGER>>>[it's]"},
		{"", "byte 0: expected a name"},
		{"nope", "there is no nope in a ROW"},
		{"id.x", "there is no id.x in a BIGINT"},
		{"m['a'].g", "nothing can be left out below m['a']"},
		{"k['7", "a quote is not closed"},
		{"id,r", `unexpected ",r"`},
	} {
		got, err := schema.Project(strings.Split(c.paths, " ")...)
		text := fmt.Sprint(err)
		if err == nil {
			text = got.String()
			for _, child := range got.Children {
				if child.Kind != Row && child.Names != nil {
					text += fmt.Sprint(child.Names)
				}
			}
		} else if !errors.Is(err, ErrSchema) {
			t.Errorf("%q: %v is no ErrSchema", c.paths, err)
		}
		if !strings.Contains(text, c.want) || err == nil && text != c.want {
			t.Errorf("%q: %s, want %s", c.paths, text, c.want)
		}
	}
}

// paths returns the paths to all parts of a type that can be read apart.
func paths(t *Type, place string) []string {
	switch t.Kind {
	case Row:
		var all []string
		for i, name := range t.Names {
			all = append(all, paths(t.Children[i], place+"."+QuoteName(name))...)
		}
		return all
	case Array, DedupArray:
		return paths(t.Children[0], place+"[]")
	case Map, SlidingWindowMap:
		return paths(t.Children[1], place+"[]")
	}
	return []string{strings.TrimPrefix(place, ".")}
}

// Each part of each golden file reads the same alone as within the whole file.
func TestGoldenFilesProject(t *testing.T) {
	checked := 0
	for _, c := range goldenFiles(t) {
		f := c.open(t)
		want := c.wantRows(t)
		for _, path := range paths(f.Schema(), "") {
			as, err := f.Schema().Project(path)
			if err != nil {
				t.Fatalf("%s: %s: %v", c.Name, path, err)
			}
			if err := matchRows(f, as, want, -1); err != nil && !errors.Is(err, encoding.ErrUnsupported) {
				t.Errorf("%s: %s: %v", c.Name, path, err)
			}
			checked++
		}
	}
	t.Logf("%d parts", checked)
}

// matchRows reads f as another type and compares the rows from a first one on, all
// if it is negative, with those expected.
func matchRows(f *File, as *Type, want []map[string]any, from int) error {
	s, err := f.Scan(ScanOptions{As: as, BatchRows: 53})
	if err != nil {
		return err
	}
	defer s.Close()
	row := 0
	if from >= 0 {
		row = from
		if err := s.SeekRow(int64(from)); err != nil {
			return err
		}
	}
	for {
		b, err := s.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		for i := range b.N {
			for c, name := range as.Names {
				if err := matchPart(want[row][name], as.Children[c], b.Columns[c], i); err != nil {
					return fmt.Errorf("row %d: %s: %w", row, name, err)
				}
			}
			row++
		}
	}
	if row != len(want) {
		return fmt.Errorf("%d rows of %d", row, len(want))
	}
	return nil
}

// matchPart is match for a value of which t, and so v, has a part: the value is cut
// down to it.
func matchPart(want any, t *Type, v vector.Vector, i int) error {
	return match(partOf(want, t), t, v, i)
}

// partOf returns of a decoded JSON value what type t has of it.
func partOf(want any, t *Type) any {
	switch x := want.(type) {
	case map[string]any:
		if t.Kind != Row {
			return want
		}
		out := map[string]any{}
		for i, name := range t.Names {
			out[name] = partOf(x[name], t.Children[i])
		}
		return out
	case []any:
		switch plainKind(t.Kind) {
		case Row:
			out := map[string]any{}
			for i, name := range t.Names {
				for _, p := range x {
					if pair := p.([]any); keyText(pair[0]) == name {
						out[name] = partOf(pair[1], t.Children[i])
					}
				}
			}
			return out
		case Map:
			out := []any{}
			for _, p := range x {
				pair := p.([]any)
				if t.Names == nil || contained(t.Names, keyText(pair[0])) {
					out = append(out, []any{pair[0], partOf(pair[1], t.Children[1])})
				}
			}
			return out
		case Array:
			out := []any{}
			for _, e := range x {
				out = append(out, partOf(e, t.Children[0]))
			}
			return out
		}
	}
	return want
}

func keyText(key any) string { return fmt.Sprint(key) }

func contained(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// Keys of the golden files' maps as columns, and as maps of some keys, with a key
// that no map has.
func TestGoldenFilesKeys(t *testing.T) {
	flat, plain := 0, 0
	for _, c := range goldenFiles(t) {
		f := c.open(t)
		var want []map[string]any
		for i, typ := range f.Schema().Children {
			if plainKind(typ.Kind) != Map || !flatKey(typ.Children[0].Kind) || typ.Children[0].Kind == Varbinary {
				continue
			}
			if want == nil {
				want = c.wantRows(t)
			}
			name := f.Schema().Names[i]
			keys := append(someKeys(want, name), "77")
			row := &Type{Kind: Row}
			for _, k := range keys {
				row.Names, row.Children = append(row.Names, k), append(row.Children, typ.Children[1])
			}
			few := *typ
			few.Names = keys
			for _, as := range []*Type{row, &few} {
				err := matchRows(f, RowOf([]string{name}, []*Type{as}), want, -1)
				if err != nil && !errors.Is(err, encoding.ErrUnsupported) {
					t.Errorf("%s: column %s %v as %v: %v", c.Name, name, typ, as, err)
				}
			}
			if typ.Kind == FlatMap {
				flat++
			} else {
				plain++
			}
		}
	}
	if flat == 0 {
		t.Error("no flat map was read")
	}
	t.Logf("%d flat maps, %d other maps", flat, plain)
}

// someKeys returns every other key that a column of maps has.
func someKeys(rows []map[string]any, column string) []string {
	var all, some []string
	for _, row := range rows {
		pairs, _ := row[column].([]any)
		for _, p := range pairs {
			k := keyText(p.([]any)[0])
			if strings.Contains(k, "b64") || contained(all, k) {
				continue
			}
			all = append(all, k)
			if len(all)%2 == 1 {
				some = append(some, k)
			}
		}
	}
	return some
}

// From any row on the rest of a file reads as it does from the start.
func TestGoldenFilesSeek(t *testing.T) {
	seeks := 0
	for _, c := range goldenFiles(t) {
		f := c.open(t)
		want := c.wantRows(t)
		rows := len(want)
		for _, from := range []int{0, 1, rows / 3, rows / 2, rows - 1, rows} {
			if from < 0 || from > rows {
				continue
			}
			err := matchRows(f, f.Schema(), want, from)
			if err != nil && !errors.Is(err, encoding.ErrUnsupported) {
				t.Errorf("%s: from row %d: %v", c.Name, from, err)
			}
			seeks++
		}
		s, err := f.Scan(ScanOptions{})
		if err != nil {
			continue
		}
		if err := s.SeekRow(int64(rows) + 1); err == nil {
			t.Errorf("%s: row %d of %d was found", c.Name, rows+1, rows)
		}
		s.Close()
	}
	t.Logf("%d seeks", seeks)
}

func TestReadAs(t *testing.T) {
	parse := func(text string) *Type {
		as, err := ParseSchema(text)
		if err != nil {
			t.Fatal(err)
		}
		return as
	}
	schema := parse("a TINYINT, b SMALLINT, c INTEGER, d REAL, r ROW<x INTEGER, y VARCHAR>, l ARRAY<SMALLINT>")
	as := parse("c BIGINT, none ROW<p VARCHAR, q ARRAY<DOUBLE>>, a INTEGER, b BIGINT, d DOUBLE, r ROW<z TIMESTAMP, x BIGINT>, l ARRAY<BIGINT>")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "rows")
		in := &vector.Batch{N: n}
		for _, typ := range schema.Children {
			in.Columns = append(in.Columns, drawColumn(t, typ, n))
		}
		data := writeFile(t, schema, nil, in)
		f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.Scan(ScanOptions{As: as})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		out, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			compareAs(t, in, out, i)
		}
		for _, text := range []string{"c SMALLINT", "c REAL", "a VARCHAR", "r ARRAY<BIGINT>", "l MAP<INTEGER, INTEGER>", "r ROW<x VARCHAR>"} {
			other, err := ParseSchema(text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Scan(ScanOptions{As: other}); !errors.Is(err, ErrSchema) {
				t.Errorf("as %s: %v", text, err)
			}
		}
	})
}

// compareAs compares row i of TestReadAs's file, as it was read, with what was
// written.
func compareAs(t *rapid.T, in, out *vector.Batch, i int) {
	row, inRow := out.Columns[5].(*vector.Row), in.Columns[4].(*vector.Row)
	got := []any{
		valueAt(out.Columns[0], i), valueAt(out.Columns[2], i), valueAt(out.Columns[3], i),
		valueAt(row.Fields[1], i), valueAt(out.Columns[6], i),
	}
	want := []any{
		valueAt(in.Columns[2], i), valueAt(in.Columns[0], i), valueAt(in.Columns[1], i),
		valueAt(inRow.Fields[0], i), valueAt(in.Columns[5], i),
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("row %d: %v, want %v", i, got, want)
	}
	if x, ok := in.Columns[3].(*vector.Vec[float32]).At(i); ok {
		if y, ok := out.Columns[4].(*vector.Vec[float64]).At(i); !ok || y != float64(x) && x == x {
			t.Fatalf("row %d: %v, want %v", i, y, x)
		}
	}
	if valueAt(out.Columns[1], i) != (null{}) || valueAt(row.Fields[0], i) != (null{}) {
		t.Fatalf("row %d: a missing column is not null", i)
	}
}

// ranges is a file that notes which of its bytes are read.
type ranges struct {
	io.ReaderAt
	read []tablet.Range
}

func (r *ranges) ReadAt(p []byte, pos int64) (int, error) {
	r.read = append(r.read, tablet.Range{Pos: uint64(pos), Len: uint64(len(p))})
	return r.ReaderAt.ReadAt(p, pos)
}

// Of a flat map only the streams of the keys that are wanted are read, and of a row
// only those of its wanted fields.
func TestGoldenProjectionReadsOnlyItsStreams(t *testing.T) {
	flat := 0
	for _, c := range goldenFiles(t) {
		whole := c.open(t)
		for _, n := range whole.root.children {
			if n.typ.Kind != FlatMap || len(n.keys) < 3 {
				continue
			}
			flat++
			name := nameOf(whole, n)
			key := n.keys[1]
			as, err := whole.Schema().Project(QuoteName(name) + "['" + key.label + "']")
			if err != nil {
				t.Fatal(err)
			}
			r := &ranges{ReaderAt: bytes.NewReader(c.data)}
			f, err := Open(r, int64(len(c.data)), &OpenOptions{TailBytes: 1})
			if err != nil {
				t.Fatal(err)
			}
			r.read = nil
			s, err := f.OpenStripeAs(NewSession(nil), 0, as)
			if err != nil {
				t.Fatal(err)
			}
			checkRanges(t, c.Name, f, r.read, s, n, &key)
			s.Close()
		}
	}
	if flat == 0 {
		t.Error("no flat map of three keys")
	}
	t.Logf("%d flat maps", flat)
}

func nameOf(f *File, n *node) string {
	for i, c := range f.root.children {
		if c == n {
			return f.Schema().Names[i]
		}
	}
	return ""
}

// checkRanges makes sure that what was read of a stripe touches no stream of other
// keys of n, gaps that were read along excepted.
func checkRanges(t *testing.T, name string, f *File, read []tablet.Range, s *StripeReader, n *node, key *flatMapKey) {
	t.Helper()
	wanted := map[uint32]bool{f.root.stream: true, n.stream: true, key.inMap: true}
	for _, id := range s.builder.ids {
		wanted[id] = true
	}
	total := uint64(0)
	for i := range s.builder.ids {
		total += s.plan.Range(i).Len
	}
	for _, other := range n.keys {
		if other.label != key.label && (wanted[other.inMap] || wanted[other.value.stream]) {
			t.Errorf("%s: a stream of key %q is read for key %q", name, other.label, key.label)
		}
	}
	got := uint64(0)
	for _, r := range read {
		got += r.Len
	}
	if len(read) > 0 && got < total {
		t.Errorf("%s: %d bytes were read of streams of %d", name, got, total)
	}
}

func TestStripesIn(t *testing.T) {
	for _, c := range goldenFiles(t) {
		f := c.open(t)
		size := int64(len(c.data))
		for _, parts := range []int64{1, 2, 3, 7} {
			next := 0
			for p := range parts {
				first, last := f.StripesIn(size*p/parts, size*(p+1)/parts)
				if first != next || last < first {
					t.Errorf("%s: part %d of %d: stripes %d to %d, expected from %d", c.Name, p, parts, first, last, next)
				}
				next = last
			}
			if next != f.NumStripes() {
				t.Errorf("%s: in %d parts %d of %d stripes", c.Name, parts, next, f.NumStripes())
			}
		}
	}
}

// Opening and reading a small file whole takes one request.
func TestSmallFilesAreReadAtOnce(t *testing.T) {
	for _, c := range goldenFiles(t) {
		r := &ranges{ReaderAt: bytes.NewReader(c.data)}
		f, err := Open(r, int64(len(c.data)), nil)
		if err != nil {
			t.Fatal(err)
		}
		opened := len(r.read)
		s, err := f.Scan(ScanOptions{})
		if err != nil {
			continue
		}
		for err == nil {
			_, err = s.Next()
		}
		s.Close()
		if opened != 1 || len(r.read) != 1 {
			t.Errorf("%s, %d bytes: %d requests to open, %d in all", c.Name, len(c.data), opened, len(r.read))
		}
	}
}

// Of a column only its streams and what lies between near ones is read.
func TestChosenColumnsBytes(t *testing.T) {
	schema, err := ParseSchema("a BIGINT, b BIGINT, c BIGINT")
	if err != nil {
		t.Fatal(err)
	}
	const rows = 200_000
	batch := &vector.Batch{N: rows}
	for salt := range 3 {
		v := vector.NewVec[int64](nil)
		x := uint64(salt + 1)
		for range rows {
			x = x*6364136223846793005 + 1442695040888963407
			v.Append(int64(x))
		}
		batch.Columns = append(batch.Columns, v)
	}
	data := writeFile(t, schema, nil, batch)
	r := &ranges{ReaderAt: bytes.NewReader(data)}
	f, err := Open(r, int64(len(data)), &OpenOptions{TailBytes: 4096})
	if err != nil {
		t.Fatal(err)
	}
	for col := range 3 {
		r.read = nil
		s, err := f.Scan(ScanOptions{Columns: []int{col}})
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = s.Next()
		}
		s.Close()
		total := uint64(0)
		for _, read := range r.read {
			total += read.Len
		}
		if want := uint64(8 * rows); total < want || total > want+want/50 {
			t.Errorf("column %d: %d bytes were read of values of %d", col, total, want)
		}
	}
}

// Selected rows of every golden column, whatever its kind, are those of a read of
// all.
func TestGoldenFilesReadSel(t *testing.T) {
	columns := 0
	for _, c := range goldenFiles(t) {
		f := c.open(t)
		want := c.wantRows(t)
		for col, name := range f.Schema().Names {
			row := 0
			for stripe := range f.NumStripes() {
				r, err := f.OpenStripe(NewSession(nil), stripe, []int{col})
				if err != nil {
					break
				}
				for n := min(29, r.Rows()-r.Pos(0)); n > 0; n = min(29, r.Rows()-r.Pos(0)) {
					sel := []int32{0, int32(n / 2), int32(n - 1)}
					sel = sel[:min(n, 3)]
					v, err := r.ReadSel(0, n, sel)
					if err != nil {
						if !errors.Is(err, encoding.ErrUnsupported) {
							t.Errorf("%s: %s: %v", c.Name, name, err)
						}
						break
					}
					for i, at := range sel {
						if err := match(want[row+int(at)][name], f.Schema().Children[col], v, i); err != nil {
							t.Fatalf("%s: %s: row %d: %v", c.Name, name, row+int(at), err)
						}
					}
					row += n
				}
				row = int(f.tablet.Stripes()[stripe].FirstRow) + f.StripeRows(stripe)
				r.Close()
			}
			columns++
		}
	}
	t.Logf("%d columns", columns)
}
