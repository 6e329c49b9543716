package convert

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Stats are the figures of a conversion.
type Stats struct {
	Rows     int64
	BytesIn  int64 // of the file that was read
	BytesOut int64
}

// Convert writes the rows of the file in as the file out, whose format o.To or
// its name says. The file appears whole or not at all: what was there before is
// replaced at the end, and stays if there is an error or ctx ends. progress, if
// not nil, is called now and then with the bytes of input that are done and all
// that there are.
//
// Memory is bounded by what the source and the sink need, as the package comment
// says, whatever the size of the files.
func Convert(ctx context.Context, in, out string, o Options, progress func(done, total int64)) (Stats, error) {
	format := o.To
	if format == FormatAuto {
		format = FormatOfName(out)
	}
	if format == FormatAuto {
		return Stats{}, fmt.Errorf("%s: %w: the name does not say which", out, ErrFormat)
	}
	info, err := os.Stat(in)
	if err != nil {
		return Stats{}, err
	}
	src, err := openSource(ctx, in, o, progress)
	if err != nil {
		return Stats{}, err
	}
	stats := Stats{BytesIn: info.Size()}
	stats.BytesOut, err = writeAtomic(out, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 256<<10)
		sink, err := NewSink(buffered, format, src.Schema(), o.named(out))
		if err != nil {
			return err
		}
		if stats.Rows, err = copyRows(sink, src); err != nil {
			return err
		}
		if err := sink.Close(); err != nil {
			return err
		}
		return buffered.Flush()
	})
	if err := errors.Join(err, src.Close()); err != nil {
		return Stats{}, err
	}
	return stats, nil
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
