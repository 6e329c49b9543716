package encoding

// Node describes one array of an encoding tree.
type Node struct {
	// Part is what the array is to its parent, "" for the root.
	Part        string
	Kind        Kind
	DataType    DataType
	Rows        int
	SizeBytes   int         // with prefix and children
	Compression Compression // of the array's own payload
	Children    []*Node     // in the order of the format
}

// Describe returns the encoding tree of an array, for people to look at. Where
// [Open] fails it returns the same error, and the tree as far as it got, which
// may be nil.
func Describe(data []byte, o Options) (*Node, error) {
	p, _, err := ReadPrefix(data, o.VarintRowCount)
	if err != nil {
		return nil, err
	}
	s := NewSession(nil)
	s.begin(data, o)
	switch {
	case p.Type == Bool:
		return describe(s, &s.bools, data)
	case p.Type == String:
		return describe(s, &s.views, data)
	case p.Type.Bytes() == 1:
		return describe(s, &s.u8, data)
	case p.Type.Bytes() == 2:
		return describe(s, &s.u16, data)
	case p.Type.Bytes() == 4:
		return describe(s, &s.u32, data)
	default:
		return describe(s, &s.u64, data)
	}
}

func describe[N node](s *Session, f *family[N], data []byte) (*Node, error) {
	above := &Node{}
	s.tree.node = above
	d, err := openIn(s, f, "", data, anyRows)
	if err == nil {
		d.Close()
	}
	if len(above.Children) == 0 {
		return nil, err
	}
	return above.Children[0], err
}

// add appends a child that is being opened.
func (n *Node) add(part string, p Prefix, sizeBytes int) *Node {
	child := &Node{Part: part, Kind: p.Kind, DataType: p.Type, Rows: p.Rows, SizeBytes: sizeBytes}
	n.Children = append(n.Children, child)
	return child
}
