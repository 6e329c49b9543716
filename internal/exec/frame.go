package exec

import (
	"fmt"

	"github.com/decantdb/decant/vector"
)

// frame is what expressions are evaluated over: n rows of vectors in slots.
type frame struct {
	n     int
	slots []vector.Vector
}

func (f *frame) vec(slot int) (vector.Vector, error) {
	v := f.slots[slot]
	if v == nil {
		return nil, fmt.Errorf("exec: slot %d was not read", slot)
	}
	return v, nil
}

// scan fills a frame from a cursor, batch by batch: the filter's columns first,
// then the surviving rows of the others.
type scan struct {
	cursor  Cursor
	filter  *filter // nil: all rows
	bound   *bound  // nil: none
	columns int

	full   frame // the columns read for the filter
	out    frame // the surviving rows of all columns
	gather []vector.Vector
	rows   mask
	near   mask // scratch of the bound
	sel    []int32

	rowsRead, rowsKept int64
}

func newScan(c Cursor, f *filter, b *bound, columns int) *scan {
	return &scan{
		cursor: c, filter: f, bound: b, columns: columns,
		full:   frame{slots: make([]vector.Vector, columns)},
		out:    frame{slots: make([]vector.Vector, columns)},
		gather: make([]vector.Vector, columns),
	}
}

// next returns the surviving rows of the next batch that has any, nil at the
// end of the split. It is valid until the following call.
func (s *scan) next() (*frame, error) {
	for {
		n, err := s.cursor.Next()
		if n == 0 || err != nil {
			return nil, err
		}
		s.rowsRead += int64(n)
		s.full.n = n
		clear(s.full.slots)
		kept, err := s.choose(n)
		if err != nil {
			return nil, err
		}
		switch kept {
		case 0:
			continue
		case n:
			return &s.full, s.readAll()
		default:
			return &s.out, s.readKept(kept)
		}
	}
}

// choose sets s.rows to the rows that are to be read and returns their number.
func (s *scan) choose(n int) (int, error) {
	s.rows = s.rows.sized(n)
	kept := n
	if s.filter != nil {
		if err := s.filter.eval(s.rows, s); err != nil {
			return 0, err
		}
		kept = s.rows.count()
	}
	s.rowsKept += int64(kept)
	if kept == 0 || s.bound == nil || s.bound.test == nil {
		return kept, nil
	}
	s.near = s.near.sized(n)
	if err := s.bound.eval(s.near, s); err != nil {
		return 0, err
	}
	if s.filter != nil {
		s.near.and(s.rows)
	}
	s.rows, s.near = s.near, s.rows
	return s.rows.count(), nil
}

// batchBegin returns the number of rows that were read before this batch.
func (s *scan) batchBegin() int64 { return s.rowsRead - int64(s.full.n) }

// column returns a column of all rows of the batch, for the filter.
func (s *scan) column(slot int) (vector.Vector, error) {
	if v := s.full.slots[slot]; v != nil {
		return v, nil
	}
	v, err := s.cursor.Read(slot)
	if err != nil {
		return nil, err
	}
	s.full.slots[slot] = v
	return v, nil
}

func (s *scan) readAll() error {
	for slot := range s.columns {
		if _, err := s.column(slot); err != nil {
			return err
		}
	}
	return nil
}

func (s *scan) readKept(kept int) error {
	if cap(s.sel) < kept {
		s.sel = make([]int32, 0, s.full.n)
	}
	s.sel = s.rows.appendRows(s.sel[:0])
	s.out.n = kept
	for slot := range s.columns {
		v, err := s.keptRows(slot)
		if err != nil {
			return err
		}
		s.out.slots[slot] = v
	}
	return nil
}

func (s *scan) keptRows(slot int) (vector.Vector, error) {
	read := s.full.slots[slot]
	if read == nil {
		return s.cursor.ReadSel(slot, s.sel)
	}
	if s.gather[slot] == nil {
		s.gather[slot] = vector.MakeLike(read)
	}
	return s.gather[slot], vector.Gather(s.gather[slot], read, s.sel)
}
