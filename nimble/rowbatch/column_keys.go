package rowbatch

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// keyStreams is a key of a flat map with its streams.
type keyStreams struct {
	inMap  *boolStream // nil for a key that the schema does not have
	values []source    // of the key's values
}

// key makes the streams of a key for all maps that have it, and value those of
// its values.
func (b *builder) key(k *nimble.StreamKey, value func(*builder) error) (keyStreams, error) {
	inner := builder{session: b.session, limit: b.limit}
	if err := value(&inner); err != nil {
		return keyStreams{}, fmt.Errorf("key %q: %w", k.Name, err)
	}
	b.ids = append(b.ids, inner.ids...)
	b.sources = append(b.sources, inner.sources...)
	inMap := newBools(b, k.InMap)
	b.add(k.InMap, inMap)
	return keyStreams{inMap: inMap, values: inner.sources}, nil
}

// spread is how far a key is spread over the maps of a blob.
type spread uint8

const (
	inNone spread = iota
	inSome        // the in-map stream says in which
	inAll
)

// spread tells it from the streams that the blob has.
func (k *keyStreams) spread() spread {
	switch {
	case k.inMap == nil:
		return inNone
	case k.inMap.present():
		return inSome
	}
	for _, s := range k.values {
		if s.present() {
			return inAll
		}
	}
	return inNone
}

// keyColumns reads a flat map as a row: a field for each of some keys, null
// where a map does not have the key.
type keyColumns struct {
	nulls  presence
	keys   []keyStreams
	fields []column
	vec    *vector.Row
	limit  int
}

// keyColumns returns the reader of the keys of n that out names. Keys that the
// schema does not have are in no map.
func (b *builder) keyColumns(n *nimble.StreamNode, out *nimble.Type) (*keyColumns, error) {
	c := &keyColumns{nulls: presence{newBools(b, n.Stream)}, limit: b.limit}
	b.add(n.Stream, c.nulls)
	byName := map[string]*nimble.StreamKey{}
	for i := range n.Keys {
		byName[n.Keys[i].Name] = &n.Keys[i]
	}
	for i, name := range out.Names {
		k, ok := byName[name]
		if ok && k == nil {
			return nil, schemaf("key %q is wanted twice", name)
		}
		byName[name] = nil
		var field column
		columnOf := func(value *nimble.StreamNode) func(*builder) error {
			return func(inner *builder) (err error) {
				field, err = inner.column(value, out.Children[i])
				return err
			}
		}
		var streams keyStreams
		var err error
		if k != nil {
			streams, err = b.key(k, columnOf(k.Value))
		} else {
			// Streams that no blob has.
			err = columnOf(unknownKey(n.Type.Children[1]))(&builder{session: b.session, limit: b.limit})
		}
		if err != nil {
			return nil, err
		}
		c.keys, c.fields = append(c.keys, streams), append(c.fields, field)
	}
	return c, nil
}

// unknownKey returns the node of a value of type t of which there are no streams.
func unknownKey(t *nimble.Type) *nimble.StreamNode {
	n := &nimble.StreamNode{Type: t}
	for _, c := range t.Children {
		n.Children = append(n.Children, unknownKey(c))
	}
	return n
}

func (c *keyColumns) output() vector.Vector { return newRow(c.nulls.session.Pool(), c.fields) }

func (c *keyColumns) bind(v vector.Vector) (err error) {
	c.vec, err = bindRow(v, c.fields, "keys")
	return err
}

func (c *keyColumns) read(n int, m mask) error {
	maps, err := readPresence(c.vec, c.nulls, n, m, c.limit)
	if err != nil {
		return err
	}
	p := c.nulls.session.Pool()
	words := pool.Get[uint64](p, vector.Words(n))
	defer pool.Put(p, &words)
	for i := range c.keys {
		below, err := c.keys[i].rows(words.S, n, maps)
		if err == nil {
			err = c.fields[i].read(n, below)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rows returns which of n rows have the key, where those in maps are not null.
func (k *keyStreams) rows(words []uint64, n int, maps mask) (mask, error) {
	switch k.spread() {
	case inAll:
		return maps, nil
	case inNone:
		clear(words)
		return mask{bits: words}, nil
	}
	count := maps.count(n)
	if err := k.inMap.ready(count); err != nil {
		return mask{}, err
	}
	if err := k.inMap.flags(words, 0, count); err != nil {
		return mask{}, err
	}
	if !maps.all() {
		maps.spreadBits(words, 0, n)
	}
	return mask{bits: words, set: vector.CountBits(words, 0, n)}, nil
}

func (c *keyColumns) skip(n int) error {
	return c.nulls.eachBlock(n, func(_, maps int) error {
		for i := range c.keys {
			if err := c.keys[i].skip(maps, c.fields[i].skip); err != nil {
				return err
			}
		}
		return nil
	})
}

// skip moves the streams of a key past some maps; values moves those of its
// values past as many rows.
func (k *keyStreams) skip(maps int, values func(n int) error) error {
	switch k.spread() {
	case inAll:
		return values(maps)
	case inSome:
		return presence{k.inMap}.eachBlock(maps, func(_, set int) error { return values(set) })
	}
	return nil
}

func (c *keyColumns) settle() error {
	for _, f := range c.fields {
		if err := f.settle(); err != nil {
			return err
		}
	}
	return nil
}

func (c *keyColumns) finish(ok bool) error {
	var first error
	for _, f := range c.fields {
		if err := f.finish(ok); err != nil && first == nil {
			first = err
		}
	}
	return first
}
