package tablet

import (
	"strconv"
	"weak"

	"github.com/decantdb/decant/internal/flatbuf"
)

// A Range is a byte range of the file. A stream that is absent has length 0.
type Range struct{ Pos, Len uint64 }

// A Group knows where the streams of some consecutive stripes are. It may be
// used by several goroutines. Two layouts exist in files:
//
//	GroupFlat     { nstripes:u32 starts:[u32] lens:[u32] }
//	GroupByStream { nstripes:u32 nstreams:u32 starts:[Blob] lens:[Blob] }  "SGL1"
//	Blob          { bytes:[u8] }
//
// The flat one has an entry for each stream of the first stripe, then of the
// second, and so on; the other has an encoded array for each stream, with an
// entry for each stripe. Starts count from the stripe's start.
type Group struct {
	tablet   *Tablet
	index    int
	first    int      // stripe
	stripes  []Stripe // of the group
	nstreams int
	starts   []uint32 // stripe by stripe
	lens     []uint32
}

const byStreamIdentifier = "SGL1"

// Group returns the stripe group of the given number, which must be below
// len(Footer().Groups). While somebody holds on to a group, it is not read
// again; a file's only group is always kept.
func (t *Tablet) Group(index int) (*Group, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if g := t.groups[index].Value(); g != nil {
		return g, nil
	}
	e := t.footer.Groups[index]
	g, err := t.readGroup(index, e)
	if err != nil {
		return nil, at(groupPart(index), e.Pos, err)
	}
	t.groups[index] = weak.Make(g)
	if len(t.groups) == 1 {
		t.only = g
	}
	return g, nil
}

func (t *Tablet) readGroup(index int, e Extent) (*Group, error) {
	raw, err := t.readRequired(e)
	if err != nil {
		return nil, err
	}
	first, end := t.groupStart[index], t.groupStart[index+1]
	g := &Group{tablet: t, index: index, first: first, stripes: t.stripes[first:end]}
	r := flatbuf.NewReader(raw)
	if r.HasIdentifier(byStreamIdentifier) {
		err = g.parseByStream(r, t.opts)
	} else {
		err = g.parseFlat(r)
	}
	if err != nil {
		return nil, err
	}
	for i, n := range g.lens {
		pos := g.stripes[i/g.nstreams].Pos + uint64(g.starts[i])
		if n != 0 && pos+uint64(n) > t.dataEnd {
			return nil, corruptf("stream %d of stripe %d, %d bytes at %d, passes the end of the data at %d",
				i%g.nstreams, g.first+i/g.nstreams, n, pos, t.dataEnd)
		}
	}
	return g, nil
}

func (g *Group) parseFlat(r *flatbuf.Reader) error {
	root := r.Root()
	nstripes := flatbuf.Field[uint32](root, 0, 0)
	starts := flatbuf.Vector[uint32](root, 1)
	lens := flatbuf.Vector[uint32](root, 2)
	if r.Err() != nil {
		return corrupt(r.Err())
	}
	if int64(nstripes) != int64(len(g.stripes)) {
		return corruptf("%d stripes instead of %d", nstripes, len(g.stripes))
	}
	n := starts.Len()
	if lens.Len() != n || n%len(g.stripes) != 0 {
		return corruptf("%d starts and %d lengths for %d stripes", n, lens.Len(), nstripes)
	}
	g.nstreams = n / len(g.stripes)
	g.starts = starts.AppendTo(make([]uint32, 0, n))
	g.lens = lens.AppendTo(make([]uint32, 0, n))
	return nil
}

