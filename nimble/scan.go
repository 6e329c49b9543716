package nimble

import (
	"fmt"
	"io"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// ScanOptions say what a [Scanner] reads. The zero value is everything.
type ScanOptions struct {
	// Columns are places in the schema; nil means all.
	Columns []int
	// FirstStripe is the first stripe read, EndStripe the first that is not; 0
	// stands for the file's number of stripes.
	FirstStripe, EndStripe int
	// BatchRows is the most rows of a batch; 0 is vector.DefaultBatchRows.
	BatchRows int
	// Session is where memory comes from; nil means one of the scanner's own.
	Session *encoding.Session
}

// Scanner reads whole rows, batch by batch. Batches do not reach over stripes.
// It belongs to one goroutine.
type Scanner struct {
	file    *File
	options ScanOptions
	reader  StripeReader
	batch   vector.Batch
	stripe  int // the next
	left    int // rows of the current stripe
	err     error
}

// Scan starts reading rows.
func (f *File) Scan(o ScanOptions) (*Scanner, error) {
	if o.EndStripe == 0 {
		o.EndStripe = f.NumStripes()
	}
	if o.BatchRows == 0 {
		o.BatchRows = vector.DefaultBatchRows
	}
	if o.Session == nil {
		o.Session = encoding.NewSession(pool.New(pool.Options{}))
	}
	if o.BatchRows < 0 || o.FirstStripe < 0 || o.FirstStripe > o.EndStripe || o.EndStripe > f.NumStripes() {
		return nil, fmt.Errorf("nimble: scan of stripes %d to %d of %d in batches of %d rows",
			o.FirstStripe, o.EndStripe, f.NumStripes(), o.BatchRows)
	}
	s := &Scanner{file: f, options: o, reader: StripeReader{session: o.Session}, stripe: o.FirstStripe}
	if err := s.reader.prepare(f, o.Columns); err != nil {
		return nil, err
	}
	for _, c := range s.reader.readers {
		s.batch.Columns = append(s.batch.Columns, c.vector())
	}
	return s, nil
}

// Next returns the next rows, io.EOF after the last. The batch is valid until
// the next call, and must not be changed. An error sticks.
func (s *Scanner) Next() (*vector.Batch, error) {
	if s.err == nil {
		s.err = s.next()
	}
	if s.err != nil {
		return nil, s.err
	}
	return &s.batch, nil
}

func (s *Scanner) next() error {
	for s.left == 0 {
		if s.stripe == s.options.EndStripe {
			return io.EOF
		}
		if err := s.reader.Reset(s.file, s.stripe, s.reader.columns); err != nil {
			return err
		}
		s.left = s.reader.Rows()
		s.stripe++
	}
	n := min(s.left, s.options.BatchRows)
	for i := range s.batch.Columns {
		if _, err := s.reader.Read(i, n); err != nil {
			return err
		}
	}
	s.batch.N, s.batch.Sel = n, nil
	s.left -= n
	return nil
}

// Rewind moves back to the first row.
func (s *Scanner) Rewind() {
	s.stripe, s.left, s.err = s.options.FirstStripe, 0, nil
}

// Close gives the scanner's memory back to its session. What it returned is no
// longer valid.
func (s *Scanner) Close() error {
	s.reader.Close()
	s.err = fmt.Errorf("nimble: scanner: %w", ErrClosed)
	return nil
}
