package rowbatch

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// column reads the values of a type from the streams of one blob after another
// and appends them to a vector.
type column interface {
	// output returns a new vector of the column's type.
	output() vector.Vector
	// bind makes v, which is emptied, what rows are appended to.
	bind(v vector.Vector) error
	// read appends n rows, of which the streams have those of m.
	read(n int, m mask) error
	// skip moves past n rows of the streams.
	skip(n int) error
	// settle makes what was appended from the blob independent of it.
	settle() error
	// finish completes the vector once all blobs are read, or gives up on it.
	finish(ok bool) error
}

// builder makes columns and lists their streams.
type builder struct {
	session *encoding.Session
	limit   int // rows of any vector
	sources []source
	ids     []uint32
	strings *sharedStrings // nil unless several columns read into one vector
}

// sharedStrings is the buffers of the strings of a type's leaves, in order, for
// columns of that type that read into the same vector.
type sharedStrings struct {
	leaves []*vector.Buffers
	next   int
}

// buffers returns the list of buffers for the next leaf.
func (b *builder) buffers() *vector.Buffers {
	if b.strings == nil {
		return &vector.Buffers{}
	}
	s := b.strings
	if s.next == len(s.leaves) {
		s.leaves = append(s.leaves, &vector.Buffers{})
	}
	s.next++
	return s.leaves[s.next-1]
}

func (b *builder) add(id uint32, s source) {
	b.ids = append(b.ids, id)
	b.sources = append(b.sources, s)
}

// dataTypes are the types of the encoded values of scalars.
var dataTypes = [...]encoding.DataType{
	nimble.Boolean: encoding.Bool, nimble.TinyInt: encoding.Int8, nimble.SmallInt: encoding.Int16,
	nimble.Integer: encoding.Int32, nimble.BigInt: encoding.Int64, nimble.Real: encoding.Float,
	nimble.Double: encoding.Double, nimble.Varchar: encoding.String, nimble.Varbinary: encoding.String,
}

// column returns the reader of n, whose rows come as out.
func (b *builder) column(n *nimble.StreamNode, out *nimble.Type) (column, error) {
	if out.Kind == nimble.Row && n.Type.Kind == nimble.FlatMap {
		return b.keyColumns(n, out)
	}
	if out.Kind != n.Type.Kind && !(out.Kind == nimble.Map && n.Type.Kind == nimble.FlatMap) {
		return nil, schemaf("a %v cannot be read as a %v", n.Type.Kind, out.Kind)
	}
	switch n.Type.Kind {
	case nimble.Boolean:
		s := newBools(b, n.Stream)
		b.add(n.Stream, s)
		return &boolColumn{s: s, limit: b.limit}, nil
	case nimble.TinyInt:
		return newScalar[int8, uint8](b, n), nil
	case nimble.SmallInt:
		return newScalar[int16, uint16](b, n), nil
	case nimble.Integer:
		return newScalar[int32, uint32](b, n), nil
	case nimble.BigInt:
		return newScalar[int64, uint64](b, n), nil
	case nimble.Real:
		return newScalar[float32, uint32](b, n), nil
	case nimble.Double:
		return newScalar[float64, uint64](b, n), nil
	case nimble.Varchar, nimble.Varbinary:
		return b.stringColumn(n), nil
	case nimble.Row:
		return b.rowColumn(n, out)
	case nimble.Array:
		return b.listColumn(n, out)
	case nimble.Map:
		return b.mapColumn(n, out)
	case nimble.FlatMap:
		return b.flatMap(n, out)
	case nimble.Timestamp:
		return b.timestampColumn(n), nil
	case nimble.DedupArray:
		return b.dedupColumn(n, out)
	case nimble.SlidingWindowMap:
		return b.windowColumn(n, out)
	}
	return nil, unsupportedf("reading a %v", n.Type.Kind)
}

