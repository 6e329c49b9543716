package nimble

import (
	"fmt"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// chunkVerifier compares the statistics of chunks with the chunks.
type chunkVerifier struct {
	file     *File
	session  *Session
	presence map[uint32]bool // streams of bools in which false means null
	plan     tablet.Plan
	data     pool.Buf[byte]
	raw      pool.Buf[byte] // of a compressed chunk
	bits     [blockRows / 64]uint64
}

// blockRows is how many bools are counted at a time.
const blockRows = 4096

func newChunkVerifier(f *File, s *Session) *chunkVerifier {
	v := &chunkVerifier{file: f, session: s, presence: map[uint32]bool{}}
	var visit func(n *node)
	visit = func(n *node) {
		if n.typ.Kind == Row || n.typ.Kind == FlatMap {
			v.presence[n.stream] = true
		}
		for _, c := range n.children {
			visit(c)
		}
		for _, k := range n.keys {
			visit(k.value)
		}
	}
	visit(f.root)
	return v
}

func (v *chunkVerifier) close() {
	pool.Put(v.session.Pool(), &v.data)
	pool.Put(v.session.Pool(), &v.raw)
}

// stripe compares the statistics of a stripe's chunks. What keeps chunks from being
// read is not their error.
func (v *chunkVerifier) stripe(stripe int) error {
	t := v.file.tablet
	g, err := t.Group(int(t.Stripes()[stripe].Group))
	if err != nil {
		return nil
	}
	stats, err := t.ChunkStats(g)
	if stats == nil || err != nil {
		return nil // which is noted where the statistics are read
	}
	for id := range uint32(g.Streams()) {
		if err := v.stream(stats, g, stripe, id); err != nil {
			return fmt.Errorf("nimble: chunk statistics of stripe %d stream %d: %w", stripe, id, err)
		}
	}
	return nil
}

func (v *chunkVerifier) stream(stats *tablet.ChunkStats, g *tablet.Group, stripe int, id uint32) error {
	v.plan.Reset(g, stripe, []uint32{id})
	refit(v.session.Pool(), &v.data, int(v.plan.Size()))
	if err := v.plan.Load(v.data.S); err != nil {
		return nil
	}
	data := v.plan.Stream(0)
	n := stats.Chunks(stripe, id)
	for i, rest := 0, data; len(rest) > 0; i++ {
		chunk, after, err := tablet.CutChunk(rest)
		if err != nil {
			return nil
		}
		if i >= n {
			return fmt.Errorf("%w: they know %d chunks only", ErrCorrupt, n)
		}
		said := stats.Chunk(stripe, id, i)
		if pos := len(data) - len(rest); int(said.Pos) != pos {
			return fmt.Errorf("%w: chunk %d begins at %d, not at %d", ErrCorrupt, i, pos, said.Pos)
		}
		rows, nulls, err := v.count(chunk, id, said.Rows, v.file.ChunkLimit(stripe, len(data)))
		if err != nil {
			return nil
		}
		if rows != int(said.Rows) || said.NullsKnown && nulls != int(said.Nulls) {
			return fmt.Errorf("%w: chunk %d has %d rows, %d of them null, not %d and %d", ErrCorrupt, i, rows, nulls, said.Rows, said.Nulls)
		}
		if rest = after; len(rest) == 0 && i+1 < n {
			return fmt.Errorf("%w: they know %d chunks of %d", ErrCorrupt, n, i+1)
		}
	}
	return nil
}

// count counts the rows of a chunk of a stream and, if there are as many as said, the
// nulls.
func (v *chunkVerifier) count(c tablet.Chunk, id uint32, said uint32, limitBytes int) (rows, nulls int, err error) {
	array := c.Payload
	if c.Codec != tablet.Raw {
		if err := tablet.CheckLimit(c.RawLen, limitBytes); err != nil {
			return 0, 0, err
		}
		refit(v.session.Pool(), &v.raw, c.RawLen)
		if err := c.Decode(v.raw.S); err != nil {
			return 0, 0, err
		}
		array = v.raw.S
	}
	o := encoding.Options{VarintRowCount: v.file.varint}
	tree, err := encoding.Describe(array, o)
	switch {
	case err != nil:
		return 0, 0, err
	case tree.Rows != int(said):
	case tree.Kind == encoding.KindNullable && len(tree.Children) > 0:
		nulls = tree.Rows - tree.Children[0].Rows
	case v.presence[id] && tree.DataType == encoding.Bool:
		nulls, err = v.countFalse(array, o)
	}
	return tree.Rows, nulls, err
}

// countFalse counts the bools of an array that are false.
func (v *chunkVerifier) countFalse(array []byte, o encoding.Options) (n int, err error) {
	d, err := encoding.OpenBool(v.session, array, o)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	for left := d.Rows(); left > 0 && err == nil; left -= blockRows {
		rows := min(left, blockRows)
		err = d.ReadBits(v.bits[:], 0, rows)
		n += rows - vector.CountBits(v.bits[:], 0, rows)
	}
	return n, err
}
