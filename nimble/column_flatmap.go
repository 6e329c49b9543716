package nimble

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// flatMapColumn reads maps that are stored by key: for each key which of the
// present maps have it, and the values of those. A key without such a stream is
// in every map of the stripe if it has values there, and else in none.
type flatMapColumn struct {
	nulls *boolStream
	keys  []flatKeyColumn
	names mapKeys
	limit int

	present pool.Buf[uint64] // over the rows read
	active  []int            // keys that some map of the batch has
	all     vector.Vector    // the values of all maps, key after key
	sel     pool.Buf[int32]  // rows of all in the order of the maps
	vec     *vector.Map
	pool    *pool.Pool
}

// flatKeyColumn is one key.
type flatKeyColumn struct {
	inMap *boolStream
	value column
	bits  pool.Buf[uint64] // which of the maps of the batch have it
	next  int              // row of all of the next map that has it
}

// stored reports whether the key occurs in the stripe.
func (k *flatKeyColumn) stored() bool { return !k.inMap.absent || k.value.stored() }

// mapKeys makes the vector of keys.
type mapKeys interface {
	vector() vector.Vector
	// begin makes room for n keys, and returns them as places in the list of
	// the map's keys.
	begin(n int) []uint32
}

func newFlatMapColumn(b *builder, n *node, as *Type) (*flatMapColumn, error) {
	if as.Children[0].Kind != n.typ.Children[0].Kind {
		return nil, fmt.Errorf("keys: %w", mismatch(&node{typ: n.typ.Children[0]}, as.Children[0]))
	}
	p := b.session.Pool()
	c := &flatMapColumn{nulls: newBoolStream(b, n.stream), limit: b.elementsLimit, pool: p}
	var labels []string
	for i := range n.keys {
		k := &n.keys[i]
		if as.Names != nil && !slices.Contains(as.Names, k.label) {
			continue
		}
		key, err := newFlatKey(b, k, as.Children[1])
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", k.label, err)
		}
		c.keys = append(c.keys, key)
		labels = append(labels, k.label)
	}
	var err error
	if len(c.keys) == 0 {
		if err = b.checkFlatValues(n, as.Children[1]); err != nil {
			return nil, err
		}
	}
	if c.names, err = newMapKeys(p, n.typ.Children[0].Kind, labels); err != nil {
		return nil, err
	}
	values, err := newVector(p, as.Children[1])
	if err != nil {
		return nil, err
	}
	if c.all, err = newVector(p, as.Children[1]); err != nil {
		return nil, err
	}
	c.vec = vector.NewMap(p, c.names.vector(), values)
	return c, nil
}

// newFlatKey returns the reader of a key's values. They are read whole: a key
// without an in-map stream is there if any of the value's streams is.
func newFlatKey(b *builder, k *flatMapKey, as *Type) (flatKeyColumn, error) {
	if !k.value.wholeIn(as) {
		return flatKeyColumn{}, fmt.Errorf("%w: values of keys are read whole", ErrSchema)
	}
	value, err := b.columnAs(k.value, as)
	return flatKeyColumn{inMap: newBoolStream(b, k.inMap), value: value}, err
}

// checkFlatValues tests that values of a flat map could be read as another type,
// where there is no key whose reader would tell.
func (b *builder) checkFlatValues(n *node, as *Type) error {
	spare := builder{session: b.session}
	k, err := newFlatKey(&spare, &flatMapKey{value: n.values}, as)
	if err != nil {
		return fmt.Errorf("values: %w", err)
	}
	k.value.release()
	return nil
}

// newVector returns an empty vector for values of type t.
func newVector(p *pool.Pool, t *Type) (vector.Vector, error) {
	var children []vector.Vector
	for _, c := range t.Children {
		v, err := newVector(p, c)
		if err != nil {
			return nil, err
		}
		children = append(children, v)
	}
	switch VectorKind(t.Kind) {
	case vector.KindRow:
		return vector.NewRow(p, children...), nil
	case vector.KindList:
		return vector.NewList(p, children[0]), nil
	case vector.KindMap:
		return vector.NewMap(p, children[0], children[1]), nil
	default:
		return vector.Make(p, VectorKind(t.Kind))
	}
}

func (c *flatMapColumn) vector() vector.Vector            { return c.vec }
func (c *flatMapColumn) readSel(n int, sel []int32) error { return readAndKeep(c, n, sel) }

func (c *flatMapColumn) stored() bool {
	for i := range c.keys {
		if c.keys[i].value.stored() {
			return true
		}
	}
	return false
}

func (c *flatMapColumn) restart() {
	for i := range c.keys {
		c.keys[i].value.restart()
	}
}

func (c *flatMapColumn) release() {
	for i := range c.keys {
		c.keys[i].value.release()
		pool.Put(c.pool, &c.keys[i].bits)
	}
	pool.Put(c.pool, &c.present)
	pool.Put(c.pool, &c.sel)
	c.all.Release()
	c.vec.Release()
}

