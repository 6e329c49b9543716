package encoding

// anyRows stands for a number of rows that the parent does not prescribe.
const anyRows = -1

// maxDepth bounds how deep arrays nest.
const maxDepth = 16

// openIn opens an array of the tree that the session is at, part of the one
// that is being opened, which must have the given number of rows.
func openIn[N node](s *Session, f *family[N], part string, data []byte, rows int) (none N, err error) {
	p, n, err := ReadPrefix(data, s.tree.options.VarintRowCount)
	if err != nil {
		return none, err
	}
	if s.tree.depth == maxDepth {
		return none, corrupt("%s: nested deeper than %d levels", p.Kind.label(), maxDepth)
	}
	if int(p.Type) >= numDataTypes || !f.holds[p.Type] {
		return none, corrupt("%s: data type %v where %s is needed", p.Kind.label(), p.Type, f.types)
	}
	if rows != anyRows && p.Rows != rows {
		return none, corrupt("%s: %d rows where %d are needed", p.Kind.label(), p.Rows, rows)
	}
	d, err := f.take(s, p.Kind)
	if err != nil {
		return none, err
	}
	d.header().start(p)
	parent := s.tree.node
	if parent != nil {
		s.tree.node = parent.add(part, p, len(data))
	}
	s.tree.depth++
	err = d.open(data[n:])
	s.tree.depth--
	s.tree.node = parent
	if err != nil {
		d.Close()
		return none, within(p.Kind.label(), err)
	}
	return d, nil
}

// openPart opens the child called part.
func openPart[T Physical](s *Session, part string, data []byte, rows int) (Decoder[T], error) {
	d, err := openIn(s, familyOf[T](s), part, data, rows)
	return d, within(part, err)
}

// openBools opens the child called part, which holds bools.
func openBools(s *Session, part string, data []byte, rows int) (BoolDecoder, error) {
	d, err := openIn(s, &s.bools, part, data, rows)
	return d, within(part, err)
}

// take returns a free node of the given kind or makes one.
func (f *family[N]) take(s *Session, k Kind) (n N, err error) {
	if int(k) >= numKinds {
		return n, unsupported("%v is not known", k)
	}
	if f.create[k] == nil {
		return n, unsupported("%v of %s", k, f.types)
	}
	if last := len(f.free[k]) - 1; last >= 0 {
		n = f.free[k][last]
		f.free[k] = f.free[k][:last]
		return n, nil
	}
	return f.create[k](base{session: s}), nil
}

// recycle gives a closed node back to the session.
func recycle[T Physical](n Decoder[T]) {
	b := n.header()
	b.strings = nil
	f := familyOf[T](b.session)
	f.free[b.prefix.Kind] = append(f.free[b.prefix.Kind], n)
}

func recycleBools(n BoolDecoder) {
	b := n.header()
	f := &b.session.bools
	f.free[b.prefix.Kind] = append(f.free[b.prefix.Kind], n)
}

// shut closes a child and forgets it. A child that was never opened is nil.
func shut[N interface {
	comparable
	Close()
}](child *N) {
	var none N
	if *child != none {
		(*child).Close()
		*child = none
	}
}
