package flatbuf_test

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/decantdb/decant/internal/flatbuf"
)

// measure runs f 100 times and returns the allocations and bytes it took.
func measure(f func()) (mallocs, allocBytes uint64) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var before, after runtime.MemStats
	f()
	runtime.ReadMemStats(&before)
	for range 100 {
		f()
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}

func TestReadingDoesNotAllocate(t *testing.T) {
	var b flatbuf.Builder
	want := record{Name: "name", Nums: []uint64{1, 2}, Names: []string{"a", "b"}, Kids: []uint32{1, 2}}
	buf := want.ours(&b)
	var r flatbuf.Reader
	sum := 0
	mallocs, allocBytes := measure(func() {
		r.Reset(buf)
		root := r.Root()
		sum += len(root.Bytes(5)) + int(flatbuf.Field[uint32](root, 2, 0))
		nums := flatbuf.Vector[uint64](root, 7)
		for i := range nums.Len() {
			sum += int(nums.At(i))
		}
		names, kids := root.Refs(8), root.Refs(9)
		for i := range names.Len() {
			sum += len(names.Bytes(i)) + int(flatbuf.Field[uint32](kids.Table(i), 0, 0))
		}
	})
	if mallocs != 0 || allocBytes != 0 {
		t.Errorf("%d allocations of %d bytes", mallocs, allocBytes)
	}
	if r.Err() != nil || sum == 0 {
		t.Errorf("sum %d, error %v", sum, r.Err())
	}
}

func TestRebuildingDoesNotAllocate(t *testing.T) {
	var b flatbuf.Builder
	nums := []uint32{1, 2, 3}
	refs := make([]flatbuf.Offset, 2)
	mallocs, allocBytes := measure(func() {
		b.Reset()
		v := flatbuf.PutVector(&b, nums)
		refs[0] = b.Table(flatbuf.Number[uint32](7), flatbuf.Ref(v))
		refs[1] = b.Table(flatbuf.Ref(b.String("name")), flatbuf.Ref(v))
		b.Finish(b.Table(flatbuf.Ref(b.Refs(refs))), "")
	})
	if mallocs != 0 || allocBytes != 0 {
		t.Errorf("%d allocations of %d bytes", mallocs, allocBytes)
	}
}

func BenchmarkTable(b *testing.B) {
	var fb flatbuf.Builder
	b.ReportAllocs()
	for b.Loop() {
		fb.Reset()
		for i := range uint32(1000) {
			fb.Table(flatbuf.Number[uint8](1), flatbuf.Number(i), flatbuf.Number(uint64(i)))
		}
	}
}
