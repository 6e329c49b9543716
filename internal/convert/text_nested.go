package convert

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// appendChild writes cell i of a child.
func (n *textNode) appendChild(child *textNode, i int) {
	text, present := child.cell(i)
	if !present {
		text = []byte("null")
	}
	n.bytes = append(n.bytes, text...)
}

// expect checks that the type has as many children as the vector.
func (n *textNode) expect(kind vector.Kind, children int) error {
	if len(n.children) != children {
		return fmt.Errorf("%w: a vector of kind %v for %v", nimble.ErrSchema, kind, n.typ)
	}
	return nil
}

func (n *textNode) lists(v *vector.List) error {
	if err := n.expect(v.Kind(), 1); err != nil {
		return err
	}
	if err := n.children[0].render(v.Elem, nil); err != nil {
		return err
	}
	for _, row := range n.rows {
		if row >= 0 {
			begin, end := v.Span(int(row))
			n.bytes = append(n.bytes, '[')
			for i := begin; i < end; i++ {
				if i > begin {
					n.bytes = append(n.bytes, ',')
				}
				n.appendChild(n.children[0], i)
			}
			n.bytes = append(n.bytes, ']')
		}
		n.end()
	}
	return nil
}

func (n *textNode) maps(v *vector.Map) error {
	if err := n.expect(v.Kind(), 2); err != nil {
		return err
	}
	if err := n.children[0].render(v.Keys, nil); err != nil {
		return err
	}
	if err := n.children[1].render(v.Values, nil); err != nil {
		return err
	}
	for _, row := range n.rows {
		if row >= 0 {
			begin, end := v.Span(int(row))
			n.bytes = append(n.bytes, '{')
			for i := begin; i < end; i++ {
				if i > begin {
					n.bytes = append(n.bytes, ',')
				}
				key, _ := n.children[0].cell(i)
				n.appendKey(key)
				n.appendChild(n.children[1], i)
			}
			n.bytes = append(n.bytes, '}')
		}
		n.end()
	}
	return nil
}

// appendKey writes the JSON of a map's key as the string that a member's name
// must be.
func (n *textNode) appendKey(key []byte) {
	switch {
	case len(key) > 0 && key[0] == '"':
		n.bytes = append(n.bytes, key...)
	case len(key) > 0 && (key[0] == '{' || key[0] == '['):
		n.bytes = appendJSONString(n.bytes, key)
	default:
		n.bytes = append(n.bytes, '"')
		n.bytes = append(n.bytes, key...)
		n.bytes = append(n.bytes, '"')
	}
	n.bytes = append(n.bytes, ':')
}

func (n *textNode) structs(v *vector.Row) error {
	if err := n.expect(v.Kind(), len(v.Fields)); err != nil {
		return err
	}
	for i, f := range v.Fields {
		if err := n.children[i].render(f, nil); err != nil {
			return err
		}
	}
	for _, row := range n.rows {
		if row >= 0 {
			n.bytes = append(n.bytes, '{')
			for i, child := range n.children {
				if i > 0 {
					n.bytes = append(n.bytes, ',')
				}
				n.bytes = append(n.bytes, n.names[i]...)
				n.appendChild(child, int(row))
			}
			n.bytes = append(n.bytes, '}')
		}
		n.end()
	}
	return nil
}
