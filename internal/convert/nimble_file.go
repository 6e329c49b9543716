package convert

import (
	"fmt"
	"io"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// nimbleSource reads a Nimble file.
type nimbleSource struct {
	in        *input
	file      *nimble.File
	schema    *nimble.Type
	columns   []int
	as        *nimble.Type // instead of columns, if not nil
	first     int64        // row
	batchRows int
	scanner   *nimble.Scanner // nil before the first Next
	rows      int64           // read so far
}

func openNimble(in *input, o Options) (Source, error) {
	f, err := nimble.Open(in, in.size, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name(), err)
	}
	s := &nimbleSource{in: in, file: f, schema: f.Schema(), batchRows: o.batchRows()}
	s.columns = make([]int, len(s.schema.Children))
	for i := range s.columns {
		s.columns[i] = i
	}
	return s, nil
}

// verify compares the checksum of the whole file, which is read for it once more.
func (s *nimbleSource) verify() error {
	if err := s.file.Tablet().VerifyChecksum(); err != nil {
		return fmt.Errorf("%s: %w", s.in.Name(), err)
	}
	return nil
}

func (s *nimbleSource) Schema() *nimble.Type { return s.schema }

func (s *nimbleSource) Rows() (n int64, known bool) { return s.file.Rows(), true }

func (s *nimbleSource) Progress() (done, total int64) { return s.in.total() }

func (s *nimbleSource) Project(columns []int) error {
	schema, err := project(s.schema, columns)
	if err != nil {
		return err
	}
	chosen := make([]int, len(columns))
	for i, col := range columns {
		chosen[i] = s.columns[col]
	}
	s.schema, s.columns = schema, chosen
	return nil
}

// projectPaths chooses parts of rows, see nimble.Type.Project.
func (s *nimbleSource) projectPaths(paths []string) error {
	as, err := s.schema.Project(paths...)
	if err != nil {
		return err
	}
	s.schema, s.columns, s.as = as, nil, as
	return nil
}

func (s *nimbleSource) Next() (*vector.Batch, error) {
	if err := s.in.ctx.Err(); err != nil {
		return nil, err
	}
	if s.scanner == nil {
		var err error
		s.scanner, err = s.file.Scan(nimble.ScanOptions{Columns: s.columns, As: s.as, BatchRows: s.batchRows})
		if err == nil && s.first > 0 {
			err = s.scanner.SeekRow(min(s.first, s.file.Rows()))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.in.Name(), err)
		}
	}
	b, err := s.scanner.Next()
	if err == io.EOF {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.in.Name(), err)
	}
	s.rows += int64(b.N)
	s.in.advance(share(s.in.size, s.rows, s.file.Rows()))
	return b, nil
}

// share returns the part of size that is part/whole of it.
func share(size, part, whole int64) int64 {
	return int64(float64(size) * float64(part) / float64(max(1, whole)))
}

func (s *nimbleSource) Close() error {
	var err error
	if s.scanner != nil {
		err = s.scanner.Close()
	}
	if closeErr := s.in.Close(); err == nil {
		err = closeErr
	}
	return err
}

// stripeRows bounds the rows of a stripe. Stripes of this size fit in a
// processor's cache while they are decoded and can be shared among workers; for
// them a file is about two per cent larger than with stripes of the writer's
// default size.
const stripeRows = 1 << 16

func newNimbleSink(w io.Writer, schema *nimble.Type) (Sink, error) {
	file, err := nimble.NewWriter(w, stored(schema), &nimble.WriterOptions{StripeRows: stripeRows})
	if err != nil {
		return nil, err
	}
	return nimbleSink{file}, nil
}

// nimbleSink writes a Nimble file as the reference's writer does by default, in
// smaller stripes.
type nimbleSink struct{ file *nimble.Writer }

func (s nimbleSink) Write(b *vector.Batch) error { return s.file.WriteBatch(b) }

func (s nimbleSink) Close() error { return s.file.Close() }

// stored returns the type with plain arrays and maps in the place of those that
// differ in how they are stored.
func stored(t *nimble.Type) *nimble.Type {
	plain := *t
	switch t.Kind {
	case nimble.DedupArray:
		plain.Kind = nimble.Array
	case nimble.FlatMap, nimble.SlidingWindowMap:
		plain.Kind = nimble.Map
	}
	plain.Children = make([]*nimble.Type, len(t.Children))
	for i, c := range t.Children {
		plain.Children[i] = stored(c)
	}
	return &plain
}
