package main

import (
	"fmt"

	"github.com/decantdb/decant/vector"
)

// entry is a value of a map. In a column a key that is not there is null.
type entry struct {
	present bool
	number  int64
	text    string
}

// check compares all rows that were read, as maps or as columns, with the
// sample's own.
func (s *sample) check(got *vector.Row) error {
	keys := len(s.columns.Children[0].Children)
	want, have := make([]entry, keys), make([]entry, keys)
	source := s.rows.Fields[0].(*vector.Map)
	if got.N != s.rows.N {
		return fmt.Errorf("%d rows where there are %d", got.N, s.rows.N)
	}
	for row := range got.N {
		entriesOf(source, row, want)
		switch v := got.Fields[0].(type) {
		case *vector.Map:
			entriesOf(v, row, have)
		case *vector.Row:
			for k := range keys {
				have[k] = entryAt(v.Fields[k], row)
			}
		}
		for k := range keys {
			if want[k] != have[k] {
				return fmt.Errorf("row %d, key %d: %v where %v was written", row, k, have[k], want[k])
			}
		}
	}
	return nil
}

// entriesOf sets each of to to the value of its key in a row's map.
func entriesOf(m *vector.Map, row int, to []entry) {
	clear(to)
	keys := m.Keys.(*vector.Vec[int32])
	begin, end := m.Span(row)
	for i := begin; i < end; i++ {
		key, _ := keys.At(i)
		to[key] = entryAt(m.Values, i)
	}
}

func entryAt(values vector.Vector, i int) (e entry) {
	switch v := values.(type) {
	case *vector.Vec[int64]:
		if x, present := v.At(i); present {
			e = entry{present: true, number: x}
		}
	case *vector.Vec[vector.View]:
		if x, present := v.At(i); present {
			e = entry{present: true, text: string(x.Bytes(v.Buffers.List()))}
		}
	}
	return e
}
