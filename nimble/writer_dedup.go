package nimble

import (
	"fmt"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// lastSpan is the last list or map of a stripe that was not null: a span of the
// vectors that are being written or, of an earlier batch, of copies.
type lastSpan struct {
	known      bool
	begin, end int
	now        []vector.Vector // elements, or keys and values
	kept       []vector.Vector
}

// lastSpan returns the state of lists or maps of types.
func (b *fieldBuilder) lastSpan(types ...*Type) (s lastSpan) {
	for _, t := range types {
		v, err := newVector(nil, t)
		if err != nil {
			b.err = err
		}
		s.kept = append(s.kept, v)
	}
	s.now = append(s.now, s.kept...)
	return s
}

// is reports whether the last one is that of other vectors, and makes that the
// last.
func (s *lastSpan) is(vectors []vector.Vector, begin, end int) bool {
	same := s.known && s.end-s.begin == end-begin
	for i := 0; same && i < len(vectors); i++ {
		same = vector.Equal(s.now[i], s.begin, vectors[i], begin, end-begin)
	}
	s.known, s.begin, s.end = true, begin, end
	copy(s.now, vectors)
	return same
}

// keep copies the last one, whose vectors are about to change.
func (s *lastSpan) keep() error {
	if !s.known {
		return nil
	}
	for i, v := range s.now {
		if v == s.kept[i] {
			continue
		}
		s.kept[i].Reset()
		if err := vector.Extend(s.kept[i], v, s.begin, s.end); err != nil {
			return err
		}
		s.now[i] = s.kept[i]
	}
	s.begin, s.end = 0, s.kept[0].Len()
	return nil
}

// dedupField writes arrays of which equal neighbours are stored once: each row
// has the number of its run, and each run its length and elements.
type dedupField struct {
	node     *node
	runs     numbers[uint32, uint32]
	lengths  numbers[uint32, uint32]
	elem     fieldWriter
	last     lastSpan
	next     uint32 // run of the stripe
	vectors  [1]vector.Vector
	rows     []int32
	elements []int32
}

func newDedupField(b *fieldBuilder, n *node) *dedupField {
	f := &dedupField{node: n, last: b.lastSpan(n.typ.Children[0])}
	f.runs.typ, f.lengths.typ = encoding.Uint32, encoding.Uint32
	b.add(&f.runs)
	b.add(&f.lengths)
	f.elem = b.field(n.children[0])
	b.runs = append(b.runs, f)
	return f
}

func (f *dedupField) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.List)
	f.runs.presence.add(vec.Valid, rows)
	rows = rows.present(vec.Valid, &f.rows)
	f.vectors[0] = vec.Elem
	f.elements = f.elements[:0]
	runs := len(f.lengths.list)
	for i := range rows.len() {
		row := rows.at(i)
		begin, end := vec.Offsets[row], vec.Offsets[row+1]
		if !f.last.is(f.vectors[:], int(begin), int(end)) {
			f.next++
			f.lengths.list = append(f.lengths.list, end-begin)
			f.elements = appendRange(f.elements, begin, end)
		}
		f.runs.list = append(f.runs.list, f.next-1)
	}
	f.lengths.presence.add(nil, selection{end: len(f.lengths.list) - runs})
	if err := f.elem.write(vec.Elem, selection{list: f.elements, listed: true}); err != nil {
		return fmt.Errorf("elements: %w", err)
	}
	return f.last.keep()
}

func appendRange(dst []int32, begin, end uint32) []int32 {
	for e := begin; e < end; e++ {
		dst = append(dst, int32(e))
	}
	return dst
}

func (f *dedupField) anchored() bool { return f.runs.chunked.done > 0 }

func (f *dedupField) endStripe() { f.last.known, f.next = false, 0 }

func (f *dedupField) stats(all []ColumnStats) {
	all[f.node.index].PhysicalBytes += f.runs.physical + f.lengths.physical
	f.elem.stats(all)
}

// windowField writes maps of which equal neighbours are stored once: each row has
// a length and the place of its first pair among those of the stripe. Maps are
// equal if their pairs are, in the same order.
type windowField struct {
	node    *node
	places  numbers[uint32, uint32]
	lengths numbers[uint32, uint32]
	fields  []fieldWriter // keys, values
	last    lastSpan
	pairs   uint32 // of the stripe
	vectors [2]vector.Vector
	rows    []int32
	stored  []int32
}

func newWindowField(b *fieldBuilder, n *node) *windowField {
	f := &windowField{node: n, last: b.lastSpan(n.typ.Children...)}
	f.places.typ, f.lengths.typ = encoding.Uint32, encoding.Uint32
	b.add(&f.places)
	b.add(&f.lengths)
	f.fields = []fieldWriter{b.field(n.children[0]), b.field(n.children[1])}
	b.runs = append(b.runs, f)
	return f
}

func (f *windowField) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Map)
	f.places.presence.add(vec.Valid, rows)
	rows = rows.present(vec.Valid, &f.rows)
	f.lengths.presence.add(nil, selection{end: rows.len()})
	f.vectors = [...]vector.Vector{vec.Keys, vec.Values}
	f.stored = f.stored[:0]
	for i := range rows.len() {
		row := rows.at(i)
		begin, end := vec.Offsets[row], vec.Offsets[row+1]
		if !f.last.is(f.vectors[:], int(begin), int(end)) {
			f.pairs += end - begin
			f.stored = appendRange(f.stored, begin, end)
		}
		f.places.list = append(f.places.list, f.pairs-(end-begin))
		f.lengths.list = append(f.lengths.list, end-begin)
	}
	if err := writePairs(f.fields, vec, selection{list: f.stored, listed: true}); err != nil {
		return err
	}
	return f.last.keep()
}

func (f *windowField) anchored() bool { return f.places.chunked.done > 0 }

func (f *windowField) endStripe() { f.last.known, f.pairs = false, 0 }

func (f *windowField) stats(all []ColumnStats) {
	all[f.node.index].PhysicalBytes += f.places.physical + f.lengths.physical
	for _, c := range f.fields {
		c.stats(all)
	}
}
