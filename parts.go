package decant

import (
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// parts reads a Nimble file, a part of a stripe for each split. Columns that a
// batch does not need are caught up with when a later one does.
type parts struct {
	file    *nimbleFile
	session *nimble.Session
	columns []int
	stripe  *nimble.StripeReader
	part    part // the current one
	begin   int  // row of the current batch in the stripe
	n       int  // its rows
}

func (r *parts) open(split int) error {
	before := r.part
	r.part = r.file.parts[split]
	r.begin, r.n = r.part.begin, 0
	if r.stripe == nil {
		var err error
		r.stripe, err = r.file.nimble.OpenStripe(r.session, r.part.stripe, r.columns)
		return err
	}
	if before.stripe == r.part.stripe && before.end <= r.part.begin {
		return nil // further on in the stripe that is open
	}
	return r.stripe.Reset(r.file.nimble, r.part.stripe, r.columns)
}

func (r *parts) next() (int, error) {
	r.begin += r.n
	r.n = min(r.part.end-r.begin, vector.DefaultBatchRows)
	return r.n, nil
}

// catchUp moves a column to the current batch.
func (r *parts) catchUp(column int) error {
	if behind := r.begin - r.stripe.Pos(column); behind > 0 {
		return r.stripe.Skip(column, behind)
	}
	return nil
}

func (r *parts) read(column int) (vector.Vector, error) {
	if err := r.catchUp(column); err != nil {
		return nil, err
	}
	return r.stripe.Read(column, r.n)
}

func (r *parts) readSel(column int, sel []int32) (vector.Vector, error) {
	if err := r.catchUp(column); err != nil {
		return nil, err
	}
	return r.stripe.ReadSel(column, r.n, sel)
}

func (r *parts) close() {
	if r.stripe != nil {
		r.stripe.Close()
		r.stripe = nil
	}
}
