package rowbatch

import (
	"math/bits"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// scalarEntries is entries of numbers or strings. T is the physical type of the
// values of vec, which the caller knows as V.
type scalarEntries[V vector.Value, T encoding.Physical] struct {
	session *encoding.Session
	typ     encoding.DataType
	streams []*stream[T]
	make    func(id uint32) *stream[T]
	strings *vector.Buffers // of strings, those that the streams refer to
	vec     *vector.Vec[T]
	settled int
	begun   bool             // block and valid are there
	block   pool.Buf[T]      // values of stripKeys keys
	valid   pool.Buf[uint64] // of one key's
}

func newScalarEntries[V vector.Value, T encoding.Integer](b *builder, t *nimble.Type) *scalarEntries[V, T] {
	s, shape := b.session, builder{session: b.session, limit: b.limit}
	typ := dataTypes[t.Kind]
	return &scalarEntries[V, T]{
		session: s, typ: typ,
		make: func(id uint32) *stream[T] { return newNumbers[T](&shape, id, typ) },
	}
}

func (b *builder) stringEntries() *scalarEntries[vector.View, vector.View] {
	s := b.session
	strings := &vector.Buffers{}
	return &scalarEntries[vector.View, vector.View]{
		session: s, typ: encoding.String, strings: strings,
		make: func(id uint32) *stream[vector.View] { return newStrings(s, id, strings) },
	}
}

func (e *scalarEntries[V, T]) add(b *builder, value *nimble.StreamNode, _ *nimble.Type) error {
	s := e.make(value.Stream)
	b.add(value.Stream, s)
	e.streams = append(e.streams, s)
	return nil
}

func (e *scalarEntries[V, T]) output() vector.Vector { return vector.NewVec[V](e.session.Pool()) }

func (e *scalarEntries[V, T]) bind(v vector.Vector) error {
	vec, ok := v.(*vector.Vec[V])
	if !ok {
		return misfit(v, vector.KindOf[V]().String())
	}
	vec.Reset()
	e.vec, e.settled = vector.As[T](vec), 0
	return nil
}

func (e *scalarEntries[V, T]) reserve(end int) {
	if !e.begun {
		e.block = pool.Get[T](e.session.Pool(), stripKeys*stripStride)
		e.valid = pool.Get[uint64](e.session.Pool(), blockWords)
		e.begun = true
	}
	e.vec.ReserveValues(end)
	if e.vec.Valid != nil {
		vector.SetBits(e.vec.ReserveValid(end), e.vec.N, end)
	}
	e.vec.N = end
}

func (e *scalarEntries[V, T]) ready(key, n int) error { return e.streams[key].ready(n) }
func (e *scalarEntries[V, T]) skip(key, n int) error  { return e.streams[key].skip(n) }

// load reads the next values of a key into dst, at most a block of them. nulls
// says that some are null, namely those that are not in e.valid.
func (e *scalarEntries[V, T]) load(key int, dst []T) (nulls bool, err error) {
	return e.streams[key].read(dst, mask{}, e.valid.S, 0)
}

// null makes an entry null.
func (e *scalarEntries[V, T]) null(entry int) {
	if e.vec.Valid == nil {
		vector.SetBits(e.vec.ReserveValid(e.vec.N), 0, e.vec.N)
	}
	vector.ClearBit(e.vec.Valid, entry)
}

func (e *scalarEntries[V, T]) place(key int, slots []uint32) error {
	block := e.block.S[:len(slots)]
	nulls, err := e.load(key, block)
	if err != nil {
		return err
	}
	values := e.vec.Values
	for i, s := range slots {
		values[s] = block[i]
	}
	if nulls {
		for i, s := range slots {
			if !vector.Bit(e.valid.S, i) {
				e.null(int(s))
			}
		}
	}
	return nil
}

func (e *scalarEntries[V, T]) strip(keys []uint32, at, rows, stride int) error {
	for i, key := range keys {
		nulls, err := e.load(int(key), e.block.S[i*stripStride:i*stripStride+rows])
		if err != nil {
			return err
		}
		for w := 0; nulls && w*64 < rows; w++ {
			absent := ^e.valid.S[w]
			if left := rows - w*64; left < 64 {
				absent &= 1<<left - 1
			}
			for ; absent != 0; absent &= absent - 1 {
				e.null(at + i + (w*64+bits.TrailingZeros64(absent))*stride)
			}
		}
	}
	if len(keys) == stripKeys {
		weave8((*[stripKeys * stripStride]T)(e.block.S), e.vec.Values[at:], rows, stride)
		return nil
	}
	for i := range keys {
		column := e.block.S[i*stripStride : i*stripStride+rows]
		out := e.vec.Values[at+i:]
		for r, x := range column {
			out[r*stride] = x
		}
	}
	return nil
}

// stripStride is how far the columns of a strip are apart in a block: a cache
// line more than a block, lest they all fall into the same set of the cache.
const stripStride = blockRows + 8

// weave8 puts rows of eight columns, stripStride apart, side by side: those of row r
// to dst[r*stride] and behind.
func weave8[T any](columns *[stripKeys * stripStride]T, dst []T, rows, stride int) {
	at := 0
	for r := range min(rows, blockRows) {
		out := (*[stripKeys]T)(dst[at:])
		out[0] = columns[r]
		out[1] = columns[r+stripStride]
		out[2] = columns[r+2*stripStride]
		out[3] = columns[r+3*stripStride]
		out[4] = columns[r+4*stripStride]
		out[5] = columns[r+5*stripStride]
		out[6] = columns[r+6*stripStride]
		out[7] = columns[r+7*stripStride]
		at += stride
	}
}

func (e *scalarEntries[V, T]) settle() error {
	if e.strings == nil {
		return nil
	}
	from := e.settled
	e.settled = e.vec.N
	return vector.AdoptStrings(any(e.vec).(*vector.Vec[vector.View]), from, e.strings.List())
}

func (e *scalarEntries[V, T]) finish(bool) error {
	pool.Put(e.session.Pool(), &e.block)
	pool.Put(e.session.Pool(), &e.valid)
	e.begun = false
	return nil
}