// room returns the end of n more rows behind begin, if there may be as many.
func room(begin, n, limit int) (int, error) {
	if n > limit-begin {
		return 0, fmt.Errorf("%w: more than %d rows of one column or one column's elements", ErrUnsupported, limit)
	}
	return begin + n, nil
}

// misfit is the error of a column that is bound to another type's vector.
func misfit(v vector.Vector, want string) error {
	return schemaf("output is a vector of kind %v where %s is needed", v.Kind(), want)
}

// scalar reads numbers and strings. T is the physical type of the values of vec,
// which the caller knows as V.
type scalar[V vector.Value, T encoding.Physical] struct {
	s       *stream[T]
	vec     *vector.Vec[T]
	strings *vector.Buffers // of strings, those that the stream refers to
	settled int             // rows that refer to no stream
	limit   int
}

func newScalar[V vector.Value, T encoding.Integer](b *builder, n *nimble.StreamNode) *scalar[V, T] {
	s := newNumbers[T](b, n.Stream, dataTypes[n.Type.Kind])
	b.add(n.Stream, s)
	return &scalar[V, T]{s: s, limit: b.limit}
}

func (b *builder) stringColumn(n *nimble.StreamNode) *scalar[vector.View, vector.View] {
	strings := b.buffers()
	s := newStrings(b.session, n.Stream, strings)
	b.add(n.Stream, s)
	return &scalar[vector.View, vector.View]{s: s, strings: strings, limit: b.limit}
}

func (c *scalar[V, T]) output() vector.Vector { return vector.NewVec[V](c.s.session.Pool()) }

func (c *scalar[V, T]) bind(v vector.Vector) error {
	vec, ok := v.(*vector.Vec[V])
	if !ok {
		return misfit(v, vector.KindOf[V]().String())
	}
	vec.Reset()
	c.vec, c.settled = vector.As[T](vec), 0
	return nil
}

func (c *scalar[V, T]) read(n int, m mask) error {
	begin := c.vec.N
	end, err := room(begin, n, c.limit)
	if err == nil {
		err = c.s.ready(m.count(n))
	}
	if err != nil {
		return err
	}
	had := c.vec.Valid != nil
	valid := c.vec.ReserveValid(end)
	nulls, err := c.s.read(c.vec.ReserveValues(end)[begin:end], m, valid, begin)
	c.vec.N = end
	c.vec.Valid = joined(had, nulls, valid, begin, end)
	return err
}

func (c *scalar[V, T]) skip(n int) error { return c.s.skip(n) }

func (c *scalar[V, T]) settle() error {
	if c.strings == nil {
		return nil
	}
	from := c.settled
	c.settled = c.vec.N
	return vector.AdoptStrings(any(c.vec).(*vector.Vec[vector.View]), from, c.strings.List())
}

func (c *scalar[V, T]) finish(bool) error { return nil }

// boolColumn reads bools.
type boolColumn struct {
	s     *boolStream
	vec   *vector.Bools
	limit int
}

func (c *boolColumn) output() vector.Vector { return vector.NewBools(c.s.session.Pool()) }

func (c *boolColumn) bind(v vector.Vector) error {
	vec, ok := v.(*vector.Bools)
	if !ok {
		return misfit(v, vector.KindBool.String())
	}
	vec.Reset()
	c.vec = vec
	return nil
}

func (c *boolColumn) read(n int, m mask) error {
	begin := c.vec.N
	end, err := room(begin, n, c.limit)
	if err == nil {
		err = c.s.ready(m.count(n))
	}
	if err != nil {
		return err
	}
	had := c.vec.Valid != nil
	valid := c.vec.ReserveValid(end)
	nulls, err := c.s.read(c.vec.ReserveBits(end), m, valid, begin, n)
	c.vec.N = end
	c.vec.Valid = joined(had, nulls, valid, begin, end)
	return err
}

func (c *boolColumn) skip(n int) error  { return c.s.skip(n) }
func (c *boolColumn) settle() error     { return nil }
func (c *boolColumn) finish(bool) error { return nil }