// presence reads which of the next n rows are present into c.vec.Valid and
// returns how many.
func (c *flatMapColumn) presence(n int) (int, error) {
	c.vec.N, c.vec.Valid = n, nil
	if c.nulls.absent {
		return n, nil
	}
	pool.Grow(c.pool, &c.present, vector.Words(n))
	present, err := c.nulls.readPresence(c.present.S, n)
	if present < n {
		c.vec.Valid = c.present.S
	}
	return present, err
}

// mapsWith reads which of n present maps have the key, and returns how many.
func (k *flatKeyColumn) mapsWith(p *pool.Pool, n int) (int, error) {
	pool.Grow(p, &k.bits, vector.Words(n))
	if k.inMap.absent {
		vector.SetBits(k.bits.S, 0, n)
		return n, nil
	}
	return k.inMap.readPresence(k.bits.S, n)
}

func (c *flatMapColumn) skip(n int) error {
	return inBlocks(n, func(n int) error {
		present, err := c.presence(n)
		for i := range c.keys {
			k := &c.keys[i]
			if err != nil || !k.stored() {
				continue
			}
			var count int
			if count, err = k.mapsWith(c.pool, present); err == nil {
				err = k.value.skip(count)
			}
		}
		return err
	})
}

func (c *flatMapColumn) read(n int) error {
	present, err := c.presence(n)
	if err != nil {
		return err
	}
	total, err := c.readKeys(present)
	if err != nil {
		return err
	}
	return c.assemble(n, present, total)
}

// readKeys reads the values of n present maps into c.all, key after key, and
// returns how many there are.
func (c *flatMapColumn) readKeys(n int) (total int, err error) {
	c.active = c.active[:0]
	c.all.Reset()
	for i := range c.keys {
		k := &c.keys[i]
		if !k.stored() {
			continue
		}
		count, err := k.mapsWith(c.pool, n)
		if err != nil {
			return 0, err
		}
		if count > c.limit-total {
			return 0, k.inMap.fail(fmt.Errorf("%w: more than %d in %d maps", errTooMany, c.limit, n))
		}
		if err := k.value.read(count); err != nil {
			return 0, err
		}
		if count == 0 {
			continue
		}
		if err := vector.Extend(c.all, k.value.vector(), 0, count); err != nil {
			return 0, err
		}
		k.next = total
		total += count
		c.active = append(c.active, i)
	}
	return total, nil
}

// assemble puts together n maps, of which present are, from c.all: the pairs of
// a map are in the order of the schema's keys.
func (c *flatMapColumn) assemble(n, present, total int) error {
	offsets := c.vec.ReserveOffsets(n)
	index := c.names.begin(total)
	pool.Grow(c.pool, &c.sel, total)
	end, m := 0, 0
	offsets[0] = 0
	for row := range n {
		if vector.Valid(c.vec.Valid, row) {
			for _, i := range c.active {
				k := &c.keys[i]
				if vector.Bit(k.bits.S, m) {
					index[end], c.sel.S[end] = uint32(i), int32(k.next)
					k.next++
					end++
				}
			}
			m++
		}
		offsets[row+1] = uint32(end)
	}
	return vector.Gather(c.vec.Values, c.all, c.sel.S[:total])
}

// newMapKeys returns the keys with the given texts, of kind k.
func newMapKeys(p *pool.Pool, k Kind, labels []string) (mapKeys, error) {
	switch k {
	case TinyInt:
		return integerKeys[int8](p, labels, 8)
	case SmallInt:
		return integerKeys[int16](p, labels, 16)
	case Integer:
		return integerKeys[int32](p, labels, 32)
	case BigInt:
		return integerKeys[int64](p, labels, 64)
	}
	keys := &keysOf[vector.View]{vec: vector.NewVec[vector.View](p)}
	for _, label := range labels {
		vector.AppendString(&keys.list, []byte(label))
	}
	return keys, nil
}

func integerKeys[T int8 | int16 | int32 | int64](p *pool.Pool, labels []string, width int) (mapKeys, error) {
	keys := &keysOf[T]{vec: vector.NewVec[T](p)}
	for _, label := range labels {
		x, err := strconv.ParseInt(label, 10, width)
		if err != nil {
			return nil, fmt.Errorf("%w: the key %q of a flat map is not an integer of %d bits", ErrCorrupt, label, width)
		}
		keys.list.Append(T(x))
	}
	return keys, nil
}

// keysOf are the keys of a flat map in the order of the schema.
type keysOf[T vector.Value] struct {
	list vector.Vec[T]
	vec  *vector.Vec[T] // a dictionary over list
}

func (k *keysOf[T]) vector() vector.Vector { return k.vec }

func (k *keysOf[T]) begin(n int) []uint32 {
	k.vec.Reset()
	k.vec.N = n
	if n == 0 {
		return nil
	}
	k.vec.Form, k.vec.Values, k.vec.Buffers = vector.Dictionary, k.list.Values, k.list.Buffers
	return k.vec.ReserveIndex(n)
}
