package rowbatch

import (
	"fmt"
	"slices"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/tablet"
)

// Schema is a row type with the numbers of the streams that hold its values,
// and with the keys of its flat maps. It is not changed once made; the schema
// of a [Serializer] that finds keys is replaced.
type Schema struct {
	root    *nimble.StreamNode
	streams uint32 // numbers given out
}

// NewSchema returns the schema that a writer of rows of type t begins with.
// Streams are numbered depth first, a node's own before those of its children.
// keys are the keys of flat maps by column name: they are put in order, and a
// flat map that is not there has none yet. Only columns may be flat maps.
// Errors wrap [ErrSchema] or [ErrUnsupported].
func NewSchema(t *nimble.Type, keys map[string][]string) (*Schema, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if t.Kind != nimble.Row {
		return nil, schemaf("the root is a %v, not a row", t.Kind)
	}
	s := &Schema{}
	root, err := s.node(t, 0)
	if err != nil {
		return nil, err
	}
	s.root = root
	for name, list := range keys {
		i := t.Field(name)
		if i < 0 || t.Children[i].Kind != nimble.FlatMap {
			return nil, schemaf("keys of %q, which is no flat map", name)
		}
		list = slices.Clone(list)
		slices.Sort(list)
		for _, key := range slices.Compact(list) {
			if _, err := s.addKey(root.Children[i], key); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
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

// node numbers the streams of t. depth is that of t, 0 being the root's.
func (s *Schema) node(t *nimble.Type, depth int) (*nimble.StreamNode, error) {
	n := &nimble.StreamNode{Type: t, Stream: s.id()}
	switch t.Kind {
	case nimble.Timestamp, nimble.DedupArray, nimble.SlidingWindowMap:
		return nil, unsupportedf("a %v", t.Kind)
	case nimble.FlatMap:
		if depth != 1 {
			return nil, unsupportedf("a flat map that is not a column")
		}
		return n, nil
	}
	for i, c := range t.Children {
		child, err := s.node(c, depth+1)
		if err != nil {
			if t.Kind == nimble.Row {
				return nil, fmt.Errorf("%s: %w", t.Names[i], err)
			}
			return nil, err
		}
		n.Children = append(n.Children, child)
	}
	return n, nil
}

// addKey gives a key of the flat map n its streams: those of its values, then
// which maps have it.
func (s *Schema) addKey(n *nimble.StreamNode, name string) (nimble.StreamKey, error) {
	value, err := s.node(n.Type.Children[1], 2)
	if err != nil {
		return nimble.StreamKey{}, err
	}
	k := nimble.StreamKey{Name: name, Value: value, InMap: s.id()}
	n.Keys = append(n.Keys, k)
	return k, nil
}
