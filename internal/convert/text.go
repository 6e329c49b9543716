package convert

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// TextMode says what the text of a value is for.
type TextMode uint8

// The modes. They differ in nothing but strings and what prints as a string.
const (
	// PlainText is for people and for CSV: strings are their own bytes. Nested
	// values are JSON.
	PlainText TextMode = iota
	// JSONText is a JSON value on one line, from which every value can be told
	// exactly.
	JSONText
)

// Text renders batches, column by column, into memory that it reuses. It
// belongs to one goroutine.
//
//	BOOLEAN          true, false
//	integers         all digits
//	REAL, DOUBLE     the shortest text that reads back as the same value, with
//	                 a point or an exponent, or as TextKey says; NaN, Infinity,
//	                 -Infinity, in JSON as strings
//	DECIMAL          all digits, the scale's number of them after the point
//	DATE             2013-01-31
//	TIME             08:30:00 with the unit's digits
//	TIMESTAMP        2013-01-31T08:30:00.000Z with the unit's digits (nine where
//	                 there is none), without Z if local, or as TextKey says
//	VARCHAR, JSON    the bytes; in JSON a string, in which a byte that is not
//	                 UTF-8 is the escape \udc00 plus the byte; what TextKey says
//	                 is raw is in JSON the value
//	VARBINARY        lower-case hexadecimal digits, or the bytes as TextKey says,
//	                 which in JSON are digits too
//	UUID             8-4-4-4-12 hexadecimal digits
//	ARRAY            [1,null,3]
//	MAP              {"key":1}, keys in the order they are stored in
//	ROW              {"name":1}
type Text struct {
	columns []*textNode
	rows    int
}

// NewText returns a renderer for batches of a row type's columns.
func NewText(schema *nimble.Type, mode TextMode) (*Text, error) {
	if schema.Kind != nimble.Row {
		return nil, fmt.Errorf("text: %w: %v is not a row", nimble.ErrSchema, schema.Kind)
	}
	t := &Text{}
	for _, c := range schema.Children {
		n, err := newTextNode(c, mode)
		if err != nil {
			return nil, err
		}
		t.columns = append(t.columns, n)
	}
	return t, nil
}

// Render makes the text of the selected rows of b. Its columns must be of the
// types that the renderer was made for.
func (t *Text) Render(b *vector.Batch) error {
	if len(b.Columns) != len(t.columns) {
		return fmt.Errorf("text: %d columns instead of %d", len(b.Columns), len(t.columns))
	}
	t.rows = b.Rows()
	for i, n := range t.columns {
		if err := n.render(b.Columns[i], b.Sel); err != nil {
			return fmt.Errorf("text: column %d: %w", i, err)
		}
	}
	return nil
}

// Rows returns the number of rows of the last Render.
func (t *Text) Rows() int { return t.rows }

// Cell returns the text of a row, counted among the selected ones, in a column;
// present is false for a null. The text is valid until the next Render.
func (t *Text) Cell(row, col int) (text []byte, present bool) { return t.columns[col].cell(row) }

// textNode renders the values of one node of a schema.
type textNode struct {
	typ      *nimble.Type
	logical  nimble.Logical
	mode     TextMode
	style    floatStyle
	form     momentForm
	children []*textNode
	// bytesText means that VARBINARY is written as its own bytes.
	bytesText bool
	raw       bool     // JSON that is no string
	names     [][]byte // of a row's fields, as JSON with the colon

	bytes []byte
	ends  []int
	rows  []int32 // of the vector, one for each cell, -1 for a null
	values
}

// values is room for the rows of vectors that are not flat.
type values struct {
	int8s    []int8
	int16s   []int16
	int32s   []int32
	int64s   []int64
	float32s []float32
	float64s []float64
	views    []vector.View
}

