package nimble

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// Reading as another type than the stored one. A row is read by the names of its
// fields; one that the file does not have is null. Numbers become wider ones of
// their sort, maps and arrays lose how they are stored, and maps become rows of
// keys, or maps with some of their keys.

// mismatch is the error of a type that a column cannot be read as.
func mismatch(n *node, as *Type) error {
	return fmt.Errorf("%w: a %v cannot be read as a %v", ErrSchema, n.typ.Kind, as.Kind)
}

// plainKind is k without how it is stored.
func plainKind(k Kind) Kind {
	switch k {
	case FlatMap, SlidingWindowMap:
		return Map
	case DedupArray:
		return Array
	}
	return k
}

// columnAs returns the reader of n, whose rows come as type as. Without a node
// all rows are null.
func (b *builder) columnAs(n *node, as *Type) (column, error) {
	if n == nil {
		return newMissingColumn(b, as)
	}
	from, to := plainKind(n.typ.Kind), plainKind(as.Kind)
	switch {
	case from == Map && to == Row:
		return b.keyColumns(n, as)
	case from == Map && to == Map && as.Names != nil && n.typ.Kind != FlatMap:
		return newChosenKeysColumn(b, n, as)
	case from == to:
		return b.column(n, as)
	}
	return b.widened(n, as)
}

// keyColumns returns the reader of a map as a row with a field for each key.
func (b *builder) keyColumns(n *node, as *Type) (column, error) {
	if n.typ.Kind == FlatMap {
		return newFlatRowColumn(b, n, as)
	}
	return newMapRowColumn(b, n, as)
}

// missingColumn is a column that the file does not have.
type missingColumn struct {
	vec  vector.Vector
	pool *pool.Pool
	none pool.Buf[uint64]
}

func newMissingColumn(b *builder, as *Type) (*missingColumn, error) {
	v, err := newVector(b.session.Pool(), as)
	return &missingColumn{vec: v, pool: b.session.Pool()}, err
}

func (c *missingColumn) vector() vector.Vector            { return c.vec }
func (c *missingColumn) readSel(_ int, sel []int32) error { return c.read(len(sel)) }
func (c *missingColumn) skip(int) error                   { return nil }
func (c *missingColumn) stored() bool                     { return false }
func (c *missingColumn) restart()                         {}

func (c *missingColumn) release() {
	c.vec.Release()
	pool.Put(c.pool, &c.none)
}

func (c *missingColumn) read(n int) error {
	c.vec.Reset()
	pool.Grow(c.pool, &c.none, vector.Words(n))
	clear(c.none.S)
	vector.Spread(c.vec, c.none.S, n)
	return nil
}

// widened returns the reader of a number as a wider one.
func (b *builder) widened(n *node, as *Type) (column, error) {
	inner, err := b.column(n, n.typ)
	if err != nil {
		return nil, err
	}
	p := b.session.Pool()
	switch v := inner.vector().(type) {
	case *vector.Vec[int8]:
		switch as.Kind {
		case SmallInt:
			return newWide[int16](p, inner, v), nil
		case Integer:
			return newWide[int32](p, inner, v), nil
		case BigInt:
			return newWide[int64](p, inner, v), nil
		}
	case *vector.Vec[int16]:
		switch as.Kind {
		case Integer:
			return newWide[int32](p, inner, v), nil
		case BigInt:
			return newWide[int64](p, inner, v), nil
		}
	case *vector.Vec[int32]:
		if as.Kind == BigInt {
			return newWide[int64](p, inner, v), nil
		}
	case *vector.Vec[float32]:
		if as.Kind == Double {
			return newWide[float64](p, inner, v), nil
		}
	}
	return nil, mismatch(n, as)
}

// wideColumn widens the numbers of a column.
type wideColumn[To, From int8 | int16 | int32 | int64 | float32 | float64] struct {
	column
	from *vector.Vec[From]
	vec  *vector.Vec[To]
}

func newWide[To, From int8 | int16 | int32 | int64 | float32 | float64](p *pool.Pool, c column, from *vector.Vec[From]) column {
	return &wideColumn[To, From]{column: c, from: from, vec: vector.NewVec[To](p)}
}

func (c *wideColumn[To, From]) vector() vector.Vector { return c.vec }

func (c *wideColumn[To, From]) read(n int) error { return c.widen(c.column.read(n)) }

func (c *wideColumn[To, From]) readSel(n int, sel []int32) error {
	return c.widen(c.column.readSel(n, sel))
}

func (c *wideColumn[To, From]) widen(err error) error {
	if err != nil {
		return err
	}
	vector.Convert(c.vec, c.from, func(dst []To, src []From) {
		for i, x := range src {
			dst[i] = To(x)
		}
	})
	return nil
}

func (c *wideColumn[To, From]) release() {
	c.column.release()
	c.vec.Release()
}

// keyFinder tells which of some wanted keys the keys of a map are.
type keyFinder interface {
	// find sets ids to the place of each of the first n keys among those wanted,
	// -1 for a key that is not.
	find(keys vector.Vector, ids []int32) error
}

// newKeyFinder returns the finder of keys given as text.
func newKeyFinder(k Kind, wanted []string) (keyFinder, error) {
	switch k {
	case TinyInt:
		return integerFinder[int8](wanted, 8)
	case SmallInt:
		return integerFinder[int16](wanted, 16)
	case Integer:
		return integerFinder[int32](wanted, 32)
	case BigInt:
		return integerFinder[int64](wanted, 64)
	case Varchar, Varbinary:
		f := &textFinder{places: map[string]int32{}}
		for i, w := range wanted {
			f.places[w] = int32(i)
		}
		return f, nil
	}
	return nil, fmt.Errorf("%w: choosing keys of type %v", ErrUnsupported, k)
}

type numberFinder[T int8 | int16 | int32 | int64] struct{ places map[T]int32 }

// integerFinder leaves out a key that no map can have.
func integerFinder[T int8 | int16 | int32 | int64](wanted []string, width int) (keyFinder, error) {
	f := &numberFinder[T]{places: map[T]int32{}}
	for i, w := range wanted {
		if x, err := strconv.ParseInt(w, 10, width); err == nil {
			f.places[T(x)] = int32(i)
		}
	}
	return f, nil
}

func (f *numberFinder[T]) find(keys vector.Vector, ids []int32) error {
	vec, ok := keys.(*vector.Vec[T])
	if !ok {
		return fmt.Errorf("%w: keys of kind %v", ErrSchema, keys.Kind())
	}
	for i := range ids {
		id, ok := f.places[vec.Values[vec.ValueIndex(i)]]
		if !ok {
			id = -1
		}
		ids[i] = id
	}
	return nil
}

type textFinder struct{ places map[string]int32 }

func (f *textFinder) find(keys vector.Vector, ids []int32) error {
	vec, ok := keys.(*vector.Vec[vector.View])
	if !ok {
		return fmt.Errorf("%w: keys of kind %v", ErrSchema, keys.Kind())
	}
	buffers := vec.Buffers.List()
	for i := range ids {
		id, ok := f.places[string(vec.Values[vec.ValueIndex(i)].Bytes(buffers))]
		if !ok {
			id = -1
		}
		ids[i] = id
	}
	return nil
}

// uniqueNames refuses a name that is wanted twice.
func uniqueNames(names []string) error {
	sorted := slices.Sorted(slices.Values(names))
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return fmt.Errorf("%w: %q is wanted twice", ErrSchema, sorted[i])
		}
	}
	return nil
}
