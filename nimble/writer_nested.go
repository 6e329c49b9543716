package nimble

import (
	"fmt"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// rowField writes rows: which are present, and the fields of those.
type rowField struct {
	node   *node
	s      nulls
	fields []fieldWriter
	rows   []int32
}

func newRowField(b *fieldBuilder, n *node) *rowField {
	f := &rowField{node: n}
	b.add(&f.s)
	for _, c := range n.children {
		f.fields = append(f.fields, b.field(c))
	}
	return f
}

func (f *rowField) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Row)
	f.s.presence.add(vec.Valid, rows)
	rows = rows.present(vec.Valid, &f.rows)
	rows.nullable = false
	for i, field := range f.fields {
		if err := field.write(vec.Fields[i], rows); err != nil {
			return fmt.Errorf("%s: %w", f.node.typ.Names[i], err)
		}
	}
	return nil
}

func (f *rowField) anchored() bool {
	for _, field := range f.fields {
		if field.anchored() {
			return true
		}
	}
	return false
}

func (f *rowField) stats(all []ColumnStats) {
	all[f.node.index].PhysicalBytes += f.s.physical
	for _, c := range f.fields {
		c.stats(all)
	}
}

// spansField writes lists and maps: lengths, and the elements, or keys and
// values.
type spansField struct {
	node     *node
	lengths  numbers[uint32, uint32]
	children []fieldWriter
	rows     []int32
	elements []int32
}

func newSpansField(b *fieldBuilder, n *node) *spansField {
	f := &spansField{node: n}
	f.lengths.typ = encoding.Uint32
	b.add(&f.lengths)
	for _, c := range n.children {
		f.children = append(f.children, b.field(c))
	}
	return f
}

func (f *spansField) write(v vector.Vector, rows selection) error {
	if vec, ok := v.(*vector.List); ok {
		return f.children[0].write(vec.Elem, f.spans(vec.Offsets, vec.Valid, rows))
	}
	vec := v.(*vector.Map)
	return writePairs(f.children, vec, f.spans(vec.Offsets, vec.Valid, rows))
}

// writePairs buffers pairs of maps.
func writePairs(fields []fieldWriter, vec *vector.Map, pairs selection) error {
	if err := requireKeys(vec, pairs); err != nil {
		return err
	}
	if err := fields[0].write(vec.Keys, pairs); err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	if err := fields[1].write(vec.Values, pairs); err != nil {
		return fmt.Errorf("values: %w", err)
	}
	return nil
}

// requireKeys tests that no key of some pairs is null.
func requireKeys(vec *vector.Map, pairs selection) error {
	if pairs.countPresent(vec.Keys.Validity()) < pairs.len() {
		return fmt.Errorf("%w: a key is null", ErrSchema)
	}
	return nil
}

// spans buffers the lengths of rows and returns their elements.
func (f *spansField) spans(offsets []uint32, valid []uint64, rows selection) selection {
	f.lengths.presence.add(valid, rows)
	present := rows.present(valid, &f.rows)
	for i := range present.len() {
		row := present.at(i)
		f.lengths.list = append(f.lengths.list, offsets[row+1]-offsets[row])
	}
	return present.elements(offsets, &f.elements)
}

func (f *spansField) anchored() bool { return f.lengths.chunked.done > 0 }

func (f *spansField) stats(all []ColumnStats) {
	all[f.node.index].PhysicalBytes += f.lengths.physical
	for _, c := range f.children {
		c.stats(all)
	}
}
