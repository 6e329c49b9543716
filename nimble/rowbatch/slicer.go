package rowbatch

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// Slicer cuts rows out of blobs: it decodes them and encodes them again. It
// belongs to one goroutine, which is that of its session, and allocates nothing
// once warm.
type Slicer struct {
	reader *Deserializer
	writer *Serializer
	rows   *vector.Row
	ranges [1][]Range
	blobs  [1][]byte
}

// NewSlicer returns a slicer of blobs of schema s. encode says how slices are
// encoded. Errors wrap [ErrSchema] or [ErrUnsupported].
func NewSlicer(s *Schema, session *encoding.Session, encode encoding.EncodeOptions) (*Slicer, error) {
	r, err := NewDeserializer(s, session, Options{})
	if err != nil {
		return nil, err
	}
	o := SerializerOptions{Encode: encode}
	for i, c := range s.Type().Children {
		if c.Kind == nimble.FlatMap {
			o.FixedKeys = append(o.FixedKeys, s.Type().Names[i])
		}
	}
	w, err := NewSerializer(s, session.Pool(), o)
	if err != nil {
		return nil, err
	}
	w.version = Projection
	return &Slicer{reader: r, writer: w, rows: r.NewRows(), ranges: [1][]Range{make([]Range, 1)}}, nil
}

// Append appends rows [r.Begin, r.End) of a blob of version Serialization or
// Projection, of which there must be one at least, to dst: a blob of version
// Projection, or the same bytes if these are all rows. Streams that the schema
// does not know are left out. On an error dst is returned as it was; the error
// wraps [ErrRange], or is one of [Deserializer.Read].
func (s *Slicer) Append(dst, blob []byte, r Range) ([]byte, error) {
	h, _, err := ReadHeader(blob, false)
	if err != nil {
		return dst, err
	}
	if h.Version != Serialization && h.Version != Projection {
		return dst, unsupportedf("slicing version %d", uint8(h.Version))
	}
	if r.Begin < 0 || r.Begin >= r.End || r.End > h.Rows {
		return dst, fmt.Errorf("%w: [%d, %d) of %d", ErrRange, r.Begin, r.End, h.Rows)
	}
	if r == (Range{0, h.Rows}) {
		return append(dst, blob...), nil
	}
	s.blobs[0], s.ranges[0][0] = blob, r
	err = s.reader.ReadRanges(s.rows, s.blobs[:], s.ranges[:])
	s.blobs[0] = nil
	if err != nil {
		return dst, err
	}
	return s.writer.Append(dst, s.rows)
}

// Close gives the slicer's memory back to the session's pool.
func (s *Slicer) Close() { s.rows.Release() }
