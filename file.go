package decant

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// tableFile is a file of a table. It may be used by several goroutines.
type tableFile interface {
	path() string
	schema() *nimble.Type
	splits() int
	// firstRow returns the number of a split's first row in the file.
	firstRow(split int) int64
	// newReader returns a reader of some of the file's columns.
	newReader(s *nimble.Session, columns []int) (reader, error)
	close() error
}

// openFile opens a file as its content says.
func openFile(ctx context.Context, path string, o Options) (tableFile, error) {
	format, err := convert.FormatOfFile(path)
	switch {
	case err != nil:
		return nil, err
	case format == convert.FormatNimble:
		return openNimble(path)
	}
	return openStreamed(ctx, path, format, o)
}

func openNimble(path string) (tableFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	opened, err := nimble.Open(f, info.Size(), nil)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	n := &nimbleFile{File: f, nimble: opened}
	return n.within(nimble.RowRanges{{End: opened.Rows()}}), nil
}

// partRows is about how many rows of a stripe are a split. A worker that takes the
// next part of the stripe that it has open goes on in it, and skips what others
// took, so parts are cheap; but each worker decompresses the stripe for itself.
const partRows = 1 << 16

// nimbleFile is read part by part, each a split.
type nimbleFile struct {
	*os.File
	nimble *nimble.File
	parts  []part
}

// part is rows of a stripe.
type part struct{ stripe, begin, end int }

// within returns the file with those of its rows.
func (f *nimbleFile) within(rows nimble.RowRanges) *nimbleFile {
	kept := &nimbleFile{File: f.File, nimble: f.nimble}
	for i, s := range f.nimble.Tablet().Stripes() {
		first := int64(s.FirstRow)
		stripe := nimble.RowRanges{{Begin: first, End: first + int64(s.Rows)}}
		for _, r := range rows.And(stripe) {
			kept.addParts(i, int(r.Begin-first), int(r.End-first))
		}
	}
	return kept
}

// addParts divides rows of a stripe. Batches do not reach over parts, so all but the
// last have whole batches.
func (f *nimbleFile) addParts(stripe, begin, end int) {
	rows := end - begin
	n := max(1, (rows+partRows/2)/partRows)
	size := (rows/n + vector.DefaultBatchRows) / vector.DefaultBatchRows * vector.DefaultBatchRows
	for ; begin < end; begin += size {
		f.parts = append(f.parts, part{stripe, begin, min(begin+size, end)})
	}
}

// rows returns the number of rows of all parts.
func (f *nimbleFile) rows() int64 {
	n := int64(0)
	for _, p := range f.parts {
		n += int64(p.end - p.begin)
	}
	return n
}

func (f *nimbleFile) path() string         { return f.Name() }
func (f *nimbleFile) schema() *nimble.Type { return f.nimble.Schema() }
func (f *nimbleFile) splits() int          { return len(f.parts) }
func (f *nimbleFile) close() error         { return f.Close() }

func (f *nimbleFile) firstRow(split int) int64 {
	p := f.parts[split]
	return int64(f.nimble.Tablet().Stripes()[p.stripe].FirstRow) + int64(p.begin)
}

func (f *nimbleFile) newReader(s *nimble.Session, columns []int) (reader, error) {
	return &parts{file: f, session: s, columns: columns}, nil
}

// streamedFile is a Parquet or CSV file, one split, read from its first row on.
type streamedFile struct {
	name    string
	format  convert.Format
	options convert.Options
	typ     *nimble.Type
}

// openStreamed learns the columns of a file. The types of a CSV file, which are
// inferred from its content, are kept, so that readers need not infer them again.
func openStreamed(ctx context.Context, path string, format convert.Format, o Options) (tableFile, error) {
	options := convert.Options{Nulls: o.Nulls}
	src, err := convert.OpenSource(ctx, path, options)
	if err != nil {
		return nil, err
	}
	options.Schema = src.Schema()
	return &streamedFile{name: path, format: format, options: options, typ: src.Schema()}, src.Close()
}

// blank reports whether a column is text only because it has no value to infer a
// type from. The column is read, up to its first value.
func (f *streamedFile) blank(ctx context.Context, column int) (yes bool, err error) {
	if f.format != convert.FormatCSV && f.format != convert.FormatJSONL || f.typ.Children[column].Kind != nimble.Varchar {
		return false, nil
	}
	src, err := convert.OpenSource(ctx, f.name, f.options)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	if err := src.Project([]int{column}); err != nil {
		return false, err
	}
	for {
		b, err := src.Next()
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		valid := b.Columns[0].Validity()
		for row := range b.N {
			if vector.Valid(valid, row) {
				return false, nil
			}
		}
	}
}

// retype gives a column of a CSV file another type.
func (f *streamedFile) retype(column int, t *nimble.Type) {
	typ := *f.typ
	typ.Children = slices.Clone(typ.Children)
	typ.Children[column] = t
	f.typ, f.options.Schema = &typ, &typ
}

func (f *streamedFile) path() string         { return f.name }
func (f *streamedFile) schema() *nimble.Type { return f.typ }
func (f *streamedFile) splits() int          { return 1 }
func (f *streamedFile) firstRow(int) int64   { return 0 }
func (f *streamedFile) close() error         { return nil }

func (f *streamedFile) newReader(_ *nimble.Session, columns []int) (reader, error) {
	return &stream{file: f, columns: columns}, nil
}
