package nimble

import (
	"fmt"
	"math"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// lengthsReader reads the lengths of lists and maps, and makes offsets of them.
type lengthsReader struct {
	s             *stream[uint32]
	vec           *vector.Vec[uint32]
	elementsLimit int
}

func newLengths(b *builder, id uint32) lengthsReader {
	return lengthsReader{
		s:             newStream[uint32](b, id, encoding.Uint32),
		vec:           vector.NewVec[uint32](b.session.Pool()),
		elementsLimit: b.elementsLimit,
	}
}

// read reads the next n lengths, with null rows empty, into r.vec, and returns
// their sum.
func (r *lengthsReader) read(n int) (total int, err error) {
	if err := r.s.readVec(r.vec, n); err != nil {
		return 0, err
	}
	r.vec.Flatten()
	lengths := r.vec.Values[:n]
	sum := uint64(0)
	for i, x := range lengths {
		if !vector.Valid(r.vec.Valid, i) {
			lengths[i], x = 0, 0
		}
		sum += uint64(x)
	}
	if sum > math.MaxInt {
		return 0, r.s.corrupt("%d elements in %d rows", sum, n)
	}
	return int(sum), nil
}

// offsets reads the next n lengths and writes where each row ends into offsets,
// which has n+1 entries. It returns the number of elements.
func (r *lengthsReader) offsets(offsets []uint32, n int) (total int, err error) {
	total, err = r.read(n)
	if err != nil {
		return 0, err
	}
	if total > r.elementsLimit {
		return 0, r.s.fail(fmt.Errorf("%w: %d of %d rows, the limit is %d", errTooMany, total, n, r.elementsLimit))
	}
	end := uint32(0)
	offsets[0] = 0
	for i, x := range r.vec.Values[:n] {
		end += x
		offsets[i+1] = end
	}
	return total, nil
}

// listColumn reads lists: a stream of lengths, and their elements.
type listColumn struct {
	lengths lengthsReader
	elem    column
	vec     *vector.List
}

func newListColumn(b *builder, n *node, as *Type) (*listColumn, error) {
	lengths := newLengths(b, n.stream)
	elem, err := b.columnAs(n.children[0], as.Children[0])
	if err != nil {
		return nil, fmt.Errorf("elements: %w", err)
	}
	return &listColumn{lengths: lengths, elem: elem, vec: vector.NewList(b.session.Pool(), elem.vector())}, nil
}

func (c *listColumn) vector() vector.Vector            { return c.vec }
func (c *listColumn) readSel(n int, sel []int32) error { return readAndKeep(c, n, sel) }
func (c *listColumn) stored() bool                     { return !c.lengths.s.absent }
func (c *listColumn) restart()                         { c.elem.restart() }

func (c *listColumn) release() {
	c.vec.Release()
	c.lengths.vec.Release()
	c.elem.release()
}

func (c *listColumn) read(n int) error {
	c.vec.N = n
	total, err := c.lengths.offsets(c.vec.ReserveOffsets(n), n)
	if err != nil {
		return err
	}
	c.vec.Valid = c.lengths.vec.Valid
	return c.elem.read(total)
}

func (c *listColumn) skip(n int) error {
	return inBlocks(n, func(k int) error {
		total, err := c.lengths.read(k)
		if err != nil {
			return err
		}
		return c.elem.skip(total)
	})
}

// mapColumn reads maps: a stream of lengths, and their keys and values.
type mapColumn struct {
	lengths      lengthsReader
	keys, values column
	vec          *vector.Map
}

func newMapColumn(b *builder, n *node, as *Type) (*mapColumn, error) {
	lengths := newLengths(b, n.stream)
	keys, values, err := b.pair(n, as)
	if err != nil {
		return nil, err
	}
	return &mapColumn{
		lengths: lengths, keys: keys, values: values,
		vec: vector.NewMap(b.session.Pool(), keys.vector(), values.vector()),
	}, nil
}

// pair returns the readers of a map's keys and values.
func (b *builder) pair(n *node, as *Type) (keys, values column, err error) {
	if keys, err = b.columnAs(n.children[0], as.Children[0]); err != nil {
		return nil, nil, fmt.Errorf("keys: %w", err)
	}
	if values, err = b.columnAs(n.children[1], as.Children[1]); err != nil {
		return nil, nil, fmt.Errorf("values: %w", err)
	}
	return keys, values, nil
}

func (c *mapColumn) vector() vector.Vector            { return c.vec }
func (c *mapColumn) readSel(n int, sel []int32) error { return readAndKeep(c, n, sel) }

func (c *mapColumn) stored() bool { return !c.lengths.s.absent }

func (c *mapColumn) restart() {
	c.keys.restart()
	c.values.restart()
}

func (c *mapColumn) release() {
	c.vec.Release()
	c.lengths.vec.Release()
	c.keys.release()
	c.values.release()
}

func (c *mapColumn) read(n int) error {
	c.vec.N = n
	total, err := c.lengths.offsets(c.vec.ReserveOffsets(n), n)
	if err != nil {
		return err
	}
	c.vec.Valid = c.lengths.vec.Valid
	if err := c.keys.read(total); err != nil {
		return err
	}
	if presentRows(c.keys.vector().Validity(), total) < total {
		return c.lengths.s.corrupt("keys of the map are null")
	}
	return c.values.read(total)
}

func (c *mapColumn) skip(n int) error {
	return inBlocks(n, func(k int) error {
		total, err := c.lengths.read(k)
		if err == nil {
			err = c.keys.skip(total)
		}
		if err == nil {
			err = c.values.skip(total)
		}
		return err
	})
}
