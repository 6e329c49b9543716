package rowbatch

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

const nanosPerMicro = 1000

// timestampColumn reads moments: microseconds, and nanoseconds beyond them for
// the rows that are present.
type timestampColumn struct {
	micros *scalar[int64, uint64]
	nanos  *stream[uint16]
	vec    *vector.Timestamps
	passed *vector.Timestamps // rows that are skipped
}

func (b *builder) timestampColumn(n *nimble.StreamNode) *timestampColumn {
	s := newNumbers[uint64](b, n.Stream, encoding.Int64)
	b.add(n.Stream, s)
	c := &timestampColumn{
		micros: &scalar[int64, uint64]{s: s, limit: b.limit},
		nanos:  newNumbers[uint16](b, n.Second, encoding.Uint16),
	}
	b.add(n.Second, c.nanos)
	c.passed = vector.NewTimestamps(b.session.Pool())
	return c
}

func (c *timestampColumn) output() vector.Vector {
	return vector.NewTimestamps(c.nanos.session.Pool())
}

func (c *timestampColumn) bind(v vector.Vector) error {
	vec, ok := v.(*vector.Timestamps)
	if !ok {
		return misfit(v, vector.KindTimestamp.String())
	}
	vec.Reset()
	c.vec = vec
	return c.micros.bind(&vec.Micros)
}

func (c *timestampColumn) read(n int, m mask) error {
	begin := c.vec.Micros.N
	if err := c.micros.read(n, m); err != nil {
		return err
	}
	valid := c.vec.Micros.Valid
	present := n
	if valid != nil {
		present = vector.CountBits(valid, begin, begin+n)
	}
	if err := c.nanos.ready(present); err != nil {
		return err
	}
	nanos := c.vec.ReserveNanos(begin + n)[begin:]
	if err := c.nanos.readPresent(nanos[:present]); err != nil {
		return err
	}
	for _, x := range nanos[:present] {
		if x >= nanosPerMicro {
			return c.nanos.fault(corruptf("%d nanoseconds in a microsecond", x))
		}
	}
	if present < n {
		kernel.Spread(nanos, valid, begin, present)
	}
	return nil
}

func (c *timestampColumn) skip(n int) error {
	vec := c.vec
	defer func() { c.vec = vec; c.micros.vec = vector.As[uint64](&vec.Micros) }()
	return inBlocks(n, func(rows int) error {
		if err := c.bind(c.passed); err != nil {
			return err
		}
		return c.read(rows, mask{})
	})
}

func (c *timestampColumn) settle() error { return nil }

func (c *timestampColumn) finish(bool) error {
	c.passed.Release()
	return nil
}
