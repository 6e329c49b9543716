package rowbatch

import (
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// twoStreamWriter returns the writer of n, whose rows have two streams of their
// own. Layouts are for other kinds only.
func (s *Serializer) twoStreamWriter(n *nimble.StreamNode, own outlet) (writer, error) {
	second, err := s.outlet(n.Second, encoding.Uint32, nil)
	if err != nil {
		return nil, err
	}
	if n.Type.Kind == nimble.Timestamp {
		own.typ, second.typ = encoding.Int64, encoding.Uint16
		return &timestampWriter{numberWriter[int64, uint64]{outlet: own, typ: n.Type}, second}, nil
	}
	own.typ = encoding.Uint32
	var children []writer
	for _, c := range n.Children {
		w, err := s.writer(c, nil)
		if err != nil {
			return nil, err
		}
		children = append(children, w)
	}
	shared := sharedWriter{own: own, lengths: second, typ: n.Type, children: children}
	if n.Type.Kind == nimble.DedupArray {
		return &dedupWriter{shared}, nil
	}
	return &windowWriter{shared}, nil
}

// timestampWriter writes moments: see timestampColumn.
type timestampWriter struct {
	micros numberWriter[int64, uint64]
	nanos  outlet
}

func (w *timestampWriter) write(v vector.Vector, sel selection) error {
	vec, ok := v.(*vector.Timestamps)
	if !ok {
		return mismatch(v, w.micros.typ)
	}
	if err := w.micros.write(&vec.Micros, sel); err != nil {
		return err
	}
	p := w.nanos.pool
	valid := validityOf(p, vec.Micros.Valid, sel)
	defer valid.release()
	var list pool.Buf[int32]
	defer pool.Put(p, &list)
	rows := valid.present(sel, &list)
	nanos := pool.Get[uint16](p, rows.n)
	defer pool.Put(p, &nanos)
	clear(nanos.S)
	if vec.Nanos != nil {
		for i := range nanos.S {
			x := vec.Nanos[rows.row(i)]
			if x >= nanosPerMicro {
				return schemaf("%d nanoseconds in a microsecond", x)
			}
			nanos.S[i] = x
		}
	}
	return numbers(&w.nanos, nanos.S, nil, rows.n)
}

// sharedWriter is what lists and maps that are stored once if they are equal to
// the one before have in common.
type sharedWriter struct {
	own, lengths outlet
	typ          *nimble.Type
	children     []writer
}

// each calls fn with the elements of each present row of a batch, and whether
// they are those of the present row before. It returns the elements to be stored,
// whose list is in buf.
func (w *sharedWriter) each(rows selection, offsets []uint32, children []vector.Vector, buf *pool.Buf[int32],
	fn func(i int, length uint32, same bool),
) selection {
	total := 0
	for i := range rows.n {
		total += int(offsets[rows.row(i)+1] - offsets[rows.row(i)])
	}
	*buf = pool.Get[int32](w.own.pool, max(total, 1))
	stored := buf.S[:0]
	before, known := [2]uint32{}, false
	for i := range rows.n {
		span := [2]uint32{offsets[rows.row(i)], offsets[rows.row(i)+1]}
		same := known && sameSpan(children, before, span)
		if !same {
			stored = appendRange(stored, span[0], span[1])
		}
		fn(i, span[1]-span[0], same)
		before, known = span, true
	}
	return selection{n: len(stored), list: stored}
}

func sameSpan(children []vector.Vector, a, b [2]uint32) bool {
	n := int(a[1] - a[0])
	if n != int(b[1]-b[0]) {
		return false
	}
	for _, c := range children {
		if !vector.Equal(c, int(a[0]), c, int(b[0]), n) {
			return false
		}
	}
	return true
}

// dedupWriter writes lists: see dedupColumn.
type dedupWriter struct{ sharedWriter }

func (w *dedupWriter) write(v vector.Vector, sel selection) error {
	vec, ok := v.(*vector.List)
	if !ok {
		return mismatch(v, w.typ)
	}
	p := w.own.pool
	valid := validityOf(p, vec.Valid, sel)
	defer valid.release()
	var list, elements pool.Buf[int32]
	defer pool.Put(p, &list)
	defer pool.Put(p, &elements)
	rows := valid.present(sel, &list)
	runs, lengths := pool.Get[uint32](p, rows.n), pool.Get[uint32](p, rows.n)
	defer pool.Put(p, &runs)
	defer pool.Put(p, &lengths)
	n := 0
	stored := w.each(rows, vec.Offsets, []vector.Vector{vec.Elem}, &elements, func(i int, length uint32, same bool) {
		if !same {
			lengths.S[n] = length
			n++
		}
		runs.S[i] = uint32(n - 1)
	})
	if err := numbers(&w.own, runs.S, valid.bits.S, sel.n); err != nil {
		return err
	}
	if err := numbers(&w.lengths, lengths.S[:n], nil, n); err != nil {
		return err
	}
	return w.children[0].write(vec.Elem, stored)
}

// windowWriter writes maps: see windowColumn.
type windowWriter struct{ sharedWriter }

func (w *windowWriter) write(v vector.Vector, sel selection) error {
	vec, ok := v.(*vector.Map)
	if !ok {
		return mismatch(v, w.typ)
	}
	if vec.Keys.Validity() != nil {
		return schemaf("keys of a map are null")
	}
	p := w.own.pool
	valid := validityOf(p, vec.Valid, sel)
	defer valid.release()
	var list, pairs pool.Buf[int32]
	defer pool.Put(p, &list)
	defer pool.Put(p, &pairs)
	rows := valid.present(sel, &list)
	places, lengths := pool.Get[uint32](p, rows.n), pool.Get[uint32](p, rows.n)
	defer pool.Put(p, &places)
	defer pool.Put(p, &lengths)
	end := uint32(0)
	stored := w.each(rows, vec.Offsets, []vector.Vector{vec.Keys, vec.Values}, &pairs, func(i int, length uint32, same bool) {
		if !same {
			end += length
		}
		places.S[i], lengths.S[i] = end-length, length
	})
	if err := numbers(&w.own, places.S, valid.bits.S, sel.n); err != nil {
		return err
	}
	if err := numbers(&w.lengths, lengths.S, nil, rows.n); err != nil {
		return err
	}
	if err := w.children[0].write(vec.Keys, stored); err != nil {
		return err
	}
	return w.children[1].write(vec.Values, stored)
}
