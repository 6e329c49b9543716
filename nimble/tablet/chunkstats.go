package tablet

import (
	"sort"

	"github.com/decantdb/decant/internal/flatbuf"
)

// ChunkStats knows where the chunks of the streams of one stripe group begin and
// how many rows they hold:
//
//	ChunkRoot   { per_group:[Extent] }
//	GroupChunks { nstreams:u32 cum_chunks:[u32] cum_rows:[u32] chunk_pos:[u32] chunk_nulls:[u32] }
//
// cum_chunks has an entry for each stream of the first stripe, then of the
// second, and so on: the number of chunks up to and with that stream. The other
// vectors have an entry for each chunk. It may be used by several goroutines.
type ChunkStats struct {
	group     *Group
	cumChunks []uint32
	cumRows   []uint32
	pos       []uint32
	nulls     []uint32 // nil if not known
}

// ChunkStats returns the chunk statistics of g, nil if the file has none for it.
// Each call reads them anew.
func (t *Tablet) ChunkStats(g *Group) (*ChunkStats, error) {
	raw, ok, err := t.Section(SectionChunkStats)
	if !ok || err != nil {
		return nil, err
	}
	extents, err := ParseChunkRoot(raw)
	if err == nil && len(extents) != len(t.footer.Groups) {
		err = corruptf("%d entries for %d stripe groups", len(extents), len(t.footer.Groups))
	}
	if err != nil {
		root, _ := t.footer.section(SectionChunkStats)
		return nil, at(sectionPart(SectionChunkStats), root.Pos, err)
	}
	e := extents[g.index]
	if e.Len == 0 {
		return nil, nil
	}
	c := &ChunkStats{group: g}
	if raw, err = t.read(e, t.dataEnd); err == nil {
		err = c.parse(raw)
	}
	if err != nil {
		return nil, at("chunk statistics of "+groupPart(g.index), e.Pos, err)
	}
	return c, nil
}

// ParseChunkRoot parses the section columnar.chunk.stats: where the chunk
// statistics of each stripe group are. An extent of length 0 means none.
func ParseChunkRoot(raw []byte) ([]Extent, error) {
	r := flatbuf.NewReader(raw)
	extents := parseExtents(r.Root().Refs(0))
	return extents, corrupt(r.Err())
}

// AppendChunkRoot appends the raw bytes of the section columnar.chunk.stats to
// dst.
func AppendChunkRoot(dst []byte, extents []Extent) []byte {
	var b flatbuf.Builder
	perGroup := buildExtents(&b, extents)
	return append(dst, b.Finish(b.Table(flatbuf.Ref(perGroup)), "")...)
}

func (c *ChunkStats) parse(raw []byte) error {
	r := flatbuf.NewReader(raw)
	root := r.Root()
	nstreams := flatbuf.Field[uint32](root, 0, 0)
	cumChunks := flatbuf.Vector[uint32](root, 1)
	cumRows := flatbuf.Vector[uint32](root, 2)
	pos := flatbuf.Vector[uint32](root, 3)
	nulls := flatbuf.Vector[uint32](root, 4)
	if r.Err() != nil {
		return corrupt(r.Err())
	}
	if int64(nstreams) != int64(c.group.nstreams) || cumChunks.Len() != len(c.group.lens) {
		return corruptf("%d streams and %d entries for a group of %d and %d",
			nstreams, cumChunks.Len(), c.group.nstreams, len(c.group.lens))
	}
	n := cumRows.Len()
	if pos.Len() != n || nulls.Present() && nulls.Len() != n {
		return corruptf("%d row counts, %d positions, %d null counts", n, pos.Len(), nulls.Len())
	}
	c.cumChunks = cumChunks.AppendTo(make([]uint32, 0, cumChunks.Len()))
	c.cumRows = cumRows.AppendTo(make([]uint32, 0, n))
	c.pos = pos.AppendTo(make([]uint32, 0, n))
	if nulls.Present() {
		c.nulls = nulls.AppendTo(make([]uint32, 0, n))
	}
	return c.check()
}

