package nimble

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
)

// sharedArray returns rows of a shared dictionary, as the encoding is defined.
func sharedArray(t *testing.T, scope encoding.DictionaryScope, id uint32, indices []uint32) []byte {
	t.Helper()
	array := []byte{byte(encoding.KindSharedDictionary), byte(encoding.Int64)}
	array = binary.LittleEndian.AppendUint32(array, uint32(len(indices)))
	array = append(array, byte(scope))
	array = binary.AppendUvarint(array, uint64(id))
	return append(array, encoded(t, encoding.Uint32, indices)...)
}

func encoded[T uint32 | uint64](t *testing.T, typ encoding.DataType, values []T) []byte {
	t.Helper()
	e, err := encoding.NewEncoder(nil, encoding.DefaultEncodeOptions())
	if err != nil {
		t.Fatal(err)
	}
	array, err := encoding.Append(e, nil, typ, values)
	if err != nil {
		t.Fatal(err)
	}
	return array
}

func chunkOf(t *testing.T, array []byte, codec tablet.Codec) []byte {
	t.Helper()
	chunk, err := tablet.AppendChunk(nil, array, codec)
	if err != nil {
		t.Fatal(err)
	}
	return chunk
}

// sharedFile returns a file of two stripes with a column for each scope: a's
// dictionary is stream 7 of its stripe, b's is in the file behind the stripes, c's
// is somebody else's.
func sharedFile(t *testing.T, change func(*tablet.Dictionaries)) []byte {
	t.Helper()
	schema, err := ParseSchema("a BIGINT, b BIGINT, c BIGINT")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := tablet.NewWriter(&out, tablet.WriterOptions{})
	for stripe := range uint64(2) {
		alphabet := encoded(t, encoding.Int64, []uint64{100 * stripe, 7, 100*stripe + 1})
		err := w.WriteStripe(4, []tablet.Stream{
			{ID: 7, Data: chunkOf(t, alphabet, []tablet.Codec{tablet.Raw, tablet.Zstd}[stripe])},
			{ID: 1, Data: append(chunkOf(t, sharedArray(t, encoding.ScopeStripe, 7, []uint32{0, 1}), tablet.Raw), chunkOf(t, sharedArray(t, encoding.ScopeStripe, 7, []uint32{2, 1}), tablet.Raw)...)},
			{ID: 2, Data: chunkOf(t, sharedArray(t, encoding.ScopeFile, 9, []uint32{1, 1, 0, 1}), tablet.Raw)},
			{ID: 3, Data: chunkOf(t, sharedArray(t, encoding.ScopeExternal, 5, []uint32{0, 0, 0, 1}), tablet.Raw)},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	blob := encoded(t, encoding.Int64, []uint64{1 << 40, 1 << 41})
	// The blob is the raw bytes of a section that has no meaning of its own.
	pos := w.Written()
	if err := w.AddSection("test.blob", blob); err != nil {
		t.Fatal(err)
	}
	root := &Type{Kind: Row, Names: schema.Names, Children: schema.Children}
	b := treeBuilder{}
	n, err := b.node(root)
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := n.streams().AppendNodes(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.AddSection(tablet.SectionSchema, tablet.AppendSchema(nil, nodes)); err != nil {
		t.Fatal(err)
	}
	d := tablet.Dictionaries{
		Refs: []tablet.DictionaryRef{
			{Stream: 1, Scope: tablet.DictionaryOfStripe, ID: 7, Type: uint8(encoding.Int64)},
			{Stream: 2, Scope: tablet.DictionaryOfFile, ID: 9, Type: uint8(encoding.Int64)},
			{Stream: 3, Scope: tablet.DictionaryOfExternal, ID: 5, Type: uint8(encoding.Int64)},
		},
		Blobs: []tablet.DictionaryBlob{{ID: 9, Type: uint8(encoding.Int64), Pos: pos, Len: uint32(len(blob))}},
	}
	if change != nil {
		change(&d)
	}
	if err := w.AddSection(tablet.SectionDictionaries, tablet.AppendDictionaries(nil, d)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	// Sections lie where Close puts them: the blob's place is looked up.
	data := out.Bytes()
	f, err := tablet.Open(bytes.NewReader(data), int64(len(data)), tablet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range f.Footer().Sections {
		if s.Name == "test.blob" && s.Pos != pos && change == nil {
			return sharedFile(t, func(d *tablet.Dictionaries) { d.Blobs[0].Pos = s.Pos })
		}
	}
	return data
}

func TestSharedDictionaries(t *testing.T) {
	data := sharedFile(t, nil)
	f, err := Open(bytes.NewReader(data), int64(len(data)), &OpenOptions{Dictionary: func(id uint32) ([]byte, error) {
		if id != 5 {
			t.Errorf("dictionary %d was asked for", id)
		}
		return encoded(t, encoding.Int64, []uint64{70, 80}), nil
	}})
	if err != nil || len(f.Warnings()) > 0 {
		t.Fatal(err, f.Warnings())
	}
	s, err := f.Scan(ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := [][3]int64{{0, 1 << 41, 70}, {7, 1 << 41, 70}, {1, 1 << 40, 70}, {7, 1 << 41, 80}, {100, 1 << 41, 70}, {7, 1 << 41, 70}, {101, 1 << 40, 70}, {7, 1 << 41, 80}}
	row := 0
	for b, err := s.Next(); err == nil; b, err = s.Next() {
		for i := range b.N {
			for c := range 3 {
				if x, _ := b.Columns[c].(*vector.Vec[int64]).At(i); x != want[row][c] {
					t.Errorf("row %d, column %d: %d, want %d", row, c, x, want[row][c])
				}
			}
			row++
		}
	}
	if row != len(want) {
		t.Errorf("%d rows", row)
	}
}

// What the list of dictionaries gets wrong disables the columns that need it.
func TestSharedDictionariesRefused(t *testing.T) {
	data := sharedFile(t, nil)
	f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Scan(ScanOptions{Columns: []int{2}})
	if err == nil {
		_, err = s.Next()
	}
	if !errors.Is(err, encoding.ErrUnsupported) {
		t.Errorf("without the dictionary of somebody else: %v", err)
	}
	for name, change := range map[string]func(*tablet.Dictionaries){
		"twice":    func(d *tablet.Dictionaries) { d.Refs[1].Stream = 1 },
		"no blob":  func(d *tablet.Dictionaries) { d.Blobs = nil },
		"type":     func(d *tablet.Dictionaries) { d.Blobs[0].Type++ },
		"outside":  func(d *tablet.Dictionaries) { d.Blobs[0].Pos = 1 << 40 },
		"empty":    func(d *tablet.Dictionaries) { d.Blobs[0].Len = 0 },
		"no id":    func(d *tablet.Dictionaries) { d.Refs[2].ID = 1<<32 - 1 },
		"other id": func(d *tablet.Dictionaries) { d.Refs[0].ID = 6 },
	} {
		data := sharedFile(t, change)
		f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.Scan(ScanOptions{Columns: []int{0}})
		if err == nil {
			_, err = s.Next()
		}
		if err == nil || name != "other id" && len(f.Warnings()) == 0 {
			t.Errorf("%s: %v, warnings %v", name, err, f.Warnings())
		}
	}
}

// Thousands of columns, of which a few are read.
func TestManyColumns(t *testing.T) {
	const columns = 10_000
	schema := &Type{Kind: Row}
	batch := &vector.Batch{N: 3}
	for i := range columns {
		schema.Names = append(schema.Names, "c"+string(binary.AppendUvarint(nil, uint64(i)|1<<40)))
		schema.Children = append(schema.Children, &Type{Kind: BigInt})
		v := vector.NewVec[int64](nil)
		for row := range 3 {
			v.Append(int64(i * (row + 1)))
		}
		batch.Columns = append(batch.Columns, v)
	}
	data := writeFile(t, schema, nil, batch)
	f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Scan(ScanOptions{Columns: []int{9_999, 0, 5_000}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b, err := s.Next()
	if err != nil {
		t.Fatal(err)
	}
	for c, want := range []int64{9_999, 0, 5_000} {
		for row := range 3 {
			if x, _ := b.Columns[c].(*vector.Vec[int64]).At(row); x != want*int64(row+1) {
				t.Errorf("column %d, row %d: %d", c, row, x)
			}
		}
	}
}
