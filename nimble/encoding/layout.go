package encoding

import "fmt"

// Layout is an encoding tree to be replayed instead of selected: a node and
// its children by their place in the encoding. A child that is nil is selected
// afresh. Of nullable values it is the tree of the present ones, or of both if
// its kind is Nullable.
type Layout struct {
	Kind        Kind
	Compression Compression // of the node's own payload
	Children    []*Layout
}

// check reports what makes the layout impossible to write.
func (l *Layout) check() error {
	if l == nil {
		return nil
	}
	if l.Kind >= numKinds {
		return fmt.Errorf("layout: %v: %w", l.Kind, ErrUnsupported)
	}
	if err := checkEncodeCodec(l.Compression); err != nil {
		return fmt.Errorf("layout: %w", err)
	}
	for _, c := range l.Children {
		if err := c.check(); err != nil {
			return err
		}
	}
	return nil
}

// CaptureLayout returns the layout of an encoded array, as far as a replay can
// use it: without the Nullable nodes above present values. It fails where
// [Open] fails.
func CaptureLayout(data []byte, o Options) (*Layout, error) {
	n, err := Describe(data, o)
	if err != nil {
		return nil, err
	}
	return layoutOf(n), nil
}

func layoutOf(n *Node) *Layout {
	if n.Kind == KindNullable {
		return layoutOf(n.Children[0])
	}
	l := &Layout{Kind: n.Kind, Compression: n.Compression}
	for _, c := range n.Children {
		l.Children = append(l.Children, layoutOf(c))
	}
	return l
}

// SetLayout makes l the layout of the arrays that are encoded from now on, in place
// of the one in the options; nil selects everything. The encoder keeps l. The error
// wraps ErrUnsupported if l has an encoding that cannot be written.
func (e *Encoder) SetLayout(l *Layout) error {
	if err := l.check(); err != nil {
		return err
	}
	e.opts.Layout = l
	return nil
}
