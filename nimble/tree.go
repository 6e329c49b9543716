package nimble

import (
	"fmt"
	"slices"

	"github.com/decantdb/decant/nimble/tablet"
)

// The kinds of the nodes that the schema section is made of. A flat map's kind
// is flatMapNode plus that of its keys.
const (
	int8Node      = 0
	uint8Node     = 1
	int16Node     = 2
	uint16Node    = 3
	int32Node     = 4
	uint32Node    = 5
	int64Node     = 6
	uint64Node    = 7
	floatNode     = 8
	doubleNode    = 9
	boolNode      = 10
	stringNode    = 11
	binaryNode    = 12
	timestampNode = 13
	rowNode       = 50
	arrayNode     = 51
	mapNode       = 52
	dedupNode     = 53
	windowNode    = 54
	flatMapNode   = 100
)

// nodeKinds are the nodes of the kinds that have one each.
var nodeKinds = map[Kind]uint8{
	Boolean: boolNode, TinyInt: int8Node, SmallInt: int16Node, Integer: int32Node, BigInt: int64Node,
	Real: floatNode, Double: doubleNode, Varchar: stringNode, Varbinary: binaryNode,
	Timestamp: timestampNode, Array: arrayNode, Map: mapNode, Row: rowNode,
	DedupArray: dedupNode, SlidingWindowMap: windowNode,
}

var kindOfNode = func() map[uint8]Kind {
	kinds := make(map[uint8]Kind)
	for k, n := range nodeKinds {
		kinds[n] = k
	}
	return kinds
}()

// nodeName says which kind of node it is, also one that is refused.
func nodeName(kind uint8) string {
	unsigned := map[uint8]string{uint8Node: "UINT8", uint16Node: "UINT16", uint32Node: "UINT32", uint64Node: "UINT64"}
	k, ok := kindOfNode[kind]
	switch {
	case unsigned[kind] != "":
		return "a " + unsigned[kind]
	case ok:
		return "a " + k.String()
	case kind >= flatMapNode:
		return "a FLATMAP"
	}
	return fmt.Sprintf("of the unknown kind %d", kind)
}

// node is a type with the streams that hold its values.
//
//	              stream    second
//	scalar        values
//	timestamp     micros    nanos
//	row           nulls
//	array, map    lengths
//	dedup array   offsets   lengths
//	window map    offsets   lengths
//	flat map      nulls               and for each key an in-map stream
type node struct {
	typ            *Type
	index          int // of typ, in pre-order
	stream, second uint32
	children       []*node // of typ; none for a flat map
	keys           []flatMapKey
	values         *node // of a flat map that was read: the first key's, with or without a name
}

// field returns the field that is to be read as field i of row type as, nil if n
// has none of that name.
func (n *node) field(as *Type, i int) *node {
	if as == n.typ {
		return n.children[i]
	}
	at := n.typ.Field(as.Names[i])
	if at < 0 {
		return nil
	}
	return n.children[at]
}

// key returns a key of a flat map, nil if it does not have it.
func (n *node) key(label string) *flatMapKey {
	i := slices.IndexFunc(n.keys, func(k flatMapKey) bool { return k.label == label })
	if i < 0 {
		return nil
	}
	return &n.keys[i]
}

// wholeIn reports whether reading n as type as reads all streams of n.
func (n *node) wholeIn(as *Type) bool {
	if as == n.typ || len(n.children) == 0 && len(n.keys) == 0 {
		return true
	}
	if len(n.keys) > 0 || as.Kind == Map && as.Names != nil || len(as.Children) < len(n.children) {
		return false
	}
	for i, c := range n.children {
		t := as.Children[min(i, len(as.Children)-1)]
		if n.typ.Kind == Row {
			at := as.Field(n.typ.Names[i])
			if as.Kind != Row || at < 0 {
				return false
			}
			t = as.Children[at]
		}
		if !c.wholeIn(t) {
			return false
		}
	}
	return true
}

// flatMapKey is a key of a flat map with the streams of its values.
type flatMapKey struct {
	label string // the key as text
	inMap uint32
	value *node
}

// treeParser makes a tree of nodes from the nodes of the schema section:
//
//	scalar       node
//	timestamp    node(micros) u16(nanos)
//	row          node(nulls) field … , a field's first node has its name
//	array        node(lengths) element
//	map          node(lengths) key value
//	dedup array  node(lengths) u32(offsets) element
//	window map   node(offsets) u32(lengths) key value
//	flat map     node(nulls) { bool(in-map, key) value } …
type treeParser struct {
	nodes    []tablet.Node
	pos      int
	warnings []string
}

// parseTree returns the tree of a file's schema and what was odd about it.
func parseTree(nodes []tablet.Node) (*node, []string, error) {
	p := treeParser{nodes: nodes}
	root, err := p.node(1)
	if err == nil && root.typ.Kind != Row {
		err = fmt.Errorf("%w: the root is a %v, not a row", ErrCorrupt, root.typ.Kind)
	}
	if err == nil {
		err = root.typ.Validate()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("schema: %w", err)
	}
	number(root, 0)
	return root, p.warnings, nil
}

