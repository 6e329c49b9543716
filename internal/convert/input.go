package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// input is a file that is read under a context and reports how far.
type input struct {
	*os.File
	name     string // as it was given
	ctx      context.Context
	size     int64
	passes   int64 // over the file, more than one for text alone
	read     int64 // bytes, of all passes so far
	progress func(done, total int64)
	copied   bool // from standard input, and removed when it is closed
}

// openInput opens a file, which must be a regular one: text is read twice,
// and of others the end is read first. Standard input that is not a regular file
// is copied to a temporary one.
func openInput(ctx context.Context, name string, progress func(done, total int64)) (*input, error) {
	in := &input{name: name, ctx: ctx, progress: progress}
	var err error
	if name == standardStream {
		in.copied = true
		in.File, err = copyStdin(ctx)
	} else {
		in.File, err = OpenRegular(name)
	}
	if err != nil {
		return nil, err
	}
	info, err := in.Stat()
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	in.size = info.Size()
	return in, nil
}

// OpenRegular opens a regular file. It looks before it opens, since opening a
// pipe waits for one who writes.
func OpenRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a directory", name)
	case info.Mode()&fs.ModeNamedPipe != 0:
		return nil, fmt.Errorf("%s: is a pipe, which cannot be read twice: save it to a file, or let it be standard input and read -", name)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is no regular file", name)
	}
	return os.Open(name)
}

// copyStdin copies standard input to a temporary file.
func copyStdin(ctx context.Context) (*os.File, error) {
	file, err := os.CreateTemp("", "decant-*.tmp")
	if err != nil {
		return nil, err
	}
	// Where the system lets a name go before the file is closed, nothing is left
	// behind, however the program ends.
	_ = os.Remove(file.Name())
	stdin := struct{ io.Reader }{&input{File: os.Stdin, ctx: ctx}} // without WriteTo, which knows no context
	_, err = io.Copy(file, stdin)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("standard input: %w", err), closeTemporary(file))
	}
	return file, nil
}

// closeTemporary closes a file and removes it, if it still has a name.
func closeTemporary(file *os.File) error {
	err := file.Close()
	if removed := os.Remove(file.Name()); !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

// Name returns the name by which the file was asked for.
func (in *input) Name() string { return in.name }

// Close closes the file, and removes one that was copied.
func (in *input) Close() error {
	if in.copied {
		return closeTemporary(in.File)
	}
	return in.File.Close()
}

// Read reads from the file unless the context has ended.
func (in *input) Read(p []byte) (int, error) {
	if err := in.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := in.File.Read(p)
	in.advance(in.read + int64(n))
	return n, err
}

// ReadAt reads at a place of the file unless the context has ended.
func (in *input) ReadAt(p []byte, pos int64) (int, error) {
	if err := in.ctx.Err(); err != nil {
		return 0, err
	}
	return in.File.ReadAt(p, pos)
}

// advance says that so many bytes have been read, all passes together.
func (in *input) advance(read int64) {
	in.read = read
	if in.progress != nil {
		in.progress(in.total())
	}
}

func (in *input) total() (done, total int64) {
	total = in.size * max(1, in.passes)
	return min(in.read, total), total
}

// source returns what reads the file. The source owns it, unless there is an
// error.
func (in *input) source(o Options) (Source, error) {
	format := o.From
	if format == FormatAuto {
		content, err := Recognize(in, in.size, in.name)
		if err == nil {
			err = content.Err(in.name)
		}
		if err != nil {
			return nil, err
		}
		format = content.Format
	}
	switch format {
	case FormatNimble:
		return openNimble(in, o)
	case FormatParquet:
		return openParquet(in, o)
	case FormatCSV:
		return openCSV(in, o)
	case FormatJSONL:
		return openJSONL(in, o)
	case FormatArrow, FormatArrowStream:
		return openArrow(in, o, format == FormatArrowStream)
	}
	return nil, fmt.Errorf("%s: %w %v", in.name, ErrFormat, format)
}

// FormatOfFile returns the format of a regular file as its content says. What is
// of no format that is read is an [ErrFormat].
func FormatOfFile(path string) (Format, error) {
	file, err := OpenRegular(path)
	if err != nil {
		return 0, err
	}
	var content Content
	info, err := file.Stat()
	if err == nil {
		content, err = Recognize(file, info.Size(), path)
	}
	if err == nil {
		err = content.Err(path)
	}
	return content.Format, errors.Join(err, file.Close())
}
