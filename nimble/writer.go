package nimble

import (
	"fmt"
	"io"
	"math"
	"runtime"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// The defaults of WriterOptions are those of the reference's writer.
const (
	DefaultStripeBytes    = 256 << 20
	DefaultChunkBytes     = 20 << 20
	DefaultWideChunkBytes = 2 << 20 // with more than wideStreams streams
	wideStreams           = 500
)

// WriterOptions say how a file is written. The zero value is the reference
// writer's default: zstd level 3 inside encodings, statistics, and streams of a
// stripe with equal bytes stored once.
type WriterOptions struct {
	// StripeBytes ends a stripe when the values buffered for it take that much:
	// their width each, strings 16 bytes and their length, and a byte for each
	// row of a stream with nulls. 0 is DefaultStripeBytes. A writer's memory is
	// about three times that, and the size of one batch.
	StripeBytes int
	// StripeRows is the most rows of a stripe; 0 is no limit.
	StripeRows int
	// ChunkBytes is the most that a chunk's values take, counted likewise. 0 is
	// DefaultChunkBytes or, for wide schemas, DefaultWideChunkBytes.
	ChunkBytes int
	// Encoding says how arrays are encoded; nil is encoding.DefaultEncodeOptions.
	Encoding *encoding.EncodeOptions
	// Workers is how many goroutines encode a stripe's streams; 0 is one for
	// each processor. The file does not depend on it.
	Workers int
	// Metadata is stored with the file.
	Metadata []Attribute
}

// Writer writes a file of one schema, batch by batch. It buffers the rows of a
// stripe. The first error sticks: every later call returns it. A Writer belongs
// to one goroutine; the goroutines that it encodes with end before a call does.
type Writer struct {
	out      *tablet.Writer
	options  WriterOptions
	root     *node
	fields   []fieldWriter
	streams  []streamWriter // by id, nil for the root's
	encoders []streamEncoder
	stored   []tablet.Stream
	rows     int // buffered
	written  uint64
	closed   bool
	err      error
}

// NewWriter returns a writer of a file to w. The schema is a row of kinds other
// than FlatMap, DedupArray and SlidingWindowMap, and is kept by the writer. o
// may be nil.
func NewWriter(w io.Writer, schema *Type, o *WriterOptions) (*Writer, error) {
	if o == nil {
		o = &WriterOptions{}
	}
	root, err := writerTree(schema)
	if err != nil {
		return nil, fmt.Errorf("nimble: %w", err)
	}
	if o.StripeBytes < 0 || o.StripeRows < 0 || o.ChunkBytes < 0 || o.Workers < 0 {
		return nil, fmt.Errorf("nimble: writer options must not be negative")
	}
	wr := &Writer{
		out:     tablet.NewWriter(w, tablet.WriterOptions{DedupStreams: true}),
		options: *o, root: root,
		streams: []streamWriter{nil},
	}
	for _, c := range root.children {
		wr.fields = append(wr.fields, newFieldWriter(c, wr.add))
	}
	wr.setDefaults()
	for range wr.options.Workers {
		e, err := encoding.NewEncoder(pool.New(pool.Options{}), *wr.options.Encoding)
		if err != nil {
			return nil, fmt.Errorf("nimble: %w", err)
		}
		wr.encoders = append(wr.encoders, streamEncoder{encoder: e, chunkBytes: wr.options.ChunkBytes})
	}
	return wr, nil
}

// writerTree checks a schema and gives it stream ids.
func writerTree(schema *Type) (*node, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	if schema.Kind != Row {
		return nil, fmt.Errorf("%w: a file is made of rows, not of %v", ErrSchema, schema.Kind)
	}
	return newTree(schema)
}

// add registers a stream; they come in the order of their ids.
func (w *Writer) add(s streamWriter) { w.streams = append(w.streams, s) }

func (w *Writer) setDefaults() {
	o := &w.options
	if o.StripeBytes == 0 {
		o.StripeBytes = DefaultStripeBytes
	}
	if o.StripeRows == 0 {
		o.StripeRows = math.MaxInt32
	}
	if o.ChunkBytes == 0 {
		o.ChunkBytes = DefaultChunkBytes
		if len(w.streams) > wideStreams {
			o.ChunkBytes = DefaultWideChunkBytes
		}
	}
	if o.Encoding == nil {
		e := encoding.DefaultEncodeOptions()
		o.Encoding = &e
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Workers = min(o.Workers, len(w.streams))
}

// Schema returns the file's schema.
func (w *Writer) Schema() *Type { return w.root.typ }

// Rows returns the number of rows written so far.
func (w *Writer) Rows() int64 { return int64(w.written) + int64(w.rows) }

// Written returns the number of bytes of the file so far, those of buffered rows
// not among them.
func (w *Writer) Written() int64 { return int64(w.out.Written()) }

// WriteBatch adds the selected rows of a batch, whose columns are those of the
// schema. What it needs of them it copies.
func (w *Writer) WriteBatch(b *vector.Batch) error {
	return w.do(func() error {
		if err := w.checkBatch(b); err != nil {
			return err
		}
		all := selection{end: b.N, list: b.Sel, listed: b.Sel != nil}
		for n := all.len(); n > 0; n = all.len() {
			part := all.take(min(n, w.options.StripeRows-w.rows))
			if err := w.writeRows(b.Columns, part); err != nil {
				return err
			}
		}
		return nil
	})
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

// checkBatch tests that a batch fits the schema.
func (w *Writer) checkBatch(b *vector.Batch) error {
	if len(b.Columns) != len(w.fields) {
		return fmt.Errorf("%w: a batch of %d columns, the schema has %d", ErrSchema, len(b.Columns), len(w.fields))
	}
	for i, c := range b.Columns {
		if c.Len() != b.N {
			return fmt.Errorf("%w: column %s has %d rows, the batch %d", ErrSchema, w.root.typ.Names[i], c.Len(), b.N)
		}
		if err := checkVector(w.root.typ.Children[i], c); err != nil {
			return fmt.Errorf("column %s: %w", w.root.typ.Names[i], err)
		}
	}
	return nil
}

// writeRows buffers rows of one stripe, and writes the stripe when it is full.
func (w *Writer) writeRows(columns []vector.Vector, rows selection) error {
	for i, f := range w.fields {
		if err := f.write(columns[i], rows); err != nil {
			return fmt.Errorf("column %s: %w", w.root.typ.Names[i], err)
		}
	}
	w.rows += rows.len()
	if w.rows >= w.options.StripeRows || w.rawBytes() >= w.options.StripeBytes {
		return w.writeStripe()
	}
	return nil
}

func (w *Writer) rawBytes() int {
	total := 0
	for _, s := range w.streams[1:] {
		total += s.rawBytes()
	}
	return total
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
		if err := w.addSections(); err != nil {
			return err
		}
		return w.out.Close()
	})
	w.closed = true
	return err
}

func (w *Writer) addSections() error {
	pairs := make([]tablet.Pair, len(w.options.Metadata))
	for i, m := range w.options.Metadata {
		pairs[i] = tablet.Pair(m)
	}
	if len(pairs) > 0 {
		if err := w.out.AddSection(tablet.SectionMetadata, tablet.AppendMetadata(nil, pairs)); err != nil {
			return err
		}
	}
	// Statistics are encoded by the defaults, whatever the file's options.
	e, err := encoding.NewEncoder(nil, encoding.DefaultEncodeOptions())
	if err != nil {
		return err
	}
	stats, err := appendStats(nil, e, w.root.typ, w.stats())
	if err != nil {
		return err
	}
	if err := w.out.AddSection(tablet.SectionStats, stats); err != nil {
		return err
	}
	schema := tablet.AppendSchema(nil, appendNodes(nil, w.root, "", false))
	if err := w.out.AddSection(tablet.SectionSchema, schema); err != nil {
		return err
	}
	if !w.options.Encoding.VarintRowCount {
		return nil
	}
	features := tablet.AppendFeatures(nil, tablet.Features{VarintRowCounts: true})
	return w.out.AddSection(tablet.SectionFeatures, features)
}

// stats returns the statistics of all types.
func (w *Writer) stats() []ColumnStats {
	stats := make([]ColumnStats, countTypes(w.root.typ))
	root := &stats[0]
	root.Values = w.written
	for i, f := range w.fields {
		f.stats(stats)
		c := stats[w.root.children[i].index]
		root.LogicalBytes += c.LogicalBytes
		root.PhysicalBytes += c.PhysicalBytes
	}
	return stats
}