// number gives n and those below it their pre-order numbers from first on, and
// returns the next. All keys of a flat map share the numbers of its value type.
func number(n *node, first int) int {
	n.index = first
	next := first + 1
	for _, c := range n.children {
		next = number(c, next)
	}
	if n.typ.Kind != FlatMap {
		return next
	}
	next++ // the key
	for _, k := range n.keys {
		number(k.value, next)
	}
	return next + countTypes(n.typ.Children[1])
}

// countTypes returns the number of types in the tree under t.
func countTypes(t *Type) int {
	count := 1
	for _, c := range t.Children {
		count += countTypes(c)
	}
	return count
}

// take returns the next node of the section.
func (p *treeParser) take() (tablet.Node, error) {
	if p.pos == len(p.nodes) {
		return tablet.Node{}, fmt.Errorf("%w: it ends after %d nodes", ErrCorrupt, p.pos)
	}
	p.pos++
	return p.nodes[p.pos-1], nil
}

// helper takes a node that only holds a stream.
func (p *treeParser) helper(kind uint8) (tablet.Node, error) {
	n, err := p.take()
	if err == nil && n.Kind != kind {
		err = fmt.Errorf("%w: node %d is %s instead of %s", ErrCorrupt, p.pos-1, nodeName(n.Kind), nodeName(kind))
	}
	return n, err
}

// node takes the next node with all below it.
func (p *treeParser) node(depth int) (*node, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("%w: types nest deeper than %d", ErrUnsupported, MaxDepth)
	}
	raw, err := p.take()
	if err != nil {
		return nil, err
	}
	if raw.Kind >= flatMapNode {
		return p.flatMap(raw, depth)
	}
	kind, ok := kindOfNode[raw.Kind]
	if !ok {
		return nil, fmt.Errorf("%w: node %d is %s", ErrUnsupported, p.pos-1, nodeName(raw.Kind))
	}
	n := &node{typ: &Type{Kind: kind}, stream: raw.Stream}
	p.attributes(n.typ, raw.Attrs)
	switch kind {
	case Timestamp:
		var nanos tablet.Node
		nanos, err = p.helper(uint16Node)
		n.second = nanos.Stream
	case DedupArray:
		// The node's own stream is that of the lengths here.
		var offsets tablet.Node
		offsets, err = p.helper(uint32Node)
		n.stream, n.second = offsets.Stream, raw.Stream
	case SlidingWindowMap:
		var lengths tablet.Node
		lengths, err = p.helper(uint32Node)
		n.second = lengths.Stream
	}
	if err != nil {
		return nil, err
	}
	return n, p.children(n, raw, depth)
}

// children takes the children of n, which is not a flat map.
func (p *treeParser) children(n *node, raw tablet.Node, depth int) error {
	count := n.typ.Kind.children()
	if n.typ.Kind == Row {
		if int64(raw.Children) > int64(len(p.nodes)-p.pos) {
			return fmt.Errorf("%w: a row of %d fields with %d nodes left", ErrCorrupt, raw.Children, len(p.nodes)-p.pos)
		}
		count = int(raw.Children)
	}
	for range count {
		if n.typ.Kind == Row {
			if p.pos < len(p.nodes) && !p.nodes[p.pos].Labelled {
				return fmt.Errorf("%w: node %d is a field without a name", ErrCorrupt, p.pos)
			}
			if p.pos < len(p.nodes) {
				n.typ.Names = append(n.typ.Names, p.nodes[p.pos].Label)
			}
		}
		c, err := p.node(depth + 1)
		if err != nil {
			return err
		}
		n.children = append(n.children, c)
		n.typ.Children = append(n.typ.Children, c.typ)
	}
	return nil
}

// flatMap takes what follows the node of a flat map.
func (p *treeParser) flatMap(raw tablet.Node, depth int) (*node, error) {
	key, ok := kindOfNode[raw.Kind-flatMapNode]
	if !ok || !flatKey(key) {
		return nil, fmt.Errorf("%w: node %d is a FLATMAP whose key is %s", ErrUnsupported, p.pos-1, nodeName(raw.Kind-flatMapNode))
	}
	if raw.Children == 0 || int64(raw.Children) > int64(len(p.nodes)-p.pos) {
		return nil, fmt.Errorf("%w: a flat map of %d keys with %d nodes left", ErrCorrupt, raw.Children, len(p.nodes)-p.pos)
	}
	n := &node{typ: &Type{Kind: FlatMap}, stream: raw.Stream}
	p.attributes(n.typ, raw.Attrs)
	for i := range int(raw.Children) {
		inMap, err := p.helper(boolNode)
		if err != nil {
			return nil, err
		}
		if !inMap.Labelled {
			return nil, fmt.Errorf("%w: node %d is a key without text", ErrCorrupt, p.pos-1)
		}
		value, err := p.node(depth + 1)
		if err != nil {
			return nil, err
		}
		if i > 0 && !value.typ.Equal(n.keys[0].value.typ) {
			return nil, fmt.Errorf("%w: the keys %q and %q of a flat map have values of different types",
				ErrCorrupt, n.keys[0].label, inMap.Label)
		}
		n.keys = append(n.keys, flatMapKey{label: inMap.Label, inMap: inMap.Stream, value: value})
	}
	n.values = n.keys[0].value
	n.typ.Children = []*Type{{Kind: key}, n.values.typ}
	if len(n.keys) == 1 && n.keys[0].label == "" {
		// A map that never had a key: this one only keeps the value type.
		n.keys = nil
	}
	return n, nil
}

