package decant

import (
	"fmt"
	"time"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// scanner turns the rows of a batch into Go values.
type scanner struct {
	row, rows int
	schema    *nimble.Type
	batch     *vector.Batch
	text      *convert.Text // of the columns whose values are text: see asText
	place     []int         // in text, by column
}

// asText reports whether values of a type are given as text: decimals, and what
// is JSON.
func asText(t *nimble.Type) bool { return convert.IsDecimal(t) || convert.IsNested(t) }

// start moves before the first row of b.
func (s *scanner) start(schema *nimble.Type, b *vector.Batch) error {
	if s.place == nil {
		if err := s.prepare(schema); err != nil {
			return err
		}
	}
	s.row, s.rows, s.batch = 0, b.Rows(), b
	texts := vector.Batch{N: b.N, Sel: b.Sel}
	for i, c := range schema.Children {
		if asText(c) {
			texts.Columns = append(texts.Columns, b.Columns[i])
		}
	}
	return s.text.Render(&texts)
}

func (s *scanner) prepare(schema *nimble.Type) error {
	texts := &nimble.Type{Kind: nimble.Row}
	s.schema, s.place = schema, make([]int, len(schema.Children))
	for i, c := range schema.Children {
		if asText(c) {
			s.place[i] = len(texts.Children)
			texts.Names = append(texts.Names, schema.Names[i])
			texts.Children = append(texts.Children, c)
		}
	}
	var err error
	s.text, err = convert.NewText(texts, convert.PlainText)
	return err
}

// stop ends the current row and batch.
func (s *scanner) stop() { s.row, s.rows, s.batch = 0, 0, nil }

// value returns a column of the current row, nil for null.
func (s *scanner) value(col int) (any, error) {
	t := s.schema.Children[col]
	if asText(t) {
		text, present := s.text.Cell(s.row, s.place[col])
		if !present {
			return nil, nil
		}
		return string(text), nil
	}
	row := s.row
	if s.batch.Sel != nil {
		row = int(s.batch.Sel[row])
	}
	return valueAt(s.batch.Columns[col], row, t)
}

// valueAt returns a value of a column that is not text, nil for null.
func valueAt(v vector.Vector, row int, t *nimble.Type) (any, error) {
	if !vector.Valid(v.Validity(), row) {
		return nil, nil
	}
	switch v := v.(type) {
	case *vector.Bools:
		return vector.Bit(v.Bits, row), nil
	case *vector.Vec[int32]:
		return v.Values[v.ValueIndex(row)], nil
	case *vector.Vec[int64]:
		return v.Values[v.ValueIndex(row)], nil
	case *vector.Vec[float32]:
		return v.Values[v.ValueIndex(row)], nil
	case *vector.Vec[float64]:
		return v.Values[v.ValueIndex(row)], nil
	case *vector.Timestamps:
		return time.UnixMicro(v.Micros.Values[v.Micros.ValueIndex(row)]).UTC(), nil
	case *vector.Vec[vector.View]:
		bytes := v.Values[v.ValueIndex(row)].Bytes(v.Buffers.List())
		if t.Kind == nimble.Varbinary {
			return append([]byte{}, bytes...), nil
		}
		return string(bytes), nil
	case *vector.List:
		if t.Kind == nimble.Array {
			return listAt(v, row, t.Children[0])
		}
	}
	return nil, fmt.Errorf("a vector of kind %v for %v: %w", v.Kind(), t, ErrScan)
}

// listAt returns the elements of a list.
func listAt(v *vector.List, row int, elem *nimble.Type) (any, error) {
	begin, end := v.Span(row)
	values := make([]any, 0, end-begin)
	for i := begin; i < end; i++ {
		value, err := valueAt(v.Elem, i, elem)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}
