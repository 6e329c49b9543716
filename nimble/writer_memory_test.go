//go:build !race

// The race detector makes the codecs' pools forget at random.

package nimble

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/decantdb/decant/vector"
)

const storedKinds = "b BOOLEAN, i INTEGER, n BIGINT, d DOUBLE, s VARCHAR, at TIMESTAMP, a ARRAY<VARCHAR>, " +
	"m MAP<INTEGER, DOUBLE>, r ROW<x BIGINT, s VARCHAR, at BOOLEAN>, da DEDUPARRAY<BIGINT>, w WINDOWMAP<INTEGER, VARCHAR>, " +
	"f FLATMAP<INTEGER, DOUBLE>, g FLATMAP<VARCHAR, ARRAY<BIGINT>>, h FLATMAP<BIGINT, ROW<x DOUBLE, d DEDUPARRAY<DOUBLE>>>"

// flatBatch is fixedBatch with keys of flat maps that are distinct within a map.
func flatBatch(schema *Type, n, salt int) *vector.Batch {
	b := &vector.Batch{N: n}
	for i, t := range schema.Children {
		v := fixedColumn(t, n, i+salt)
		if t.Kind == FlatMap {
			distinctKeys(v.(*vector.Map), salt)
		}
		b.Columns = append(b.Columns, v)
	}
	return b
}

// distinctKeys replaces the keys of each map.
func distinctKeys(maps *vector.Map, salt int) {
	keys, err := vector.Make(nil, maps.Keys.Kind())
	if err != nil {
		panic(err)
	}
	for row := range maps.N {
		begin, end := maps.Span(row)
		for i := begin; i < end; i++ {
			appendKey(keys, (row+salt)%2+i-begin)
		}
	}
	maps.Keys = keys
}

