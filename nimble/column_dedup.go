package nimble

import (
	"fmt"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// window is the elements of lists or maps that rows refer to more than once: a
// stretch of what the stripe stores, which moves forward.
type window struct {
	elem column
	kept vector.Vector // of earlier reads
	all  vector.Vector // kept, and what is read
	out  vector.Vector // what the rows refer to
}

func newWindow(p *pool.Pool, elem column, t *Type) (w window, err error) {
	w.elem = elem
	if w.kept, err = newVector(p, t); err != nil {
		return w, err
	}
	if w.all, err = newVector(p, t); err != nil {
		return w, err
	}
	w.out, err = newVector(p, t)
	return w, err
}

// extend reads n more elements behind those that are kept.
func (w *window) extend(n int) error {
	if err := w.elem.read(n); err != nil {
		return err
	}
	w.all.Reset()
	if err := vector.Extend(w.all, w.kept, 0, w.kept.Len()); err != nil {
		return err
	}
	return vector.Extend(w.all, w.elem.vector(), 0, n)
}

// keep keeps the elements from begin up to end for the next read.
func (w *window) keep(begin, end int) error {
	w.kept.Reset()
	return vector.Extend(w.kept, w.all, begin, end)
}

func (w *window) restart() {
	w.elem.restart()
	w.kept.Reset()
}

func (w *window) release() {
	w.elem.release()
	w.kept.Release()
	w.all.Release()
	w.out.Release()
}

// spanList collects the elements of rows.
type spanList struct {
	pool  *pool.Pool
	limit int
	sel   pool.Buf[int32]
	n     int
}

// add adds elements [begin, end).
func (s *spanList) add(begin, end int) error {
	n := s.n + end - begin
	if n > s.limit {
		return fmt.Errorf("%w: the limit is %d", errTooMany, s.limit)
	}
	pool.Grow(s.pool, &s.sel, n)
	for e := begin; e < end; e++ {
		s.sel.S[s.n] = int32(e)
		s.n++
	}
	return nil
}

// readDense reads the next n lengths of s, none of which may be null, into v,
// flat.
func readDense(s *stream[uint32], v *vector.Vec[uint32], n int) error {
	if err := s.readVec(v, n); err != nil {
		return err
	}
	if v.Valid != nil {
		return s.corrupt("lengths are null")
	}
	v.Flatten()
	return nil
}

// dedupColumn reads arrays of which equal neighbours are stored once: each row
// has the number of its run, and each run its length and elements.
type dedupColumn struct {
	runs    *stream[uint32]
	lengths *stream[uint32]
	run     *vector.Vec[uint32] // of the rows read
	length  *vector.Vec[uint32] // of the runs read
	window  window
	last    int // run that is kept, -1 before the first
	spans   spanList
	vec     *vector.List
}

func newDedupColumn(b *builder, n *node, as *Type) (*dedupColumn, error) {
	p := b.session.Pool()
	c := &dedupColumn{
		runs:    newStream[uint32](b, n.stream, encoding.Uint32),
		lengths: newStream[uint32](b, n.second, encoding.Uint32),
		run:     vector.NewVec[uint32](p),
		length:  vector.NewVec[uint32](p),
		last:    -1,
		spans:   spanList{pool: p, limit: b.elementsLimit},
	}
	elem, err := b.columnAs(n.children[0], as.Children[0])
	if err != nil {
		return nil, fmt.Errorf("elements: %w", err)
	}
	if c.window, err = newWindow(p, elem, as.Children[0]); err != nil {
		return nil, err
	}
	c.vec = vector.NewList(p, c.window.out)
	return c, nil
}

func (c *dedupColumn) vector() vector.Vector            { return c.vec }
func (c *dedupColumn) readSel(n int, sel []int32) error { return readAndKeep(c, n, sel) }
func (c *dedupColumn) skip(n int) error                 { return inBlocks(n, c.read) }
func (c *dedupColumn) stored() bool                     { return !c.runs.absent }

func (c *dedupColumn) restart() {
	c.window.restart()
	c.last = -1
}

func (c *dedupColumn) release() {
	c.run.Release()
	c.length.Release()
	c.window.release()
	pool.Put(c.spans.pool, &c.spans.sel)
	c.vec.Release()
}

func (c *dedupColumn) read(n int) error {
	if err := c.runs.readVec(c.run, n); err != nil {
		return err
	}
	c.run.Flatten()
	last, err := c.checkRuns(n)
	if err != nil {
		return err
	}
	if err := c.readRuns(last - c.last); err != nil {
		return err
	}
	if err := c.assemble(n); err != nil {
		return err
	}
	return vector.Gather(c.window.out, c.window.all, c.spans.sel.S[:c.spans.n])
}

// checkRuns returns the last run of the n rows read.
func (c *dedupColumn) checkRuns(n int) (int, error) {
	last := c.last
	for i, r := range c.run.Values[:n] {
		if !vector.Valid(c.run.Valid, i) {
			continue
		}
		if int(r) < last || int(r) > last+1 {
			return 0, c.runs.corrupt("run %d follows run %d", r, last)
		}
		last = int(r)
	}
	return last, nil
}

// readRuns reads n more runs.
func (c *dedupColumn) readRuns(n int) error {
	if err := readDense(c.lengths, c.length, n); err != nil {
		return err
	}
	total := 0
	for _, x := range c.length.Values[:n] {
		if total += int(x); total > c.spans.limit {
			return c.lengths.fail(fmt.Errorf("%w: the limit is %d", errTooMany, c.spans.limit))
		}
	}
	return c.window.extend(total)
}

// assemble makes rows of the runs.
func (c *dedupColumn) assemble(n int) error {
	c.vec.N, c.vec.Valid = n, c.run.Valid
	offsets := c.vec.ReserveOffsets(n)
	offsets[0] = 0
	c.spans.n = 0
	begin, end, next := 0, c.window.kept.Len(), 0
	for i, r := range c.run.Values[:n] {
		if vector.Valid(c.run.Valid, i) {
			if int(r) > c.last {
				begin, end = end, end+int(c.length.Values[next])
				next++
				c.last = int(r)
			}
			if err := c.spans.add(begin, end); err != nil {
				return c.runs.fail(err)
			}
		}
		offsets[i+1] = uint32(c.spans.n)
	}
	return c.window.keep(begin, end)
}

// windowMapColumn reads maps of which equal neighbours are stored once: each row
// has a length and the place of its first pair among those of the stripe.
type windowMapColumn struct {
	places       *stream[uint32]
	lengths      *stream[uint32]
	place        *vector.Vec[uint32] // of the rows read
	length       *vector.Vec[uint32] // of the present ones
	keys, values window
	begin, end   int // pairs that are kept, as places in the stripe
	spans        spanList
	vec          *vector.Map
}

func newWindowMapColumn(b *builder, n *node, as *Type) (*windowMapColumn, error) {
	p := b.session.Pool()
	c := &windowMapColumn{
		places:  newStream[uint32](b, n.stream, encoding.Uint32),
		lengths: newStream[uint32](b, n.second, encoding.Uint32),
		place:   vector.NewVec[uint32](p),
		length:  vector.NewVec[uint32](p),
		spans:   spanList{pool: p, limit: b.elementsLimit},
	}
	keys, values, err := b.pair(n, as)
	if err != nil {
		return nil, err
	}
	if c.keys, err = newWindow(p, keys, as.Children[0]); err != nil {
		return nil, err
	}
	if c.values, err = newWindow(p, values, as.Children[1]); err != nil {
		return nil, err
	}
	c.vec = vector.NewMap(p, c.keys.out, c.values.out)
	return c, nil
}

func (c *windowMapColumn) vector() vector.Vector            { return c.vec }
func (c *windowMapColumn) readSel(n int, sel []int32) error { return readAndKeep(c, n, sel) }
func (c *windowMapColumn) skip(n int) error                 { return inBlocks(n, c.read) }
func (c *windowMapColumn) stored() bool                     { return !c.places.absent }

func (c *windowMapColumn) restart() {
	c.keys.restart()
	c.values.restart()
	c.begin, c.end = 0, 0
}

func (c *windowMapColumn) release() {
	c.place.Release()
	c.length.Release()
	c.keys.release()
	c.values.release()
	pool.Put(c.spans.pool, &c.spans.sel)
	c.vec.Release()
}

func (c *windowMapColumn) read(n int) error {
	if err := c.places.readVec(c.place, n); err != nil {
		return err
	}
	c.place.Flatten()
	present := presentRows(c.place.Valid, n)
	if err := readDense(c.lengths, c.length, present); err != nil {
		return err
	}
	if err := c.readPairs(n); err != nil {
		return err
	}
	if err := c.assemble(n); err != nil {
		return err
	}
	sel := c.spans.sel.S[:c.spans.n]
	if err := vector.Gather(c.keys.out, c.keys.all, sel); err != nil {
		return err
	}
	return vector.Gather(c.values.out, c.values.all, sel)
}

// readPairs reads as many more pairs as the rows reach.
func (c *windowMapColumn) readPairs(n int) error {
	end, m := c.end, 0
	for i, place := range c.place.Values[:n] {
		if !vector.Valid(c.place.Valid, i) {
			continue
		}
		if int(place) < c.begin || int(place) > end {
			return c.places.corrupt("a map at pair %d, where %d to %d are in reach", place, c.begin, end)
		}
		end = max(end, int(place)+int(c.length.Values[m]))
		m++
	}
	if end-c.begin > c.spans.limit {
		return c.places.fail(fmt.Errorf("%w: the limit is %d", errTooMany, c.spans.limit))
	}
	more := end - c.end
	c.end = end
	if err := c.keys.extend(more); err != nil {
		return err
	}
	if presentRows(c.keys.all.Validity(), c.keys.all.Len()) < c.keys.all.Len() {
		return c.places.corrupt("keys of the map are null")
	}
	return c.values.extend(more)
}

// assemble makes rows of the pairs.
func (c *windowMapColumn) assemble(n int) error {
	c.vec.N, c.vec.Valid = n, c.place.Valid
	offsets := c.vec.ReserveOffsets(n)
	offsets[0] = 0
	c.spans.n = 0
	last, m := c.begin, 0
	for i, place := range c.place.Values[:n] {
		if vector.Valid(c.place.Valid, i) {
			begin := int(place) - c.begin
			if err := c.spans.add(begin, begin+int(c.length.Values[m])); err != nil {
				return c.places.fail(err)
			}
			last = int(place)
			m++
		}
		offsets[i+1] = uint32(c.spans.n)
	}
	begin, end := last-c.begin, c.end-c.begin
	c.begin = last
	if err := c.keys.keep(begin, end); err != nil {
		return err
	}
	return c.values.keep(begin, end)
}
