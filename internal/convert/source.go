package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// Format is a kind of file.
type Format uint8

// The formats. FormatAuto means that a file's content or its name decides.
const (
	FormatAuto Format = iota
	FormatNimble
	FormatParquet
	FormatCSV
	FormatJSONL
	FormatArrow       // a file of Arrow's IPC format
	FormatArrowStream // a stream of it
)

var formatNames = [...]string{
	FormatAuto: "auto", FormatNimble: "nimble", FormatParquet: "parquet", FormatCSV: "csv", FormatJSONL: "jsonl",
	FormatArrow: "arrow", FormatArrowStream: "arrows",
}

// String returns the format's name.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return "invalid"
}

// ErrFormat means that a file is of no format that is known, or that its format
// can only be written.
var ErrFormat = errors.New("unknown format")

// formatError is why a file is of no format that can be used. It wraps
// [ErrFormat].
type formatError struct{ file, why string }

func (e *formatError) Error() string { return e.file + ": " + e.why }

func (e *formatError) Is(target error) bool { return target == ErrFormat }

// ParseFormat returns the format of that name. Its error wraps [ErrFormat].
func ParseFormat(name string) (Format, error) {
	for f, n := range formatNames {
		if strings.EqualFold(name, n) {
			return Format(f), nil
		}
	}
	return 0, fmt.Errorf("%w %q: want one of %s", ErrFormat, name, strings.Join(formatNames[1:], ", "))
}

// FormatOfName returns the format that a file's extension stands for, or
// FormatAuto.
func FormatOfName(path string) Format {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".nimble":
		return FormatNimble
	case ".parquet", ".pq":
		return FormatParquet
	case ".csv", ".tsv":
		return FormatCSV
	case ".jsonl", ".ndjson":
		return FormatJSONL
	case ".arrow", ".feather", ".ipc":
		return FormatArrow
	case ".arrows":
		return FormatArrowStream
	}
	return FormatAuto
}

// Options say how files are read and written. The zero value is the default.
type Options struct {
	// From and To are the formats of input and output. With FormatAuto, the
	// content decides about an input, and the name about an output.
	From, To Format
	// BatchRows is how many rows a source's batches have at most;
	// 0 means vector.DefaultBatchRows.
	BatchRows int

	// Delimiter separates the fields of a CSV file. 0 means a tab where the
	// name ends in .tsv, else a comma.
	Delimiter byte
	// NoHeader means that the first record of a CSV file is a row. Its columns
	// have the names of Schema or, without one, column1, column2 and so on.
	NoHeader bool
	// Nulls are texts that stand for null in a CSV file where they are not
	// quoted, besides the empty one. Nulls are written as the first of them.
	Nulls []string
	// IgnoreChecksum makes Convert take a Nimble file whose checksum differs.
	// Sources do not look at it.
	IgnoreChecksum bool
	// Stdout is what the name "-" writes to. nil means os.Stdout.
	Stdout io.Writer
	// Schema, a row type, gives columns of a CSV file or of JSON lines their types
	// by name. The types of others are inferred.
	Schema *nimble.Type
}

func (o *Options) stdout() io.Writer {
	if o.Stdout != nil {
		return o.Stdout
	}
	return os.Stdout
}

func (o *Options) batchRows() int {
	if o.BatchRows > 0 {
		return o.BatchRows
	}
	return vector.DefaultBatchRows
}

// Source is a file read as batches. It belongs to one goroutine.
type Source interface {
	// Schema returns the row type of the file, or of the columns chosen by
	// Project.
	Schema() *nimble.Type
	// Rows returns the number of rows, if that is known before they are read.
	Rows() (n int64, known bool)
	// Project makes the batches have the given columns alone, in that order.
	// It is called before the first Next.
	Project(columns []int) error
	// Next returns the next rows, or io.EOF. The batch is valid until the next
	// call.
	Next() (*vector.Batch, error)
	// Progress returns the bytes read so far and how many there will be, every
	// pass over the file counted.
	Progress() (done, total int64)
	// Close closes the file and makes its batches invalid.
	Close() error
}

// ProjectPaths makes the batches of src have the parts of rows at the given paths
// alone, see [nimble.Type.Project]. It is called before the first Next. Of other
// than Nimble files only columns can be chosen. Errors wrap nimble.ErrSchema.
func ProjectPaths(src Source, paths []string) error {
	if s, ok := src.(*nimbleSource); ok {
		return s.projectPaths(paths)
	}
	as, err := src.Schema().Project(paths...)
	if err != nil {
		return err
	}
	columns := make([]int, len(as.Names))
	for i, name := range as.Names {
		columns[i] = src.Schema().Field(name)
		if as.Children[i] != src.Schema().Children[columns[i]] {
			return fmt.Errorf("%w: a part of column %q, of a file that is not Nimble", nimble.ErrSchema, name)
		}
	}
	return src.Project(columns)
}

// SkipRows makes src begin at a row, if it can, and reports whether it does. It is
// called before the first Next.
func SkipRows(src Source, rows int64) bool {
	s, ok := src.(*nimbleSource)
	if ok {
		s.first = rows
	}
	return ok
}

// OpenSource opens a file as its content says, which [Recognize] tells. What is of
// no format that is read is an [ErrFormat]. The name "-" is standard input, all of which is first copied to a temporary file. Of a CSV file without
// a full schema every byte is read, to learn the types; ctx ends that, and
// later reads, early.
func OpenSource(ctx context.Context, path string, o Options) (Source, error) {
	in, err := openInput(ctx, path, nil)
	if err != nil {
		return nil, err
	}
	src, err := in.source(o)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return src, nil
}