// TestWarmWriterDoesNotAllocate measures batches and the encoding of stripes. What a
// writer keeps of a stripe that is written, its entry in the directory, is not
// measured.
func TestWarmWriterDoesNotAllocate(t *testing.T) {
	quiet(t)
	schema := mustSchema(t, storedKinds)
	for _, o := range []WriterOptions{{}, {ChunkBytes: 500}, {Unchunked: true, DropConstantInMaps: true}} {
		o.Workers = 1
		w, err := NewWriter(io.Discard, schema, &o)
		if err != nil {
			t.Fatal(err)
		}
		batches := []*vector.Batch{flatBatch(schema, 300, 0), flatBatch(schema, 500, 1), flatBatch(schema, 10, 2)}
		checkNoAllocs(t, fmt.Sprintf("%+v", o), func() {
			for _, b := range batches {
				if err := w.WriteBatch(b); err != nil {
					t.Fatal(err)
				}
				if o.ChunkBytes > 0 {
					if err := w.FlushChunks(); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := w.encodeStripe(); err != nil {
				t.Fatal(err)
			}
			w.endStripe()
		})
	}
}

// peakOf returns how much more memory fn makes the process hold at most, as seen
// whenever fn calls sample.
func peakOf(t *testing.T, fn func(sample func())) uint64 {
	t.Helper()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, peak := m.HeapAlloc, uint64(0)
	fn(func() {
		runtime.GC()
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc-min(m.HeapAlloc, before))
	})
	return peak
}

// writeMuch writes a batch so many times, and samples the memory it takes.
func writeMuch(t *testing.T, schema *Type, o *WriterOptions, times int, batch func(i int) *vector.Batch, sample func()) {
	t.Helper()
	w, err := NewWriter(io.Discard, schema, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range times {
		if err := w.WriteBatch(batch(i)); err != nil {
			t.Fatal(err)
		}
		if i%8 == 0 {
			sample()
		}
	}
	sample()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestWriterMemoryIsBounded(t *testing.T) {
	wide := mustSchema(t, columnsOf("DOUBLE", 909))
	wideBatch := fixedBatch(wide, 64)
	tenThousand := mustSchema(t, "m FLATMAP<INTEGER, DOUBLE>")
	long := mustSchema(t, "s VARCHAR")
	for _, c := range []struct {
		name   string
		schema *Type
		times  int
		batch  func(i int) *vector.Batch
		limit  uint64
	}{
		// 64 rows of 909 columns are half a MiB.
		{"909 columns", wide, 100, func(int) *vector.Batch { return wideBatch }, 48 << 20},
		{"ten thousand keys", tenThousand, 100, func(i int) *vector.Batch { return manyKeys(i * 100) }, 64 << 20},
		{"one string of 100 MB", long, 1, func(int) *vector.Batch { return longText(100_000_000) }, 500 << 20},
	} {
		o := &WriterOptions{StripeBytes: 4 << 20, Workers: 2}
		peak := peakOf(t, func(sample func()) { writeMuch(t, c.schema, o, c.times, c.batch, sample) })
		t.Logf("%s: %d KiB", c.name, peak>>10)
		if peak > c.limit {
			t.Errorf("%s: the writer held %d bytes, the limit is %d", c.name, peak, c.limit)
		}
	}
}

func columnsOf(kind string, n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("c%d %s", i, kind))
	}
	return strings.Join(list, ", ")
}

// manyKeys returns 100 maps of 20 keys each, in which 100 are new.
func manyKeys(first int) *vector.Batch {
	var maps [][]pair
	for i := range 100 {
		m := make([]pair, 20)
		for j := range m {
			m[j] = pair{int32(first + i - 5*j), float64(i)}
		}
		maps = append(maps, m)
	}
	return batchOf(mapsOf(maps...))
}

func longText(n int) *vector.Batch {
	v := vector.NewVec[vector.View](nil)
	text := make([]byte, n)
	x := uint32(1)
	for i := range text {
		x = x*1664525 + 1013904223
		text[i] = byte(x >> 24)
	}
	vector.AppendString(v, text)
	return batchOf(v)
}

// TestFlushPolicyBoundsMemory has rows that take less as chunks: with a policy they
// stay in one stripe that holds more than the policy allows to be buffered.
func TestFlushPolicyBoundsMemory(t *testing.T) {
	schema := mustSchema(t, "n BIGINT, s VARCHAR")
	batch := fixedBatch(schema, 2000)
	p := &FlushPolicy{HighBytes: 1 << 20, LowBytes: 1 << 19, StripeBytes: 1 << 20}
	o := &WriterOptions{Flush: p, ChunkBytes: 100 << 10, MinChunkBytes: 10 << 10, Workers: 1}
	w, err := NewWriter(io.Discard, schema, o)
	if err != nil {
		t.Fatal(err)
	}
	most, stripes := 0, 0
	for range 200 {
		if err := w.WriteBatch(batch); err != nil {
			t.Fatal(err)
		}
		most = max(most, w.sizes.raw+w.sizes.encoded)
		if w.rows == 0 {
			stripes++
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if most > p.HighBytes || most < p.HighBytes/2 {
		t.Errorf("%d bytes were held, the policy's limit is %d", most, p.HighBytes)
	}
	// The values take ten times the limit.
	if raw := 200 * batch.N * (8 + 16); raw < 9*p.HighBytes || stripes > 4 {
		t.Errorf("%d bytes in %d stripes", raw, stripes+1)
	}
}

// TestWriterOfStoredKindsReportsFailingWrites fails at each write in turn.
func TestWriterOfStoredKindsReportsFailingWrites(t *testing.T) {
	schema := mustSchema(t, storedKinds)
	batch := flatBatch(schema, 700, 0)
	random := longText(300_000)
	schema.Names, schema.Children = append(schema.Names, "long"), append(schema.Children, &Type{Kind: Varbinary})
	long := vector.NewVec[vector.View](nil)
	for range batch.N {
		long.AppendNull()
	}
	if err := vector.Gather(long, random.Columns[0], make([]int32, batch.N)); err != nil {
		t.Fatal(err)
	}
	batch.Columns = append(batch.Columns, long)
	o := &WriterOptions{StripeRows: 200, Workers: 2, ChunkStats: true, GroupsByStream: true, CompressOverBytes: 1}
	write := func(out io.Writer) error {
		w, err := NewWriter(out, schema, o)
		if err != nil {
			return err
		}
		return errors.Join(w.WriteBatch(batch), w.Flush(), w.Close())
	}
	whole := &failingWriter{left: 1 << 30}
	if err := write(whole); err != nil || whole.writes < 5 {
		t.Fatal(whole.writes, err)
	}
	for n := range whole.writes {
		if err := write(&failingWriter{left: n}); !errors.Is(err, errFull) {
			t.Errorf("when write %d of %d fails: %v", n, whole.writes, err)
		}
	}
}
