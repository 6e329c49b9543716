package convert

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// jsonNode appends JSON values to the vector of one node of a schema. It reads what
// Text writes.
type jsonNode struct {
	typ      *nimble.Type
	logical  nimble.Logical
	vec      vector.Vector
	children []*jsonNode
	stored   []byte
	width    int // vectors that grow with a null
	absent   *absentValues

	// Of a row:
	fields  map[string]int // -1 for those that are passed over
	last    int            // the field that was read last
	objects int            // so far
	read    []int          // by field, the number of the object that had it last
}

func newJSONNode(t *nimble.Type, absent *absentValues) (*jsonNode, error) {
	l, err := nimble.ParseLogical(t.Logical)
	if err != nil {
		return nil, err
	}
	n := &jsonNode{typ: t, logical: l, width: 1, absent: absent}
	for _, c := range t.Children {
		child, err := newJSONNode(c, absent)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	switch t.Kind {
	case nimble.Array:
		n.vec = vector.NewList(nil, n.children[0].vec)
	case nimble.Map:
		n.vec = vector.NewMap(nil, n.children[0].vec, n.children[1].vec)
	case nimble.Row:
		row := vector.NewRow(nil)
		n.fields, n.read = make(map[string]int, len(t.Names)), make([]int, len(t.Names))
		for i, name := range t.Names {
			if _, ok := n.fields[name]; ok {
				return nil, fmt.Errorf("%w: two members named %q", nimble.ErrSchema, name)
			}
			n.fields[name] = i
			n.width += n.children[i].width
			row.Fields = append(row.Fields, n.children[i].vec)
		}
		n.vec = row
	default:
		n.vec, err = vector.Make(nil, nimble.VectorKind(t.Kind))
	}
	return n, err
}

// addNull adds a null row for which there is little or no text.
func (n *jsonNode) addNull() error {
	n.appendNull()
	return n.absent.add(n.width)
}

// appendNull adds a null row.
func (n *jsonNode) appendNull() {
	switch v := n.vec.(type) {
	case *vector.Row:
		for _, c := range n.children {
			c.appendNull()
		}
		v.Append(false)
	case interface{ AppendNull() }:
		v.AppendNull()
	}
}

// append adds the next value of c.
func (n *jsonNode) append(c *jsonCursor) error {
	if c.word("null") {
		return n.addNull()
	}
	switch v := n.vec.(type) {
	case *vector.List:
		err := c.elements(func() error { return n.children[0].append(c) })
		v.Append()
		return err
	case *vector.Map:
		err := c.members(func(key []byte) error {
			if err := n.children[0].appendText(key); err != nil {
				return err
			}
			return n.children[1].append(c)
		})
		v.Append()
		return err
	case *vector.Row:
		err := n.appendObject(c)
		v.Append(true)
		return err
	}
	if n.logical.Kind == nimble.LogicalJSON {
		return n.appendJSON(c)
	}
	var text []byte
	var err error
	switch first := c.peek(); {
	case first == '"':
		text, err = c.text()
	case first == 't', first == 'f':
		if text, err = c.skip(0); err == nil && n.typ.Kind != nimble.Boolean {
			return &valueError{cut(string(text)), n.typ.String()}
		}
	case first == '{', first == '[', n.typ.Kind == nimble.Varchar, n.typ.Kind == nimble.Boolean:
		if text, err = c.skip(0); err == nil {
			return &valueError{cut(string(text)), n.typ.String()}
		}
	default:
		text, err = c.number()
	}
	if err != nil {
		return err
	}
	return n.appendText(text)
}

// appendJSON adds a value as its text, or the text that a string of JSON has, unless
// all values are raw.
func (n *jsonNode) appendJSON(c *jsonCursor) error {
	if c.peek() == '"' && !isRawJSON(n.typ) {
		text, err := c.text()
		if err != nil {
			return err
		}
		return n.appendText(text)
	}
	text, err := c.skip(0)
	if err == nil {
		vector.AppendString(n.vec.(*vector.Vec[vector.View]), text)
	}
	return err
}

// appendObject adds a field of a row for each member, and null for those that are not
// there.
func (n *jsonNode) appendObject(c *jsonCursor) error {
	n.objects++
	err := c.members(func(name []byte) error {
		i := n.last + 1
		if i >= len(n.typ.Names) || n.typ.Names[i] != string(name) {
			var ok bool
			if i, ok = n.fields[string(name)]; !ok {
				return fmt.Errorf("%w: there is no column for the member %q", nimble.ErrSchema, cut(string(name)))
			}
		}
		if i < 0 {
			_, err := c.skip(0)
			return err
		}
		if n.read[i] == n.objects {
			return fmt.Errorf("two members named %q", cut(string(name)))
		}
		n.read[i], n.last = n.objects, i
		if err := n.children[i].append(c); err != nil {
			return fmt.Errorf("%s: %w", nimble.QuoteName(n.typ.Names[i]), err)
		}
		return nil
	})
	n.last = -1
	for i, child := range n.children {
		if err == nil && n.read[i] != n.objects {
			err = child.addNull()
		}
	}
	return err
}

// appendText adds a scalar.
func (n *jsonNode) appendText(text []byte) error {
	ok := false
	switch v := n.vec.(type) {
	case *vector.Bools:
		var x bool
		if x, ok = parseBool(text); ok {
			v.Append(x)
		}
	case *vector.Vec[int8]:
		ok = appendInteger(v, text, &n.logical)
	case *vector.Vec[int16]:
		ok = appendInteger(v, text, &n.logical)
	case *vector.Vec[int32]:
		ok = appendInteger(v, text, &n.logical)
	case *vector.Vec[int64]:
		ok = appendInteger(v, text, &n.logical)
	case *vector.Vec[float32]:
		var x float64
		if x, ok = parseFloat(text, 32); ok {
			v.Append(float32(x))
		}
	case *vector.Vec[float64]:
		var x float64
		if x, ok = parseFloat(text, 64); ok {
			v.Append(x)
		}
	case *vector.Timestamps:
		var m moment
		if m, ok = parseAnyMoment(text); ok && m.fits(n.logical.Unit) {
			v.Append(m.micros, m.nanos)
		} else {
			ok = false
		}
	case *vector.Vec[vector.View]:
		if n.logical.Kind == nimble.LogicalDecimal {
			n.stored, ok = appendDecimal(n.stored[:0], text, &n.logical)
		} else {
			n.stored, ok = storeBytes(append(n.stored[:0], text...), n.typ.Kind, &n.logical)
		}
		if ok {
			vector.AppendString(v, n.stored)
		}
	}
	if !ok {
		return &valueError{cut(string(text)), n.typ.String()}
	}
	return nil
}

// appendInteger adds what is stored in an integer.
func appendInteger[T int8 | int16 | int32 | int64](v *vector.Vec[T], text []byte, l *nimble.Logical) bool {
	x, ok := parseStored(text, l)
	if !ok || int64(T(x)) != x {
		return false
	}
	v.Append(T(x))
	return true
}
