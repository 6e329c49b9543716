package exec

import (
	"fmt"
	"os"

	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// Segmented is a table that knows its segments, for the columns $docId and
// $segmentName.
type Segmented interface {
	// Segment returns the name of the segment that a split is of, and the number
	// in it of the split's first row.
	Segment(split int) (name string, begin int64)
}

// newCursor returns a cursor of the table over columns of which some may be
// virtual.
func newCursor(t Table, s *nimble.Session, columns []int) (Cursor, error) {
	v := &virtualCursor{place: make([]int, len(columns)), vecs: make([]vector.Vector, len(columns))}
	var stored []int
	for i, c := range columns {
		v.place[i] = c
		if c >= 0 {
			v.place[i] = len(stored)
			stored = append(stored, c)
			continue
		}
		v.virtual = true
		if c == plan.DocID {
			v.vecs[i] = vector.NewVec[int32](nil)
		} else {
			v.vecs[i] = vector.NewVec[vector.View](nil)
		}
	}
	inner, err := t.NewCursor(s, stored)
	if err != nil || !v.virtual {
		return inner, err
	}
	v.Cursor = inner
	if v.segments, _ = t.(Segmented); v.segments == nil {
		inner.Close()
		return nil, fmt.Errorf("exec: a virtual column of a table without segments: %w", ErrUnsupported)
	}
	v.host = "localhost"
	if name, err := os.Hostname(); err == nil {
		v.host = name
	}
	return v, nil
}

// virtualCursor adds the columns that no file has.
type virtualCursor struct {
	Cursor
	segments Segmented
	place    []int // by column that of the inner cursor, or which virtual one it is
	vecs     []vector.Vector
	virtual  bool
	host     string
	segment  string
	begin    int64 // of the batch in the segment
	n        int   // rows of the batch
}

func (c *virtualCursor) Open(split int) error {
	c.segment, c.begin = c.segments.Segment(split)
	c.n = 0
	return c.Cursor.Open(split)
}

func (c *virtualCursor) Next() (n int, err error) {
	c.begin += int64(c.n)
	c.n, err = c.Cursor.Next()
	return c.n, err
}

func (c *virtualCursor) Read(column int) (vector.Vector, error) {
	if c.vecs[column] == nil {
		return c.Cursor.Read(c.place[column])
	}
	return c.make(column, c.n, func(i int) int64 { return int64(i) }), nil
}

func (c *virtualCursor) ReadSel(column int, sel []int32) (vector.Vector, error) {
	if c.vecs[column] == nil {
		return c.Cursor.ReadSel(c.place[column], sel)
	}
	return c.make(column, len(sel), func(i int) int64 { return int64(sel[i]) }), nil
}

// make returns n rows of a virtual column; row i is that of the batch.
func (c *virtualCursor) make(column, n int, row func(i int) int64) vector.Vector {
	if v, ok := c.vecs[column].(*vector.Vec[int32]); ok {
		v.Form, v.N, v.Valid = vector.Flat, n, nil
		for i := range v.ReserveValues(n) {
			v.Values[i] = int32(c.begin + row(i))
		}
		return v
	}
	text := c.host
	if c.place[column] == plan.SegmentName {
		text = c.segment
	}
	v := c.vecs[column].(*vector.Vec[vector.View])
	v.Reset()
	vector.AppendString(v, []byte(text))
	v.Form, v.N = vector.Constant, n
	return v
}
