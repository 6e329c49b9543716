package decant

import (
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// stripes reads a Nimble file, a stripe for each split. Columns that a batch
// does not need are caught up with when a later one does.
type stripes struct {
	file    *nimble.File
	session *nimble.Session
	columns []int
	stripe  *nimble.StripeReader
	begin   int // row of the current batch in the stripe
	n       int // its rows
}

func (r *stripes) open(split int) error {
	r.begin, r.n = 0, 0
	if r.stripe != nil {
		return r.stripe.Reset(r.file, split, r.columns)
	}
	var err error
	r.stripe, err = r.file.OpenStripe(r.session, split, r.columns)
	return err
}

func (r *stripes) next() (int, error) {
	r.begin += r.n
	r.n = min(r.stripe.Rows()-r.begin, vector.DefaultBatchRows)
	return r.n, nil
}

// catchUp moves a column to the current batch.
func (r *stripes) catchUp(column int) error {
	if behind := r.begin - r.stripe.Pos(column); behind > 0 {
		return r.stripe.Skip(column, behind)
	}
	return nil
}

func (r *stripes) read(column int) (vector.Vector, error) {
	if err := r.catchUp(column); err != nil {
		return nil, err
	}
	return r.stripe.Read(column, r.n)
}

func (r *stripes) readSel(column int, sel []int32) (vector.Vector, error) {
	if err := r.catchUp(column); err != nil {
		return nil, err
	}
	return r.stripe.ReadSel(column, r.n, sel)
}

func (r *stripes) close() {
	if r.stripe != nil {
		r.stripe.Close()
		r.stripe = nil
	}
}
