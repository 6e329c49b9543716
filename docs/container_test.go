package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
)

// TestChunk compares the block of a chunk with the array in it.
func TestChunk(t *testing.T) {
	b := mustBlock(t, "chunk")
	b.attrs["array"] = b.attrs["chunk"]
	array, err := b.rows(t).encode(b.encoderFor(t))
	if err != nil {
		t.Fatal(err)
	}
	want, err := tablet.AppendChunk(nil, array, tablet.Raw)
	if err != nil || !bytes.Equal(want, b.data) {
		t.Errorf("%v, the chunk is\n% x\nthe block has\n% x", err, want, b.data)
	}
	c, rest, err := tablet.CutChunk(b.data)
	if err != nil || len(rest) != 0 || !bytes.Equal(c.Payload, array) {
		t.Errorf("cut % x and % x, %v", c.Payload, rest, err)
	}
}

// TestSchemaSection compares the block of the schema with the nodes that the text
// draws.
func TestSchemaSection(t *testing.T) {
	b := mustBlock(t, "schema")
	nodes := []tablet.Node{
		{Kind: 50, Children: 2, Stream: 0},
		{Kind: 6, Label: "id", Labelled: true, Stream: 1},
		{Kind: 11, Label: "name", Labelled: true, Stream: 2},
	}
	if want := tablet.AppendSchema(nil, nodes); !bytes.Equal(want, b.data) {
		t.Errorf("the section is\n% x\nthe block has\n% x", want, b.data)
	}
	got, err := tablet.ParseSchema(b.data)
	if diff := cmp.Diff(nodes, got); err != nil || diff != "" {
		t.Errorf("%v (-text +block):\n%s", err, diff)
	}
}

const fileSchema = "id BIGINT, name VARCHAR"

// fileRows returns the rows that the notes of the file's block state, and columns
// that hold them.
func fileRows(t *testing.T, b block) ([]string, *vector.Batch) {
	t.Helper()
	var rows, ids, names []string
	for _, n := range b.notes {
		row, ok := strings.CutPrefix(n, "row ")
		if !ok {
			continue
		}
		id, name, _ := strings.Cut(row, ", ")
		rows, ids, names = append(rows, row), append(ids, id), append(names, name)
	}
	id, err := parseRows(encoding.Int64, strings.Join(ids, ", "))
	if err != nil {
		t.Fatal(err)
	}
	name, err := parseRows(encoding.String, strings.Join(names, ", "))
	if err != nil {
		t.Fatal(err)
	}
	idColumn, nameColumn := vector.NewVec[int64](nil), vector.NewVec[vector.View](nil)
	next := 0
	for i, x := range id.numbers {
		idColumn.Append(int64(x))
		if !vector.Valid(name.valid, i) {
			nameColumn.AppendNull()
			continue
		}
		vector.AppendString(nameColumn, []byte(name.texts[next]))
		next++
	}
	return rows, &vector.Batch{N: id.n, Columns: []vector.Vector{idColumn, nameColumn}}
}

// readRows reads a file with the schema of the block as its notes have it.
func readRows(data []byte) ([]string, error) {
	f, err := nimble.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		return nil, err
	}
	if n := len(f.Schema().Children); n != 2 {
		return nil, fmt.Errorf("%d columns", n)
	}
	s, err := f.Scan(nimble.ScanOptions{})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var rows []string
	for {
		b, err := s.Next()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		id, ok := b.Columns[0].(*vector.Vec[int64])
		name, ok2 := b.Columns[1].(*vector.Vec[vector.View])
		if !ok || !ok2 {
			return nil, fmt.Errorf("columns of types %T and %T", b.Columns[0], b.Columns[1])
		}
		for i := range b.N {
			x, _ := id.At(i)
			text := "null"
			if v, present := name.At(i); present {
				text = fmt.Sprintf("%q", v.Bytes(name.Buffers.List()))
			}
			rows = append(rows, fmt.Sprintf("%d, %s", x, text))
		}
	}
}

// TestFile writes the rows of the file's block with the default options, which
// gives its bytes, and reads them back.
func TestFile(t *testing.T) {
	b := mustBlock(t, "file")
	want, batch := fileRows(t, b)
	schema, err := nimble.ParseSchema(fileSchema)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := nimble.NewWriter(&out, schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.WriteBatch(batch), w.Close()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), b.data) {
		t.Errorf("the file is\n% x\nthe block has\n% x", out.Bytes(), b.data)
	}
	got, err := readRows(b.data)
	if diff := cmp.Diff(want, got); err != nil || diff != "" || len(got) == 0 {
		t.Errorf("%v (-text +block):\n%s", err, diff)
	}
	// The block of the schema is that of the file.
	f, err := tablet.Open(bytes.NewReader(b.data), int64(len(b.data)), tablet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	section, _, err := f.Section(tablet.SectionSchema)
	if err != nil || !bytes.Equal(section, mustBlock(t, "schema").data) {
		t.Errorf("%v, the file's schema is\n% x", err, section)
	}
}

// TestUnprotected flips every bit of the file. Verifying finds all flips but those
// in the two bytes of the minor version. Reading alone, without the checksum, does
// not: some flips change rows in silence, some change nothing.
func TestUnprotected(t *testing.T) {
	b := mustBlock(t, "file")
	want, err := readRows(b.data)
	if err != nil {
		t.Fatal(err)
	}
	missed, changed, harmless := map[int]int{}, 0, 0
	for bit := range 8 * len(b.data) {
		data := bytes.Clone(b.data)
		data[bit/8] ^= 1 << (bit % 8)
		if !found(t, data) {
			missed[bit/8]++
		}
		switch got, err := readRows(data); {
		case err != nil:
		case cmp.Equal(want, got):
			harmless++
		default:
			changed++
		}
	}
	end := len(b.data)
	if diff := cmp.Diff(map[int]int{end - 4: 8, end - 3: 8}, missed); diff != "" {
		t.Errorf("flips that verifying misses, by bytes (-text +got):\n%s", diff)
	}
	t.Logf("without the checksum %d flips of %d change rows, %d change none", changed, 8*end, harmless)
	if changed == 0 || harmless == 0 {
		t.Error("every flip is found without the checksum, the text says otherwise")
	}
}

// found reports whether opening or verifying the file finds damage.
func found(t *testing.T, data []byte) bool {
	t.Helper()
	f, err := nimble.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		return true
	}
	findings, err := f.Verify(context.Background(), nimble.NewSession(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	return len(findings) > 0
}
