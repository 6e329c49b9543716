package tablet

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/zeebo/xxh3"
)

// pendingGroup is the stripe group to be written next.
type pendingGroup struct {
	stripes  []pendingStripe
	nstreams int
	chunks   int
}

// pendingStripe has the streams of a stripe by id, as far as they go.
type pendingStripe struct {
	starts, lens []uint32
	chunks       [][]ChunkStat // nil without chunk statistics
}

// WriteStripe writes a stripe of rows with its streams in the given order. Ids
// are unique within a stripe. The streams are borrowed during the call only. A
// stripe is less than 4 GiB.
func (w *Writer) WriteStripe(rows uint32, streams []Stream) error {
	if err := w.usable(); err != nil {
		return err
	}
	w.err = w.writeStripe(rows, streams)
	return w.err
}

func (w *Writer) writeStripe(rows uint32, streams []Stream) error {
	stripe, err := w.newStripe(streams)
	if err != nil {
		return err
	}
	s := Stripe{FirstRow: w.rows, Pos: w.pos, Rows: rows, Group: uint32(len(w.groups))}
	clear(w.dedup)
	for i, stream := range streams {
		if len(stream.Data) == 0 {
			continue
		}
		first, ok := w.duplicate(streams, i)
		if ok {
			stripe.starts[stream.ID] = stripe.starts[streams[first].ID]
			w.equal++
			w.equalBytes += int64(len(stream.Data))
		} else {
			start := w.pos - s.Pos
			if start+uint64(len(stream.Data)) > math.MaxUint32 {
				return unsupportedf("stripe of more than %d bytes", uint32(math.MaxUint32))
			}
			stripe.starts[stream.ID] = uint32(start)
			if err := w.write(stream.Data); err != nil {
				return err
			}
		}
		stripe.lens[stream.ID] = uint32(len(stream.Data))
		if stripe.chunks != nil {
			stripe.chunks[stream.ID] = slices.Clone(stream.Chunks)
			w.group.chunks += len(stream.Chunks)
		}
	}
	s.Len = uint32(w.pos - s.Pos)
	w.stripes = append(w.stripes, s)
	w.rows += uint64(rows)
	return w.addToGroup(stripe)
}

// newStripe checks the streams and makes room for their places.
func (w *Writer) newStripe(streams []Stream) (pendingStripe, error) {
	n := 0
	for _, s := range streams {
		if s.ID == math.MaxUint32 {
			return pendingStripe{}, fmt.Errorf("tablet: stream id %d is reserved", s.ID)
		}
		if len(s.Data) != 0 {
			n = max(n, int(s.ID)+1)
		}
	}
	stripe := pendingStripe{starts: make([]uint32, n), lens: make([]uint32, n)}
	if w.opts.ChunkStats {
		stripe.chunks = make([][]ChunkStat, n)
	}
	for _, s := range streams {
		if len(s.Data) == 0 {
			continue
		}
		if stripe.lens[s.ID] != 0 {
			return pendingStripe{}, fmt.Errorf("tablet: stream id %d occurs twice", s.ID)
		}
		stripe.lens[s.ID] = 1
	}
	return stripe, nil
}

// duplicate returns an earlier stream with the bytes of stream i, if there is one
// and streams are deduplicated.
func (w *Writer) duplicate(streams []Stream, i int) (int, bool) {
	if !w.opts.DedupStreams {
		return 0, false
	}
	sum := xxh3.Hash(streams[i].Data)
	if first, ok := w.dedup[sum]; ok {
		return first, bytes.Equal(streams[first].Data, streams[i].Data)
	}
	w.dedup[sum] = i
	return 0, false
}

// addToGroup adds a written stripe to its group, and writes the group when it is
// full.
func (w *Writer) addToGroup(stripe pendingStripe) error {
	g := &w.group
	g.stripes = append(g.stripes, stripe)
	g.nstreams = max(g.nstreams, len(stripe.lens))
	const headBytes, entryBytes = 4, 13 // the reference's estimate
	if headBytes+entryBytes*uint64(len(g.stripes))*uint64(len(stripe.lens)) < uint64(w.opts.GroupBytes) {
		return nil
	}
	return w.writeGroup()
}

// writeGroup writes the pending group, if it has any stripe.
func (w *Writer) writeGroup() error {
	g := &w.group
	if len(g.stripes) == 0 {
		return nil
	}
	n := len(g.stripes) * g.nstreams
	starts := make([]uint32, n)
	lens := make([]uint32, n)
	for i, s := range g.stripes {
		copy(starts[i*g.nstreams:], s.starts)
		copy(lens[i*g.nstreams:], s.lens)
	}
	raw, err := w.groupBytes(starts, lens)
	if err != nil {
		return err
	}
	e, err := w.writeSection(raw)
	if err != nil {
		return err
	}
	w.groups = append(w.groups, e)
	if w.opts.ChunkStats {
		if err := w.writeGroupChunks(); err != nil {
			return err
		}
	}
	*g = pendingGroup{stripes: g.stripes[:0]}
	return nil
}

func (w *Writer) groupBytes(starts, lens []uint32) ([]byte, error) {
	nstripes := len(w.group.stripes)
	if w.opts.EncodeGroupArray != nil {
		return AppendGroupByStream(nil, nstripes, starts, lens, w.opts.EncodeGroupArray)
	}
	return AppendGroup(nil, nstripes, starts, lens), nil
}

// writeGroupChunks writes the chunk statistics of the pending group, or notes
// that it has none.
func (w *Writer) writeGroupChunks() error {
	g := &w.group
	if g.nstreams == 0 || float64(g.chunks)/float64(g.nstreams) < w.opts.MinAverageChunks {
		w.chunkGroups = append(w.chunkGroups, Extent{})
		return nil
	}
	var totals chunkTotals
	for _, s := range g.stripes {
		for id := range g.nstreams {
			if id < len(s.chunks) {
				totals.add(s.chunks[id])
			} else {
				totals.add(nil)
			}
		}
	}
	e, err := w.writeSection(totals.appendTo(nil, g.nstreams))
	w.chunkGroups = append(w.chunkGroups, e)
	return err
}
