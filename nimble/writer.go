package nimble

import (
	"fmt"
	"io"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// Writer writes a file of one schema, batch by batch. It buffers the rows of a
// stripe. The first error sticks: every later call returns it. A Writer belongs
// to one goroutine; the goroutines that it encodes with end before a call does.
type Writer struct {
	out      *tablet.Writer
	options  WriterOptions
	root     *node
	nulls    nulls // of the root
	fields   []fieldWriter
	build    fieldBuilder
	counter  rowCounter
	counts   []ColumnStats // values, nulls and logical bytes
	encoders []streamEncoder
	order    []uint32 // of streams in a stripe
	stored   []tablet.Stream
	errs     []error // of streams
	sizes    flushSizes
	rows     int // buffered or in chunks
	written  uint64
	present  []int32 // scratch
	closed   bool
	err      error
}

// NewWriter returns a writer of a file to w. The schema is a row, and is kept by
// the writer. Flat maps must be columns, the elements of deduplicated arrays
// numbers. o may be nil. Errors wrap [ErrSchema] or [ErrUnsupported] if a schema
// is invalid or refused.
func NewWriter(w io.Writer, schema *Type, o *WriterOptions) (*Writer, error) {
	if o == nil {
		o = &WriterOptions{}
	}
	wr, err := newWriter(w, schema, o)
	if err != nil {
		return nil, fmt.Errorf("nimble: %w", err)
	}
	return wr, nil
}

func newWriter(w io.Writer, schema *Type, o *WriterOptions) (*Writer, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	if schema.Kind != Row {
		return nil, fmt.Errorf("%w: a file is made of rows, not of %v", ErrSchema, schema.Kind)
	}
	if err := o.check(schema); err != nil {
		return nil, err
	}
	wr := &Writer{options: o.withDefaults()}
	if err := wr.makeFields(schema); err != nil {
		return nil, err
	}
	wr.counter, _ = newRowCounter(schema, 0)
	wr.counts = make([]ColumnStats, countTypes(schema))
	for range min(wr.options.Workers, len(wr.build.streams)) {
		e, err := encoding.NewEncoder(pool.New(pool.Options{}), *wr.options.Encoding)
		if err != nil {
			return nil, err
		}
		wr.encoders = append(wr.encoders, streamEncoder{
			encoder: e, codec: o.ChunkCodec, keep: o.KeepSelection,
			options: encoding.Options{VarintRowCount: wr.options.Encoding.VarintRowCount},
		})
	}
	t := tablet.WriterOptions{
		DedupStreams: !o.StoreEqualStreams, CompressOverBytes: o.CompressOverBytes,
		ChunkStats: o.ChunkStats, MinAverageChunks: o.MinAverageChunks,
	}
	if o.GroupsByStream {
		var err error
		if t.EncodeGroupArray, err = newGroupEncoder(); err != nil {
			return nil, err
		}
	}
	wr.out = tablet.NewWriter(w, t)
	return wr, nil
}

// makeFields makes the columns with their streams.
func (w *Writer) makeFields(schema *Type) error {
	if err := checkNames(schema.Names); err != nil {
		return err
	}
	b := &w.build
	b.bounds = w.options.Stats == StatsByColumn
	w.root = &node{typ: schema, stream: b.tree.id()}
	b.add(&w.nulls)
	index := 1
	for i, t := range schema.Children {
		n, err := b.tree.column(t)
		if err != nil {
			return fmt.Errorf("column %s: %w", schema.Names[i], err)
		}
		index = number(n, index)
		w.root.children = append(w.root.children, n)
		var f fieldWriter
		if t.Kind == FlatMap {
			f, err = newFlatMapField(b, n, &w.options, w.options.FlatMaps[schema.Names[i]].Keys)
		} else {
			f, err = b.field(n), b.err
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", schema.Names[i], err)
		}
		w.fields = append(w.fields, f)
	}
	return nil
}

// Schema returns the file's schema.
func (w *Writer) Schema() *Type { return w.root.typ }

// Rows returns the number of rows written so far.
func (w *Writer) Rows() int64 { return int64(w.written) + int64(w.rows) }

// Written returns the number of bytes of the file so far, those of buffered rows
// not among them.
func (w *Writer) Written() int64 { return int64(w.out.Written()) }

// Deduplicated returns how many streams were not stored since their stripe has
// another one with the same bytes, and how many bytes that are.
func (w *Writer) Deduplicated() (streams int, bytes int64) { return w.out.Deduplicated() }

// WriteBatch adds the selected rows of a batch, whose columns are those of the
// schema. What it needs of them it copies.
func (w *Writer) WriteBatch(b *vector.Batch) error {
	return w.do(func() error {
		return w.writeColumns(b.Columns, b.N, nil, selection{end: b.N, list: b.Sel, listed: b.Sel != nil})
	})
}

// WriteRows adds rows some of which may be null as a whole, with fields as the
// columns of the schema. Those count as rows of the file in which all columns are
// null.
func (w *Writer) WriteRows(rows *vector.Row) error {
	return w.do(func() error {
		return w.writeColumns(rows.Fields, rows.N, rows.Valid, selection{end: rows.N})
	})
}

func (w *Writer) writeColumns(columns []vector.Vector, n int, valid []uint64, all selection) error {
	if err := w.checkColumns(columns, n); err != nil {
		return err
	}
	for n := all.len(); n > 0; n = all.len() {
		part := all.take(min(n, w.options.StripeRows-w.rows))
		if err := w.writeRows(columns, valid, part); err != nil {
			return err
		}
	}
	return nil
}

// do runs fn unless the writer has failed or is closed, and keeps its error.
func (w *Writer) do(fn func() error) error {
	if w.err == nil && w.closed {
		return fmt.Errorf("nimble: writer: %w", ErrClosed)
	}
	if w.err != nil {
		return w.err
	}
	if err := fn(); err != nil {
		w.err = fmt.Errorf("nimble: %w", err)
	}
	return w.err
}

// checkColumns tests that columns of n rows fit the schema.
func (w *Writer) checkColumns(columns []vector.Vector, n int) error {
	if len(columns) != len(w.fields) {
		return fmt.Errorf("%w: a batch of %d columns, the schema has %d", ErrSchema, len(columns), len(w.fields))
	}
	for i, c := range columns {
		if c.Len() != n {
			return fmt.Errorf("%w: column %s has %d rows, the batch %d", ErrSchema, w.root.typ.Names[i], c.Len(), n)
		}
		if err := checkVector(w.root.typ.Children[i], c); err != nil {
			return fmt.Errorf("column %s: %w", w.root.typ.Names[i], err)
		}
	}
	return nil
}

// writeRows buffers rows of one stripe, and ends the stripe when it is full.
func (w *Writer) writeRows(columns []vector.Vector, valid []uint64, rows selection) error {
	n := rows.len()
	w.nulls.presence.add(valid, rows)
	rows = rows.present(valid, &w.present)
	w.counter.add(w.counts, n, rows.len())
	for i, f := range w.fields {
		if w.options.Stats != StatsNone {
			w.counter.children[i].count(w.counts, columns[i], rows)
		}
		if err := f.write(columns[i], rows); err != nil {
			return fmt.Errorf("column %s: %w", w.root.typ.Names[i], err)
		}
	}
	w.rows += n
	full, err := w.relieve()
	if err == nil && (full || w.rows >= w.options.StripeRows) {
		err = w.writeStripe()
	}
	return err
}

// FlushChunks makes chunks of the buffered rows, which takes less memory than
// their values. The stripe goes on. Columns whose rows are all null so far wait.
func (w *Writer) FlushChunks() error {
	return w.do(func() error {
		w.layOut()
		return w.encodeStreams(w.order, limits{max: w.options.chunkBytes(len(w.build.streams))})
	})
}

// Flush ends the stripe, if it has any rows.
func (w *Writer) Flush() error { return w.do(w.writeStripe) }

// Close writes the last stripe and the end of the file. It does not close the
// underlying writer.
func (w *Writer) Close() error {
	err := w.do(func() error {
		if err := w.writeStripe(); err != nil {
			return err
		}
		for _, f := range w.build.flatMaps {
			if err := f.close(); err != nil {
				return err
			}
		}
		if err := w.addSections(); err != nil {
			return err
		}
		return w.out.Close()
	})
	w.closed = true
	return err
}
