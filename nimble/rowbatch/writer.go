package rowbatch

import (
	"fmt"
	"math"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// writer writes the values of a type into its streams.
type writer interface {
	// write writes the selected rows of v.
	write(v vector.Vector, sel selection) error
}

// mismatch is the error of a vector that is not of the schema's type.
func mismatch(v vector.Vector, t *nimble.Type) error {
	if v == nil {
		return schemaf("a vector is missing where the schema has a %v", t.Kind)
	}
	return schemaf("a vector of kind %v where the schema has a %v", v.Kind(), t.Kind)
}

// writer returns the writer of n.
func (s *Serializer) writer(n *nimble.StreamNode, l *Layouts) (writer, error) {
	o, err := s.outlet(n.Stream, dataTypes[min(int(n.Type.Kind), len(dataTypes)-1)], l.own())
	if err != nil {
		return nil, err
	}
	switch n.Type.Kind {
	case nimble.Boolean:
		return &boolWriter{outlet: o, typ: n.Type}, nil
	case nimble.TinyInt:
		return &numberWriter[int8, uint8]{outlet: o, typ: n.Type}, nil
	case nimble.SmallInt:
		return &numberWriter[int16, uint16]{outlet: o, typ: n.Type}, nil
	case nimble.Integer:
		return &numberWriter[int32, uint32]{outlet: o, typ: n.Type}, nil
	case nimble.BigInt:
		return &numberWriter[int64, uint64]{outlet: o, typ: n.Type}, nil
	case nimble.Real:
		return &numberWriter[float32, uint32]{outlet: o, typ: n.Type}, nil
	case nimble.Double:
		return &numberWriter[float64, uint64]{outlet: o, typ: n.Type}, nil
	case nimble.Varchar, nimble.Varbinary:
		return &stringWriter{outlet: o, typ: n.Type}, nil
	case nimble.Row, nimble.Array, nimble.Map:
		return s.nestedWriter(n, l, o)
	case nimble.FlatMap:
		return s.flatMapWriter(n, l, o)
	case nimble.Timestamp, nimble.DedupArray, nimble.SlidingWindowMap:
		return s.twoStreamWriter(n, o)
	}
	return nil, unsupportedf("writing a %v", n.Type.Kind)
}

func (s *Serializer) nestedWriter(n *nimble.StreamNode, l *Layouts, o outlet) (writer, error) {
	var children []writer
	for i, c := range n.Children {
		w, err := s.writer(c, l.child(i))
		if err != nil {
			if n.Type.Kind == nimble.Row {
				return nil, fmt.Errorf("%s: %w", n.Type.Names[i], err)
			}
			return nil, err
		}
		children = append(children, w)
	}
	if n.Type.Kind == nimble.Row {
		o.typ = encoding.Bool
		return &rowWriter{outlet: o, typ: n.Type, fields: children}, nil
	}
	o.typ = encoding.Uint32
	w := spanWriter{outlet: o, typ: n.Type}
	if n.Type.Kind == nimble.Array {
		return &listWriter{spanWriter: w, elem: children[0]}, nil
	}
	return &mapWriter{spanWriter: w, keys: children[0], values: children[1]}, nil
}

// numberWriter writes numbers. T is the physical type of V.
type numberWriter[V vector.Value, T encoding.Integer] struct {
	outlet
	typ *nimble.Type
}

func (w *numberWriter[V, T]) write(v vector.Vector, sel selection) error {
	vec, ok := v.(*vector.Vec[V])
	if !ok {
		return mismatch(v, w.typ)
	}
	valid := validityOf(w.pool, vec.Valid, sel)
	defer valid.release()
	values, buf := dense(w.pool, vec, sel, &valid)
	defer pool.Put(w.pool, &buf)
	return numbers(&w.outlet, vector.Reinterpret[T](values), valid.bits.S, sel.n)
}

// dense returns the values of the selected rows that are present, in buf unless
// they lie together.
func dense[V vector.Value](p *pool.Pool, vec *vector.Vec[V], sel selection, valid *validity) (values []V, buf pool.Buf[V]) {
	all := len(valid.bits.S) == 0
	if vec.Form == vector.Flat && sel.list == nil && all {
		return vec.Values[sel.from : sel.from+sel.n], buf
	}
	source := vec.Values
	if vec.Form != vector.Flat {
		flat := pool.Get[V](p, vec.N)
		defer pool.Put(p, &flat)
		vec.Expand(flat.S)
		source = flat.S
	}
	buf = pool.Get[V](p, valid.n)
	values = buf.S[:0]
	switch {
	case !all:
		for i := range sel.n {
			if vector.Bit(valid.bits.S, i) {
				values = append(values, source[sel.row(i)])
			}
		}
	case sel.list == nil:
		values = append(values, source[sel.from:sel.from+sel.n]...)
	default:
		for _, row := range sel.list {
			values = append(values, source[row])
		}
	}
	return values, buf
}

// stringWriter writes strings.
type stringWriter struct {
	outlet
	typ *nimble.Type
}

func (w *stringWriter) write(v vector.Vector, sel selection) error {
	vec, ok := v.(*vector.Vec[vector.View])
	if !ok {
		return mismatch(v, w.typ)
	}
	valid := validityOf(w.pool, vec.Valid, sel)
	defer valid.release()
	values, buf := dense(w.pool, vec, sel, &valid)
	defer pool.Put(w.pool, &buf)
	return w.strings(values, vec.Buffers.List(), valid.bits.S, sel.n)
}

// boolWriter writes bools.
type boolWriter struct {
	outlet
	typ *nimble.Type
}

func (w *boolWriter) write(v vector.Vector, sel selection) error {
	vec, ok := v.(*vector.Bools)
	if !ok {
		return mismatch(v, w.typ)
	}
	valid := validityOf(w.pool, vec.Valid, sel)
	defer valid.release()
	bits := pool.Get[uint64](w.pool, vector.Words(sel.n))
	defer pool.Put(w.pool, &bits)
	clear(bits.S)
	next := 0
	for i := range sel.n {
		if len(valid.bits.S) > 0 && !vector.Bit(valid.bits.S, i) {
			continue
		}
		if vector.Bit(vec.Bits, sel.row(i)) {
			vector.SetBit(bits.S, next)
		}
		next++
	}
	return w.bools(bits.S, valid.bits.S, sel.n)
}

// rowWriter writes rows of fields.
type rowWriter struct {
	outlet
	typ    *nimble.Type
	fields []writer
}

func (w *rowWriter) write(v vector.Vector, sel selection) error {
	vec, ok := v.(*vector.Row)
	if !ok || len(vec.Fields) != len(w.fields) {
		return mismatch(v, w.typ)
	}
	valid := validityOf(w.pool, vec.Valid, sel)
	defer valid.release()
	if err := w.nulls(&valid, sel.n); err != nil {
		return err
	}
	var list pool.Buf[int32]
	defer pool.Put(w.pool, &list)
	present := valid.present(sel, &list)
	for i, f := range w.fields {
		if vec.Fields[i] != nil && vec.Fields[i].Len() != vec.N {
			return schemaf("field %s has %d rows of %d", w.typ.Names[i], vec.Fields[i].Len(), vec.N)
		}
		if err := f.write(vec.Fields[i], present); err != nil {
			return fmt.Errorf("%s: %w", w.typ.Names[i], err)
		}
	}
	return nil
}

// spanWriter writes the lengths of lists or maps.
type spanWriter struct {
	outlet
	typ *nimble.Type
}

// write writes the lengths of the selected rows and returns their elements,
// whose list, if they do not lie together, is in buf.
func (w *spanWriter) write(valid []uint64, offsets []uint32, sel selection, buf *pool.Buf[int32]) (selection, error) {
	present := validityOf(w.pool, valid, sel)
	defer present.release()
	lengths := pool.Get[uint32](w.pool, present.n)
	defer pool.Put(w.pool, &lengths)
	var rows pool.Buf[int32]
	defer pool.Put(w.pool, &rows)
	lists := present.present(sel, &rows)
	elements := selection{}
	together := true
	for i := range lists.n {
		begin, end := offsets[lists.row(i)], offsets[lists.row(i)+1]
		lengths.S[i] = end - begin
		if i == 0 {
			elements.from = int(begin)
		}
		together = together && int(begin) == elements.from+elements.n
		elements.n += int(end - begin)
	}
	if err := numbers(&w.outlet, lengths.S, present.bits.S, sel.n); err != nil || together {
		return elements, err
	}
	if elements.n > math.MaxInt32 {
		return elements, unsupportedf("%d elements in one batch", elements.n)
	}
	*buf = pool.Get[int32](w.pool, max(elements.n, 1))
	list := buf.S[:0]
	for i := range lists.n {
		for e := offsets[lists.row(i)]; e < offsets[lists.row(i)+1]; e++ {
			list = append(list, int32(e))
		}
	}
	return selection{n: elements.n, list: list}, nil
}

// listWriter writes lists.
type listWriter struct {
	spanWriter
	elem writer
}

func (w *listWriter) write(v vector.Vector, sel selection) error {
	vec, ok := v.(*vector.List)
	if !ok {
		return mismatch(v, w.typ)
	}
	var buf pool.Buf[int32]
	defer pool.Put(w.pool, &buf)
	elements, err := w.spanWriter.write(vec.Valid, vec.Offsets, sel, &buf)
	if err != nil {
		return err
	}
	return w.elem.write(vec.Elem, elements)
}

// mapWriter writes maps.
type mapWriter struct {
	spanWriter
	keys, values writer
}

func (w *mapWriter) write(v vector.Vector, sel selection) error {
	vec, ok := v.(*vector.Map)
	if !ok {
		return mismatch(v, w.typ)
	}
	if vec.Keys.Validity() != nil {
		return fmt.Errorf("%w: keys of a map are null", ErrSchema)
	}
	var buf pool.Buf[int32]
	defer pool.Put(w.pool, &buf)
	elements, err := w.spanWriter.write(vec.Valid, vec.Offsets, sel, &buf)
	if err != nil {
		return err
	}
	if err := w.keys.write(vec.Keys, elements); err != nil {
		return err
	}
	return w.values.write(vec.Values, elements)
}
