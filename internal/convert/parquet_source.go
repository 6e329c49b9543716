package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// recordRows is how many rows are decoded at a time. A batch is a part of them.
const recordRows = 8192

// parquetSource reads a Parquet file. Its memory is the pages of one row group
// that are being read and recordRows rows.
type parquetSource struct {
	recordBatches
	file    *pqarrow.FileReader
	records pqarrow.RecordReader // nil before the first Next
	places  []int                // in a record, of each column
	rows    int64                // read so far
}

func openParquet(in *input, o Options) (Source, error) {
	s := &parquetSource{recordBatches: recordBatches{in: in, library: "parquet", batchRows: o.batchRows()}}
	if err := s.library.call(s.open); err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name(), err)
	}
	return s, s.choose(s.schema)
}

// open reads the footer.
func (s *parquetSource) open() error {
	reader, err := file.NewParquetReader(s.in)
	if err != nil {
		return err
	}
	footer := reader.MetaData()
	if err := s.checkChunks(footer); err != nil {
		return err
	}
	attributes := footer.KeyValueMetadata().FindValue(attributesKey)
	// The Arrow schema that some writers add says nothing of importance, and
	// its decoder trusts the bytes.
	footer.FileMetaData.KeyValueMetadata = nil
	properties := pqarrow.ArrowReadProperties{BatchSize: recordRows}
	if s.file, err = pqarrow.NewFileReader(reader, properties, memory.DefaultAllocator); err != nil {
		return err
	}
	fields, err := s.file.Schema()
	if err != nil {
		return err
	}
	if s.schema, err = typesOfArrow(fields.Fields()); err != nil {
		return err
	}
	leaves := leavesOf(s.schema)
	if len(leaves) != footer.Schema.NumColumns() {
		return fmt.Errorf("parquet: %w: %d columns for %v", ErrCorrupt, footer.Schema.NumColumns(), s.schema)
	}
	markTexts(leaves, footer.Schema)
	if attributes != nil {
		return setAttributes(leaves, *attributes)
	}
	return nil
}

// checkChunks makes sure that every column chunk lies in the file: the library
// asks for as much memory as a chunk says it takes.
func (s *parquetSource) checkChunks(footer *metadata.FileMetaData) error {
	for i := range footer.NumRowGroups() {
		group := footer.RowGroup(i)
		for j := range group.NumColumns() {
			chunk, err := group.ColumnChunk(j)
			if err != nil {
				return err
			}
			begin, size := chunk.DataPageOffset(), chunk.TotalCompressedSize()
			if chunk.HasDictionaryPage() && chunk.DictionaryPageOffset() > 0 {
				begin = min(begin, chunk.DictionaryPageOffset())
			}
			if begin < 0 || size < 0 || begin > s.in.size || size > s.in.size-begin {
				return fmt.Errorf("parquet: %w: column %d of row group %d takes %d bytes from byte %d on, of %d",
					ErrCorrupt, j, i, size, begin, s.in.size)
			}
		}
	}
	return nil
}

// markTexts gives the columns that Arrow has as bytes, but Parquet as JSON or as
// names of an enumeration, the type they have.
func markTexts(leaves []*nimble.Type, columns *schema.Schema) {
	for i, t := range leaves {
		switch columns.Column(i).LogicalType().(type) {
		case schema.JSONLogicalType:
			t.Kind, t.Logical = nimble.Varchar, nimble.Logical{Kind: nimble.LogicalJSON}.String()
		case schema.EnumLogicalType:
			t.Kind = nimble.Varchar
		}
	}
}

func (s *parquetSource) Rows() (n int64, known bool) {
	return s.file.ParquetReader().NumRows(), true
}

// Progress counts rows as the bytes they are of the whole on average.
func (s *parquetSource) Progress() (done, total int64) { return s.in.total() }

// start begins to read the chosen columns.
func (s *parquetSource) start() error {
	var leaves, chosen []int // columns of the file, each once
	s.places = make([]int, len(s.columns))
	for i, col := range s.columns {
		if s.places[i] = slices.Index(chosen, col); s.places[i] < 0 {
			s.places[i] = len(chosen)
			chosen = append(chosen, col)
			leaves = appendLeaves(leaves, &s.file.Manifest.Fields[col])
		}
	}
	var err error
	s.records, err = s.file.GetRecordReader(context.Background(), leaves, nil)
	return err
}

// nextRecord reads the next record.
func (s *parquetSource) nextRecord() error {
	if s.records == nil {
		if err := s.start(); err != nil {
			return err
		}
	}
	record, err := s.records.Read()
	total, _ := s.Rows()
	if errors.Is(err, io.EOF) && s.rows != total {
		return fmt.Errorf("parquet: %w: it ends after %d of %d rows", ErrCorrupt, s.rows, total)
	}
	if err != nil {
		return err
	}
	for i, column := range record.Columns() {
		if int64(column.Len()) != record.NumRows() {
			return fmt.Errorf("parquet: %w: %d rows of column %d instead of %d", ErrCorrupt, column.Len(), i, record.NumRows())
		}
	}
	s.record, s.begin = record, 0
	s.rows += record.NumRows()
	if s.rows > total {
		return fmt.Errorf("parquet: %w: more rows than the %d that it declares", ErrCorrupt, total)
	}
	s.in.advance(share(s.in.size, s.rows, total))
	return nil
}

func appendLeaves(leaves []int, f *pqarrow.SchemaField) []int {
	if f.IsLeaf() {
		return append(leaves, f.ColIndex)
	}
	for i := range f.Children {
		leaves = appendLeaves(leaves, &f.Children[i])
	}
	return leaves
}

func (s *parquetSource) Next() (*vector.Batch, error) {
	if err := s.in.ctx.Err(); err != nil {
		return nil, err
	}
	if len(s.columns) == 0 {
		return s.nextCount()
	}
	if s.record == nil {
		if err := s.library.call(s.nextRecord); err != nil {
			if !errors.Is(err, io.EOF) {
				err = fmt.Errorf("%s: %w", s.in.Name(), err)
			}
			return nil, err
		}
	}
	return s.part(s.places)
}

// nextCount returns rows of no columns.
func (s *parquetSource) nextCount() (*vector.Batch, error) {
	total, _ := s.Rows()
	if s.rows == total {
		return nil, io.EOF
	}
	s.batch.N = int(min(int64(s.batchRows), total-s.rows))
	s.rows += int64(s.batch.N)
	return s.batch, nil
}

func (s *parquetSource) Close() error {
	if s.records != nil {
		s.records.Release()
	}
	return s.in.Close()
}
