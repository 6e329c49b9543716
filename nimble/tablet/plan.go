package tablet

import (
	"cmp"
	"io"
	"slices"
)

// coalesceGapBytes is the largest gap between two streams that is read along
// with them rather than split the read in two.
const coalesceGapBytes = 32 << 10

// A Plan reads streams of one stripe with few reads: ranges that touch, overlap
// or nearly touch become one read. The zero Plan is ready, and a Plan that is
// used again allocates nothing once it has seen its largest stripe. A Plan
// belongs to one goroutine.
type Plan struct {
	tablet *Tablet
	wants  []want
	order  []int // of wants, by position
	reads  []Range
	size   uint64
	data   []byte
}

// want is one requested stream, at place in the loaded bytes.
type want struct {
	Range
	place uint64
}

// Reset plans to read the streams of the given ids from a stripe of g.
func (p *Plan) Reset(g *Group, stripe int, ids []uint32) {
	p.tablet, p.data, p.size = g.tablet, nil, 0
	p.wants, p.order, p.reads = p.wants[:0], p.order[:0], p.reads[:0]
	for i, id := range ids {
		r := g.Stream(stripe, id)
		p.wants = append(p.wants, want{Range: r})
		if r.Len != 0 {
			p.order = append(p.order, i)
		}
	}
	slices.SortFunc(p.order, func(a, b int) int { return cmp.Compare(p.wants[a].Pos, p.wants[b].Pos) })
	for _, i := range p.order {
		p.add(&p.wants[i])
	}
}

// add plans the read of w, which begins no earlier than those before it.
func (p *Plan) add(w *want) {
	end := w.Pos + w.Len
	if n := len(p.reads); n > 0 {
		last := &p.reads[n-1]
		if lastEnd := last.Pos + last.Len; w.Pos <= lastEnd+coalesceGapBytes {
			w.place = p.size - (lastEnd - w.Pos)
			if end > lastEnd {
				last.Len += end - lastEnd
				p.size += end - lastEnd
			}
			return
		}
	}
	w.place = p.size
	p.reads = append(p.reads, w.Range)
	p.size += w.Len
}

// Size returns how many bytes [Plan.Load] reads, gaps included.
func (p *Plan) Size() uint64 { return p.size }

// Reads returns the planned reads in ascending order, valid until Reset.
func (p *Plan) Reads() []Range { return p.reads }

// Load reads the streams into dst, whose length must be Size. The plan borrows
// dst until Reset.
func (p *Plan) Load(dst []byte) error {
	if uint64(len(dst)) != p.size {
		return io.ErrShortBuffer
	}
	place := uint64(0)
	for _, r := range p.reads {
		piece := dst[place : place+r.Len]
		if b, ok := p.tablet.inTail(r.Pos, r.Len); ok {
			copy(piece, b)
		} else if err := readFull(p.tablet.file, piece, r.Pos); err != nil {
			return at("stripe data", r.Pos, err)
		}
		place += r.Len
	}
	p.data = dst
	return nil
}

// Stream returns the bytes of the i-th requested stream, nil if it is absent.
// They are part of the memory given to [Plan.Load], which must have succeeded.
func (p *Plan) Stream(i int) []byte {
	w := p.wants[i]
	if w.Len == 0 {
		return nil
	}
	end := w.place + w.Len
	return p.data[w.place:end:end]
}

// Range returns where in the file the i-th requested stream is.
func (p *Plan) Range(i int) Range { return p.wants[i].Range }
