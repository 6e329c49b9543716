package nimble

import (
	"fmt"
	"slices"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// StripeReader reads columns of one stripe, each at its own pace: a filter's
// columns first, of the others what the filter leaves. Their bytes are read
// when the stripe is opened, neighbours together. It belongs to the goroutine
// of its session.
//
// A reader that is moved to other stripes with [StripeReader.Reset] keeps its
// memory: reading stripes again allocates nothing. The zero StripeReader is ready
// for Reset, with a session of its own.
type StripeReader struct {
	file    *File
	session *encoding.Session
	columns []int // of the schema, nil if as was given
	as      *Type // the row that is read; its fields are the columns
	readers []columnReader
	builder builder

	group *tablet.Group
	plan  tablet.Plan
	data  pool.Buf[byte]
	rows  int
	open  bool
}

// columnReader is a column with the place that it has been read to.
type columnReader struct {
	column
	pos int
}

// OpenStripe opens columns of a stripe, by their places in the schema; nil means
// all. Memory comes from the session's pool until Close; without a session the
// reader makes one of its own.
func (f *File) OpenStripe(s *encoding.Session, stripe int, columns []int) (*StripeReader, error) {
	r := &StripeReader{session: s}
	if err := r.Reset(f, stripe, columns); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Reset moves r to another stripe, of the same file or of another. What it
// returned before is no longer valid. After an error only Reset and Close are of
// use.
func (r *StripeReader) Reset(f *File, stripe int, columns []int) error {
	if err := r.prepare(f, columns); err != nil {
		return err
	}
	return r.move(f, stripe)
}

// OpenStripeAs opens a stripe to be read as the row type as, whose fields are the
// columns: a part of the schema, see [Type.Project], fields that the file does not
// have, which are null, wider numbers, and maps as rows of some of their keys.
// Errors wrap [ErrSchema] if the file cannot be read so.
func (f *File) OpenStripeAs(s *encoding.Session, stripe int, as *Type) (*StripeReader, error) {
	r := &StripeReader{session: s}
	if err := r.ResetAs(f, stripe, as); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// ResetAs is Reset for a stripe that is read as another type, see
// [File.OpenStripeAs]. The type must not be changed.
func (r *StripeReader) ResetAs(f *File, stripe int, as *Type) error {
	if err := r.prepareAs(f, as); err != nil {
		return err
	}
	return r.move(f, stripe)
}

// move moves r to a stripe, once its readers are made.
func (r *StripeReader) move(f *File, stripe int) error {
	r.open = false
	if stripe < 0 || stripe >= f.NumStripes() {
		return fmt.Errorf("nimble: stripe %d of %d does not exist", stripe, f.NumStripes())
	}
	if err := r.load(stripe); err != nil {
		return fmt.Errorf("nimble: stripe %d: %w", stripe, err)
	}
	for i, s := range r.builder.sources {
		data := r.plan.Stream(i)
		s.begin(stripe, data, r.plan.Range(i), f.ChunkLimit(stripe, len(data)))
	}
	for i := range r.readers {
		r.readers[i].pos = 0
		r.readers[i].restart()
	}
	r.rows = f.StripeRows(stripe)
	r.open = true
	return nil
}

// prepare makes readers for columns of f, unless it has them.
func (r *StripeReader) prepare(f *File, columns []int) error {
	if columns == nil {
		columns = f.all
	}
	if r.file == f && r.columns != nil && slices.Equal(r.columns, columns) {
		return nil
	}
	if err := f.checkColumns(columns); err != nil {
		return err
	}
	as := f.root.typ
	if !slices.Equal(columns, f.all) {
		as = &Type{Kind: Row}
		for _, i := range columns {
			as.Names, as.Children = append(as.Names, f.root.typ.Names[i]), append(as.Children, f.root.typ.Children[i])
		}
	}
	if err := r.build(f, as, columns); err != nil {
		return err
	}
	r.columns = slices.Clone(columns)
	return nil
}

// prepareAs makes readers for a row type, unless r has them.
func (r *StripeReader) prepareAs(f *File, as *Type) error {
	if r.file == f && r.as == as {
		return nil
	}
	if err := as.validateRead(); err != nil {
		return fmt.Errorf("nimble: type to read: %w", err)
	}
	if as.Kind != Row {
		return fmt.Errorf("nimble: %w: a file is read as a row, not as a %v", ErrSchema, as.Kind)
	}
	for _, name := range as.Names {
		if slices.Contains(f.omitted, name) {
			return fmt.Errorf("nimble: column %s: %w: it is stored in the cluster index alone", name, ErrUnsupported)
		}
	}
	return r.build(f, as, nil)
}

// build makes the readers. The columns' places are given where names could be
// ambiguous.
func (r *StripeReader) build(f *File, as *Type, columns []int) error {
	r.drop()
	if r.session == nil {
		r.session = ownSession()
	}
	r.builder = builder{session: r.session, varint: f.varint, elementsLimit: f.limit, dicts: f.dicts}
	for i := range as.Children {
		n := f.root.field(as, i)
		if columns != nil {
			n = f.root.children[columns[i]]
		}
		c, err := newTopColumn(&r.builder, f.root.stream, n, as.Children[i])
		if err != nil {
			r.drop()
			return fmt.Errorf("nimble: column %s: %w", as.Names[i], err)
		}
		r.readers = append(r.readers, columnReader{column: c})
	}
	r.file, r.as = f, as
	return nil
}

// load reads the bytes of all streams.
func (r *StripeReader) load(stripe int) error {
	t := r.file.tablet
	index := int(t.Stripes()[stripe].Group)
	if r.group == nil || r.group.Index() != index {
		g, err := t.Group(index)
		if err != nil {
			return err
		}
		r.group = g
	}
	r.plan.Reset(r.group, stripe, r.builder.ids)
	refit(r.session.Pool(), &r.data, int(r.plan.Size()))
	return r.plan.Load(r.data.S)
}

// refit makes b a buffer of n bytes. What was there is not kept, as it would be by
// pool.Grow.
func refit(p *pool.Pool, b *pool.Buf[byte], n int) {
	if cap(b.S) < n {
		pool.Put(p, b)
		*b = pool.Get[byte](p, n)
	}
	b.S = b.S[:n]
}

// drop gives back all but the data buffer.
func (r *StripeReader) drop() {
	for _, s := range r.builder.sources {
		s.close()
	}
	for _, c := range r.readers {
		c.release()
	}
	r.file, r.as, r.group, r.columns, r.readers, r.builder = nil, nil, nil, nil, nil, builder{}
}

// Close gives the reader's memory back to the session. It may be called again.
func (r *StripeReader) Close() {
	r.drop()
	if r.session != nil {
		pool.Put(r.session.Pool(), &r.data)
	}
	r.open = false
}

// Rows returns the number of rows of the stripe.
func (r *StripeReader) Rows() int { return r.rows }

// Pos returns the row of the stripe that is next in column col, 0 for a column that
// was not opened.
func (r *StripeReader) Pos(col int) int {
	if col < 0 || col >= len(r.readers) {
		return 0
	}
	return r.readers[col].pos
}

// take returns the reader of column col if it has n more rows, and counts them
// as read.
func (r *StripeReader) take(col, n int) (column, error) {
	if !r.open {
		return nil, fmt.Errorf("nimble: stripe reader: %w", ErrClosed)
	}
	if col < 0 || col >= len(r.readers) {
		return nil, fmt.Errorf("nimble: column %d of %d that were opened: %w", col, len(r.readers), errColumn)
	}
	c := &r.readers[col]
	if n < 0 || n > r.rows-c.pos {
		return nil, fmt.Errorf("nimble: %d rows at row %d of a stripe of %d: %w", n, c.pos, r.rows, encoding.ErrPastEnd)
	}
	c.pos += n
	return c.column, nil
}

// Read returns the next n rows of column col, which counts from 0 among those
// that were opened. The rows may be encoded, as constant, dictionary, runs or
// common value with exceptions. The vector is valid until the next call for the
// same column. Errors are [StreamError]s.
func (r *StripeReader) Read(col, n int) (vector.Vector, error) {
	c, err := r.take(col, n)
	if err != nil {
		return nil, err
	}
	return checked(c, c.read(n))
}

// ReadSel returns of the next n rows of column col those in sel, which are
// ascending and count from the next row on. The rest is as with Read.
func (r *StripeReader) ReadSel(col, n int, sel []int32) (vector.Vector, error) {
	c, err := r.take(col, n)
	if err != nil {
		return nil, err
	}
	if len(sel) == 0 {
		c.vector().Reset()
		return c.vector(), c.skip(n)
	}
	return checked(c, c.readSel(n, sel))
}

// Skip moves past the next n rows of column col.
func (r *StripeReader) Skip(col, n int) error {
	c, err := r.take(col, n)
	if err != nil {
		return err
	}
	return c.skip(n)
}
