package nimble

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/internal/flatbuf"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
)

// pattern is which rows of a stream are present, over and over; "" is an absent
// stream.
type pattern string

var patterns = []pattern{"", "1", "10", "0110", "0"}

func (p pattern) at(i int) bool { return p == "" || p[i%len(p)] == '1' }

// streamMaker encodes streams, in chunks of so many rows.
type streamMaker struct {
	t         *testing.T
	chunkRows int
}

func (m streamMaker) chunks(rows int, array func(e *encoding.Encoder, from, to int) ([]byte, error)) (stream []byte) {
	m.t.Helper()
	e, err := encoding.NewEncoder(nil, encoding.DefaultEncodeOptions())
	if err != nil {
		m.t.Fatal(err)
	}
	for from := 0; from < rows; from += m.chunkRows {
		a, err := array(e, from, min(from+m.chunkRows, rows))
		if err == nil {
			stream, err = tablet.AppendChunk(stream, a, tablet.Raw)
		}
		if err != nil {
			m.t.Fatal(err)
		}
	}
	return stream
}

// presence is a stream of bools, none for an absent one.
func (m streamMaker) presence(p pattern, rows int) []byte {
	if p == "" {
		return nil
	}
	return m.chunks(rows, func(e *encoding.Encoder, from, to int) ([]byte, error) {
		bits := make([]uint64, vector.Words(to-from))
		for i := from; i < to; i++ {
			if p.at(i) {
				vector.SetBit(bits, i-from)
			}
		}
		return encoding.AppendBools(e, nil, bits, to-from)
	})
}

// numbers is a stream of rows from begin on, of which some are null.
func (m streamMaker) numbers(p pattern, begin, rows int) []byte {
	if p == "" {
		return nil
	}
	return m.chunks(rows, func(e *encoding.Encoder, from, to int) ([]byte, error) {
		valid := make([]uint64, vector.Words(to-from))
		var values []uint64
		for i := from; i < to; i++ {
			if p.at(i) {
				vector.SetBit(valid, i-from)
				values = append(values, uint64(begin+i))
			}
		}
		return encoding.AppendNullable(e, nil, encoding.Int64, values, valid, to-from)
	})
}

// count returns how many of the first rows are present.
func (p pattern) count(rows int) (n int) {
	for i := range rows {
		if p.at(i) {
			n++
		}
	}
	return n
}

// number is entry i of m.numbers.
func (p pattern) number(begin, i int) any {
	if p == "" || !p.at(i) {
		return null{}
	}
	return int64(begin + i)
}

const absenceRows = 13

