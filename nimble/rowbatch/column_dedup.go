package rowbatch

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// shared is what rows of lists or maps that may be equal to their neighbours are
// made of: elements, of which a blob stores those of equal rows once.
type shared struct {
	elem   column
	stored vector.Vector // those of the blob, as far as they were read
	part   vector.Vector // those of the rows of one read
}

func (b *builder) shared(n *nimble.StreamNode, out *nimble.Type) (shared, error) {
	// What the blob stores has its own strings: several columns that read into
	// one vector each have their own.
	inner := *b
	inner.strings = nil
	elem, err := inner.column(n, out)
	if err != nil {
		return shared{}, err
	}
	b.ids, b.sources = inner.ids, inner.sources
	return shared{elem: elem, stored: elem.output(), part: elem.output()}, nil
}

// load reads n more of the blob's elements.
func (s *shared) load(n int) error {
	if err := s.elem.read(n, mask{}); err != nil {
		return err
	}
	return s.elem.settle()
}

// appendTo appends the given ones of the stored elements to v.
func (s *shared) appendTo(v vector.Vector, rows []int32) error {
	if err := vector.Gather(s.part, s.stored, rows); err != nil {
		return err
	}
	return vector.AppendRows(v, s.part)
}

func (s *shared) finish(ok bool) error {
	err := s.elem.finish(ok)
	s.stored.Release()
	s.part.Release()
	return err
}

// readPresent reads rows for which s is ready, none of which may be null.
func (s *stream[T]) readPresent(dst []T) error {
	p := s.session.Pool()
	valid := pool.Get[uint64](p, vector.Words(len(dst)))
	defer pool.Put(p, &valid)
	nulls, err := s.read(dst, mask{}, valid.S, 0)
	if err == nil && nulls {
		err = s.fault(corruptf("values are missing or null"))
	}
	return err
}

// lengthsOf reads the next n rows of s into memory that the caller gives back.
func lengthsOf(s *stream[uint32], n int) (lengths pool.Buf[uint32], err error) {
	if err = s.ready(n); err != nil {
		return lengths, err
	}
	lengths = pool.Get[uint32](s.session.Pool(), n)
	return lengths, s.readPresent(lengths.S)
}

// dedupColumn reads lists of which equal neighbours are stored once: each row
// has the number of its run, and each run its length and elements.
type dedupColumn struct {
	runs    lengths // numbers of runs
	lengths *stream[uint32]
	elem    shared
	ends    pool.Buf[uint32] // of the runs read, behind a zero
	known   int              // how many runs that are
	rows    pool.Buf[int32]
	vec     *vector.List
	passed  *vector.List // rows that are skipped
}

func (b *builder) dedupColumn(n *nimble.StreamNode, out *nimble.Type) (*dedupColumn, error) {
	c := &dedupColumn{runs: b.lengths(n), lengths: newNumbers[uint32](b, n.Second, encoding.Uint32)}
	b.add(n.Second, c.lengths)
	var err error
	if c.elem, err = b.shared(n.Children[0], out.Children[0]); err != nil {
		return nil, fmt.Errorf("elements: %w", err)
	}
	c.passed = c.output().(*vector.List)
	return c, nil
}

func (c *dedupColumn) output() vector.Vector {
	return vector.NewList(c.runs.session.Pool(), c.elem.elem.output())
}

func (c *dedupColumn) bind(v vector.Vector) error {
	vec, ok := v.(*vector.List)
	if !ok {
		return misfit(v, vector.KindList.String())
	}
	vec.Reset()
	vec.Elem.Reset()
	c.vec = vec
	return nil
}

// start begins with the blob, if nothing of it was read.
func (c *dedupColumn) start() error {
	if c.runs.opened {
		return nil
	}
	c.known = 0
	pool.Grow(c.runs.session.Pool(), &c.ends, 1)
	c.ends.S[0] = 0
	return c.elem.elem.bind(c.elem.stored)
}

func (c *dedupColumn) read(n int, m mask) error {
	if err := c.start(); err != nil {
		return err
	}
	valid, offsets, err := c.runs.numbers(c.vec, n, m)
	begin := c.vec.N
	c.vec.N, c.vec.Valid = begin+n, valid
	if err != nil {
		return err
	}
	last := c.known - 1
	for i, run := range offsets[1:] {
		if !vector.Valid(valid, begin+i) {
			continue
		}
		if int(run) != last && int(run) != last+1 {
			return c.runs.fault(corruptf("run %d follows run %d", run, last))
		}
		last = int(run)
	}
	if err := c.load(last + 1 - c.known); err != nil {
		return err
	}
	total := 0
	for i, run := range offsets[1:] {
		if vector.Valid(valid, begin+i) {
			total += int(c.ends.S[run+1] - c.ends.S[run])
		}
	}
	if _, err := room(c.vec.Elem.Len(), total, c.runs.limit); err != nil {
		return c.runs.fault(err)
	}
	pool.Grow(c.runs.session.Pool(), &c.rows, total)
	rows := c.rows.S[:0]
	for i, run := range offsets[1:] {
		if vector.Valid(valid, begin+i) {
			rows = appendRange(rows, c.ends.S[run], c.ends.S[run+1])
		}
		offsets[i+1] = offsets[0] + uint32(len(rows))
	}
	return c.elem.appendTo(c.vec.Elem, rows)
}

func appendRange(dst []int32, begin, end uint32) []int32 {
	for e := begin; e < end; e++ {
		dst = append(dst, int32(e))
	}
	return dst
}

// load reads n more runs.
func (c *dedupColumn) load(n int) error {
	lengths, err := lengthsOf(c.lengths, n)
	defer pool.Put(c.runs.session.Pool(), &lengths)
	if err != nil {
		return err
	}
	pool.Grow(c.runs.session.Pool(), &c.ends, c.known+n+1)
	stored := c.elem.stored.Len()
	end := stored
	for i, x := range lengths.S {
		if end, err = room(end, int(x), c.runs.limit); err != nil {
			return c.lengths.fault(err)
		}
		c.ends.S[c.known+1+i] = uint32(end)
	}
	c.known += n
	return c.elem.load(end - stored)
}

// skip reads the rows too, since those behind them may be equal to the last.
func (c *dedupColumn) skip(n int) error {
	vec := c.vec
	defer func() { c.vec = vec }()
	return inBlocks(n, func(rows int) error {
		if err := c.bind(c.passed); err != nil {
			return err
		}
		return c.read(rows, mask{})
	})
}

// inBlocks calls fn for blocks of n rows.
func inBlocks(n int, fn func(rows int) error) error {
	for n > 0 {
		rows := min(n, blockRows)
		if err := fn(rows); err != nil {
			return err
		}
		n -= rows
	}
	return nil
}

func (c *dedupColumn) settle() error { return nil }

func (c *dedupColumn) finish(ok bool) error {
	p := c.runs.session.Pool()
	pool.Put(p, &c.ends)
	pool.Put(p, &c.rows)
	c.passed.Release()
	return c.elem.finish(ok)
}
