package convert

import (
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
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
	arrowColumns
	file  *pqarrow.FileWriter
	rows  int // of the row group
	bytes uint64
}

func newParquetSink(w io.Writer, t *nimble.Type) (Sink, error) {
	columns, err := newArrowColumns(t)
	if err != nil {
		return nil, err
	}
	s := &parquetSink{arrowColumns: columns}
	properties, err := parquetProperties(s.schema)
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	// The writer closes what it writes to, which is not the sink's to close.
	s.file, err = pqarrow.NewFileWriter(s.schema, struct{ io.Writer }{w}, properties, pqarrow.DefaultWriterProps())
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
	if b.Rows() == 0 {
		return nil
	}
	if s.rows >= rowGroupRows || s.bytes >= rowGroupBytes {
		if err := s.file.NewBufferedRowGroupChecked(); err != nil {
			return fmt.Errorf("parquet: %w", err)
		}
		s.rows, s.bytes = 0, 0
	}
	record, err := s.recordOf(b)
	if err != nil {
		return err
	}
	for _, arr := range record.Columns() {
		s.bytes += arr.Data().SizeInBytes()
	}
	s.rows += b.Rows()
	if err := s.file.WriteBuffered(record); err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return nil
}

func (s *parquetSink) Close() error { return s.file.Close() }
