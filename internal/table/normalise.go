package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// Source is rows to be taken in.
type Source interface {
	// Schema returns the type of the rows. Its columns are found by name; those
	// that the table does not have are left out, and those that it has alone are
	// null.
	Schema() *nimble.Type
	// Next returns the next rows, or io.EOF. The batch is valid until the next
	// call.
	Next() (*vector.Batch, error)
}

// normaliser turns rows of a source into those of a schema.
type normaliser struct {
	schema *Schema
	nulls  bool // are kept
	in     Input
	from   []int
	types  []*nimble.Type
	kinds  []nimble.Logical
	batch  *vector.Batch
	cell   cell
	fills  []cell // defaults by field
	rows   int64  // so far
}

// newNormaliser returns the normaliser of an input's rows.
func newNormaliser(s *Schema, nulls bool, in Input) (*normaliser, error) {
	n := &normaliser{schema: s, nulls: nulls, in: in, batch: &vector.Batch{}}
	stored, t := s.Stored(), in.Schema()
	for i, f := range s.Fields {
		at := slices.Index(t.Names, f.Name)
		n.from = append(n.from, at)
		var elem *nimble.Type
		if at >= 0 {
			elem = t.Children[at]
			if elem.Kind == nimble.Array || elem.Kind == nimble.DedupArray {
				elem = elem.Children[0]
			}
		}
		n.types = append(n.types, elem)
		var l nimble.Logical
		if elem != nil {
			var err error
			if l, err = nimble.ParseLogical(elem.Logical); err != nil {
				return nil, err
			}
		}
		n.kinds = append(n.kinds, l)
		var fill cell
		if err := fill.parse(f.Type, f.DefaultText()); err != nil {
			return nil, fmt.Errorf("field %s: default: %w", f.Name, err)
		}
		n.fills = append(n.fills, fill)
		n.batch.Columns = append(n.batch.Columns, newColumn(stored.Children[i]))
	}
	return n, nil
}

func newColumn(t *nimble.Type) vector.Vector {
	switch t.Kind {
	case nimble.Integer:
		return vector.NewVec[int32](nil)
	case nimble.BigInt:
		return vector.NewVec[int64](nil)
	case nimble.Real:
		return vector.NewVec[float32](nil)
	case nimble.Double:
		return vector.NewVec[float64](nil)
	case nimble.Boolean:
		return vector.NewBools(nil)
	case nimble.Timestamp:
		return vector.NewTimestamps(nil)
	case nimble.Array:
		return vector.NewList(nil, newColumn(t.Children[0]))
	}
	return vector.NewVec[vector.View](nil)
}

// apply returns the rows of b as the schema has them, valid until the next call.
func (n *normaliser) apply(b *vector.Batch) (*vector.Batch, error) {
	n.batch.N = b.Rows()
	for i := range n.schema.Fields {
		out := n.batch.Columns[i]
		out.Reset()
		for row := range b.Rows() {
			var src vector.Vector
			if n.from[i] >= 0 {
				src = b.Columns[n.from[i]]
			}
			if err := n.value(i, out, src, row); err != nil {
				return nil, fmt.Errorf("row %d: field %s: %w", n.rows+int64(row)+1, n.schema.Fields[i].Name, err)
			}
		}
	}
	n.rows += int64(b.Rows())
	return n.batch, nil
}

// value appends a row of a field.
func (n *normaliser) value(field int, out, src vector.Vector, row int) error {
	f := &n.schema.Fields[field]
	if f.Multi {
		return n.values(field, out.(*vector.List), src, row)
	}
	if list, ok := src.(*vector.List); ok {
		begin, end := 0, 0
		if vector.Valid(list.Valid, row) {
			begin, end = list.Span(row)
		}
		if end-begin > 1 {
			return fmt.Errorf("%w: %d values where there is one", ErrValue, end-begin)
		}
		if src, row = list.Elem, begin; begin == end {
			src = nil
		}
	}
	if err := n.read(field, src, row); err != nil {
		return err
	}
	if n.cell.kind == null && !n.nulls {
		appendCell(out, &n.fills[field])
		return nil
	}
	appendCell(out, &n.cell)
	return nil
}