func newTextNode(t *nimble.Type, mode TextMode) (*textNode, error) {
	l, err := nimble.ParseLogical(t.Logical)
	if err != nil {
		return nil, err
	}
	n := &textNode{typ: t, logical: l, mode: mode, style: styleOf(t), form: formOf(t, l)}
	n.raw = mode == JSONText && isRawJSON(t)
	n.bytesText = mode == PlainText && isBytesText(t)
	for i, c := range t.Children {
		child, err := newTextNode(c, JSONText)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
		if t.Kind == nimble.Row {
			n.names = append(n.names, append(appendJSONString(nil, []byte(t.Names[i])), ':'))
		}
	}
	return n, nil
}

// formOf returns how the moments of a type are written.
func formOf(t *nimble.Type, l nimble.Logical) momentForm {
	if t.Kind != nimble.Timestamp {
		return momentForm{}
	}
	if form, ok := parseMomentForm(attribute(t, TextKey)); ok {
		return form
	}
	form := momentForm{separator: 'T', digits: unitDigits(l.Unit), zone: 'Z'}
	if attribute(t, ZoneKey) == LocalZone {
		form.zone = 0
	}
	return form
}

// unitDigits returns the digits of the fraction of a second in a unit.
func unitDigits(u nimble.Unit) int {
	switch u {
	case nimble.Second:
		return 0
	case nimble.Millisecond:
		return 3
	case nimble.Microsecond:
		return 6
	default:
		return 9
	}
}

func (n *textNode) cell(i int) (text []byte, present bool) {
	begin := 0
	if i > 0 {
		begin = n.ends[i-1]
	}
	return n.bytes[begin:n.ends[i]:n.ends[i]], n.rows[i] >= 0
}

// start empties the node and lists the rows of its cells: those selected, -1 in
// place of those that are null.
func (n *textNode) start(length int, sel []int32, valid []uint64) {
	n.bytes, n.ends, n.rows = n.bytes[:0], n.ends[:0], n.rows[:0]
	if sel == nil {
		for row := range length {
			n.rows = append(n.rows, int32(row))
		}
	} else {
		n.rows = append(n.rows, sel...)
	}
	if valid == nil {
		return
	}
	for i, row := range n.rows {
		if !vector.Valid(valid, int(row)) {
			n.rows[i] = -1
		}
	}
}

// end ends a cell.
func (n *textNode) end() { n.ends = append(n.ends, len(n.bytes)) }

func (n *textNode) render(v vector.Vector, sel []int32) error {
	n.start(v.Len(), sel, v.Validity())
	switch v := v.(type) {
	case *vector.Bools:
		n.bools(v)
	case *vector.Vec[int8]:
		integers(n, rowsOf(v, &n.int8s))
	case *vector.Vec[int16]:
		integers(n, rowsOf(v, &n.int16s))
	case *vector.Vec[int32]:
		integers(n, rowsOf(v, &n.int32s))
	case *vector.Vec[int64]:
		integers(n, rowsOf(v, &n.int64s))
	case *vector.Vec[float32]:
		floats(n, rowsOf(v, &n.float32s), 32)
	case *vector.Vec[float64]:
		floats(n, rowsOf(v, &n.float64s), 64)
	case *vector.Vec[vector.View]:
		n.strings(rowsOf(v, &n.views), v.Buffers.List())
	case *vector.Timestamps:
		n.moments(rowsOf(&v.Micros, &n.int64s), v.Nanos)
	case *vector.List:
		return n.lists(v)
	case *vector.Map:
		return n.maps(v)
	case *vector.Row:
		return n.structs(v)
	default:
		return fmt.Errorf("%w: a vector of kind %v", nimble.ErrSchema, v.Kind())
	}
	return nil
}

// rowsOf returns the value of each row of v, in room if v is not flat.
func rowsOf[T vector.Value](v *vector.Vec[T], room *[]T) []T {
	if v.Form == vector.Flat {
		return v.Values[:v.N]
	}
	if cap(*room) < v.N {
		*room = make([]T, v.N)
	}
	v.Expand((*room)[:v.N])
	return (*room)[:v.N]
}
