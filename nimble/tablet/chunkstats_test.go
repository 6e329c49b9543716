package tablet

import (
	"errors"
	"testing"

	"github.com/decantdb/decant/internal/flatbuf"
)

// chunkSection returns the statistics of a group of two streams, of three chunks and
// of one; null counts are left out if there are none.
func chunkSection(nulls ...uint32) []byte {
	var b flatbuf.Builder
	fields := []flatbuf.Value{
		flatbuf.Number(uint32(2)),
		flatbuf.Ref(flatbuf.PutVector(&b, []uint32{3, 4})),
		flatbuf.Ref(flatbuf.PutVector(&b, []uint32{10, 25, 30, 30})),
		flatbuf.Ref(flatbuf.PutVector(&b, []uint32{0, 40, 70, 0})),
	}
	if nulls != nil {
		fields = append(fields, flatbuf.Ref(flatbuf.PutVector(&b, nulls)))
	}
	return b.Finish(b.Table(fields...), "")
}

// Files from before 27 July 2026 do not count the nulls of chunks.
func TestChunkStatsWithoutNulls(t *testing.T) {
	group := &Group{nstreams: 2, lens: []uint32{100, 50}}
	for _, nulls := range [][]uint32{nil, {1, 15, 0, 7}} {
		c := &ChunkStats{group: group}
		if err := c.parse(chunkSection(nulls...)); err != nil {
			t.Fatal(err)
		}
		if n := c.Chunks(0, 0); n != 3 || c.Chunks(0, 1) != 1 {
			t.Fatalf("%d and %d chunks", n, c.Chunks(0, 1))
		}
		want := ChunkStat{FirstRow: 10, Rows: 15, Pos: 40}
		if nulls != nil {
			want.Nulls, want.NullsKnown = 15, true
		}
		if got := c.Chunk(0, 0, 1); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		if i := c.Find(0, 0, 24); i != 1 {
			t.Errorf("row 24 is in chunk %d", i)
		}
	}
	if err := (&ChunkStats{group: group}).parse(chunkSection(1, 2, 3)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("three null counts of four chunks: %v", err)
	}
}
