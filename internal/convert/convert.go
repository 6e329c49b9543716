package convert

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
)

// Stats are the figures of a conversion.
type Stats struct {
	Rows     int64
	BytesIn  int64 // of the file that was read
	BytesOut int64
	// Notes say, a sentence each, which columns of a CSV file have a type that
	// may not be meant, and why.
	Notes []string
}

// Convert writes the rows of the file in as the file out, whose format o.To or
// its name says. The file appears whole or not at all: what was there before is
// replaced at the end, with its permissions and behind its symbolic links, and
// stays if there is an error or ctx ends. What is there and no regular file, such
// as a pipe or a device, is written to as it is. progress, if not nil, is called
// now and then with the bytes of input that are done and all that there are.
//
// A Nimble file whose checksum differs is not converted, unless o says so: the
// error wraps tablet.ErrChecksum.
//
// The name "-" is standard input, all of which is first copied to a temporary
// file, and standard output.
//
// Memory is bounded by what the source and the sink need, as the package comment
// says, whatever the size of the files.
func Convert(ctx context.Context, in, out string, o Options, progress func(done, total int64)) (stats Stats, err error) {
	to, err := findOutput(out, o.stdout())
	if err != nil {
		return Stats{}, err
	}
	format := o.To
	if format == FormatAuto {
		format = FormatOfName(out)
	}
	if format == FormatAuto {
		return Stats{}, &formatError{out, "the name does not tell the format; use --to csv|parquet|nimble|jsonl|arrow|arrows"}
	}
	file, err := openInput(ctx, in, progress)
	if err != nil {
		return Stats{}, err
	}
	src, err := file.source(o)
	if err != nil {
		return Stats{}, errors.Join(err, file.Close())
	}
	if err := check(src, in, o); err != nil {
		return Stats{}, errors.Join(err, src.Close())
	}
	stats.BytesIn = file.size
	if csv, ok := src.(*csvSource); ok {
		stats.Notes = csv.notes
	}
	stats.BytesOut, err = to.write(func(w io.Writer) error {
		stats.Rows, err = writeRows(w, format, src, o.named(out))
		return err
	})
	if err := errors.Join(err, src.Close()); err != nil {
		return Stats{}, err
	}
	return stats, nil
}

// check checks what is open against the options.
func check(src Source, in string, o Options) error {
	switch src.(type) {
	case *csvSource, *jsonlSource:
	default:
		if o.Schema != nil {
			return fmt.Errorf("%s: --schema is for CSV text and JSON lines alone", in)
		}
	}
	if n, isNimble := src.(*nimbleSource); isNimble && !o.IgnoreChecksum {
		return n.verify()
	}
	return nil
}

// writeRows writes the rows of src in a format, and returns how many there are.
func writeRows(w io.Writer, format Format, src Source, o Options) (rows int64, err error) {
	buffered := bufio.NewWriterSize(w, 256<<10)
	sink, err := NewSink(buffered, format, src.Schema(), o)
	if err != nil {
		return 0, err
	}
	if rows, err = copyRows(sink, src); err != nil {
		return rows, err
	}
	if err := sink.Close(); err != nil {
		return rows, err
	}
	return rows, buffered.Flush()
}

// copyRows writes the rows of src, and returns how many there are.
func copyRows(sink Sink, src Source) (rows int64, err error) {
	for {
		b, err := src.Next()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		if err := sink.Write(b); err != nil {
			return rows, err
		}
		rows += int64(b.Rows())
	}
}
