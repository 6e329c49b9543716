package server

import (
	"errors"
	"fmt"
	"io"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// Answer is the answer of a query.
type Answer struct {
	// Table is the name of the table that was asked.
	Table string
	// Schema has a child for each column: its name and what its vectors hold. A
	// TIMESTAMP is a TIMESTAMP, an INT an INTEGER and so on.
	Schema *nimble.Type
	// Types are the columns' types as Pinot names them.
	Types []string
	// Next returns the next rows, io.EOF after the last. A batch is valid until
	// the next call, and may be changed until then.
	Next func() (*vector.Batch, error)
	// Stats returns what the query did, once Next has returned io.EOF or another error.
	Stats func() Stats
	// RequestID numbers the request, and BrokerID names who answers.
	RequestID, BrokerID string
	// ClientRequestID is the client's own name for the request, nil if none.
	ClientRequestID *string
}

// Stats is what a query did.
type Stats struct {
	RowsRead    int64
	RowsMatched int64
	Segments    int
	// GroupsLimitReached says that rows of further groups were left out.
	GroupsLimitReached bool
}

// batches calls visit with each batch of the answer, decoded, and in which
// decimals and nested columns have become text if the format has them as text.
func (a *Answer) batches(isText func(*nimble.Type) bool, visit func(*vector.Batch) error) error {
	t, err := newTexts(a.Schema, isText)
	if err != nil {
		return err
	}
	for {
		b, err := a.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(b.Columns) != len(a.Schema.Children) {
			return fmt.Errorf("server: a batch of %d columns instead of %d", len(b.Columns), len(a.Schema.Children))
		}
		if b, err = t.apply(b); err != nil {
			return err
		}
		if err := visit(b); err != nil {
			return err
		}
	}
}

// texts turns some columns of batches into their text.
type texts struct {
	columns []int
	text    *convert.Text
	in, out vector.Batch
	views   []*vector.Vec[vector.View]
}

func newTexts(schema *nimble.Type, isText func(*nimble.Type) bool) (*texts, error) {
	t := &texts{}
	types := &nimble.Type{Kind: nimble.Row}
	for i, c := range schema.Children {
		if isText(c) {
			t.columns = append(t.columns, i)
			types.Names = append(types.Names, schema.Names[i])
			types.Children = append(types.Children, c)
			t.views = append(t.views, vector.NewVec[vector.View](nil))
		}
	}
	var err error
	t.text, err = convert.NewText(types, convert.PlainText)
	return t, err
}

// apply returns b or, if columns of it are text, a batch of its selected rows
// that is valid until the next call.
func (t *texts) apply(b *vector.Batch) (*vector.Batch, error) {
	if len(t.columns) == 0 {
		return b, nil
	}
	t.in = vector.Batch{N: b.N, Sel: b.Sel}
	for _, i := range t.columns {
		t.in.Columns = append(t.in.Columns, b.Columns[i])
	}
	if err := t.text.Render(&t.in); err != nil {
		return nil, err
	}
	t.out = vector.Batch{N: b.Rows(), Columns: append(t.out.Columns[:0], b.Columns...)}
	if b.Sel != nil {
		for i, v := range t.out.Columns {
			t.out.Columns[i] = vector.MakeLike(v)
			if err := vector.Gather(t.out.Columns[i], v, b.Sel); err != nil {
				return nil, err
			}
		}
	}
	for i, column := range t.columns {
		v := t.views[i]
		v.Reset()
		for row := range t.out.N {
			if text, present := t.text.Cell(row, i); present {
				vector.AppendString(v, text)
			} else {
				v.AppendNull()
			}
		}
		t.out.Columns[column] = v
	}
	return &t.out, nil
}
