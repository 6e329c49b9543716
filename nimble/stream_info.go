package nimble

// StreamInfo says what a stream holds.
type StreamInfo struct {
	ID uint32
	// Column is the top-level column that the stream belongs to, -1 for the
	// root's nulls.
	Column int
	// Path names the type in the column: fields by name after a dot, elements
	// as [], keys and values as [key] and [value], a flat map's values by ["k"].
	// It is empty for the root.
	Path string
	// Part is what of the type is stored: values, micros, nanos, nulls,
	// lengths, offsets, or in-map.
	Part string
}

// Streams returns the streams that a stripe of the file may have, in the order of
// the schema.
func (f *File) Streams() []StreamInfo {
	l := streamLister{list: []StreamInfo{{ID: f.root.stream, Column: -1, Part: "nulls"}}}
	for i, c := range f.root.children {
		l.column = i
		l.walk(c, f.root.typ.Names[i])
	}
	return l.list
}

type streamLister struct {
	list   []StreamInfo
	column int
}

func (l *streamLister) add(id uint32, path, part string) {
	l.list = append(l.list, StreamInfo{ID: id, Column: l.column, Path: path, Part: part})
}

// walk adds the streams of n and of what is below it.
func (l *streamLister) walk(n *node, path string) {
	switch n.typ.Kind {
	case Timestamp:
		l.add(n.stream, path, "micros")
		l.add(n.second, path, "nanos")
	case Row, FlatMap:
		l.add(n.stream, path, "nulls")
	case Array, Map:
		l.add(n.stream, path, "lengths")
	case DedupArray, SlidingWindowMap:
		l.add(n.stream, path, "offsets")
		l.add(n.second, path, "lengths")
	default:
		l.add(n.stream, path, "values")
	}
	for i, c := range n.children {
		switch {
		case n.typ.Kind == Row:
			l.walk(c, path+"."+n.typ.Names[i])
		case len(n.children) == 1:
			l.walk(c, path+"[]")
		default:
			l.walk(c, path+[]string{"[key]", "[value]"}[i])
		}
	}
	for _, k := range n.keys {
		l.add(k.inMap, path+quoteKey(k.label), "in-map")
		l.walk(k.value, path+quoteKey(k.label))
	}
}

func quoteKey(label string) string { return `["` + label + `"]` }
