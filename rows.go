package decant

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/decantdb/decant/internal/exec"
	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// Stats is what a query did.
type Stats struct {
	RowsRead    int64 // of the splits that were read
	RowsPruned  int64 // known not to meet WHERE without being read
	RowsMatched int64 // that met WHERE
	RowsOut     int64 // of the answer
	Groups      int64
	Splits      int // parts of stripes, or files of other formats
	Workers     int
	PoolBytes   int // scratch memory that the workers held at their end
	// GroupsLimitReached says that rows were left out because their groups were
	// more than the query may have.
	GroupsLimitReached bool
}

// Rows is the answer of a query. It is read either by batch, with NextBatch, or
// by row, with Next and Scan. It belongs to one goroutine, and the caller closes
// it.
type Rows struct {
	table   string
	columns []answerColumn
	schema  *nimble.Type
	cancel  context.CancelFunc

	// The query runs on a goroutine of its own, which lends each batch and waits
	// until it gets it back.
	batches chan *vector.Batch
	resume  chan struct{}
	lent    bool
	ended   bool       // batches is closed
	stats   exec.Stats // once ended
	runErr  error      // once ended

	batch vector.Batch
	err   error // sticks
	scan  scanner
}

// newRows starts a query, which releases the budget when it ends.
func newRows(ctx context.Context, o Options, t *table, q *plan.Query, budget *fn.Budget) (*Rows, error) {
	r := &Rows{table: t.name, schema: &nimble.Type{Kind: nimble.Row}}
	for _, out := range q.Outputs {
		c, err := newAnswerColumn(t, q, out)
		if err != nil {
			return nil, err
		}
		r.columns = append(r.columns, c)
		r.schema.Names = append(r.schema.Names, c.Name)
		r.schema.Children = append(r.schema.Children, c.stored)
	}
	r.batch.Columns = make([]vector.Vector, len(r.columns))
	r.batches, r.resume = make(chan *vector.Batch), make(chan struct{})
	ctx, r.cancel = context.WithCancel(ctx)
	go r.run(ctx, o, t, q, budget)
	return r, nil
}

func (r *Rows) run(ctx context.Context, o Options, t *table, q *plan.Query, budget *fn.Budget) {
	defer close(r.batches)
	defer r.cancel()
	defer budget.Release()
	options := exec.Options{Workers: o.Workers, Memory: t.memory, Budget: budget}
	r.stats, r.runErr = exec.Run(ctx, q, t, options, func(b *vector.Batch) error {
		select {
		case r.batches <- b:
			<-r.resume
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
}

// Table returns the name of the table that was asked.
func (r *Rows) Table() string { return r.table }

// Columns returns the columns of the answer.
func (r *Rows) Columns() []Column {
	columns := make([]Column, len(r.columns))
	for i, c := range r.columns {
		columns[i] = c.Column
	}
	return columns
}

// Schema returns what the vectors of a batch hold, as a row type: so an answer
// can be written with a nimble.Writer. INT is INTEGER, and TIMESTAMP is
// TIMESTAMP(ms). It must not be changed.
func (r *Rows) Schema() *nimble.Type { return r.schema }

// NextBatch returns the next rows of the answer, io.EOF after the last. The
// batch is valid until the next call; its vectors may be encoded, as constants,
// dictionaries, runs or exceptions. An error sticks.
func (r *Rows) NextBatch() (*vector.Batch, error) {
	r.scan.stop() // its row is of the batch before
	if r.err != nil {
		return nil, r.err
	}
	r.giveBack()
	b, more := <-r.batches
	if !more {
		r.ended = true
		r.err = r.runErr
		if r.err == nil {
			r.err = io.EOF
		}
		return nil, r.err
	}
	r.lent = true
	if err := r.shape(b); err != nil {
		r.err = err
		return nil, err
	}
	return &r.batch, nil
}

// giveBack gives the batch before back to the query.
func (r *Rows) giveBack() {
	if r.lent {
		r.lent = false
		r.resume <- struct{}{}
	}
}

// shape makes r.batch of what the engine gave.
func (r *Rows) shape(b *vector.Batch) error {
	r.batch.N, r.batch.Sel = b.N, b.Sel
	for i, c := range r.columns {
		v := b.Columns[i]
		if c.recast != nil {
			var err error
			if v, err = c.recast.apply(v); err != nil {
				return fmt.Errorf("column %s: %w", c.Name, err)
			}
		}
		r.batch.Columns[i] = v
	}
	return nil
}

// Next moves to the next row, which Scan then reads. It returns false after the
// last, after Close and after an error, which Err returns.
func (r *Rows) Next() bool {
	r.scan.row++
	for r.scan.row >= r.scan.rows {
		b, err := r.NextBatch()
		if err == nil {
			err = r.scan.start(r.schema, b)
		}
		if err != nil {
			r.scan.stop()
			r.err = err
			return false
		}
	}
	return true
}

// Err returns what ended Next, nil if it was the end of the answer.
func (r *Rows) Err() error {
	if errors.Is(r.err, io.EOF) {
		return nil
	}
	return r.err
}

// Close ends the query and returns when none of it runs any more. What the
// answer lent is no longer valid.
func (r *Rows) Close() error {
	r.scan.stop()
	r.cancel()
	r.giveBack()
	for range r.batches {
		// A batch that was on its way is not wanted.
		r.resume <- struct{}{}
	}
	r.ended = true
	if r.err == nil {
		r.err = fmt.Errorf("decant: answer: %w", ErrClosed)
	}
	return nil
}

// Stats returns what the query did, after the last row or after Close. Before,
// all is zero.
func (r *Rows) Stats() Stats {
	if !r.ended {
		return Stats{}
	}
	return Stats{
		RowsRead: r.stats.RowsRead, RowsPruned: r.stats.RowsPruned, RowsMatched: r.stats.RowsMatched, RowsOut: r.stats.RowsOut,
		Groups: r.stats.Groups, Splits: r.stats.Splits, Workers: r.stats.Workers, PoolBytes: r.stats.PoolBytes,
		GroupsLimitReached: r.stats.GroupsLimitReached,
	}
}
