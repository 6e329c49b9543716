package tablet

import "github.com/decantdb/decant/internal/flatbuf"

// A Node is a node of the schema section, a tree in pre-order:
//
//	Tree { nodes:[Node] }
//	Node { kind:u8 nchildren:u32 label:string stream:u32 attrs:[Attr] }
//	Attr { k:string v:string }
//
// What the kinds mean, and how many nodes each takes, is not known here.
type Node struct {
	Kind     uint8
	Children uint32
	// Label is the name of a field or the key of a flat map; Labelled tells the
	// empty name from none.
	Label    string
	Labelled bool
	Stream   uint32
	Attrs    []Pair
}

// A Pair is a key with its value; both may be any bytes.
type Pair struct{ Key, Value string }

// ParseSchema parses the section columnar.schema.
func ParseSchema(raw []byte) ([]Node, error) {
	r := flatbuf.NewReader(raw)
	refs := r.Root().Refs(0)
	nodes := make([]Node, refs.Len())
	for i := range nodes {
		t := refs.Table(i)
		label := t.Bytes(2)
		nodes[i] = Node{
			Kind:     flatbuf.Field[uint8](t, 0, 0),
			Children: flatbuf.Field[uint32](t, 1, 0),
			Label:    string(label),
			Labelled: label != nil,
			Stream:   flatbuf.Field[uint32](t, 3, 0),
			Attrs:    parsePairs(t.Refs(4)),
		}
		if r.Err() != nil {
			return nil, corruptf("node %d: %w", i, r.Err())
		}
	}
	return nodes, corrupt(r.Err())
}

// AppendSchema appends the raw bytes of the section columnar.schema to dst.
func AppendSchema(dst []byte, nodes []Node) []byte {
	var b flatbuf.Builder
	refs := make([]flatbuf.Offset, len(nodes))
	for i, n := range nodes {
		attrs := buildPairs(&b, n.Attrs)
		var label flatbuf.Offset
		if n.Labelled {
			label = b.String(n.Label)
		}
		refs[i] = b.Table(flatbuf.Number(n.Kind), flatbuf.Number(n.Children), flatbuf.Ref(label),
			flatbuf.Number(n.Stream), flatbuf.Ref(attrs))
	}
	return append(dst, b.Finish(b.Table(flatbuf.Ref(b.Refs(refs))), "")...)
}

func parsePairs(v flatbuf.Refs) []Pair {
	if v.Len() == 0 {
		return nil
	}
	pairs := make([]Pair, v.Len())
	for i := range pairs {
		t := v.Table(i)
		pairs[i] = Pair{Key: string(t.Bytes(0)), Value: string(t.Bytes(1))}
	}
	return pairs
}

// buildPairs makes a vector of pairs, or nothing if there are none.
func buildPairs(b *flatbuf.Builder, pairs []Pair) flatbuf.Offset {
	if len(pairs) == 0 {
		return 0
	}
	refs := make([]flatbuf.Offset, len(pairs))
	for i, p := range pairs {
		key := b.String(p.Key)
		refs[i] = b.Table(flatbuf.Ref(key), flatbuf.Ref(b.String(p.Value)))
	}
	return b.Refs(refs)
}
