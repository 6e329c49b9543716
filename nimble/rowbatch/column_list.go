package rowbatch

import (
	"fmt"
	"math"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// lengths is a stream of how many elements lists and maps have.
type lengths struct {
	*stream[uint32]
	limit int
}

func (b *builder) lengths(n *nimble.StreamNode) lengths {
	s := newNumbers[uint32](b, n.Stream, encoding.Uint32)
	b.add(n.Stream, s)
	return lengths{s, b.limit}
}

// spanned is a list or a map without its elements.
type spanned interface {
	Len() int
	Validity() []uint64
	ReserveOffsets(n int) []uint32
	ReserveValid(n int) []uint64
}

// read appends the offsets of n rows to v. It returns the new validity and the
// number of elements that the rows have.
func (l lengths) read(v spanned, n int, m mask) (valid []uint64, elements int, err error) {
	valid, offsets, err := l.numbers(v, n, m)
	if err != nil {
		return valid, 0, err
	}
	sum := uint64(offsets[0])
	for i, x := range offsets[1:] {
		sum += uint64(x)
		offsets[1+i] = uint32(sum)
	}
	if sum > math.MaxUint32 {
		return valid, 0, l.fault(unsupportedf("%d elements in one column", sum))
	}
	return valid, int(sum) - int(offsets[0]), nil
}

// numbers reads n rows of the stream as they are into where the offsets of v's
// next rows belong. It returns the new validity and these places, behind the end
// of the rows before.
func (l lengths) numbers(v spanned, n int, m mask) (valid []uint64, offsets []uint32, err error) {
	begin := v.Len()
	end, err := room(begin, n, l.limit)
	if err == nil {
		err = l.ready(m.count(n))
	}
	if err != nil {
		return nil, nil, err
	}
	had := v.Validity() != nil
	valid = v.ReserveValid(end)
	offsets = v.ReserveOffsets(end)[begin:]
	if begin == 0 {
		offsets[0] = 0
	}
	nulls, err := l.stream.read(offsets[1:end-begin+1], m, valid, begin)
	if err != nil {
		return nil, nil, err
	}
	return joined(had, nulls, valid, begin, end), offsets[:end-begin+1], nil
}

// eachSum reads the lengths of n rows in blocks and calls fn with the number of
// elements of each.
func (l lengths) eachSum(n int, fn func(elements int) error) error {
	if err := l.ready(n); err != nil {
		return err
	}
	if !l.present() {
		return nil
	}
	p := l.session.Pool()
	block, valid := pool.Get[uint32](p, blockRows), pool.Get[uint64](p, blockWords)
	defer pool.Put(p, &block)
	defer pool.Put(p, &valid)
	for n > 0 {
		rows := min(n, blockRows)
		if _, err := l.stream.read(block.S[:rows], mask{}, valid.S, 0); err != nil {
			return err
		}
		sum := uint64(0)
		for _, x := range block.S[:rows] {
			sum += uint64(x)
		}
		if err := fn(int(sum)); err != nil {
			return err
		}
		n -= rows
	}
	return nil
}

// listColumn reads lists.
type listColumn struct {
	lengths lengths
	elem    column
	vec     *vector.List
}

func (b *builder) listColumn(n *nimble.StreamNode, out *nimble.Type) (*listColumn, error) {
	l := b.lengths(n)
	elem, err := b.column(n.Children[0], out.Children[0])
	if err != nil {
		return nil, fmt.Errorf("elements: %w", err)
	}
	return &listColumn{lengths: l, elem: elem}, nil
}

func (c *listColumn) output() vector.Vector {
	return vector.NewList(c.lengths.session.Pool(), c.elem.output())
}

func (c *listColumn) bind(v vector.Vector) error {
	vec, ok := v.(*vector.List)
	if !ok {
		return misfit(v, vector.KindList.String())
	}
	vec.Reset()
	c.vec = vec
	return c.elem.bind(vec.Elem)
}

func (c *listColumn) read(n int, m mask) error {
	valid, elements, err := c.lengths.read(c.vec, n, m)
	c.vec.N, c.vec.Valid = c.vec.N+n, valid
	if err != nil {
		return err
	}
	return c.elem.read(elements, mask{})
}

func (c *listColumn) skip(n int) error     { return c.lengths.eachSum(n, c.elem.skip) }
func (c *listColumn) settle() error        { return c.elem.settle() }
func (c *listColumn) finish(ok bool) error { return c.elem.finish(ok) }

// mapColumn reads maps.
type mapColumn struct {
	lengths      lengths
	keys, values column
	vec          *vector.Map
}

func (b *builder) mapColumn(n *nimble.StreamNode, out *nimble.Type) (*mapColumn, error) {
	l := b.lengths(n)
	keys, err := b.column(n.Children[0], out.Children[0])
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	values, err := b.column(n.Children[1], out.Children[1])
	if err != nil {
		return nil, fmt.Errorf("values: %w", err)
	}
	return &mapColumn{lengths: l, keys: keys, values: values}, nil
}

func (c *mapColumn) output() vector.Vector {
	return vector.NewMap(c.lengths.session.Pool(), c.keys.output(), c.values.output())
}

func (c *mapColumn) bind(v vector.Vector) error {
	vec, ok := v.(*vector.Map)
	if !ok {
		return misfit(v, vector.KindMap.String())
	}
	vec.Reset()
	c.vec = vec
	if err := c.keys.bind(vec.Keys); err != nil {
		return err
	}
	return c.values.bind(vec.Values)
}

func (c *mapColumn) read(n int, m mask) error {
	valid, elements, err := c.lengths.read(c.vec, n, m)
	c.vec.N, c.vec.Valid = c.vec.N+n, valid
	if err != nil {
		return err
	}
	if err := c.keys.read(elements, mask{}); err != nil {
		return err
	}
	if c.vec.Keys.Validity() != nil {
		return c.lengths.fault(corruptf("keys of the map are null"))
	}
	return c.values.read(elements, mask{})
}

func (c *mapColumn) skip(n int) error {
	return c.lengths.eachSum(n, func(elements int) error {
		if err := c.keys.skip(elements); err != nil {
			return err
		}
		return c.values.skip(elements)
	})
}

func (c *mapColumn) settle() error {
	if err := c.keys.settle(); err != nil {
		return err
	}
	return c.values.settle()
}

func (c *mapColumn) finish(ok bool) error {
	err := c.keys.finish(ok)
	if e := c.values.finish(ok); err == nil {
		err = e
	}
	return err
}
