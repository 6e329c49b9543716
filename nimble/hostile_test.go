package nimble

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
)

// constantChunk is a chunk of rows of one value, in a few bytes.
func constantChunk(t *testing.T, typ encoding.DataType, rows uint32, value []byte) []byte {
	t.Helper()
	array := binary.LittleEndian.AppendUint32([]byte{byte(encoding.KindConstant), byte(typ)}, rows)
	chunk, err := tablet.AppendChunk(nil, append(array, value...), tablet.Raw)
	if err != nil {
		t.Fatal(err)
	}
	return chunk
}

// sayingChunk is a compressed chunk that says it holds rawBytes, in storedBytes
// which do not.
func sayingChunk(codec tablet.Codec, rawBytes, storedBytes int) []byte {
	chunk := binary.LittleEndian.AppendUint32(nil, uint32(4+storedBytes))
	chunk = binary.LittleEndian.AppendUint32(append(chunk, byte(codec)), uint32(rawBytes))
	return append(chunk, make([]byte, storedBytes)...)
}

// rawChunk is a chunk of one array, its kind, type, rows and the parts of its
// body.
func rawChunk(t *testing.T, kind encoding.Kind, typ encoding.DataType, rows uint32, parts ...[]byte) []byte {
	t.Helper()
	chunk, err := tablet.AppendChunk(nil, rawArray(kind, typ, rows, parts...), tablet.Raw)
	if err != nil {
		t.Fatal(err)
	}
	return chunk
}

func rawArray(kind encoding.Kind, typ encoding.DataType, rows uint32, parts ...[]byte) []byte {
	array := binary.LittleEndian.AppendUint32([]byte{byte(kind), byte(typ)}, rows)
	return append(array, bytes.Join(parts, nil)...)
}

// rawPart puts a u32 size before an array.
func rawPart(array []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(array))), array...)
}

// rawFile returns a file of one stripe with the given streams, by id.
func rawFile(t *testing.T, schema string, rows uint32, streams ...[]byte) []byte {
	t.Helper()
	root, err := newTree(mustSchema(t, schema))
	if err != nil {
		t.Fatal(err)
	}
	return rawNodes(t, appendNodes(nil, root, "", false), rows, streams...)
}

