package rowbatch

import (
	"fmt"
	"slices"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/tablet"
)

// Schema is a row type with the numbers of the streams that hold its values,
// and with the keys of its flat maps. It is not changed once made.
type Schema struct {
	root    *nimble.StreamNode
	streams uint32 // numbers given out
}

// NewSchema returns the schema that a writer of rows of type t begins with.
// Streams are numbered depth first, a node's own before those of its children.
// keys are the keys of flat maps by column name: they are put in order, and
// numbered where the flat map is. A flat map that is not there has none yet.
// Only columns may be flat maps. Errors wrap [ErrSchema] or [ErrUnsupported].
func NewSchema(t *nimble.Type, keys map[string][]string) (*Schema, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if t.Kind != nimble.Row {
		return nil, schemaf("the root is a %v, not a row", t.Kind)
	}
	for name := range keys {
		if i := t.Field(name); i < 0 || t.Children[i].Kind != nimble.FlatMap {
			return nil, schemaf("keys of %q, which is no flat map", name)
		}
	}
	s := &Schema{}
	s.root = &nimble.StreamNode{Type: t, Stream: s.id()}
	for i, c := range t.Children {
		n, err := s.column(c, keys[t.Names[i]])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Names[i], err)
		}
		s.root.Children = append(s.root.Children, n)
	}
	return s, nil
}

// column numbers the streams of a column.
func (s *Schema) column(t *nimble.Type, keys []string) (*nimble.StreamNode, error) {
	if t.Kind != nimble.FlatMap {
		return s.node(t)
	}
	n := &nimble.StreamNode{Type: t, Stream: s.id()}
	keys = slices.Clone(keys)
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		if err := s.addKey(n, key); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// ParseSchema reads a schema from the bytes that [Schema.AppendBinary] and
// others write: the schema section of a Nimble file.
func ParseSchema(data []byte) (*Schema, error) {
	nodes, err := tablet.ParseSchema(data)
	if err != nil {
		return nil, err
	}
	root, err := nimble.ParseStreams(nodes)
	if err != nil {
		return nil, err
	}
	s := &Schema{root: root}
	for _, n := range nodes {
		s.streams = max(s.streams, n.Stream+1)
	}
	return s, nil
}

// AppendBinary appends the schema in binary form to dst.
func (s *Schema) AppendBinary(dst []byte) ([]byte, error) {
	nodes, err := s.root.AppendNodes(nil, s.streams)
	if err != nil {
		return dst, err
	}
	return tablet.AppendSchema(dst, nodes), nil
}

// Type returns the type of the rows. It must not be changed.
func (s *Schema) Type() *nimble.Type { return s.root.Type }

// Keys returns the keys of a column that is a flat map, in the order of the
// schema, as texts.
func (s *Schema) Keys(column string) []string {
	i := s.root.Type.Field(column)
	if i < 0 {
		return nil
	}
	var names []string
	for _, k := range s.root.Children[i].Keys {
		names = append(names, k.Name)
	}
	return names
}

func (s *Schema) id() uint32 {
	s.streams++
	return s.streams - 1
}

// node numbers the streams of t, which is no flat map and has none.
func (s *Schema) node(t *nimble.Type) (*nimble.StreamNode, error) {
	if t.Kind == nimble.FlatMap {
		return nil, unsupportedf("a flat map that is not a column")
	}
	n := &nimble.StreamNode{Type: t, Stream: s.id()}
	if twoStreams(t.Kind) {
		n.Second = s.id()
	}
	for i, c := range t.Children {
		child, err := s.node(c)
		if err != nil && t.Kind == nimble.Row {
			err = fmt.Errorf("%s: %w", t.Names[i], err)
		}
		if err != nil {
			return nil, err
		}
		n.Children = append(n.Children, child)
	}
	return n, nil
}

// twoStreams reports whether rows of a kind have two streams of their own.
func twoStreams(k nimble.Kind) bool {
	return k == nimble.Timestamp || k == nimble.DedupArray || k == nimble.SlidingWindowMap
}

// addKey gives a key of the flat map n its streams: those of its values, then
// which maps have it.
func (s *Schema) addKey(n *nimble.StreamNode, name string) error {
	value, err := s.node(n.Type.Children[1])
	if err != nil {
		return err
	}
	n.Keys = append(n.Keys, nimble.StreamKey{Name: name, Value: value, InMap: s.id()})
	return nil
}

// clone returns a copy to which keys may be added.
func (s *Schema) clone() *Schema {
	root := *s.root
	root.Children = slices.Clone(root.Children)
	for i, c := range root.Children {
		column := *c
		column.Keys = slices.Clone(column.Keys)
		root.Children[i] = &column
	}
	return &Schema{root: &root, streams: s.streams}
}