// The rules of absence for rows: a stream of nulls that is absent means that all are
// present, an absent stream of values that all are null; what is below has entries
// for those present alone.
func TestAbsenceInRows(t *testing.T) {
	cases := 0
	for _, chunkRows := range []int{absenceRows, 3, 1} {
		m := streamMaker{t, chunkRows}
		for _, root := range patterns {
			for _, row := range patterns {
				for _, field := range patterns {
					rows := root.count(absenceRows)
					fields := row.count(rows)
					f := mustOpen(t, rawFile(t, "r ROW<x BIGINT>", absenceRows,
						m.presence(root, absenceRows), m.presence(row, rows), m.numbers(field, 100, fields)))
					var want []any
					r, x := 0, 0
					for i := range absenceRows {
						value := any(null{})
						if root.at(i) {
							if row.at(r) {
								value = []any{field.number(100, x)}
								x++
							}
							r++
						}
						want = append(want, []any{value})
					}
					checkAbsence(t, f, want, "chunks of %d: root %q, row %q, field %q", chunkRows, root, row, field)
					cases++
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

// The rules of absence for flat maps. A key without an in-map stream is in every map
// that is present if its values are stored, and else in none; one with an in-map
// stream, but without values, is null where it is.
func TestAbsenceInFlatMaps(t *testing.T) {
	nodes := underRoot(
		tablet.Node{Kind: flatMapNode + int32Node, Children: 2},
		tablet.Node{Kind: boolNode, Labelled: true, Label: "5"}, tablet.Node{Kind: int64Node},
		tablet.Node{Kind: boolNode, Labelled: true, Label: "6"}, tablet.Node{Kind: int64Node})
	cases := 0
	for _, chunkRows := range []int{absenceRows, 2} {
		m := streamMaker{t, chunkRows}
		for _, nulls := range patterns {
			maps := nulls.count(absenceRows)
			for _, inMap := range patterns {
				for _, value := range patterns {
					has := inMap
					if inMap == "" && value == "" {
						has = "0"
					}
					// The other key is in every second map.
					const other, otherValue = pattern("01"), pattern("110")
					f := mustOpen(t, rawNodes(t, nodes, absenceRows, nil, m.presence(nulls, absenceRows),
						m.presence(inMap, maps), m.numbers(value, 100, has.count(maps)),
						m.presence(other, maps), m.numbers(otherValue, 200, other.count(maps))))
					var want []any
					n, a, b := 0, 0, 0
					for i := range absenceRows {
						if !nulls.at(i) {
							want = append(want, []any{null{}})
							continue
						}
						keys, values := []any{}, []any{}
						if has.at(n) {
							keys, values = append(keys, int32(5)), append(values, value.number(100, a))
							a++
						}
						if other.at(n) {
							keys, values = append(keys, int32(6)), append(values, otherValue.number(200, b))
							b++
						}
						n++
						want = append(want, []any{[2]any{keys, values}})
					}
					checkAbsence(t, f, want, "chunks of %d: maps %q, in-map %q, values %q", chunkRows, nulls, inMap, value)
					cases++
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

// checkAbsence reads f in batches of several sizes and verifies it.
func checkAbsence(t *testing.T, f *File, want []any, format string, args ...any) {
	t.Helper()
	for _, batchRows := range []int{1, 4, absenceRows} {
		got, err := readFile(f, batchRows)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf(format+": %v, batches of %d (-want +got):\n%s", append(args, err, batchRows, diff)...)
		}
	}
	if findings, err := f.Verify(t.Context(), nil, nil); err != nil || findings != nil {
		t.Errorf(format+": %v, %v", append(args, findings, err)...)
	}
}

// indexesWithoutRows is a file without rows that has a hash and a sorted index. In
// places are where its sections are, as far as that is known.
func indexesWithoutRows(t *testing.T, places map[string]tablet.Extent) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tablet.NewWriter(&out, tablet.WriterOptions{})
	add := func(name string, build func(b *flatbuf.Builder) flatbuf.Offset) {
		t.Helper()
		var b flatbuf.Builder
		if err := w.AddSection(name, b.Finish(build(&b), "")); err != nil {
			t.Fatal(err)
		}
	}
	extent := func(b *flatbuf.Builder, name string) flatbuf.Value {
		at := places[name]
		// What is 0 would be left out, and the section be shorter.
		return flatbuf.Ref(b.Table(flatbuf.Number(max(at.Pos, 1)), flatbuf.Number(max(at.Len, 1))))
	}
	schema, err := newTree(mustSchema(t, "n BIGINT"))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.AddSection(tablet.SectionSchema, tablet.AppendSchema(nil, appendNodes(nil, schema, "", false))); err != nil {
		t.Fatal(err)
	}
	add("root "+tablet.IndexHash, func(b *flatbuf.Builder) flatbuf.Offset {
		return b.Table(flatbuf.Number(uint64(0)), flatbuf.Number(uint32(1)))
	})
	add("root "+tablet.IndexSorted, func(b *flatbuf.Builder) flatbuf.Offset { return b.Table(flatbuf.Number(uint8(1))) })
	impls := []string{tablet.IndexHash, tablet.IndexSorted}
	for _, impl := range impls {
		add("directory "+impl, func(b *flatbuf.Builder) flatbuf.Offset {
			columns, at := b.Refs([]flatbuf.Offset{b.String("n")}), extent(b, "root "+impl)
			return b.Table(flatbuf.Ref(b.Refs([]flatbuf.Offset{b.Table(flatbuf.Ref(columns), at)})))
		})
	}
	add(tablet.SectionIndexes, func(b *flatbuf.Builder) flatbuf.Offset {
		var items []flatbuf.Offset
		for _, impl := range impls {
			name, at := b.String(impl), extent(b, "directory "+impl)
			items = append(items, b.Table(flatbuf.Number(uint8(1)), flatbuf.Ref(name), at))
		}
		return b.Table(flatbuf.Ref(b.Refs(items)))
	})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A file without rows may have dense indexes, without a key.
func TestFilesWithoutRowsWithIndexes(t *testing.T) {
	places := map[string]tablet.Extent{}
	for _, s := range mustOpen(t, indexesWithoutRows(t, places)).Tablet().Footer().Sections {
		places[s.Name] = s.Extent
	}
	f := mustOpen(t, indexesWithoutRows(t, places))
	indexes, errs := f.Indexes()
	if len(indexes) != 2 || errs != nil || f.NumStripes() != 0 {
		t.Fatalf("%d indexes, %v, %d stripes", len(indexes), errs, f.NumStripes())
	}
	for _, x := range indexes {
		if rows, err := x.Find([]byte("\x00\x80\x00\x00\x00\x00\x00\x00\x07")); rows != nil || err != nil || x.Keys != 0 {
			t.Errorf("%v: %v, %v of %d keys", x.Kind, rows, err, x.Keys)
		}
		rows, err := x.FindRange(nil, nil)
		if want := x.Kind == HashIndex; rows != nil || errors.Is(err, ErrUnsupported) != want || !want && err != nil {
			t.Errorf("%v: all rows are %v, %v", x.Kind, rows, err)
		}
	}
	checkAbsence(t, f, nil, "no rows")
	p := Predicate{Column: 0, Values: true, Ints: []Span[int64]{{Lo: 7, Hi: 7}}}
	if rows, err := f.Candidates(p); rows != nil || err != nil || len(f.Warnings()) > 0 {
		t.Errorf("candidates %v, %v, warnings %q", rows, err, f.Warnings())
	}
}
