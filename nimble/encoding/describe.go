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
	Children    []*Node
}

// Describe returns the encoding tree of an array. It fails where [Open] fails.
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

func describe[N opener](s *Session, f *family[N], data []byte) (*Node, error) {
	d, err := openIn(s, f, data, anyRows)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return nodeOf("", d), nil
}

func nodeOf(part string, d opener) *Node {
	b := d.header()
	n := &Node{
		Part: part, Kind: b.prefix.Kind, DataType: b.prefix.Type,
		Rows: b.prefix.Rows, SizeBytes: b.sizeBytes,
	}
	d.describe(n)
	return n
}

// add describes the child called part.
func (n *Node) add(part string, d opener) { n.Children = append(n.Children, nodeOf(part, d)) }
