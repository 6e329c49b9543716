package decant

import (
	"context"
	"errors"
	"io"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/vector"
)

// stream reads a file from its first row on, all chosen columns of each batch.
type stream struct {
	file    *streamedFile
	columns []int
	source  convert.Source
	batch   *vector.Batch
	kept    []vector.Vector // by column, selected rows, once there were any
}

func (r *stream) open(int) error {
	r.close()
	source, err := convert.OpenSource(context.Background(), r.file.name, r.file.options)
	if err != nil {
		return err
	}
	// Rows are counted along a column, so one is read even if none is asked for.
	columns := r.columns
	if len(columns) == 0 && len(r.file.typ.Children) > 0 {
		columns = []int{0}
	}
	if err := source.Project(columns); err != nil {
		return errors.Join(err, source.Close())
	}
	r.source, r.kept = source, make([]vector.Vector, len(columns))
	return nil
}

func (r *stream) next() (int, error) {
	for {
		b, err := r.source.Next()
		if errors.Is(err, io.EOF) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		if b.N > 0 {
			r.batch = b
			return b.N, nil
		}
	}
}

func (r *stream) read(column int) (vector.Vector, error) { return r.batch.Columns[column], nil }

func (r *stream) readSel(column int, sel []int32) (vector.Vector, error) {
	v := r.batch.Columns[column]
	if r.kept[column] == nil {
		r.kept[column] = vector.MakeLike(v)
	}
	return r.kept[column], vector.Gather(r.kept[column], v, sel)
}

// close closes the source. It was only read from, so that nothing can be lost.
func (r *stream) close() {
	if r.source != nil {
		_ = r.source.Close()
		r.source = nil
	}
}
