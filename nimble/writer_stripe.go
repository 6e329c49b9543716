package nimble

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/decantdb/decant/nimble/tablet"
)

// flushSizes is what a flush policy decides by, in bytes.
type flushSizes struct {
	raw     int // of buffered values
	encoded int // of chunks
	was     int // of the values in chunks, when they were buffered
	ids     []uint32
}

// relieve encodes streams if the policy asks for it, and reports whether the
// stripe is full.
func (w *Writer) relieve() (full bool, err error) {
	s := &w.sizes
	s.raw = w.rawBytes()
	p := w.options.Flush
	if p == nil {
		return s.raw >= w.options.StripeBytes, nil
	}
	if !w.options.Unchunked && s.raw+s.encoded > p.HighBytes {
		if err := w.encodeSome(p.LowBytes); err != nil {
			return false, err
		}
	}
	factor := p.Factor
	if s.encoded > 0 {
		factor = float64(s.was) / float64(s.encoded)
	}
	return s.raw+s.encoded > p.HighBytes ||
		float64(s.encoded)+float64(s.raw)/max(factor, 1) >= float64(p.StripeBytes), nil
}

func (w *Writer) rawBytes() int {
	total := 0
	for _, s := range w.build.streams {
		total += s.rawBytes()
	}
	return total
}

// pressureStreams is how many streams are encoded before sizes are looked at
// again.
const pressureStreams = 1024

// encodeSome encodes streams until what the writer holds takes no more than
// lowBytes: first those that fill chunks, then the largest.
func (w *Writer) encodeSome(lowBytes int) error {
	s := &w.sizes
	l := limits{max: w.options.chunkBytes(len(w.build.streams)), min: w.options.MinChunkBytes, full: true}
	s.ids = s.ids[:0]
	for id, stream := range w.build.streams {
		if stream.rawBytes() >= l.max {
			s.ids = append(s.ids, uint32(id))
		}
	}
	for part := range slices.Chunk(s.ids, pressureStreams) {
		before := s.encoded
		if err := w.encodeStreams(part, l); err != nil {
			return err
		}
		if s.raw+s.encoded <= lowBytes || s.encoded == before {
			break
		}
	}
	if s.raw+s.encoded <= lowBytes {
		return nil
	}
	l.full = false
	s.ids = s.ids[:0]
	for id := range w.build.streams {
		s.ids = append(s.ids, uint32(id))
	}
	slices.SortStableFunc(s.ids, func(a, b uint32) int {
		return cmp.Compare(w.build.streams[b].rawBytes(), w.build.streams[a].rawBytes())
	})
	for part := range slices.Chunk(s.ids, pressureStreams) {
		before := s.encoded
		if err := w.encodeStreams(part, l); err != nil {
			return err
		}
		if s.raw+s.encoded <= lowBytes || s.encoded == before {
			break
		}
	}
	return nil
}

// writeStripe encodes and writes the buffered rows.
func (w *Writer) writeStripe() error {
	if w.rows == 0 {
		return nil
	}
	if err := w.encodeStripe(); err != nil {
		return err
	}
	if err := w.out.WriteStripe(uint32(w.rows), w.stored); err != nil {
		return err
	}
	w.endStripe()
	return nil
}

// encodeStripe encodes the buffered rows and lists the streams to be stored.
func (w *Writer) encodeStripe() error {
	w.layOut()
	if err := w.encodeStreams(w.order, limits{max: w.options.chunkBytes(len(w.build.streams))}); err != nil {
		return err
	}
	for _, f := range w.build.flatMaps {
		f.settle()
	}
	w.stored = w.stored[:0]
	for _, id := range w.order {
		c := w.build.streams[id].chunks()
		if len(c.out) > 0 {
			w.stored = append(w.stored, tablet.Stream{ID: id, Data: c.out, Chunks: c.list})
			c.physical += uint64(len(c.out))
		}
	}
	return nil
}

// endStripe forgets the rows of the stripe, which is written.
func (w *Writer) endStripe() {
	clear(w.stored)
	for _, s := range w.build.streams {
		s.reset()
	}
	for _, f := range w.build.flatMaps {
		f.endStripe()
	}
	for _, f := range w.build.runs {
		f.endStripe()
	}
	w.written += uint64(w.rows)
	w.rows = 0
	w.sizes = flushSizes{ids: w.sizes.ids}
}

// layOut orders the streams of a stripe: the root's nulls, then the keys of flat
// maps that come first by the options, then as the schema has them.
func (w *Writer) layOut() {
	if len(w.order) == len(w.build.streams) {
		return
	}
	w.order = append(w.order[:0], w.root.stream)
	placed := make([]bool, len(w.build.streams))
	placed[w.root.stream] = true
	place := func(ids []uint32) {
		for _, id := range ids {
			if !placed[id] {
				placed[id] = true
				w.order = append(w.order, id)
			}
		}
	}
	var ids []uint32
	for i, n := range w.root.children {
		order := w.options.FlatMaps[w.root.typ.Names[i]].Order
		if len(order) == 0 {
			continue
		}
		place([]uint32{n.stream})
		for _, label := range order {
			if k := n.key(label); k != nil {
				place(appendStreamIDs(append(ids[:0], k.inMap), k.value))
			}
		}
	}
	place(appendStreamIDs(ids[:0], w.root))
}

// appendStreamIDs appends the streams of n and of what is below to dst.
func appendStreamIDs(dst []uint32, n *node) []uint32 {
	dst = append(dst, n.stream)
	switch n.typ.Kind {
	case Timestamp, DedupArray, SlidingWindowMap:
		dst = append(dst, n.second)
	}
	for _, c := range n.children {
		dst = appendStreamIDs(dst, c)
	}
	for _, k := range n.keys {
		dst = appendStreamIDs(append(dst, k.inMap), k.value)
	}
	return dst
}

// encodeStreams encodes the given streams, each by one of the encoders, and
// counts what becomes of them.
func (w *Writer) encodeStreams(ids []uint32, l limits) error {
	before, encoded := 0, 0
	for _, id := range ids {
		before += w.build.streams[id].rawBytes()
		encoded -= len(w.build.streams[id].chunks().out)
	}
	if err := w.encodeAll(ids, l); err != nil {
		return err
	}
	after := 0
	for _, id := range ids {
		after += w.build.streams[id].rawBytes()
		encoded += len(w.build.streams[id].chunks().out)
	}
	w.sizes.raw -= before - after
	w.sizes.was += before - after
	w.sizes.encoded += encoded
	return nil
}

func (w *Writer) encodeAll(ids []uint32, l limits) error {
	if len(w.encoders) == 1 {
		for _, id := range ids {
			if err := w.build.streams[id].encode(&w.encoders[0], l); err != nil {
				return fmt.Errorf("stream %d: %w", id, err)
			}
		}
		return nil
	}
	w.errs = append(w.errs[:0], make([]error, len(ids))...)
	var next atomic.Int64
	var workers sync.WaitGroup
	for i := range w.encoders {
		workers.Go(func() {
			for {
				at := int(next.Add(1)) - 1
				if at >= len(ids) {
					return
				}
				w.errs[at] = w.build.streams[ids[at]].encode(&w.encoders[i], l)
			}
		})
	}
	workers.Wait()
	for i, err := range w.errs {
		if err != nil {
			return fmt.Errorf("stream %d: %w", ids[i], err)
		}
	}
	return nil
}
