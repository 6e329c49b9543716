package convert

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// recordBatches hands out the rows of Arrow records as batches, a part of a record
// each.
type recordBatches struct {
	in        *input
	library   guard
	schema    *nimble.Type
	columns   []int // of the file
	readers   []*arrowReader
	batch     *vector.Batch
	batchRows int

	record arrow.RecordBatch // nil if all of it was handed out
	begin  int               // of what is left of record
}

// choose makes the batches have all columns of a row type.
func (r *recordBatches) choose(schema *nimble.Type) error {
	r.schema = schema
	r.columns = make([]int, len(schema.Children))
	for i := range r.columns {
		r.columns[i] = i
	}
	return r.makeReaders()
}

// Schema returns the row type of the batches.
func (r *recordBatches) Schema() *nimble.Type { return r.schema }

// Project chooses columns.
func (r *recordBatches) Project(columns []int) error {
	schema, err := project(r.schema, columns)
	if err != nil {
		return err
	}
	chosen := make([]int, len(columns))
	for i, col := range columns {
		chosen[i] = r.columns[col]
	}
	r.schema, r.columns = schema, chosen
	return r.makeReaders()
}

func (r *recordBatches) makeReaders() error {
	r.readers = r.readers[:0]
	r.batch = vector.NewBatch(nil)
	for i, t := range r.schema.Children {
		reader, err := newArrowReader(t)
		if err != nil {
			return fmt.Errorf("%s: column %q: %w", r.in.Name(), r.schema.Names[i], err)
		}
		r.readers = append(r.readers, reader)
		r.batch.Columns = append(r.batch.Columns, reader.vec)
	}
	return nil
}

// part returns the next rows of the record, whose columns at places are the chosen
// ones.
func (r *recordBatches) part(places []int) (*vector.Batch, error) {
	n := min(r.batchRows, int(r.record.NumRows())-r.begin)
	for i := range r.readers {
		column := r.record.Column(places[i])
		if err := r.library.call(func() error { return r.readColumn(i, column, n) }); err != nil {
			return nil, fmt.Errorf("%s: column %q: %w", r.in.Name(), r.schema.Names[i], err)
		}
	}
	r.batch.N = n
	r.begin += n
	if r.begin == int(r.record.NumRows()) {
		r.record = nil // its memory is the garbage collector's
	}
	return r.batch, nil
}

// readColumn reads the next n rows of a column of the record. What the library
// made of a damaged file may be out of joint; what leaves here is not.
func (r *recordBatches) readColumn(i int, column arrow.Array, n int) error {
	rows := array.NewSlice(column, int64(r.begin), int64(r.begin+n))
	if err := r.readers[i].read(rows, nil); err != nil {
		return err
	}
	if err := vector.Check(r.batch.Columns[i]); err != nil {
		return fmt.Errorf("%s: %w: %w", r.library, ErrCorrupt, err)
	}
	return nil
}