// values appends the values of a row. None of them is null, and there is one at
// least, or the row is null.
func (n *normaliser) values(field int, out *vector.List, src vector.Vector, row int) error {
	before := out.Elem.Len()
	switch v := src.(type) {
	case nil:
	case *vector.List:
		if !vector.Valid(v.Valid, row) {
			break
		}
		begin, end := v.Span(row)
		for e := begin; e < end; e++ {
			if err := n.read(field, v.Elem, e); err != nil {
				return err
			}
			n.element(field, out.Elem)
		}
	default:
		if err := n.several(field, out.Elem, src, row); err != nil {
			return err
		}
	}
	if out.Elem.Len() > before {
		out.Append()
		return nil
	}
	if n.nulls {
		out.AppendNull()
		return nil
	}
	appendCell(out.Elem, &n.fills[field])
	out.Append()
	return nil
}

// several appends the values that one value is: a text perhaps of several, or an
// array of JSON.
func (n *normaliser) several(field int, elem, src vector.Vector, row int) error {
	if err := n.cell.read(src, n.types[field], n.kinds[field], row); err != nil {
		return err
	}
	if n.cell.kind != text {
		return n.addElement(field, elem)
	}
	whole := slices.Clone(n.cell.text)
	var parts [][]byte
	switch {
	case n.in.RawJSON && bytes.HasPrefix(whole, []byte("[")):
		var list []json.RawMessage
		if err := json.Unmarshal(whole, &list); err != nil {
			return badValue(string(whole), n.schema.Fields[field].Type)
		}
		for _, x := range list {
			parts = append(parts, x)
		}
	case n.in.SplitTexts:
		parts = bytes.Split(whole, []byte(";"))
	default:
		parts = append(parts, whole)
	}
	for _, part := range parts {
		n.cell.kind, n.cell.text = text, append(n.cell.text[:0], part...)
		if err := n.addElement(field, elem); err != nil {
			return err
		}
	}
	return nil
}

// addElement appends n.cell as it is stored, unless it is null.
func (n *normaliser) addElement(field int, elem vector.Vector) error {
	if err := n.finish(field); err != nil {
		return err
	}
	if n.cell.kind != null {
		appendCell(elem, &n.cell)
	}
	return nil
}

func (n *normaliser) element(field int, elem vector.Vector) {
	if n.cell.kind == null {
		appendCell(elem, &n.fills[field])
		return
	}
	appendCell(elem, &n.cell)
}

// read makes n.cell the value of a row as the field stores it.
func (n *normaliser) read(field int, src vector.Vector, row int) error {
	if n.cell.kind = null; src == nil {
		return nil
	}
	if err := n.cell.read(src, n.types[field], n.kinds[field], row); err != nil {
		return err
	}
	return n.finish(field)
}

func (n *normaliser) finish(field int) error {
	f := &n.schema.Fields[field]
	if n.in.RawJSON && n.cell.kind == text {
		if err := n.cell.unquote(); err != nil {
			return err
		}
	}
	if err := n.cell.convert(f.Type); err != nil {
		return err
	}
	if f.Type == String && n.cell.kind == text {
		n.cell.text = trimText(n.cell.text, f.MaxLength)
	}
	return nil
}

// trimText cuts a text at a zero character and behind so many UTF-16 units, as
// Pinot does.
func trimText(s []byte, units int) []byte {
	if i := bytes.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	if len(s) <= units {
		return s
	}
	for at, used := 0, 0; at < len(s); {
		r, size := utf8.DecodeRune(s[at:])
		if used++; r >= 0x10000 {
			used++
		}
		if used > units {
			return s[:at]
		}
		at += size
	}
	return s
}

// appendCell appends a value that has the vector's type.
func appendCell(dst vector.Vector, c *cell) {
	switch v := dst.(type) {
	case *vector.Vec[int32]:
		appendNumber(v, int32(c.i), c)
	case *vector.Vec[int64]:
		appendNumber(v, c.i, c)
	case *vector.Vec[float32]:
		appendNumber(v, float32(c.f), c)
	case *vector.Vec[float64]:
		appendNumber(v, c.f, c)
	case *vector.Bools:
		if c.kind == null {
			v.AppendNull()
		} else {
			v.Append(c.i != 0)
		}
	case *vector.Timestamps:
		if c.kind == null {
			v.AppendNull()
		} else {
			v.Append(c.i*microsOfMillis, 0)
		}
	case *vector.Vec[vector.View]:
		if c.kind == null {
			v.AppendNull()
		} else {
			vector.AppendString(v, c.text)
		}
	}
}

func appendNumber[T vector.Value](v *vector.Vec[T], x T, c *cell) {
	if c.kind == null {
		v.AppendNull()
	} else {
		v.Append(x)
	}
}
