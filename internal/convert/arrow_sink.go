package convert

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// arrowSink writes records of Arrow's IPC format, a record for each batch.
type arrowSink struct {
	arrowColumns
	file interface {
		Write(arrow.RecordBatch) error
		Close() error
	}
}

// newArrowSink returns a sink that writes a file, or a stream.
func newArrowSink(w io.Writer, t *nimble.Type, stream bool) (Sink, error) {
	columns, err := newArrowColumns(t)
	if err != nil {
		return nil, err
	}
	attributes, err := attributesOf(t)
	if err != nil {
		return nil, err
	}
	if attributes != "" {
		metadata := arrow.NewMetadata([]string{attributesKey}, []string{attributes})
		columns.schema = arrow.NewSchema(columns.schema.Fields(), &metadata)
	}
	s := &arrowSink{arrowColumns: columns}
	if stream {
		s.file = ipc.NewWriter(w, ipc.WithSchema(s.schema))
		return s, nil
	}
	s.file, err = ipc.NewFileWriter(w, ipc.WithSchema(s.schema))
	if err != nil {
		return nil, fmt.Errorf("arrow: %w", err)
	}
	return s, nil
}

func (s *arrowSink) Write(b *vector.Batch) error {
	if b.Rows() == 0 {
		return nil
	}
	record, err := s.recordOf(b)
	if err != nil {
		return err
	}
	if err := s.file.Write(record); err != nil {
		return fmt.Errorf("arrow: %w", err)
	}
	return nil
}

func (s *arrowSink) Close() error { return s.file.Close() }

// arrowColumns makes records of batches.
type arrowColumns struct {
	schema  *arrow.Schema
	columns []*arrowWriter
	record  []arrow.Array
}

func newArrowColumns(t *nimble.Type) (arrowColumns, error) {
	schema, err := arrowSchema(t)
	if err != nil {
		return arrowColumns{}, err
	}
	c := arrowColumns{schema: schema}
	for _, child := range t.Children {
		column, err := newArrowWriter(child)
		if err != nil {
			return arrowColumns{}, err
		}
		c.columns = append(c.columns, column)
	}
	return c, nil
}

// recordOf returns the selected rows of b. The record is valid until the next call.
func (c *arrowColumns) recordOf(b *vector.Batch) (arrow.RecordBatch, error) {
	if len(b.Columns) != len(c.columns) {
		return nil, fmt.Errorf("arrow: %d columns instead of %d", len(b.Columns), len(c.columns))
	}
	c.record = c.record[:0]
	for i, column := range c.columns {
		arr, err := column.writeSelected(b.Columns[i], b.Sel)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", c.schema.Field(i).Name, err)
		}
		c.record = append(c.record, arr)
	}
	return array.NewRecordBatch(c.schema, c.record, int64(b.Rows())), nil
}
