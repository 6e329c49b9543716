package decant

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
)

// tableFile is a file of a table. It may be used by several goroutines.
type tableFile interface {
	path() string
	schema() *nimble.Type
	splits() int
	// newReader returns a reader of some of the file's columns.
	newReader(s *nimble.Session, columns []int) (reader, error)
	close() error
}

// openFile opens a file as its content says.
func openFile(ctx context.Context, path string, o Options) (tableFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	size, isNimble, err := sniff(f)
	switch {
	case err != nil:
		return nil, errors.Join(err, f.Close())
	case isNimble:
		opened, err := nimble.Open(f, size, nil)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
		}
		return &nimbleFile{f, opened}, nil
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return openStreamed(ctx, path, o)
}

// sniff returns a file's size and whether it ends as a Nimble file does.
func sniff(f *os.File) (size int64, isNimble bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, false, err
	}
	if !info.Mode().IsRegular() {
		return 0, false, fmt.Errorf("%s: not a regular file", f.Name())
	}
	if info.Size() < 2 {
		return info.Size(), false, nil
	}
	var mark [2]byte
	_, err = f.ReadAt(mark[:], info.Size()-2)
	return info.Size(), mark == [2]byte{0xfa, 0xa1}, err
}

// nimbleFile is read stripe by stripe, each a split.
type nimbleFile struct {
	*os.File
	nimble *nimble.File
}

func (f *nimbleFile) path() string         { return f.Name() }
func (f *nimbleFile) schema() *nimble.Type { return f.nimble.Schema() }
func (f *nimbleFile) splits() int          { return f.nimble.NumStripes() }
func (f *nimbleFile) close() error         { return f.Close() }

func (f *nimbleFile) newReader(s *nimble.Session, columns []int) (reader, error) {
	return &stripes{file: f.nimble, session: s, columns: columns}, nil
}

// streamedFile is a Parquet or CSV file, one split, read from its first row on.
type streamedFile struct {
	name    string
	options convert.Options
	typ     *nimble.Type
}

// openStreamed learns the columns of a file. The types of a CSV file, which are
// inferred from its content, are kept, so that readers need not infer them again.
func openStreamed(ctx context.Context, path string, o Options) (tableFile, error) {
	options := convert.Options{Nulls: o.Nulls}
	src, err := convert.OpenSource(ctx, path, options)
	if err != nil {
		return nil, err
	}
	options.Schema = src.Schema()
	return &streamedFile{name: path, options: options, typ: src.Schema()}, src.Close()
}

func (f *streamedFile) path() string         { return f.name }
func (f *streamedFile) schema() *nimble.Type { return f.typ }
func (f *streamedFile) splits() int          { return 1 }
func (f *streamedFile) close() error         { return nil }

func (f *streamedFile) newReader(_ *nimble.Session, columns []int) (reader, error) {
	return &stream{file: f, columns: columns}, nil
}
