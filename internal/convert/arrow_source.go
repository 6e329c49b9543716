package convert

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// arrowSource reads Arrow's IPC format, a file or a stream. Its memory is one record
// and the dictionaries.
type arrowSource struct {
	recordBatches
	memory   memoryBudget
	messages *arrowMessages
	reader   *ipc.Reader
	isStream bool
	total    int // records, as a file's footer says
}

func openArrow(in *input, o Options, isStream bool) (Source, error) {
	s := &arrowSource{
		recordBatches: recordBatches{in: in, library: "arrow", batchRows: o.batchRows()},
		memory:        newMemoryBudget(in.size),
		isStream:      isStream,
	}
	if err := s.library.call(s.open); err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name(), err)
	}
	return s, s.choose(s.schema)
}

// open reads the schema.
func (s *arrowSource) open() error {
	s.memory.reset()
	var err error
	if s.messages, s.total, err = openArrowMessages(s.in, s.isStream, &s.memory); err != nil {
		return err
	}
	if s.reader, err = ipc.NewReaderFromMessageReader(s.messages, ipc.WithAllocator(&s.memory)); err != nil {
		return err
	}
	schema := s.reader.Schema()
	if s.schema, err = typesOfArrow(schema.Fields()); err != nil {
		return err
	}
	if attributes, ok := schema.Metadata().GetValue(attributesKey); ok {
		return setAttributes(leavesOf(s.schema), attributes)
	}
	return nil
}

func (s *arrowSource) Rows() (n int64, known bool) { return 0, false }

func (s *arrowSource) Progress() (done, total int64) { return s.in.total() }

func (s *arrowSource) Next() (*vector.Batch, error) {
	if err := s.in.ctx.Err(); err != nil {
		return nil, err
	}
	for s.record == nil {
		if err := s.library.call(s.nextRecord); err != nil {
			if !errors.Is(err, io.EOF) {
				err = fmt.Errorf("%s: %w", s.in.Name(), err)
			}
			return nil, err
		}
	}
	return s.part(s.columns)
}

// nextRecord reads the next record, which may have no rows.
func (s *arrowSource) nextRecord() error {
	s.memory.reset()
	record, err := s.reader.Read()
	if errors.Is(err, io.EOF) && !s.isStream && s.messages.records != s.total {
		return fmt.Errorf("arrow: %w: %d records instead of %d", ErrCorrupt, s.messages.records, s.total)
	}
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	if err != nil {
		return err
	}
	if rows := record.NumRows(); rows < 0 || rows > math.MaxInt32 {
		return fmt.Errorf("arrow: %w: a record of %d rows", nimble.ErrUnsupported, rows)
	}
	for i, column := range record.Columns() {
		if int64(column.Len()) != record.NumRows() {
			return fmt.Errorf("arrow: %w: %d rows of column %d instead of %d", ErrCorrupt, column.Len(), i, record.NumRows())
		}
	}
	if record.NumRows() > 0 {
		s.record, s.begin = record, 0
	}
	return nil
}

func (s *arrowSource) Close() error { return s.in.Close() }