// attributes takes over the attributes of a node, and the logical type among
// them if it is one.
func (p *treeParser) attributes(t *Type, pairs []tablet.Pair) {
	for _, a := range pairs {
		if a.Key == LogicalKey && t.Logical == "" {
			l, err := ParseLogical(a.Value)
			if err == nil && l.Storage() == t.Kind {
				t.Logical = l.String()
				continue
			}
			p.warnings = append(p.warnings, fmt.Sprintf("schema: node %d: %v cannot be %q", p.pos-1, t.Kind, a.Value))
		}
		t.Attributes = append(t.Attributes, Attribute(a))
	}
}

// newTree returns a tree for t, which has no flat map, with the stream ids that a
// writer gives: to each node its own on creation, before those of its children.
func newTree(t *Type) (*node, error) {
	b := treeBuilder{}
	root, err := b.node(t)
	if err != nil {
		return nil, err
	}
	number(root, 0)
	return root, nil
}

type treeBuilder struct{ next uint32 }

func (b *treeBuilder) id() uint32 {
	b.next++
	return b.next - 1
}

// column returns the node of a column; that of a flat map has no keys yet.
func (b *treeBuilder) column(t *Type) (*node, error) {
	if t.Kind != FlatMap {
		return b.node(t)
	}
	if key := t.Children[0]; key.Logical != "" || len(key.Attributes) > 0 {
		return nil, fmt.Errorf("%w: keys of a flat map with attributes, which it cannot keep", ErrUnsupported)
	}
	// The values of all keys are of one type, which is checked here.
	if _, err := (&treeBuilder{}).node(t.Children[1]); err != nil {
		return nil, err
	}
	return &node{typ: t, stream: b.id()}, nil
}

func (b *treeBuilder) node(t *Type) (*node, error) {
	n := &node{typ: t, stream: b.id()}
	switch t.Kind {
	case FlatMap:
		return nil, fmt.Errorf("%w: writing a flat map that is not a column", ErrUnsupported)
	case DedupArray:
		if k := t.Children[0].Kind; k < TinyInt || k > Double {
			return nil, fmt.Errorf("%w: writing a deduplicated array of %v", ErrUnsupported, k)
		}
		n.second = b.id()
	case Timestamp, SlidingWindowMap:
		n.second = b.id()
	case Row:
		if err := checkNames(t.Names); err != nil {
			return nil, err
		}
	}
	for _, c := range t.Children {
		child, err := b.node(c)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	return n, nil
}

// checkNames refuses two fields of one name, which could not be told apart.
func checkNames(names []string) error {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return fmt.Errorf("%w: two fields are named %q", ErrSchema, name)
		}
		seen[name] = true
	}
	return nil
}

// appendNodes appends the schema section's nodes of n to dst. label is the field's
// name, if it is one.
func appendNodes(dst []tablet.Node, n *node, label string, labelled bool) []tablet.Node {
	raw := tablet.Node{Kind: nodeKinds[n.typ.Kind], Label: label, Labelled: labelled, Stream: n.stream}
	if n.typ.Logical != "" {
		raw.Attrs = append(raw.Attrs, tablet.Pair{Key: LogicalKey, Value: n.typ.Logical})
	}
	for _, a := range n.typ.Attributes {
		raw.Attrs = append(raw.Attrs, tablet.Pair(a))
	}
	var helper []tablet.Node
	switch n.typ.Kind {
	case Row:
		raw.Children = uint32(len(n.children))
	case FlatMap:
		raw.Kind = flatMapNode + nodeKinds[n.typ.Children[0].Kind]
		raw.Children = uint32(len(n.keys))
	case Timestamp:
		helper = []tablet.Node{{Kind: uint16Node, Stream: n.second}}
	case DedupArray:
		// The node's own stream is that of the lengths here.
		raw.Stream = n.second
		helper = []tablet.Node{{Kind: uint32Node, Stream: n.stream}}
	case SlidingWindowMap:
		helper = []tablet.Node{{Kind: uint32Node, Stream: n.second}}
	}
	dst = append(append(dst, raw), helper...)
	for i, c := range n.children {
		if n.typ.Kind == Row {
			dst = appendNodes(dst, c, n.typ.Names[i], true)
		} else {
			dst = appendNodes(dst, c, "", false)
		}
	}
	for _, k := range n.keys {
		dst = append(dst, tablet.Node{Kind: boolNode, Label: k.label, Labelled: true, Stream: k.inMap})
		dst = appendNodes(dst, k.value, "", false)
	}
	return dst
}
