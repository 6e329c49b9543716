package exec

import (
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// sortSink keeps the answer's rows in order.
type sortSink struct {
	outputs *outputs
	sorter  *sorter
	cut     cutter
	at      rowID // of the batch
}

func newSortSink(q *plan.Query, slotOf slots) (*sortSink, error) {
	o, err := newOutputs(q, slotOf)
	if err != nil {
		return nil, err
	}
	s := &sortSink{outputs: o, sorter: newSorter(q), cut: cutter{meter: slotOf.meter}}
	s.cut.use, s.sorter.meter = s.use, slotOf.meter
	s.sorter.bound, err = newBound(q, slotOf)
	return s, err
}

func (s *sortSink) consume(f *frame, at rowID) error {
	s.at = at
	return s.cut.each(f, 0, f.n)
}

func (s *sortSink) use(in source, begin int) error {
	vecs, err := s.outputs.eval(in)
	if err != nil {
		return err
	}
	return s.sorter.add(vecs, in.rowCount(), s.at+rowID(begin))
}

func (s *sortSink) bytes() int { return s.sorter.bytes() }

func (s *sortSink) merge(o sink) error { return s.sorter.merge(o.(*sortSink).sorter) }

// emitter hands the answer's rows on, leaving out the first ones and those past
// the limit.
type emitter struct {
	emit        func(*vector.Batch) error
	skip, limit int64 // rows still to leave out, and still wanted (negative: all)
	batch       vector.Batch
	gather      []vector.Vector
	rows        int64
}

func newEmitter(q *plan.Query, emit func(*vector.Batch) error) *emitter {
	return &emitter{emit: emit, skip: q.Offset, limit: q.Limit}
}

// full reports whether no more rows are wanted.
func (e *emitter) full() bool { return e.limit == 0 }

// wanted returns which of the next n rows are to be handed on.
func (e *emitter) wanted(n int) (begin, end int) {
	skip, wanted := min(e.skip, int64(n)), int64(n)
	if e.limit >= 0 {
		wanted = min(wanted, skip+e.limit)
	}
	e.skip -= skip
	return int(skip), int(wanted)
}

// add hands n rows on.
func (e *emitter) add(vecs []vector.Vector, n int) error {
	begin, end := e.wanted(n)
	if begin == end {
		return nil
	}
	if begin == 0 && end == n {
		return e.send(vecs, n)
	}
	sel := make([]int32, 0, end-begin)
	for row := begin; row < end; row++ {
		sel = append(sel, int32(row))
	}
	return e.addRows(vecs, sel)
}

// addRows hands the rows of vecs that sel lists on, in that order. All of them
// are wanted.
func (e *emitter) addRows(vecs []vector.Vector, sel []int32) error {
	if e.gather == nil {
		for _, v := range vecs {
			e.gather = append(e.gather, vector.MakeLike(v))
		}
	}
	for i, v := range vecs {
		if err := vector.Gather(e.gather[i], v, sel); err != nil {
			return err
		}
	}
	return e.send(e.gather, len(sel))
}

func (e *emitter) send(vecs []vector.Vector, n int) error {
	if e.limit >= 0 {
		e.limit -= int64(n)
	}
	e.rows += int64(n)
	e.batch.N, e.batch.Columns = n, vecs
	return e.emit(&e.batch)
}

// addSorted hands the rows of a sorter on, in order.
func (e *emitter) addSorted(s *sorter) error {
	rows := s.sorted()
	if err := s.meter.Err(); err != nil {
		return err
	}
	rows = rows[min(e.skip, int64(len(rows))):]
	if e.limit >= 0 {
		rows = rows[:min(e.limit, int64(len(rows)))]
	}
	e.skip = 0
	for len(rows) > 0 {
		n := min(len(rows), vector.DefaultBatchRows)
		if err := e.addRows(s.store[:s.outputs], rows[:n]); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// emitSink hands rows on as they come. It is for one worker.
type emitSink struct {
	outputs *outputs
	emitter *emitter
	cut     cutter
}

func newEmitSink(q *plan.Query, slotOf slots, e *emitter) (*emitSink, error) {
	o, err := newOutputs(q, slotOf)
	s := &emitSink{outputs: o, emitter: e, cut: cutter{meter: slotOf.meter}}
	s.cut.use = s.use
	return s, err
}

// consume evaluates no other rows than those that are wanted.
func (s *emitSink) consume(f *frame, _ rowID) error {
	begin, end := s.emitter.wanted(f.n)
	return s.cut.each(f, begin, end)
}

func (s *emitSink) use(in source, _ int) error {
	vecs, err := s.outputs.eval(in)
	if err != nil {
		return err
	}
	return s.emitter.send(vecs, in.rowCount())
}

func (s *emitSink) merge(sink) error { return nil }

func (s *emitSink) bytes() int { return 0 }
