package rowbatch

import (
	"math"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// nestedEntries is entries of values that have no place of a fixed size: bools,
// lists, maps and rows. They are read as they come, key by key, and put in order
// at the end.
type nestedEntries struct {
	session *encoding.Session
	shape   column   // never reads
	columns []column // of the keys
	strings sharedStrings
	all     vector.Vector
	read    int             // rows of all
	order   pool.Buf[int32] // the row of all that an entry is
	end     int             // entries
	vec     vector.Vector
}

func (b *builder) nestedEntries(t, out *nimble.Type) (*nestedEntries, error) {
	shape, err := (&builder{session: b.session, limit: b.limit}).column(unknownKey(t), out)
	if err != nil {
		return nil, err
	}
	return &nestedEntries{session: b.session, shape: shape, all: shape.output()}, nil
}

func (e *nestedEntries) add(b *builder, value *nimble.StreamNode, out *nimble.Type) error {
	e.strings.next = 0
	b.strings = &e.strings
	c, err := b.column(value, out)
	if err != nil {
		return err
	}
	e.columns = append(e.columns, c)
	return nil
}

func (e *nestedEntries) output() vector.Vector { return e.shape.output() }

func (e *nestedEntries) bind(v vector.Vector) error {
	if err := e.shape.bind(v); err != nil {
		return err
	}
	for _, c := range e.columns {
		if err := c.bind(e.all); err != nil {
			return err
		}
	}
	e.vec, e.read, e.end = v, 0, 0
	return nil
}

func (e *nestedEntries) reserve(end int) {
	pool.Grow(e.session.Pool(), &e.order, end)
	e.end = end
}

func (e *nestedEntries) ready(int, int) error  { return nil }
func (e *nestedEntries) skip(key, n int) error { return e.columns[key].skip(n) }

func (e *nestedEntries) place(key int, slots []uint32) error {
	if len(slots) == 0 {
		return nil
	}
	if e.read+len(slots) > math.MaxInt32 {
		return unsupportedf("%d nested values in one flat map column", e.read+len(slots))
	}
	if err := e.columns[key].read(len(slots), mask{}); err != nil {
		return err
	}
	for i, s := range slots {
		e.order.S[s] = int32(e.read + i)
	}
	e.read += len(slots)
	return nil
}

// settle settles the strings of all keys, which the first one's columns know.
func (e *nestedEntries) settle() error {
	if len(e.columns) == 0 {
		return nil
	}
	return e.columns[0].settle()
}

func (e *nestedEntries) finish(ok bool) error {
	var err error
	for _, c := range e.columns {
		if fault := c.finish(ok); err == nil {
			err = fault
		}
	}
	if ok && err == nil {
		err = vector.Gather(e.vec, e.all, e.order.S[:e.end])
	}
	if ok && err == nil {
		err = ownStrings(e.vec)
	}
	e.all.Release()
	pool.Put(e.session.Pool(), &e.order)
	return err
}

// ownStrings makes the strings of v, which are flat, its own.
func ownStrings(v vector.Vector) error {
	switch v := v.(type) {
	case *vector.Vec[vector.View]:
		return vector.AdoptStrings(v, 0, v.Buffers.List())
	case *vector.List:
		return ownStrings(v.Elem)
	case *vector.Map:
		if err := ownStrings(v.Keys); err != nil {
			return err
		}
		return ownStrings(v.Values)
	case *vector.Row:
		for _, f := range v.Fields {
			if err := ownStrings(f); err != nil {
				return err
			}
		}
	}
	return nil
}
