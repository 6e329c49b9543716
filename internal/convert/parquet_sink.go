package convert

import (
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// A row group ends after the batch with which it reaches one of these. It is in
// memory, encoded, until then.
const (
	rowGroupRows  = 122_880
	rowGroupBytes = 64 << 20 // as Arrow has them
)

// parquetSink writes a Parquet file: pages compressed with zstd at its default
// level, and decimals of up to 18 digits as integers.
type parquetSink struct {
	schema  *arrow.Schema
	file    *pqarrow.FileWriter
	columns []*arrowWriter
	record  []arrow.Array
	rows    int // of the row group
	bytes   uint64
}

func newParquetSink(w io.Writer, t *nimble.Type) (Sink, error) {
	schema, err := arrowSchema(t)
	if err != nil {
		return nil, err
	}
	s := &parquetSink{schema: schema}
	for _, c := range t.Children {
		column, err := newArrowWriter(c)
		if err != nil {
			return nil, err
		}
		s.columns = append(s.columns, column)
	}
	properties, err := parquetProperties(schema)
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	// The writer closes what it writes to, which is not the sink's to close.
	s.file, err = pqarrow.NewFileWriter(schema, struct{ io.Writer }{w}, properties, pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	attributes, err := attributesOf(t)
	if err == nil && attributes != "" {
		err = s.file.AppendKeyValueMetadata(attributesKey, attributes)
	}
	return s, err
}

func parquetProperties(fields *arrow.Schema) (*parquet.WriterProperties, error) {
	columns, err := pqarrow.ToParquet(fields, nil, pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, err
	}
	properties := []parquet.WriterProperty{
		parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithStoreDecimalAsInteger(true),
		parquet.WithMaxRowGroupLength(math.MaxInt64), // the sink ends row groups
		parquet.WithCreatedBy("decant"),
	}
	for i := range columns.NumColumns() {
		c := columns.Column(i)
		if t := c.PhysicalType(); t == parquet.Types.Float || t == parquet.Types.Double {
			// A dictionary takes every NaN for the same one, and loses its bits.
			properties = append(properties, parquet.WithDictionaryPath(c.ColumnPath(), false))
		}
	}
	return parquet.NewWriterProperties(properties...), nil
}

func (s *parquetSink) Write(b *vector.Batch) error {
	if len(b.Columns) != len(s.columns) {
		return fmt.Errorf("parquet: %d columns instead of %d", len(b.Columns), len(s.columns))
	}
	if b.Rows() == 0 {
		return nil
	}
	if s.rows >= rowGroupRows || s.bytes >= rowGroupBytes {
		if err := s.file.NewBufferedRowGroupChecked(); err != nil {
			return fmt.Errorf("parquet: %w", err)
		}
		s.rows, s.bytes = 0, 0
	}
	s.record = s.record[:0]
	for i, c := range s.columns {
		arr, err := c.writeSelected(b.Columns[i], b.Sel)
		if err != nil {
			return fmt.Errorf("column %q: %w", s.schema.Field(i).Name, err)
		}
		s.record = append(s.record, arr)
		s.bytes += arr.Data().SizeInBytes()
	}
	s.rows += b.Rows()
	if err := s.file.WriteBuffered(array.NewRecordBatch(s.schema, s.record, int64(b.Rows()))); err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return nil
}

func (s *parquetSink) Close() error { return s.file.Close() }
