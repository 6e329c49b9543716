package rowbatch

import (
	"fmt"
	"math"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// SerializerOptions say how blobs are to be written. The zero value writes
// version Serialization as others do by default.
type SerializerOptions struct {
	// Headerless writes the legacy form: values as they are, without nulls.
	Headerless bool
	// Codec is tried on streams of numbers of the legacy form that have at least
	// CodecMinBytes: tablet.Raw, Zstd or LZ4.
	Codec         tablet.Codec
	CodecMinBytes int
	// Encode says how streams are encoded. Its VarintRowCount is always on; its
	// Layout is for streams that Layouts does not name.
	Encode encoding.EncodeOptions
	// Layouts are encoding trees to be replayed.
	Layouts *Layouts
	// FixedKeys names the flat map columns that take no key that the schema
	// does not have.
	FixedKeys []string
	// Numbers and Sizes are how the trailer lists the streams.
	Numbers, Sizes ListForm
}

// Layouts are the encoding trees of a type's streams, for replay. Nil parts are
// selected.
type Layouts struct {
	// Own is that of the type's own stream: values or lengths.
	Own *encoding.Layout
	// Children are those of a row's fields, an array's element, or a map's key
	// and value.
	Children []*Layouts
	// Keys are those of a flat map's values, by key.
	Keys map[string]*Layouts
}

func (l *Layouts) own() *encoding.Layout {
	if l == nil {
		return nil
	}
	return l.Own
}

func (l *Layouts) child(i int) *Layouts {
	if l == nil || i >= len(l.Children) {
		return nil
	}
	return l.Children[i]
}

func (l *Layouts) key(name string) *Layouts {
	if l == nil {
		return nil
	}
	return l.Keys[name]
}

// Serializer writes rows as blobs. It belongs to one goroutine. Once warm it
// allocates nothing but for keys that it meets for the first time.
type Serializer struct {
	sink
	schema   *Schema
	o        SerializerOptions
	encoders map[*encoding.Layout]*encoding.Encoder
	root     *rowWriter
	ids      []uint32
	sizes    []uint32
	flat     bool // there are flat maps
	version  Version
}

// NewSerializer returns a writer of rows of s's type, whose memory comes from p,
// which may be nil. Flat maps take new keys as they come, unless the options
// name the column; then s has all keys. s is not changed.
func NewSerializer(s *Schema, p *pool.Pool, o SerializerOptions) (*Serializer, error) {
	w := &Serializer{
		sink:   sink{pool: p, legacy: o.Headerless, codec: o.Codec, threshold: o.CodecMinBytes},
		schema: s.clone(), o: o, version: Serialization,
		encoders: map[*encoding.Layout]*encoding.Encoder{},
	}
	if o.Headerless {
		w.version = Headerless
	}
	if o.Numbers > DeltaList || o.Sizes > DeltaList {
		return nil, unsupportedf("list forms %d and %d", o.Numbers, o.Sizes)
	}
	root, err := w.writer(w.schema.root, o.Layouts)
	if err != nil {
		return nil, err
	}
	w.root = root.(*rowWriter)
	return w, w.fixKeys(o.FixedKeys)
}

// fixKeys closes the flat maps of the given columns to new keys.
func (w *Serializer) fixKeys(columns []string) error {
	for _, f := range w.root.fields {
		_, ok := f.(*flatMapWriter)
		w.flat = w.flat || ok
	}
	for _, name := range columns {
		i := w.schema.Type().Field(name)
		if i < 0 || w.schema.Type().Children[i].Kind != nimble.FlatMap {
			return schemaf("fixed keys of %q, which is no flat map", name)
		}
		w.root.fields[i].(*flatMapWriter).fixed = true
	}
	return nil
}

// outlet returns the outlet of stream id, written by a layout unless it is nil.
func (w *Serializer) outlet(id uint32, typ encoding.DataType, l *encoding.Layout) (outlet, error) {
	o := outlet{sink: &w.sink, id: id, typ: typ}
	if w.legacy {
		return o, nil
	}
	e, ok := w.encoders[l]
	if !ok {
		options := w.o.Encode
		options.VarintRowCount = true
		if l != nil {
			options.Layout = l
		}
		var err error
		if e, err = encoding.NewEncoder(w.pool, options); err != nil {
			return outlet{}, err
		}
		w.encoders[l] = e
	}
	o.encoder = e
	return o, nil
}

// Schema returns the schema of the blobs written so far, which has the keys that
// they have.
func (w *Serializer) Schema() *Schema { return w.schema.clone() }

// Append appends a blob of the given rows to dst. On an error dst is returned as
// it was; keys that were found until then stay in the schema. Errors wrap
// [ErrSchema] if the vectors are not of the schema's type, [ErrKey] for a key
// that is null, twice in a map or not allowed, or [ErrUnsupported] for what the
// form cannot hold.
func (w *Serializer) Append(dst []byte, rows *vector.Row) ([]byte, error) {
	if rows.N > math.MaxInt32 {
		return dst, unsupportedf("%d rows", rows.N)
	}
	if w.flat && rows.Valid != nil && vector.CountBits(rows.Valid, 0, rows.N) < rows.N {
		return dst, fmt.Errorf("%w: null rows with flat maps", ErrUnsupported)
	}
	w.reset()
	if err := w.root.write(rows, selection{n: rows.N}); err != nil {
		return dst, err
	}
	h := Header{Version: w.version, Rows: rows.N, NullBarrier: w.barrier}
	dst = h.append(dst)
	if w.legacy {
		return w.appendLegacy(dst, w.schema.streams), nil
	}
	w.order()
	w.ids, w.sizes = w.ids[:0], w.sizes[:0]
	for _, p := range w.spans {
		w.ids, w.sizes = append(w.ids, p.id), append(w.sizes, uint32(p.end-p.begin))
		dst = append(dst, w.body[p.begin:p.end]...)
	}
	return appendTrailer(dst, w.o.Numbers, w.o.Sizes, w.ids, w.sizes), nil
}
