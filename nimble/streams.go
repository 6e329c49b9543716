package nimble

import (
	"github.com/decantdb/decant/nimble/tablet"
)

// StreamNode is a type with the numbers of the streams that hold its values:
// what the schema section of a file, and the schema beside row batches, say.
//
//	              Stream    Second
//	scalar        values
//	timestamp     micros    nanos
//	row           nulls
//	array, map    lengths
//	dedup array   offsets   lengths
//	window map    offsets   lengths
//	flat map      nulls               and for each key an in-map stream
type StreamNode struct {
	Type           *Type
	Stream, Second uint32
	Children       []*StreamNode // of Type; none for a flat map
	Keys           []StreamKey   // of a flat map, in the order of the schema
}

// StreamKey is a key of a flat map with the streams of its values.
type StreamKey struct {
	Name  string // the key as text
	InMap uint32
	Value *StreamNode
}

// ParseStreams returns the tree of a schema section's nodes. Errors wrap
// [ErrCorrupt], [ErrUnsupported] or [ErrSchema].
func ParseStreams(nodes []tablet.Node) (*StreamNode, error) {
	root, _, err := parseTree(nodes)
	if err != nil {
		return nil, err
	}
	return root.streams(), nil
}

func (n *node) streams() *StreamNode {
	s := &StreamNode{Type: n.typ, Stream: n.stream, Second: n.second}
	for _, c := range n.children {
		s.Children = append(s.Children, c.streams())
	}
	for _, k := range n.keys {
		s.Keys = append(s.Keys, StreamKey{Name: k.label, InMap: k.inMap, Value: k.value.streams()})
	}
	return s
}

// AppendNodes appends the schema section's nodes of the tree under n to dst. A
// flat map without a key gets one without a name, which keeps the type of its
// values; its streams are numbered from spare on.
func (n *StreamNode) AppendNodes(dst []tablet.Node, spare uint32) ([]tablet.Node, error) {
	w := nodeWriter{dst: dst, spare: spare}
	err := w.node(n, "", false)
	return w.dst, err
}

type nodeWriter struct {
	dst   []tablet.Node
	spare uint32
}

func (w *nodeWriter) node(n *StreamNode, label string, labelled bool) error {
	plain := node{typ: n.Type, stream: n.Stream, second: n.Second}
	if n.Type.Kind == FlatMap {
		return w.flatMap(n, label, labelled)
	}
	w.dst = appendNodes(w.dst, &plain, label, labelled)
	if n.Type.Kind == Row {
		w.dst[len(w.dst)-1].Children = uint32(len(n.Children))
	}
	for i, c := range n.Children {
		name := ""
		if n.Type.Kind == Row {
			name = n.Type.Names[i]
		}
		if err := w.node(c, name, n.Type.Kind == Row); err != nil {
			return err
		}
	}
	return nil
}

func (w *nodeWriter) flatMap(n *StreamNode, label string, labelled bool) error {
	keys := n.Keys
	if len(keys) == 0 {
		b := treeBuilder{next: w.spare}
		value, err := b.node(n.Type.Children[1])
		if err != nil {
			return err
		}
		keys = []StreamKey{{Value: value.streams(), InMap: b.id()}}
		w.spare = b.next
	}
	plain := node{typ: &Type{Kind: n.Type.Children[0].Kind, Logical: n.Type.Logical, Attributes: n.Type.Attributes}, stream: n.Stream}
	at := len(w.dst)
	w.dst = appendNodes(w.dst, &plain, label, labelled)
	w.dst[at].Kind += flatMapNode
	w.dst[at].Children = uint32(len(keys))
	for _, k := range keys {
		w.dst = append(w.dst, tablet.Node{Kind: boolNode, Label: k.Name, Labelled: true, Stream: k.InMap})
		if err := w.node(k.Value, "", false); err != nil {
			return err
		}
	}
	return nil
}