// rawNodes is rawFile for a schema of any nodes.
func rawNodes(t *testing.T, nodes []tablet.Node, rows uint32, streams ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tablet.NewWriter(&out, tablet.WriterOptions{})
	var stored []tablet.Stream
	for id, data := range streams {
		stored = append(stored, tablet.Stream{ID: uint32(id), Data: data})
	}
	if err := w.WriteStripe(rows, stored); err != nil {
		t.Fatal(err)
	}
	if err := w.AddSection(tablet.SectionSchema, tablet.AppendSchema(nil, nodes)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestHostileFiles reads files whose streams contradict each other. Each must
// end in an error, with little memory used for it.
func TestHostileFiles(t *testing.T) {
	one := []byte{1, 0, 0, 0}
	huge := []byte{0xff, 0xff, 0xff, 0x7f}
	long := []byte{7, 0, 0, 0, 0, 0, 0, 0}
	chunk := func(typ encoding.DataType, rows uint32, value []byte) []byte {
		return constantChunk(t, typ, rows, value)
	}
	for _, c := range []struct {
		name, schema string
		rows         uint32
		streams      [][]byte
		want         string
		is           error
	}{
		{"no rows", "n BIGINT", 3, [][]byte{nil, chunk(encoding.Int64, 0, long)}, "no rows", ErrCorrupt},
		{"too few rows", "n BIGINT", 3, [][]byte{nil, chunk(encoding.Int64, 2, long)}, "fewer rows", ErrCorrupt},
		{"another type", "n BIGINT", 3, [][]byte{nil, chunk(encoding.Double, 3, long)}, "type Double instead of Int64", ErrCorrupt},
		{"cut off", "n BIGINT", 3, [][]byte{nil, chunk(encoding.Int64, 3, long)[:9]}, "bytes", tablet.ErrCorrupt},
		{
			"many elements", "a ARRAY<BIGINT>", 3,
			[][]byte{nil, chunk(encoding.Uint32, 3, huge), chunk(encoding.Int64, math.MaxUint32, long)},
			"too many elements", errTooMany,
		},
		{
			"no elements", "a ARRAY<BIGINT>", 3,
			[][]byte{nil, chunk(encoding.Uint32, 3, one), chunk(encoding.Int64, 2, long)},
			"fewer rows", ErrCorrupt,
		},
		{"null keys", "m MAP<BIGINT, BIGINT>", 3, [][]byte{nil, chunk(encoding.Uint32, 3, one)}, "keys of the map are null", ErrCorrupt},
		{"no nanoseconds", "at TIMESTAMP", 3, [][]byte{nil, chunk(encoding.Int64, 3, long)}, "without nanoseconds", ErrCorrupt},
		{
			"nanoseconds", "at TIMESTAMP", 3,
			[][]byte{nil, chunk(encoding.Int64, 3, long), chunk(encoding.Uint16, 3, []byte{0xe8, 3})},
			"1000 nanoseconds", ErrCorrupt,
		},
		{
			"huge zstd chunk", "n BIGINT", 3,
			[][]byte{nil, sayingChunk(tablet.Zstd, 768<<20, 160<<10)},
			"805306368 raw bytes exceed the limit of 67108864", tablet.ErrUnsupported,
		},
		{
			"huge LZ4 chunk", "a ARRAY<VARCHAR>", 3,
			[][]byte{nil, chunk(encoding.Uint32, 3, one), sayingChunk(tablet.LZ4, 65<<20, 270<<10)},
			"68157440 raw bytes exceed the limit of 67108864", tablet.ErrUnsupported,
		},
		{"unknown encoding", "n BIGINT", 3, [][]byte{nil, append([]byte{6, 0, 0, 0, 0, 99, 7}, 3, 0, 0, 0)}, "99", encoding.ErrUnsupported},
	} {
		f := mustOpen(t, rawFile(t, c.schema, c.rows, c.streams...))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readFile(f, 0)
		runtime.ReadMemStats(&after)
		if err == nil || !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		var se *StreamError
		if !errors.As(err, &se) {
			t.Errorf("%s: %v has no place", c.name, err)
		}
		const allowedBytes = 1 << 20
		if used := after.TotalAlloc - before.TotalAlloc; used > allowedBytes {
			t.Errorf("%s: %d bytes were allocated", c.name, used)
		}
	}
}

// TestNullsOverNothing reads columns of nulls whose data has no row: a dictionary
// without an alphabet among them. Every form must come out sound.
func TestNullsOverNothing(t *testing.T) {
	const rows = 9
	plain := func(typ encoding.DataType) []byte { return rawArray(encoding.KindTrivial, typ, 0, []byte{0}) }
	text := rawArray(encoding.KindTrivial, encoding.String, 0, []byte{0}, rawPart(plain(encoding.Uint32)))
	absent := rawArray(encoding.KindConstant, encoding.Bool, rows, []byte{0})
	for _, c := range []struct {
		schema string
		typ    encoding.DataType
		empty  []byte
	}{
		{"x BIGINT", encoding.Int64, plain(encoding.Int64)},
		{"x DOUBLE", encoding.Double, plain(encoding.Double)},
		{"x SMALLINT", encoding.Int16, plain(encoding.Int16)},
		{"x TIMESTAMP", encoding.Int64, plain(encoding.Int64)},
		{"x ARRAY<BIGINT>", encoding.Uint32, plain(encoding.Uint32)},
		{"x VARCHAR", encoding.String, text},
	} {
		for name, data := range map[string][]byte{
			"plain":      c.empty,
			"dictionary": rawArray(encoding.KindDictionary, c.typ, 0, rawPart(c.empty), plain(encoding.Uint32)),
			"runs":       rawArray(encoding.KindRLE, c.typ, 0, rawPart(plain(encoding.Uint32)), c.empty),
		} {
			chunk := rawChunk(t, encoding.KindNullable, c.typ, rows, rawPart(data), absent)
			f := mustOpen(t, rawFile(t, c.schema, rows, nil, chunk))
			if findings, err := f.Verify(t.Context(), NewSession(nil), nil); err != nil || findings != nil {
				t.Errorf("%s of %s: %v, %v", c.schema, name, findings, err)
			}
			for _, batch := range []int{1, 4, rows} {
				got, err := readFile(f, batch)
				want := slices.Repeat([]any{[]any{null{}}}, rows)
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Errorf("%s of %s in %d: %v (-want +got):\n%s", c.schema, name, batch, err, diff)
				}
			}
			checkForms(t, f)
		}
	}
}

// checkForms reads the first column of a file as it is encoded.
func checkForms(t *testing.T, f *File) {
	t.Helper()
	r, err := f.OpenStripe(NewSession(nil), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for r.Pos(0) < r.Rows() {
		v, err := r.Read(0, min(2, r.Rows()-r.Pos(0)))
		if err != nil {
			t.Fatal(err)
		}
		if err := vector.Check(v); err != nil {
			t.Errorf("%s: %v", f.Schema().Names[0], err)
		}
	}
}

// TestChunkLimit reads a chunk that compresses far better than 16 to 1, and
// refuses it where the options allow less.
func TestChunkLimit(t *testing.T) {
	const size = 8 << 20
	text := bytes.Repeat([]byte("x"), size)
	lengths := rawArray(encoding.KindConstant, encoding.Uint32, 1, binary.LittleEndian.AppendUint32(nil, size))
	array := rawArray(encoding.KindTrivial, encoding.String, 1, []byte{0}, rawPart(lengths), text)
	for _, codec := range []tablet.Codec{tablet.Zstd, tablet.LZ4} {
		chunk, err := tablet.AppendChunk(nil, array, codec)
		if err != nil || len(chunk) > size/100 {
			t.Fatalf("%v: %d bytes, %v", codec, len(chunk), err)
		}
		data := rawFile(t, "s VARCHAR", 1, nil, chunk)
		for limit, want := range map[int]error{0: nil, size + 100: nil, size: tablet.ErrUnsupported} {
			f, err := Open(bytes.NewReader(data), int64(len(data)), &OpenOptions{ChunkLimitBytes: limit})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := readFile(f, 0); !errors.Is(err, want) {
				t.Errorf("%v with a limit of %d: %v", codec, limit, err)
			}
		}
	}
}

// TestManyRowsInFewBytes reads constants: they stay constants.
func TestManyRowsInFewBytes(t *testing.T) {
	const rows = 1 << 30
	data := rawFile(t, "n BIGINT, none VARCHAR", rows, nil, constantChunk(t, encoding.Int64, rows, make([]byte, 8)))
	f := mustOpen(t, data)
	r, err := f.OpenStripe(NewSession(nil), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Skip(0, rows-10); err != nil {
		t.Fatal(err)
	}
	v, err := r.Read(0, 10)
	if err != nil || v.Len() != 10 {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := r.Read(0, 1); !errors.Is(err, encoding.ErrPastEnd) {
		t.Errorf("past the end: %v", err)
	}
}

// TestSkipAndReadSelAgreeWithRead walks through columns in steps of all kinds.
func TestSkipAndReadSelAgreeWithRead(t *testing.T) {
	schema := mustSchema(t, allKinds)
	data := writeFile(t, schema, &WriterOptions{ChunkBytes: 700}, fixedBatch(schema, 3000))
	f := mustOpen(t, data)
	s := NewSession(nil)
	for col, name := range schema.Names {
		whole, err := f.OpenStripe(s, 0, []int{col})
		if err != nil {
			t.Fatal(err)
		}
		all, err := whole.Read(0, whole.Rows())
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.OpenStripe(s, 0, []int{col})
		if err != nil {
			t.Fatal(err)
		}
		for step := 1; r.Pos(0) < r.Rows(); step = step*5%997 + 1 {
			begin := r.Pos(0)
			n := min(step, r.Rows()-begin)
			var sel []int32
			for i := 0; i < n; i += 1 + step%13 {
				sel = append(sel, int32(i))
			}
			switch step % 3 {
			case 0:
				err = r.Skip(0, n)
			case 1:
				v, readErr := r.Read(0, n)
				err = readErr
				for i := 0; err == nil && i < n; i++ {
					checkRow(t, name, begin+i, all, v, i)
				}
			default:
				v, readErr := r.ReadSel(0, n, sel)
				err = readErr
				for i, row := range sel {
					checkRow(t, name, begin+int(row), all, v, i)
				}
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		r.Close()
		whole.Close()
	}
}

// checkRow compares row i of got with row of all.
func checkRow(t *testing.T, name string, row int, all, got vector.Vector, i int) {
	t.Helper()
	if diff := cmp.Diff(valueAt(all, row), valueAt(got, i)); diff != "" {
		t.Fatalf("%s: row %d (-want +got):\n%s", name, row, diff)
	}
}