// check tests that the totals ascend and that the chunks are in their streams.
func (c *ChunkStats) check() error {
	first := uint32(0)
	for i, end := range c.cumChunks {
		if end < first || uint64(end) > uint64(len(c.cumRows)) {
			return corruptf("chunks %d to %d of %d", first, end, len(c.cumRows))
		}
		for j := first; j < end; j++ {
			if j == first && c.pos[j] != 0 || j > first && (c.pos[j] <= c.pos[j-1] || c.cumRows[j] <= c.cumRows[j-1]) {
				return corruptf("chunk %d is not after chunk %d", j, int64(j)-1)
			}
			if c.pos[j] >= c.group.lens[i] {
				return corruptf("chunk %d begins at %d of a stream of %d bytes", j, c.pos[j], c.group.lens[i])
			}
		}
		first = end
	}
	if uint64(first) != uint64(len(c.cumRows)) {
		return corruptf("%d chunks instead of %d", len(c.cumRows), first)
	}
	return nil
}

// A ChunkStat is what the statistics know of a chunk.
type ChunkStat struct {
	// FirstRow is the number of rows in the chunks of the stream before it.
	FirstRow uint32
	Rows     uint32
	// Pos is where in the stream its header begins.
	Pos uint32
	// Nulls is its number of nulls, if NullsKnown.
	Nulls      uint32
	NullsKnown bool
}

// span returns the numbers of the first chunk of a stream and of the first after
// it.
func (c *ChunkStats) span(stripe int, id uint32) (first, end int) {
	if int64(id) >= int64(c.group.nstreams) {
		return 0, 0
	}
	i := (stripe-c.group.first)*c.group.nstreams + int(id)
	if i > 0 {
		first = int(c.cumChunks[i-1])
	}
	return first, int(c.cumChunks[i])
}

// Chunks returns how many chunks a stream has. The stripe is one of the group's
// and counts from the file's first.
func (c *ChunkStats) Chunks(stripe int, id uint32) int {
	first, end := c.span(stripe, id)
	return end - first
}

// Chunk returns chunk i, below Chunks, of a stream.
func (c *ChunkStats) Chunk(stripe int, id uint32, i int) ChunkStat {
	first, _ := c.span(stripe, id)
	j := first + i
	s := ChunkStat{Rows: c.cumRows[j], Pos: c.pos[j]}
	if i > 0 {
		s.FirstRow = c.cumRows[j-1]
		s.Rows -= s.FirstRow
	}
	if c.nulls != nil {
		s.Nulls, s.NullsKnown = c.nulls[j], true
	}
	return s
}

// Find returns which chunk of a stream holds a row of the stream, Chunks if none
// does.
func (c *ChunkStats) Find(stripe int, id uint32, row uint32) int {
	first, end := c.span(stripe, id)
	return sort.Search(end-first, func(i int) bool { return c.cumRows[first+i] > row })
}

// chunkTotals collects the statistics of one group for the Writer.
type chunkTotals struct {
	cumChunks, cumRows, pos, nulls []uint32
}

// add adds the chunks of one stream, none for an absent one.
func (c *chunkTotals) add(chunks []ChunkStat) {
	rows := uint32(0)
	for _, s := range chunks {
		rows += s.Rows
		c.cumRows = append(c.cumRows, rows)
		c.pos = append(c.pos, s.Pos)
		c.nulls = append(c.nulls, s.Nulls)
	}
	c.cumChunks = append(c.cumChunks, uint32(len(c.cumRows)))
}

// appendTo appends the raw bytes of a group's statistics to dst.
func (c *chunkTotals) appendTo(dst []byte, nstreams int) []byte {
	var b flatbuf.Builder
	root := b.Table(
		flatbuf.Number(uint32(nstreams)),
		flatbuf.Ref(flatbuf.PutVector(&b, c.cumChunks)),
		flatbuf.Ref(flatbuf.PutVector(&b, c.cumRows)),
		flatbuf.Ref(flatbuf.PutVector(&b, c.pos)),
		flatbuf.Ref(flatbuf.PutVector(&b, c.nulls)))
	return append(dst, b.Finish(root, "")...)
}
