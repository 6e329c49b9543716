package rowbatch

import (
	"fmt"
	"math"

	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// flatMap reads a flat map as maps. The entries of a map are in the order of
// the schema's keys. It works on blocks of maps: the values of a key are read
// for a block and put where they belong among the entries of its maps.
type flatMap struct {
	nulls   presence
	keys    []keyStreams
	names   keyNames
	values  entries
	strips  stripper // values, if they are of a fixed size
	vec     *vector.Map
	limit   int
	some    []uint32 // keys that are in some maps of the blob
	present []uint32 // keys that are in some maps or in all
}

// entries reads the values of a flat map's keys.
type entries interface {
	output() vector.Vector
	bind(v vector.Vector) error
	// add makes the streams of the next key's values.
	add(b *builder, value *nimble.StreamNode, out *nimble.Type) error
	// reserve makes room for entries up to end.
	reserve(end int)
	// ready reports an error if there are not n more values of a key.
	ready(key, n int) error
	// place reads the next len(slots) values of a key into these entries.
	place(key int, slots []uint32) error
	// skip moves past n values of a key.
	skip(key, n int) error
	settle() error
	finish(ok bool) error
}

// stripper is entries that can be placed for several keys at once.
type stripper interface {
	// strip reads the next values of up to stripKeys keys, rows each, into
	// entries: value r of key i into the entry at + i + r*stride.
	strip(keys []uint32, at, rows, stride int) error
}

// stripKeys is the number of keys whose values are put in place together, so
// that a cache line of entries is filled at once.
const stripKeys = 8

func (b *builder) flatMap(n *nimble.StreamNode, out *nimble.Type) (*flatMap, error) {
	keyType, valueType := n.Type.Children[0], n.Type.Children[1]
	if out.Children[0].Kind != keyType.Kind {
		return nil, schemaf("keys of type %v cannot be read as %v", keyType.Kind, out.Children[0].Kind)
	}
	names, err := newKeyNames(b.session.Pool(), keyType.Kind, n.Keys)
	if err != nil {
		return nil, err
	}
	values, err := b.entries(valueType, out.Children[1])
	if err != nil {
		return nil, err
	}
	c := &flatMap{nulls: presence{newBools(b, n.Stream)}, names: names, values: values, limit: b.limit}
	c.strips, _ = values.(stripper)
	b.add(n.Stream, c.nulls)
	for i := range n.Keys {
		k := &n.Keys[i]
		streams, err := b.key(k, func(inner *builder) error { return c.values.add(inner, k.Value, out.Children[1]) })
		if err != nil {
			return nil, err
		}
		c.keys = append(c.keys, streams)
	}
	return c, nil
}

func (c *flatMap) output() vector.Vector {
	return vector.NewMap(c.nulls.session.Pool(), c.names.output(), c.values.output())
}

func (c *flatMap) bind(v vector.Vector) error {
	vec, ok := v.(*vector.Map)
	if !ok {
		return misfit(v, vector.KindMap.String())
	}
	vec.Reset()
	c.vec = vec
	if err := c.names.bind(vec.Keys); err != nil {
		return err
	}
	return c.values.bind(vec.Values)
}

// survey sorts the keys by how far they are spread over the blob's maps.
func (c *flatMap) survey() {
	c.some, c.present = c.some[:0], c.present[:0]
	for i := range c.keys {
		switch c.keys[i].spread() {
		case inSome:
			c.some = append(c.some, uint32(i))
			c.present = append(c.present, uint32(i))
		case inAll:
			c.present = append(c.present, uint32(i))
		}
	}
}

func (c *flatMap) read(n int, m mask) error {
	begin := c.vec.N
	end, err := room(begin, n, c.limit)
	if err == nil {
		err = c.nulls.ready(m.count(n))
	}
	if err != nil {
		return err
	}
	had := c.vec.Valid != nil
	valid := c.vec.ReserveValid(end)
	below, err := c.nulls.into(valid, begin, n, m)
	c.vec.N = end
	c.vec.Valid = joined(had, !below.all(), valid, begin, end)
	if err != nil {
		return err
	}
	offsets := c.vec.ReserveOffsets(end)
	if begin == 0 {
		offsets[0] = 0
	}
	// The ends of maps that are not null, then those of all rows.
	maps := below.count(n)
	if err := c.readMaps(offsets[begin : begin+1+maps]); err != nil {
		return err
	}
	if maps < n {
		next := maps
		for i := n; i > 0; i-- {
			offsets[begin+i] = offsets[begin+next]
			if vector.Bit(below.bits, below.begin+i-1) {
				next--
			}
		}
	}
	return nil
}

// readMaps appends the entries of maps to c.vec; offsets[0] is the end of those
// before, and the others become the ends of the maps.
func (c *flatMap) readMaps(offsets []uint32) error {
	maps := len(offsets) - 1
	c.survey()
	for _, k := range c.some {
		if err := c.keys[k].inMap.ready(maps); err != nil {
			return err
		}
	}
	if c.strips != nil && len(c.some) == 0 {
		return c.readFull(offsets)
	}
	return c.readSparse(offsets)
}

// grow makes room for count more entries behind begin.
func (c *flatMap) grow(begin, count int) (end int, err error) {
	end, err = room(begin, count, c.limit)
	if err == nil && end > math.MaxUint32 {
		err = unsupportedf("%d entries in one flat map column", end)
	}
	if err == nil {
		c.names.reserve(end)
		c.values.reserve(end)
	}
	return end, err
}

// readFull is readMaps where every map has all keys that any has.
func (c *flatMap) readFull(offsets []uint32) error {
	maps, width := len(offsets)-1, len(c.present)
	for _, k := range c.present {
		if err := c.values.ready(int(k), maps); err != nil {
			return err
		}
	}
	at := int(offsets[0])
	if width > 0 && maps > c.limit/width {
		return unsupportedf("more than %d entries in one flat map column", c.limit)
	}
	if _, err := c.grow(at, maps*width); err != nil {
		return err
	}
	c.names.repeat(at, c.present, maps)
	for i := range maps {
		offsets[i+1] = uint32(at + (i+1)*width)
	}
	for maps > 0 {
		rows := min(maps, blockRows)
		for first := 0; first < width; first += stripKeys {
			keys := c.present[first:min(first+stripKeys, width)]
			if err := c.strips.strip(keys, at+first, rows, width); err != nil {
				return err
			}
		}
		at += rows * width
		maps -= rows
	}
	return nil
}

// readSparse is readMaps in the general case.
func (c *flatMap) readSparse(offsets []uint32) error {
	p := c.nulls.session.Pool()
	words := pool.Get[uint64](p, len(c.present)*blockWords)
	slots := pool.Get[uint32](p, 2*blockRows+positionRoom)
	defer pool.Put(p, &words)
	defer pool.Put(p, &slots)
	for done := 0; done < len(offsets)-1; {
		rows := min(len(offsets)-1-done, blockRows)
		if err := c.readBlock(offsets[done:done+rows+1], words.S, slots.S); err != nil {
			return err
		}
		done += rows
	}
	return nil
}

// positionRoom is how much more than there are kernel.Positions wants.
const positionRoom = 8

// readBlock is readSparse for one block. words has blockWords for each present
// key, slots room for two blocks.
func (c *flatMap) readBlock(offsets []uint32, words []uint64, slots []uint32) error {
	rows := len(offsets) - 1
	base := offsets[0]
	// While entries are counted, offsets[1+row] is how many the row has; while
	// they are placed, where its next one goes; in the end, where they end.
	counts := offsets[1:]
	clear(counts)
	total := 0
	for i, k := range c.present {
		flags := words[i*blockWords : (i+1)*blockWords]
		if c.keys[k].inMap.present() {
			if err := c.keys[k].inMap.flags(flags, 0, rows); err != nil {
				return err
			}
		} else {
			vector.SetBits(flags, 0, rows)
		}
		n := kernel.Positions(slots, flags, rows, false, 0)
		for _, row := range slots[:n] {
			counts[row]++
		}
		if err := c.values.ready(int(k), n); err != nil {
			return err
		}
		total += n
	}
	if _, err := c.grow(int(base), total); err != nil {
		return err
	}
	next := base
	for i, n := range counts {
		counts[i] = next
		next += n
	}
	places := slots[blockRows+positionRoom:]
	for i, k := range c.present {
		n := kernel.Positions(slots, words[i*blockWords:(i+1)*blockWords], rows, false, 0)
		for j, row := range slots[:n] {
			places[j] = counts[row]
			counts[row]++
		}
		c.names.place(int(k), places[:n])
		if err := c.values.place(int(k), places[:n]); err != nil {
			return err
		}
	}
	return nil
}

func (c *flatMap) skip(n int) error {
	return c.nulls.eachBlock(n, func(_, maps int) error {
		for i := range c.keys {
			err := c.keys[i].skip(maps, func(n int) error { return c.values.skip(i, n) })
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *flatMap) settle() error { return c.values.settle() }

func (c *flatMap) finish(ok bool) error {
	err := c.values.finish(ok)
	if ok && err == nil {
		err = c.names.finish()
	}
	return err
}

// entries returns the reader of values of the given type.
func (b *builder) entries(t, out *nimble.Type) (entries, error) {
	switch t.Kind {
	case nimble.TinyInt:
		return newScalarEntries[int8, uint8](b, t), nil
	case nimble.SmallInt:
		return newScalarEntries[int16, uint16](b, t), nil
	case nimble.Integer:
		return newScalarEntries[int32, uint32](b, t), nil
	case nimble.BigInt:
		return newScalarEntries[int64, uint64](b, t), nil
	case nimble.Real:
		return newScalarEntries[float32, uint32](b, t), nil
	case nimble.Double:
		return newScalarEntries[float64, uint64](b, t), nil
	case nimble.Varchar, nimble.Varbinary:
		return b.stringEntries(), nil
	}
	e, err := b.nestedEntries(t, out)
	if err != nil {
		return nil, fmt.Errorf("values: %w", err)
	}
	return e, nil
}
