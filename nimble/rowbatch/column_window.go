package rowbatch

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// windowColumn reads maps of which equal neighbours are stored once: each row
// has a length and the place of its first pair among those of the blob.
type windowColumn struct {
	places       lengths // places of first pairs
	lengths      *stream[uint32]
	keys, values shared
	last         int // place of the row before
	rows         pool.Buf[int32]
	vec          *vector.Map
	passed       *vector.Map // rows that are skipped
}

func (b *builder) windowColumn(n *nimble.StreamNode, out *nimble.Type) (*windowColumn, error) {
	c := &windowColumn{places: b.lengths(n), lengths: newNumbers[uint32](b, n.Second, encoding.Uint32)}
	b.add(n.Second, c.lengths)
	var err error
	if c.keys, err = b.shared(n.Children[0], out.Children[0]); err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	if c.values, err = b.shared(n.Children[1], out.Children[1]); err != nil {
		return nil, fmt.Errorf("values: %w", err)
	}
	c.passed = c.output().(*vector.Map)
	return c, nil
}

func (c *windowColumn) output() vector.Vector {
	return vector.NewMap(c.places.session.Pool(), c.keys.elem.output(), c.values.elem.output())
}

func (c *windowColumn) bind(v vector.Vector) error {
	vec, ok := v.(*vector.Map)
	if !ok {
		return misfit(v, vector.KindMap.String())
	}
	vec.Reset()
	vec.Keys.Reset()
	vec.Values.Reset()
	c.vec = vec
	return nil
}

// start begins with the blob, if nothing of it was read.
func (c *windowColumn) start() error {
	if c.places.opened {
		return nil
	}
	c.last = 0
	if err := c.keys.elem.bind(c.keys.stored); err != nil {
		return err
	}
	return c.values.elem.bind(c.values.stored)
}

func (c *windowColumn) read(n int, m mask) error {
	if err := c.start(); err != nil {
		return err
	}
	valid, offsets, err := c.places.numbers(c.vec, n, m)
	begin := c.vec.N
	c.vec.N, c.vec.Valid = begin+n, valid
	if err != nil {
		return err
	}
	present := n
	if valid != nil {
		present = vector.CountBits(valid, begin, begin+n)
	}
	lengths, err := lengthsOf(c.lengths, present)
	defer pool.Put(c.places.session.Pool(), &lengths)
	if err != nil {
		return err
	}
	total, err := c.load(offsets[1:], valid, begin, lengths.S)
	if err != nil {
		return err
	}
	pool.Grow(c.places.session.Pool(), &c.rows, total)
	rows, next := c.rows.S[:0], 0
	for i, place := range offsets[1:] {
		if vector.Valid(valid, begin+i) {
			rows = appendRange(rows, place, place+lengths.S[next])
			next++
		}
		offsets[i+1] = offsets[0] + uint32(len(rows))
	}
	if err := c.keys.appendTo(c.vec.Keys, rows); err != nil {
		return err
	}
	return c.values.appendTo(c.vec.Values, rows)
}

// load reads the pairs that the rows reach, and returns how many these have
// together. places are those of rows from begin on, by valid, and lengths those
// of the rows that are present.
func (c *windowColumn) load(places []uint32, valid []uint64, begin int, lengths []uint32) (total int, err error) {
	stored := c.keys.stored.Len()
	end, at := stored, c.vec.Keys.Len()
	for i, place := range places {
		if !vector.Valid(valid, begin+i) {
			continue
		}
		if int(place) < c.last || int(place) > end {
			return 0, c.places.fault(corruptf("a map at pair %d, where %d to %d are in reach", place, c.last, end))
		}
		n := int(lengths[0])
		lengths = lengths[1:]
		if at, err = room(at, n, c.places.limit); err != nil {
			return 0, c.places.fault(err)
		}
		total += n
		c.last = int(place)
		end = max(end, c.last+n)
	}
	if err := c.keys.load(end - stored); err != nil {
		return 0, err
	}
	if c.keys.stored.Validity() != nil {
		return 0, c.places.fault(corruptf("keys of the map are null"))
	}
	return total, c.values.load(end - stored)
}

// skip reads the rows too, since those behind them may be equal to the last.
func (c *windowColumn) skip(n int) error {
	vec := c.vec
	defer func() { c.vec = vec }()
	return inBlocks(n, func(rows int) error {
		if err := c.bind(c.passed); err != nil {
			return err
		}
		return c.read(rows, mask{})
	})
}

func (c *windowColumn) settle() error { return nil }

func (c *windowColumn) finish(ok bool) error {
	pool.Put(c.places.session.Pool(), &c.rows)
	c.passed.Release()
	err := c.keys.finish(ok)
	if e := c.values.finish(ok); err == nil {
		err = e
	}
	return err
}
