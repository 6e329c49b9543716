package exec

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// Options say how a query is run.
type Options struct {
	// Workers is the number of goroutines that read splits. 0 means as many as
	// there are processors that may be used.
	Workers int
	// Memory is where the workers' scratch memory comes from and goes back to.
	// With nil it is the query's own.
	Memory *Memory
	// Budget counts what the query holds beside that: groups, rows to be sorted,
	// results of functions. Passing its limit ends the query. Nil is no limit.
	Budget *fn.Budget
}

// Stats is what a query did.
type Stats struct {
	RowsRead    int64 // of the splits that were read
	RowsPruned  int64 // known not to meet WHERE without being read
	RowsMatched int64 // that met WHERE
	RowsOut     int64
	Groups      int64
	// GroupsLimitReached says that rows were left out because of GroupsLimit.
	GroupsLimitReached bool
	Splits             int
	Workers            int
	// PoolBytes is the scratch memory that the workers held at their end.
	PoolBytes int
}

// Run runs q over t and calls emit with the answer, batch by batch, in order.
// A batch is valid during the call. If emit or a read fails, or ctx ends, all
// workers stop and the first error is returned.
func Run(ctx context.Context, q *plan.Query, t Table, o Options, emit func(*vector.Batch) error) (Stats, error) {
	if q.OneRow {
		t = oneRow{}
	}
	r := &run{query: q, emitter: newEmitter(q, emit)}
	if p, ok := t.(Prunable); ok && q.Where != nil {
		t, r.stats.RowsPruned = p.Prune(q.Where)
	}
	r.table = t
	if o.Memory == nil {
		o.Memory = &Memory{}
	}
	r.memory = o.Memory
	r.workers = r.workerCount(o)
	r.stats.Splits, r.stats.Workers = t.Splits(), r.workers
	if r.emitter.full() {
		return r.stats, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.meter = fn.NewMeter(ctx, o.Budget)
	workers := make([]*worker, r.workers)
	defer func() {
		for _, w := range workers {
			if w != nil {
				w.close()
			}
		}
	}()
	for i := range workers {
		w, err := newWorker(r, i, fn.NewMeter(ctx, o.Budget))
		if err != nil {
			return r.stats, err
		}
		workers[i] = w
	}
	r.readSplits(ctx, cancel, workers)
	for _, w := range workers {
		r.stats.RowsRead += w.scan.rowsRead
		r.stats.RowsMatched += w.scan.rowsKept
		held := w.session.Pool().Stats()
		r.stats.PoolBytes += held.HeldBytes + held.OutstandingBytes
	}
	if err := context.Cause(ctx); err != nil {
		return r.stats, err
	}
	err := r.finish(workers)
	r.stats.RowsOut = r.emitter.rows
	return r.stats, err
}

// run is one query being run.
type run struct {
	query   *plan.Query
	table   Table
	emitter *emitter
	memory  *Memory
	meter   *fn.Meter // of what follows the workers
	workers int
	stats   Stats
}

func (r *run) workerCount(o Options) int {
	if !r.query.Grouped && len(r.query.OrderBy) == 0 {
		return 1 // rows are handed on as they come
	}
	n := o.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return max(1, min(n, r.table.Splits()))
}

func (r *run) readSplits(ctx context.Context, cancel context.CancelCauseFunc, workers []*worker) {
	var group sync.WaitGroup
	for _, w := range workers[1:] {
		group.Go(func() {
			if err := w.readSplits(ctx); err != nil {
				cancel(err)
			}
		})
	}
	if err := workers[0].readSplits(ctx); err != nil {
		cancel(err)
	}
	group.Wait()
}

// finish merges the workers' sinks and hands the answer on.
func (r *run) finish(workers []*worker) error {
	first := workers[0].sink
	for _, w := range workers[1:] {
		if err := first.merge(w.sink); err != nil {
			return err
		}
		if err := workers[0].held.set(r.meter, first.bytes()); err != nil {
			return err
		}
	}
	switch s := first.(type) {
	case *groupSink:
		return r.finishGroups(s)
	case *sortSink:
		return r.emitter.addSorted(s.sorter)
	}
	return nil
}

func (r *run) finishGroups(s *groupSink) error {
	groups, err := s.result()
	if err != nil {
		return err
	}
	r.stats.Groups, r.stats.GroupsLimitReached = int64(groups.n), s.within.reached
	for _, v := range groups.slots {
		if err := r.meter.Hold(heldBytes(v)); err != nil {
			return err
		}
	}
	slotOf := slots{meter: r.meter, of: func(e plan.Expr) (int, error) {
		switch e := e.(type) {
		case *plan.KeyRef:
			return e.Index, nil
		case *plan.AggRef:
			return len(r.query.Keys) + e.Index, nil
		}
		return 0, fmt.Errorf("exec: a %T over groups: %w", e, ErrUnsupported)
	}}
	if r.query.Having != nil {
		if groups, err = having(groups, r.query.Having, slotOf); err != nil {
			return err
		}
	}
	out, err := newOutputs(r.query, slotOf)
	if err != nil {
		return err
	}
	vecs, err := out.eval(groups)
	if err != nil {
		return err
	}
	if len(r.query.OrderBy) == 0 {
		return r.emitter.add(vecs, groups.n)
	}
	sorted := newSorter(r.query)
	sorted.meter = r.meter
	if err := sorted.add(vecs, groups.n, 0); err != nil {
		return err
	}
	if err := r.meter.Hold(sorted.bytes()); err != nil {
		return err
	}
	return r.emitter.addSorted(sorted)
}

// having returns the groups for which the condition is true.
func having(groups *frame, e plan.Expr, slotOf slots) (*frame, error) {
	f, err := newFilter(e, slotOf)
	if err != nil {
		return nil, err
	}
	rows := mask(nil).sized(groups.n)
	if err := f.eval(rows, groups); err != nil {
		return nil, err
	}
	sel := rows.appendRows(nil)
	kept := &frame{n: len(sel)}
	for _, v := range groups.slots {
		g := vector.MakeLike(v)
		if err := vector.Gather(g, v, sel); err != nil {
			return nil, err
		}
		kept.slots = append(kept.slots, g)
	}
	return kept, nil
}

// worker reads splits on one goroutine.
type worker struct {
	run     *run
	index   int // among the workers
	session *nimble.Session
	cursor  Cursor
	scan    *scan
	sink    sink
	meter   *fn.Meter
	held    holder // of the sink
	due     int    // rows until the sink is asked again
}

func newWorker(r *run, index int, meter *fn.Meter) (*worker, error) {
	w := &worker{run: r, index: index, meter: meter}
	reads := r.query.Reads()
	columns := make([]int, len(reads))
	for i, c := range reads {
		columns[i] = c.Index
	}
	slotOf := slots{meter: meter, of: func(e plan.Expr) (int, error) {
		c, ok := e.(*plan.Column)
		if !ok {
			return 0, fmt.Errorf("exec: a %T over rows: %w", e, ErrUnsupported)
		}
		for slot, index := range columns {
			if index == c.Index {
				return slot, nil
			}
		}
		return 0, fmt.Errorf("exec: column %s is not read", c.Name)
	}}
	var where *filter
	var err error
	if r.query.Where != nil {
		if where, err = newFilter(r.query.Where, slotOf); err != nil {
			return nil, err
		}
	}
	if w.sink, err = r.newSink(slotOf); err != nil {
		return nil, err
	}
	w.session = r.memory.take()
	if w.cursor, err = newCursor(r.table, w.session, columns); err != nil {
		r.memory.give(w.session)
		return nil, err
	}
	var near *bound
	if s, ok := w.sink.(*sortSink); ok {
		near = s.sorter.bound
	}
	w.scan = newScan(w.cursor, where, near, len(columns))
	return w, nil
}

func (r *run) newSink(slotOf slots) (sink, error) {
	switch {
	case r.query.Grouped:
		return newGroupSink(r.query, slotOf)
	case len(r.query.OrderBy) > 0:
		return newSortSink(r.query, slotOf)
	}
	return newEmitSink(r.query, slotOf, r.emitter)
}

// readSplits reads every so manyth split. Which worker reads what does not hang on
// time, so that sums of doubles are the same on each run.
func (w *worker) readSplits(ctx context.Context) error {
	for split := w.index; split < w.run.table.Splits() && !w.run.emitterFull(w.sink); split += w.run.workers {
		if err := w.readSplit(ctx, split); err != nil {
			return err
		}
	}
	return nil
}

// emitterFull reports whether the sink hands rows on and needs no more.
func (r *run) emitterFull(s sink) bool {
	e, ok := s.(*emitSink)
	return ok && e.emitter.full()
}

// hold tells the meter what the sink holds. A sink is asked again after about as
// many rows as it has groups, since the answer takes it a look at each.
func (w *worker) hold(rows int) error {
	if w.due -= rows; w.due > 0 {
		return nil
	}
	if g, ok := w.sink.(*groupSink); ok {
		w.due = g.groups.len() / 4
	}
	return w.held.set(w.meter, w.sink.bytes())
}

func (w *worker) readSplit(ctx context.Context, split int) error {
	if err := w.cursor.Open(split); err != nil {
		return err
	}
	before := w.scan.rowsRead
	for !w.run.emitterFull(w.sink) {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		f, err := w.scan.next()
		if f == nil || err != nil {
			return err
		}
		if err := w.sink.consume(f, newRowID(split, w.scan.batchBegin()-before)); err != nil {
			return err
		}
		if err := w.hold(f.n); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) close() {
	w.cursor.Close()
	w.run.memory.give(w.session)
}
