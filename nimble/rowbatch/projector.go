package rowbatch

import (
	"fmt"
	"slices"

	"github.com/decantdb/decant/nimble"
)

// Field names a part of a row to be projected.
type Field struct {
	Name string
	// Keys are the keys of a flat map, as texts, of which there must be one at
	// least. Keys that the schema does not have are in no map.
	Keys []string
	// Fields are parts of a row, or of the values of a flat map that are rows.
	// Nil stands for all of it.
	Fields []Field
}

// ProjectorOptions say how projected blobs are written.
type ProjectorOptions struct {
	// Numbers and Sizes are how the trailer lists the streams.
	Numbers, Sizes ListForm
}

// absentStream stands for the source of a stream that the source does not have.
const absentStream = 1<<32 - 1

// Projector cuts columns, fields and keys out of blobs without decoding them.
// It belongs to one goroutine and allocates nothing once warm.
type Projector struct {
	schema *Schema
	source []uint32 // of each of the schema's streams
	nulls  []bool   // whether it says which rows or flat maps are null
	o      ProjectorOptions
	blob   blob
	place  []int // of each stream of the source in the blob, plus one
	ids    []uint32
	sizes  []uint32
}

// NewProjector returns a projector of blobs of schema s. Fields keep the order
// that they have in s, keys are in the order of their texts, and what is
// projected has streams numbered anew, depth first. Errors wrap [ErrSchema].
func NewProjector(s *Schema, fields []Field, o ProjectorOptions) (*Projector, error) {
	if len(fields) == 0 {
		return nil, schemaf("nothing is projected")
	}
	if o.Numbers > DeltaList || o.Sizes > DeltaList {
		return nil, unsupportedf("list forms %d and %d", o.Numbers, o.Sizes)
	}
	p := &Projector{schema: &Schema{}, o: o, place: make([]int, s.streams)}
	root, err := p.project(s.root, fields)
	if err != nil {
		return nil, err
	}
	p.schema.root = root
	return p, nil
}

// Schema returns the schema of projected blobs.
func (p *Projector) Schema() *Schema { return p.schema.clone() }

// stream numbers a stream that is source in the source.
func (p *Projector) stream(source uint32, nulls bool) uint32 {
	p.source, p.nulls = append(p.source, source), append(p.nulls, nulls)
	return p.schema.id()
}

// project returns the node of the given parts of n, all of it if fields is nil.
func (p *Projector) project(n *nimble.StreamNode, fields []Field) (*nimble.StreamNode, error) {
	row := n.Type.Kind == nimble.Row
	out := &nimble.StreamNode{Type: n.Type, Stream: p.stream(n.Stream, row)}
	if twoStreams(n.Type.Kind) {
		out.Second = p.stream(n.Second, false)
	}
	switch {
	case n.Type.Kind == nimble.FlatMap:
		return nil, schemaf("a flat map without keys, or not a column")
	case fields != nil && !row:
		return nil, schemaf("fields of a %v", n.Type.Kind)
	case fields == nil:
		for _, c := range n.Children {
			child, err := p.project(c, nil)
			if err != nil {
				return nil, err
			}
			out.Children = append(out.Children, child)
		}
		return out, nil
	}
	return out, p.projectFields(n, out, fields)
}

// projectFields makes out, whose own stream is numbered, a row of some fields of
// the row n.
func (p *Projector) projectFields(n, out *nimble.StreamNode, fields []Field) error {
	t := *n.Type
	t.Names, t.Children = nil, nil
	for i, f := range fields {
		again := slices.ContainsFunc(fields[:i], func(g Field) bool { return g.Name == f.Name })
		if again || n.Type.Field(f.Name) < 0 {
			return schemaf("field %q is not in the schema, or wanted twice", f.Name)
		}
	}
	for i, name := range n.Type.Names {
		at := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
		if at < 0 {
			continue
		}
		child, err := p.projectField(n.Children[i], &fields[at])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		out.Children = append(out.Children, child)
		t.Names, t.Children = append(t.Names, name), append(t.Children, child.Type)
	}
	out.Type = &t
	return nil
}

func (p *Projector) projectField(n *nimble.StreamNode, f *Field) (*nimble.StreamNode, error) {
	if n.Type.Kind != nimble.FlatMap {
		if f.Keys != nil {
			return nil, schemaf("keys of a %v", n.Type.Kind)
		}
		return p.project(n, f.Fields)
	}
	keys := slices.Clone(f.Keys)
	slices.Sort(keys)
	keys = slices.Compact(keys)
	if len(keys) == 0 {
		return nil, schemaf("a flat map without keys")
	}
	t := *n.Type
	out := &nimble.StreamNode{Type: &t, Stream: p.stream(n.Stream, true)}
	for _, key := range keys {
		value, inMap := missingKey(n.Type.Children[1]), uint32(absentStream)
		at := slices.IndexFunc(n.Keys, func(k nimble.StreamKey) bool { return k.Name == key })
		if at >= 0 {
			value, inMap = n.Keys[at].Value, n.Keys[at].InMap
		}
		node, err := p.project(value, f.Fields)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", key, err)
		}
		out.Keys = append(out.Keys, nimble.StreamKey{Name: key, Value: node, InMap: p.stream(inMap, false)})
		t.Children = []*nimble.Type{n.Type.Children[0], node.Type}
	}
	return out, nil
}

// missingKey returns the node of a value of type t that no source has.
func missingKey(t *nimble.Type) *nimble.StreamNode {
	n := unknownKey(t)
	n.Stream, n.Second = absentStream, absentStream
	for i, c := range t.Children {
		n.Children[i] = missingKey(c)
	}
	return n
}

// Append appends the projection of a blob of version LegacyCompact,
// LegacyEncoded, Serialization or Projection to dst, a blob of version
// Projection. On an error dst is returned as it was; the error wraps
// [ErrCorrupt] or [ErrUnsupported].
func (p *Projector) Append(dst, blob []byte) ([]byte, error) {
	b := &p.blob
	if err := b.parse(blob, false); err != nil {
		return dst, err
	}
	switch b.Version {
	case LegacyCompact, LegacyEncoded, Serialization, Projection:
	default:
		return dst, unsupportedf("projecting version %d", uint8(b.Version))
	}
	clear(p.place)
	for i, id := range b.ids {
		if int(id) < len(p.place) && len(b.data[i]) > 0 {
			p.place[id] = i + 1
		}
	}
	h := Header{Version: Projection, Rows: b.Rows}
	p.ids, p.sizes = p.ids[:0], p.sizes[:0]
	for i, source := range p.source {
		if source == absentStream || p.place[source] == 0 {
			continue
		}
		h.NullBarrier = h.NullBarrier || b.NullBarrier && p.nulls[i]
		p.ids = append(p.ids, uint32(i))
		p.sizes = append(p.sizes, uint32(len(b.data[p.place[source]-1])))
	}
	dst = h.append(dst)
	for _, id := range p.ids {
		dst = append(dst, b.data[p.place[p.source[id]]-1]...)
	}
	return appendTrailer(dst, p.o.Numbers, p.o.Sizes, p.ids, p.sizes), nil
}
