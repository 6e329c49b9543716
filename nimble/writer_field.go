package nimble

import (
	"fmt"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// fieldWriter takes apart the vectors of a type into its streams.
type fieldWriter interface {
	// write buffers rows of v, which checkVector has found to fit.
	write(v vector.Vector, rows selection) error
	// stats adds the physical sizes of the type and of those below, and their
	// bounds, to the statistics.
	stats(all []ColumnStats)
	// anchored reports whether chunks of the stripe say that the field has values,
	// null ones or not, where nothing else does.
	anchored() bool
}

// fieldBuilder makes the fields of a writer and numbers their streams.
type fieldBuilder struct {
	tree     treeBuilder
	streams  []streamWriter // by id
	flatMaps []*flatMapField
	runs     []stripeState
	bounds   bool    // are wanted
	rows     []int32 // scratch of a field that has none below
	err      error   // of a type that no field could be made of
}

// stripeState is what knows of earlier rows of the stripe.
type stripeState interface{ endStripe() }

// add adds the stream with the next id.
func (b *fieldBuilder) add(s streamWriter) { b.streams = append(b.streams, s) }

// field returns the writer of n and adds its streams, in the order of their ids.
func (b *fieldBuilder) field(n *node) fieldWriter {
	switch n.typ.Kind {
	case Boolean:
		f := &boolField{node: n, builder: b}
		b.add(&f.s)
		return f
	case TinyInt:
		return newNumberField[int8, uint8](b, n)
	case SmallInt:
		return newNumberField[int16, uint16](b, n)
	case Integer:
		return newNumberField[int32, uint32](b, n)
	case BigInt:
		return newNumberField[int64, uint64](b, n)
	case Real:
		return newNumberField[float32, uint32](b, n)
	case Double:
		return newNumberField[float64, uint64](b, n)
	case Varchar, Varbinary:
		f := &textField{node: n, builder: b}
		if b.bounds {
			f.s.bounds = &textBounds{}
		}
		b.add(&f.s)
		return f
	case Timestamp:
		f := &timestampField{node: n, builder: b}
		f.micros.typ, f.nanos.typ = encoding.Int64, encoding.Uint16
		b.add(&f.micros)
		b.add(&f.nanos)
		return f
	case Row:
		return newRowField(b, n)
	case DedupArray:
		return newDedupField(b, n)
	case SlidingWindowMap:
		return newWindowField(b, n)
	default:
		return newSpansField(b, n)
	}
}

// numberField writes numbers.
type numberField[V numeric, T encoding.Integer] struct {
	node    *node
	builder *fieldBuilder
	s       numbers[V, T]
}

func newNumberField[V numeric, T encoding.Integer](b *fieldBuilder, n *node) *numberField[V, T] {
	f := &numberField[V, T]{node: n, builder: b}
	f.s.typ = dataTypes[n.typ.Kind]
	if b.bounds {
		f.s.bounds = &numberBounds[V]{}
	}
	b.add(&f.s)
	return f
}

func (f *numberField[V, T]) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Vec[V])
	f.s.presence.add(vec.Valid, rows)
	f.s.list = appendValues(f.s.list, vec, rows.present(vec.Valid, &f.builder.rows))
	return nil
}

func (f *numberField[V, T]) anchored() bool { return f.s.chunked.done > 0 }

func (f *numberField[V, T]) stats(all []ColumnStats) {
	s := &all[f.node.index]
	s.PhysicalBytes += f.s.physical
	b := f.s.bounds
	switch {
	case b == nil || !b.known:
	case boundsOf(f.node.typ.Kind) == floatBounds:
		s.widenFloats(float64(b.lowest), float64(b.highest))
	default:
		s.widenInts(int64(b.lowest), int64(b.highest))
	}
}

// boolField writes bools.
type boolField struct {
	node    *node
	builder *fieldBuilder
	s       flags
}

func (f *boolField) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Bools)
	have := f.s.present
	f.s.presence.add(vec.Valid, rows)
	f.s.appendRows(have, vec.Bits, rows.present(vec.Valid, &f.builder.rows))
	return nil
}

func (f *boolField) anchored() bool          { return f.s.chunked.done > 0 }
func (f *boolField) stats(all []ColumnStats) { all[f.node.index].PhysicalBytes += f.s.physical }

// textField writes strings.
type textField struct {
	node    *node
	builder *fieldBuilder
	s       texts
}

func (f *textField) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Vec[vector.View])
	f.s.presence.add(vec.Valid, rows)
	rows = rows.present(vec.Valid, &f.builder.rows)
	buffers := vec.Buffers.List()
	for i := range rows.len() {
		f.s.append(&vec.Values[vec.ValueIndex(rows.at(i))], buffers)
	}
	return nil
}

func (f *textField) anchored() bool { return f.s.chunked.done > 0 }

func (f *textField) stats(all []ColumnStats) {
	s := &all[f.node.index]
	s.PhysicalBytes += f.s.physical
	if b := f.s.bounds; b != nil && b.known {
		s.widenStrings(string(b.lowest), string(b.highest))
	}
}

// timestampField writes moments: microseconds, and for those that are present
// nanoseconds beyond them.
type timestampField struct {
	node    *node
	builder *fieldBuilder
	micros  numbers[int64, uint64]
	nanos   numbers[uint16, uint16]
}

func (f *timestampField) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Timestamps)
	f.micros.presence.add(vec.Micros.Valid, rows)
	rows = rows.present(vec.Micros.Valid, &f.builder.rows)
	f.micros.list = appendValues(f.micros.list, &vec.Micros, rows)
	rows.nullable = false
	f.nanos.presence.add(nil, rows)
	if vec.Nanos == nil {
		for range rows.len() {
			f.nanos.list = append(f.nanos.list, 0)
		}
		return nil
	}
	before := len(f.nanos.list)
	nanos := vector.Vec[uint16]{N: len(vec.Nanos), Values: vec.Nanos}
	f.nanos.list = appendValues(f.nanos.list, &nanos, rows)
	for _, x := range f.nanos.list[before:] {
		if x >= nanosPerMicro {
			return fmt.Errorf("%w: %d nanoseconds in a microsecond", ErrSchema, x)
		}
	}
	return nil
}

func (f *timestampField) anchored() bool { return f.micros.chunked.done > 0 }

func (f *timestampField) stats(all []ColumnStats) {
	all[f.node.index].PhysicalBytes += f.micros.physical + f.nanos.physical
}
