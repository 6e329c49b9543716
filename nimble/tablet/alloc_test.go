package tablet_test

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/decantdb/decant/nimble/tablet"
)

// A warm scan - groups, plans, loading, chunks - allocates nothing.
func TestWarmScanDoesNotAllocate(t *testing.T) {
	file := mustOpen(t, writeStripes(t, tablet.WriterOptions{GroupBytes: 100}, 3, 1, 4, 9), 1)
	var groups []*tablet.Group
	for i := range file.Footer().Groups {
		g, err := file.Group(i)
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, g)
	}
	scanner := scanner{file: file, data: make([]byte, file.Size()), array: make([]byte, 1<<10)}

	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var before, after runtime.MemStats
	for range 3 {
		scanner.scan()
	}
	runtime.ReadMemStats(&before)
	for range 100 {
		scanner.scan()
	}
	runtime.ReadMemStats(&after)
	if n, size := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc; n != 0 || size != 0 {
		t.Errorf("%d allocations of %d bytes", n, size)
	}
	if scanner.err != nil || scanner.decoded != 103*4*(100+400+1) {
		t.Errorf("%d bytes decoded, error %v", scanner.decoded, scanner.err)
	}
	runtime.KeepAlive(groups)
}

// scanner decodes all chunks of a file into memory that it keeps.
type scanner struct {
	file        *tablet.Tablet
	plan        tablet.Plan
	data, array []byte
	decoded     int
	err         error
}

var scanIDs = []uint32{2, 1, 0}

func (s *scanner) scan() {
	for stripe, st := range s.file.Stripes() {
		g, err := s.file.Group(int(st.Group))
		if err != nil {
			s.err = err
			return
		}
		s.plan.Reset(g, stripe, scanIDs)
		if s.err = s.plan.Load(s.data[:s.plan.Size()]); s.err != nil {
			return
		}
		for i := range scanIDs {
			s.chunks(s.plan.Stream(i))
		}
	}
}

func (s *scanner) chunks(stream []byte) {
	for len(stream) > 0 && s.err == nil {
		var c tablet.Chunk
		if c, stream, s.err = tablet.CutChunk(stream); s.err == nil {
			s.err = c.Decode(s.array[:c.RawLen])
			s.decoded += c.RawLen
		}
	}
}

func BenchmarkScan(b *testing.B) {
	scanner := scanner{data: make([]byte, 1<<20), array: make([]byte, 1<<10)}
	scanner.file = mustOpen(b, writeStripes(b, tablet.WriterOptions{}, make([]uint32, 100)...), 1)
	b.ReportAllocs()
	for b.Loop() {
		scanner.scan()
	}
	b.SetBytes(int64(scanner.decoded / b.N))
}

func BenchmarkOpen(b *testing.B) {
	data := writeStripes(b, tablet.WriterOptions{}, make([]uint32, 100)...)
	b.ReportAllocs()
	for b.Loop() {
		mustOpen(b, data, 0)
	}
}
