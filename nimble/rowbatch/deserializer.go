package rowbatch

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// DefaultLimitRows bounds what is made of one call's blobs unless the options
// say otherwise.
const DefaultLimitRows = 1 << 26

// Options say how blobs are to be read.
type Options struct {
	// Headerless says that blobs are of the legacy form that begins with the
	// row count.
	Headerless bool
	// Output is the type of the rows that come out, nil for all fields of the
	// schema. A row in it has some fields of the schema's row, by name and in
	// any order. A flat map may be a map (kind FlatMap or Map) or a row of some
	// keys, by their texts; such a key is null where a map does not have it, as
	// it is if the schema does not know it.
	Output *nimble.Type
	// LimitRows bounds the rows of each column and of each column's elements
	// that a call may make. 0 means DefaultLimitRows.
	LimitRows int
}

// Range is rows [Begin, End) of those that a blob is about: its row Begin is
// the row Header.Begin + Begin of its streams.
type Range struct{ Begin, End int }

// Deserializer reads blobs. It belongs to one goroutine, which is that of its
// session; several may share a session. Between calls it holds no memory of the
// session's pool, so there is nothing to close.
type Deserializer struct {
	headerless bool
	root       *rowColumn
	streams    []source // by number; nil where nothing is read
	begun      []source // those of the blob that is being read
	blob       blob
}

// NewDeserializer returns a reader of blobs that a writer with the schema s
// has made, or one with a schema that s has grown out of or into: streams that
// one of the two does not know are ignored. Compressed streams that say they hold
// more than [tablet.ChunkLimit] are refused. Errors wrap [ErrSchema] or
// [ErrUnsupported].
func NewDeserializer(s *Schema, session *encoding.Session, o Options) (*Deserializer, error) {
	out := o.Output
	if out == nil {
		out = s.root.Type
	}
	if err := out.Validate(); err != nil {
		return nil, err
	}
	if out.Kind != nimble.Row {
		return nil, schemaf("the output is a %v, not a row", out.Kind)
	}
	b := builder{session: session, limit: o.LimitRows}
	if b.limit == 0 {
		b.limit = DefaultLimitRows
	}
	root, err := b.rowColumn(s.root, out)
	if err != nil {
		return nil, err
	}
	d := &Deserializer{headerless: o.Headerless, root: root, streams: make([]source, s.streams)}
	for i, id := range b.ids {
		if int(id) >= len(d.streams) || d.streams[id] != nil {
			return nil, schemaf("stream %d has two meanings", id)
		}
		d.streams[id] = b.sources[i]
	}
	return d, nil
}

// NewRows returns an empty vector for Read, with memory from the session's pool.
func (d *Deserializer) NewRows() *vector.Row { return d.root.output().(*vector.Row) }

// Read makes dst the rows of the blobs, in order. dst is from NewRows, or of
// the same types; it keeps its memory from call to call and depends on nothing
// but its own. After an error it is empty.
//
// Errors wrap [ErrCorrupt], [ErrUnsupported], or those of package encoding or
// tablet.
func (d *Deserializer) Read(dst *vector.Row, blobs ...[]byte) error {
	return d.ReadRanges(dst, blobs, nil)
}

// ReadRanges is Read for some rows of each blob: those of ranges[i] of blobs[i],
// which ascend and do not overlap, or all rows if that is nil. Ranges that do
// not fit are an error that wraps [ErrRange]. Nil ranges stand for all rows of
// all blobs.
func (d *Deserializer) ReadRanges(dst *vector.Row, blobs [][]byte, ranges [][]Range) error {
	err := d.root.bind(dst)
	if err == nil && ranges != nil && len(ranges) != len(blobs) {
		err = fmt.Errorf("%w: ranges of %d blobs for %d", ErrRange, len(ranges), len(blobs))
	}
	for i, b := range blobs {
		if err != nil {
			break
		}
		if err = d.blob.parse(b, d.headerless); err == nil {
			if ranges == nil {
				err = d.readBlob(nil)
			} else {
				err = d.readBlob(ranges[i])
			}
		}
		if err != nil {
			err = fmt.Errorf("blob %d: %w", i, err)
		}
	}
	if e := d.root.finish(err == nil); err == nil {
		err = e
	}
	if err != nil {
		dst.Reset()
	}
	return err
}

// readBlob reads rows of d.blob, all of them if ranges is nil.
func (d *Deserializer) readBlob(ranges []Range) error {
	h := &d.blob.Header
	if err := checkRanges(ranges, h.End-h.Begin); err != nil {
		return err
	}
	for i, id := range d.blob.ids {
		if int(id) >= len(d.streams) || d.streams[id] == nil || len(d.blob.data[i]) == 0 {
			continue
		}
		d.streams[id].begin(h, d.blob.data[i])
		d.begun = append(d.begun, d.streams[id])
	}
	err := d.readRows(h, ranges)
	if err == nil {
		err = d.root.settle()
	}
	for _, s := range d.begun {
		s.end()
	}
	d.begun = d.begun[:0]
	return err
}

func checkRanges(ranges []Range, rows int) error {
	at := 0
	for _, r := range ranges {
		if r.Begin < at || r.End < r.Begin || r.End > rows {
			return fmt.Errorf("%w: [%d, %d) behind row %d of %d", ErrRange, r.Begin, r.End, at, rows)
		}
		at = r.End
	}
	return nil
}

func (d *Deserializer) readRows(h *Header, ranges []Range) error {
	if ranges == nil {
		return d.readRange(0, h.Begin, h.End)
	}
	at := 0
	for i := 0; i < len(ranges); {
		// Ranges that touch are one.
		begin, end := ranges[i].Begin, ranges[i].End
		for i++; i < len(ranges) && ranges[i].Begin == end; i++ {
			end = ranges[i].End
		}
		if begin == end {
			continue
		}
		if err := d.readRange(at, h.Begin+begin, h.Begin+end); err != nil {
			return err
		}
		at = h.Begin + end
	}
	return nil
}

// readRange reads rows [begin, end) of the streams, which are at row at.
func (d *Deserializer) readRange(at, begin, end int) error {
	if begin == end {
		return nil
	}
	if begin > at {
		if err := d.root.skip(begin - at); err != nil {
			return err
		}
	}
	return d.root.read(end-begin, mask{})
}