func (g *Group) parseByStream(r *flatbuf.Reader, opts Options) error {
	if opts.DecodeGroupArray == nil {
		return unsupportedf("stripe group stored stream by stream")
	}
	root := r.Root()
	nstripes := flatbuf.Field[uint32](root, 0, 0)
	nstreams := flatbuf.Field[uint32](root, 1, 0)
	starts := root.Refs(2)
	lens := root.Refs(3)
	if r.Err() != nil {
		return corrupt(r.Err())
	}
	n := len(g.stripes)
	if int64(nstripes) != int64(n) {
		return corruptf("%d stripes instead of %d", nstripes, n)
	}
	if int64(nstreams) != int64(starts.Len()) || starts.Len() != lens.Len() {
		return corruptf("%d starts and %d lengths for %d streams", starts.Len(), lens.Len(), nstreams)
	}
	const entryBytes = 8
	if int64(nstreams)*int64(n) > int64(opts.LimitBytes/entryBytes) {
		return unsupportedf("%d streams of %d stripes exceed the limit of %d bytes", nstreams, n, opts.LimitBytes)
	}
	g.nstreams = int(nstreams)
	g.starts = make([]uint32, g.nstreams*n)
	g.lens = make([]uint32, g.nstreams*n)
	column := make([]uint32, n)
	for id := range g.nstreams {
		for _, side := range []struct {
			dst  []uint32
			blob []byte
		}{{g.starts, starts.Table(id).Bytes(0)}, {g.lens, lens.Table(id).Bytes(0)}} {
			if r.Err() != nil {
				return corrupt(r.Err())
			}
			if err := opts.DecodeGroupArray(column, side.blob); err != nil {
				return corruptf("stream %d: %w", id, err)
			}
			for i, v := range column {
				side.dst[i*g.nstreams+id] = v
			}
		}
	}
	return nil
}

// Index returns the group's number.
func (g *Group) Index() int { return g.index }

// Stripes returns the numbers of the first stripe of the group and of the first
// after it.
func (g *Group) Stripes() (first, end int) { return g.first, g.first + len(g.stripes) }

// Streams returns how many stream ids the group knows; higher ones are absent.
func (g *Group) Streams() int { return g.nstreams }

// Stream returns where a stream is in a stripe of the group, whose number counts
// from the file's first. The range lies in the file.
func (g *Group) Stream(stripe int, id uint32) Range {
	if int64(id) >= int64(g.nstreams) {
		return Range{}
	}
	i := (stripe-g.first)*g.nstreams + int(id)
	if g.lens[i] == 0 {
		return Range{}
	}
	return Range{Pos: g.stripes[stripe-g.first].Pos + uint64(g.starts[i]), Len: uint64(g.lens[i])}
}

// AppendGroup appends the raw bytes of a group of nstripes stripes in the flat
// layout to dst. starts and lens have an entry for each stream of each stripe.
func AppendGroup(dst []byte, nstripes int, starts, lens []uint32) []byte {
	var b flatbuf.Builder
	startsRef := flatbuf.PutVector(&b, starts)
	lensRef := flatbuf.PutVector(&b, lens)
	root := b.Table(flatbuf.Number(uint32(nstripes)), flatbuf.Ref(startsRef), flatbuf.Ref(lensRef))
	return append(dst, b.Finish(root, "")...)
}

// AppendGroupByStream appends the raw bytes of the same group in the layout by
// stream. encode appends the encoded array of its numbers to dst.
func AppendGroupByStream(dst []byte, nstripes int, starts, lens []uint32,
	encode func(dst []byte, values []uint32) ([]byte, error),
) ([]byte, error) {
	nstreams := len(starts) / nstripes
	var b flatbuf.Builder
	column := make([]uint32, nstripes)
	var array []byte
	blob := func(from []uint32, id int) (flatbuf.Offset, error) {
		for i := range column {
			column[i] = from[i*nstreams+id]
		}
		var err error
		array, err = encode(array[:0], column)
		return b.Table(flatbuf.Ref(b.Bytes(array))), err
	}
	startRefs := make([]flatbuf.Offset, nstreams)
	lenRefs := make([]flatbuf.Offset, nstreams)
	for id := range nstreams {
		var err error
		if startRefs[id], err = blob(starts, id); err != nil {
			return dst, err
		}
		if lenRefs[id], err = blob(lens, id); err != nil {
			return dst, err
		}
	}
	startsRef := b.Refs(startRefs)
	lensRef := b.Refs(lenRefs)
	root := b.Table(flatbuf.Number(uint32(nstripes)), flatbuf.Number(uint32(nstreams)),
		flatbuf.Ref(startsRef), flatbuf.Ref(lensRef))
	return append(dst, b.Finish(root, byStreamIdentifier)...), nil
}

func groupPart(index int) string { return "stripe group " + strconv.Itoa(index) }
