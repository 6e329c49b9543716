package fn

import (
	"context"
	"errors"
)

// ErrCut means that the results of a batch are too large to be held at a time.
// Who has allowed it with [Meter.Cuttable] asks again for fewer rows.
var ErrCut = errors.New("results of a batch are too large")

const (
	// BatchBytes bounds the results of one function for one batch where the batch
	// can be cut.
	BatchBytes = 16 << 20
	// lookUnits is how much work is done between two looks at the context: about
	// a millisecond.
	lookUnits = 1 << 20
)

// Meter watches the work of one goroutine for a query: that it ends with the
// query's context, and what memory it holds. A nil Meter watches nothing.
type Meter struct {
	ctx      context.Context // of the query, looked at now and then as work goes on
	budget   *Budget
	units    int
	err      error // sticks
	cuttable bool
}

// NewMeter returns a meter of a query; a nil budget has no limit.
func NewMeter(ctx context.Context, b *Budget) *Meter { return &Meter{ctx: ctx, budget: b} }

// Work counts work that is about to be done, of which a unit takes about a
// nanosecond. It returns what has ended the query.
func (m *Meter) Work(units int) error {
	if m == nil {
		return nil
	}
	m.units += units
	if m.units < lookUnits && m.err == nil {
		return nil
	}
	m.units = 0
	return m.Err()
}

// Err looks at the context and returns what has ended the query.
func (m *Meter) Err() error {
	if m != nil && m.err == nil && m.ctx.Err() != nil {
		m.err = context.Cause(m.ctx)
	}
	if m == nil {
		return nil
	}
	return m.err
}

// Fail ends the query with an error, unless it has one already.
func (m *Meter) Fail(err error) {
	if m != nil && m.err == nil {
		m.err = err
	}
}

// Hold counts more memory of the query, in bytes. It is given back when the query
// ends. Its error wraps ErrMemory and ends the query.
func (m *Meter) Hold(n int) error {
	if m == nil || m.err != nil {
		return m.Err()
	}
	m.err = m.budget.Hold(int64(n))
	return m.err
}

// Cuttable says whether functions may ask for smaller batches from now on, with
// ErrCut, and returns what was said before.
func (m *Meter) Cuttable(yes bool) bool {
	if m == nil {
		return false
	}
	before := m.cuttable
	m.cuttable = yes
	return before
}

// Cut returns ErrCut if results of so many bytes, for so many rows, are to be made
// in smaller batches.
func (m *Meter) Cut(bytes, rows int) error {
	if m != nil && m.cuttable && rows > 1 && bytes > BatchBytes {
		return ErrCut
	}
	return nil
}
