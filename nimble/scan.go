package nimble

import (
	"fmt"
	"io"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// ScanOptions say what a [Scanner] reads. The zero value is everything.
type ScanOptions struct {
	// Columns are places in the schema; nil means all.
	Columns []int
	// As is the row type as which the file is read instead, see
	// [File.OpenStripeAs]; nil means its own. Its fields are the columns.
	As *Type
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
	closed  bool
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
		o.Session = ownSession()
	}
	if o.BatchRows < 0 || o.FirstStripe < 0 || o.FirstStripe > o.EndStripe || o.EndStripe > f.NumStripes() {
		return nil, fmt.Errorf("nimble: scan of stripes %d to %d of %d in batches of %d rows",
			o.FirstStripe, o.EndStripe, f.NumStripes(), o.BatchRows)
	}
	s := &Scanner{file: f, options: o, reader: StripeReader{session: o.Session}, stripe: o.FirstStripe}
	if err := s.prepare(); err != nil {
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
		if err := s.enter(s.stripe); err != nil {
			return err
		}
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

// prepare makes the reader's columns.
func (s *Scanner) prepare() error {
	if s.options.As != nil {
		if s.options.Columns != nil {
			return fmt.Errorf("nimble: scan: %w: columns and a type", ErrSchema)
		}
		return s.reader.prepareAs(s.file, s.options.As)
	}
	return s.reader.prepare(s.file, s.options.Columns)
}

// enter moves to the start of a stripe.
func (s *Scanner) enter(stripe int) error {
	if err := s.prepare(); err != nil {
		return err
	}
	if err := s.reader.move(s.file, stripe); err != nil {
		return err
	}
	s.left, s.stripe = s.reader.Rows(), stripe+1
	return nil
}

// SeekRow moves to a row of the file, which counts from the first row of the file
// and lies in the scanned stripes; the row behind the last is the end. Of chunks
// before it values are not decoded, though one that is compressed is decompressed
// for its number of rows.
func (s *Scanner) SeekRow(row int64) error {
	if s.closed {
		return errScannerClosed
	}
	stripes := s.file.tablet.Stripes()
	for i := s.options.FirstStripe; i < s.options.EndStripe; i++ {
		first, end := int64(stripes[i].FirstRow), int64(stripes[i].FirstRow)+int64(stripes[i].Rows)
		if row < first || row >= end {
			continue
		}
		s.err = s.enter(i)
		for c := range s.batch.Columns {
			if s.err == nil {
				s.err = s.reader.Skip(c, int(row-first))
			}
		}
		s.left -= int(row - first)
		return s.err
	}
	if row != s.endRow() {
		return fmt.Errorf("nimble: row %d is not among those of stripes %d to %d", row, s.options.FirstStripe, s.options.EndStripe)
	}
	s.stripe, s.left, s.err = s.options.EndStripe, 0, nil
	return nil
}

// endRow returns the row behind the last.
func (s *Scanner) endRow() int64 {
	if s.options.EndStripe == 0 {
		return 0
	}
	last := s.file.tablet.Stripes()[s.options.EndStripe-1]
	return int64(last.FirstRow) + int64(last.Rows)
}

// Rewind moves back to the first row. A closed scanner stays closed.
func (s *Scanner) Rewind() {
	if s.closed {
		return
	}
	s.stripe, s.left, s.err = s.options.FirstStripe, 0, nil
}

// Close gives the scanner's memory back to its session. What it returned is no
// longer valid.
func (s *Scanner) Close() error {
	s.reader.Close()
	s.closed, s.err = true, errScannerClosed
	return nil
}

var errScannerClosed = fmt.Errorf("nimble: scanner: %w", ErrClosed)
