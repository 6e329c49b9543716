//go:build !race

// The race detector makes sync.Pool, which the zstd decoder uses, forget.

package encoding

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// allocRounds is the number of warm rounds in which nothing may be allocated.
const allocRounds = 100

// TestAllocations opens, reads, skips, rewinds and closes a rotation of arrays
// of all encodings and types, and then again without an allocation.
func TestAllocations(t *testing.T) {
	set := loadGolden(t, golden.Dirs(t, "nimble/encodings")[0])
	w := newAllocWorker()
	var cases []*goldenCase
	kinds := map[string]bool{}
	for _, c := range set.cases {
		if !c.refused() {
			cases = append(cases, c)
			kinds[c.Encoding] = true
		}
	}
	options := make([]Options, len(cases))
	for i, c := range cases {
		options[i] = c.options()
		options[i].Strings = &w.strings
	}
	round := func() {
		for i, c := range cases {
			if err := w.use(c, options[i]); err != nil {
				t.Fatalf("%s: %v", c.File, err)
			}
		}
	}
	if m := warmAllocs(round, allocRounds); m != (allocs{}) {
		t.Errorf("%d rounds over %d arrays: %d allocations of %d bytes", allocRounds, len(cases), m.count, m.bytes)
	}
	t.Logf("%d arrays of %d encodings", len(cases), len(kinds))
}

type allocs struct{ count, bytes uint64 }

// warmAllocs returns what rounds of f allocate after two that warm up.
func warmAllocs(f func(), rounds int) allocs {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	// What was used before is collected and its finalizers have run.
	runtime.GC()
	time.Sleep(20 * time.Millisecond)
	var before, after runtime.MemStats
	f()
	f()
	runtime.ReadMemStats(&before)
	for range rounds {
		f()
	}
	runtime.ReadMemStats(&after)
	return allocs{after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc}
}

// allocWorker has a session and the outputs that its user owns.
type allocWorker struct {
	session *Session
	strings vector.Buffers
	u8      allocOutput[uint8]
	u16     allocOutput[uint16]
	u32     allocOutput[uint32]
	u64     allocOutput[uint64]
	views   allocOutput[vector.View]
	valid   []uint64
	bits    []uint64
	sel     []int32
}

type allocOutput[T Physical] struct {
	values []T
	vec    *vector.Vec[T]
}

const allocMostRows = 1 << 15

func newAllocWorker() *allocWorker {
	p := pool.New(pool.Options{})
	w := &allocWorker{
		session: NewSession(p),
		u8:      newAllocOutput[uint8](p), u16: newAllocOutput[uint16](p), u32: newAllocOutput[uint32](p),
		u64: newAllocOutput[uint64](p), views: newAllocOutput[vector.View](p),
		valid: make([]uint64, allocMostRows/64), bits: make([]uint64, allocMostRows/64),
	}
	for i := range int32(allocMostRows) {
		if i%5 == 0 {
			w.sel = append(w.sel, i)
		}
	}
	return w
}

func newAllocOutput[T Physical](p *pool.Pool) allocOutput[T] {
	return allocOutput[T]{make([]T, allocMostRows), vector.NewVec[T](p)}
}

func (w *allocWorker) use(c *goldenCase, o Options) error {
	switch c.DataType {
	case "bool":
		return w.useBools(c, o)
	case "string":
		return useValues(w, &w.views, c, o)
	case "int8", "uint8":
		return useValues(w, &w.u8, c, o)
	case "int16", "uint16":
		return useValues(w, &w.u16, c, o)
	case "int32", "uint32", "float":
		return useValues(w, &w.u32, c, o)
	default:
		return useValues(w, &w.u64, c, o)
	}
}

func useValues[T Physical](w *allocWorker, out *allocOutput[T], c *goldenCase, o Options) error {
	d, err := Open[T](w.session, c.data, o)
	if err != nil {
		return err
	}
	defer d.Close()
	rows := d.Rows()
	if err := d.Read(out.values[:rows]); err != nil {
		return err
	}
	d.Rewind()
	if err := d.Skip(rows / 3); err != nil {
		return err
	}
	if _, err := ReadNulls(d, out.values[:rows-rows/3], w.valid, 0); err != nil {
		return err
	}
	d.Rewind()
	if err := d.ReadVec(out.vec, rows/2); err != nil {
		return err
	}
	rest := rows - rows/2
	return ReadSel(d, out.values[:(rest+4)/5], rest, w.sel[:(rest+4)/5])
}

func (w *allocWorker) useBools(c *goldenCase, o Options) error {
	d, err := OpenBool(w.session, c.data, o)
	if err != nil {
		return err
	}
	defer d.Close()
	rows := d.Rows()
	if err := d.ReadBits(w.bits, 0, rows); err != nil {
		return err
	}
	d.Rewind()
	if err := d.Skip(rows / 3); err != nil {
		return err
	}
	_, err = ReadBoolNulls(d, w.bits, w.valid, 0, rows-rows/3)
	return err
}
