package nimble

import (
	"fmt"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// keyedMap is a map that is read whole, and which keys of it are wanted.
type keyedMap struct {
	column
	maps   *vector.Map
	finder keyFinder
	pool   *pool.Pool
	ids    pool.Buf[int32] // of each pair, see keyFinder
	sel    pool.Buf[int32]
}

func newKeyedMap(b *builder, n *node, values *Type, wanted []string) (*keyedMap, error) {
	if err := uniqueNames(wanted); err != nil {
		return nil, err
	}
	finder, err := newKeyFinder(n.typ.Children[0].Kind, wanted)
	if err != nil {
		return nil, err
	}
	whole := &Type{Kind: Map, Children: []*Type{n.typ.Children[0], values}}
	c, err := b.column(n, whole)
	if err != nil {
		return nil, err
	}
	return &keyedMap{column: c, maps: c.vector().(*vector.Map), finder: finder, pool: b.session.Pool()}, nil
}

// read reads n maps and finds their keys.
func (m *keyedMap) read(n int) error {
	if err := m.column.read(n); err != nil {
		return err
	}
	pairs := m.maps.Keys.Len()
	pool.Grow(m.pool, &m.ids, pairs)
	pool.Grow(m.pool, &m.sel, pairs)
	return m.finder.find(m.maps.Keys, m.ids.S[:pairs])
}

func (m *keyedMap) release() {
	m.column.release()
	pool.Put(m.pool, &m.ids)
	pool.Put(m.pool, &m.sel)
}

// chosenKeysColumn reads of maps the pairs with wanted keys.
type chosenKeysColumn struct {
	*keyedMap
	vec *vector.Map
}

func newChosenKeysColumn(b *builder, n *node, as *Type) (column, error) {
	m, err := newKeyedMap(b, n, as.Children[1], as.Names)
	if err != nil {
		return nil, err
	}
	return &chosenKeysColumn{m, vector.MakeLike(m.maps).(*vector.Map)}, nil
}

func (c *chosenKeysColumn) vector() vector.Vector            { return c.vec }
func (c *chosenKeysColumn) readSel(n int, sel []int32) error { return readAndKeep(c, n, sel) }

func (c *chosenKeysColumn) release() {
	c.keyedMap.release()
	c.vec.Release()
}

func (c *chosenKeysColumn) read(n int) error {
	if err := c.keyedMap.read(n); err != nil {
		return err
	}
	c.vec.N, c.vec.Valid = n, c.maps.Valid
	offsets := c.vec.ReserveOffsets(n)
	offsets[0] = 0
	end := 0
	for row := range n {
		if vector.Valid(c.maps.Valid, row) {
			from, to := c.maps.Span(row)
			for i := from; i < to; i++ {
				if c.ids.S[i] >= 0 {
					c.sel.S[end] = int32(i)
					end++
				}
			}
		}
		offsets[row+1] = uint32(end)
	}
	if err := vector.Gather(c.vec.Keys, c.maps.Keys, c.sel.S[:end]); err != nil {
		return err
	}
	return vector.Gather(c.vec.Values, c.maps.Values, c.sel.S[:end])
}

// mapRowColumn reads maps as rows with a field for each wanted key, null where
// the map does not have it.
type mapRowColumn struct {
	*keyedMap
	vec    *vector.Row
	places pool.Buf[int32]  // of each row and field, the pair, or -1
	bits   pool.Buf[uint64] // rows that have a field
}

func newMapRowColumn(b *builder, n *node, as *Type) (column, error) {
	value := n.typ.Children[1]
	if len(as.Children) > 0 {
		value = as.Children[0]
	}
	for i, t := range as.Children {
		if !t.Equal(value) {
			return nil, fmt.Errorf("key %q: %w: the keys of one map are read as one type", as.Names[i], ErrSchema)
		}
	}
	m, err := newKeyedMap(b, n, value, as.Names)
	if err != nil {
		return nil, err
	}
	c := &mapRowColumn{keyedMap: m, vec: vector.NewRow(b.session.Pool())}
	for range as.Names {
		c.vec.Fields = append(c.vec.Fields, vector.MakeLike(m.maps.Values))
	}
	return c, nil
}

func (c *mapRowColumn) vector() vector.Vector            { return c.vec }
func (c *mapRowColumn) readSel(n int, sel []int32) error { return readAndKeep(c, n, sel) }

func (c *mapRowColumn) release() {
	c.keyedMap.release()
	c.vec.Release()
	for _, f := range c.vec.Fields {
		f.Release()
	}
	pool.Put(c.pool, &c.places)
	pool.Put(c.pool, &c.bits)
}

func (c *mapRowColumn) read(n int) error {
	if err := c.keyedMap.read(n); err != nil {
		return err
	}
	fields := len(c.vec.Fields)
	c.vec.N, c.vec.Valid = n, c.maps.Valid
	pool.Grow(c.pool, &c.places, n*fields)
	pool.Grow(c.pool, &c.bits, vector.Words(n))
	pool.Grow(c.pool, &c.sel, max(n, c.maps.Keys.Len()))
	for i := range c.places.S {
		c.places.S[i] = -1
	}
	for row := range n {
		if !vector.Valid(c.maps.Valid, row) {
			continue
		}
		from, to := c.maps.Span(row)
		for i := from; i < to; i++ {
			if id := c.ids.S[i]; id >= 0 {
				c.places.S[int(id)*n+row] = int32(i)
			}
		}
	}
	for f, v := range c.vec.Fields {
		if err := c.field(v, c.places.S[f*n:(f+1)*n]); err != nil {
			return err
		}
	}
	return nil
}

// field makes v the values at the given places, null where a place is negative.
func (c *mapRowColumn) field(v vector.Vector, places []int32) error {
	clear(c.bits.S)
	found := 0
	for row, place := range places {
		if place >= 0 {
			vector.SetBit(c.bits.S, row)
			c.sel.S[found] = place
			found++
		}
	}
	if err := vector.Gather(v, c.maps.Values, c.sel.S[:found]); err != nil {
		return err
	}
	if found < len(places) {
		vector.Spread(v, c.bits.S, len(places))
	}
	return nil
}

// flatRowColumn reads a flat map as rows with a field for each wanted key. Only
// the streams of these are read.
type flatRowColumn struct {
	nulls   *boolStream
	fields  []flatField
	pool    *pool.Pool
	present pool.Buf[uint64]
	vec     *vector.Row
}

// flatField is a field: a key, or nothing but nulls if the file does not have it.
type flatField struct {
	key     flatKeyColumn
	missing *missingColumn
}

func newFlatRowColumn(b *builder, n *node, as *Type) (column, error) {
	if err := uniqueNames(as.Names); err != nil {
		return nil, err
	}
	c := &flatRowColumn{nulls: newBoolStream(b, n.stream), pool: b.session.Pool(), vec: vector.NewRow(b.session.Pool())}
	for i, name := range as.Names {
		var f flatField
		var err error
		if k := n.key(name); k == nil {
			if err = b.checkFlatValues(n, as.Children[i]); err == nil {
				f.missing, err = newMissingColumn(b, as.Children[i])
			}
		} else {
			f.key, err = newFlatKey(b, k, as.Children[i])
		}
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", name, err)
		}
		c.fields = append(c.fields, f)
		c.vec.Fields = append(c.vec.Fields, f.column().vector())
	}
	return c, nil
}

func (f *flatField) column() column {
	if f.missing != nil {
		return f.missing
	}
	return f.key.value
}

func (c *flatRowColumn) vector() vector.Vector            { return c.vec }
func (c *flatRowColumn) readSel(n int, sel []int32) error { return readAndKeep(c, n, sel) }
func (c *flatRowColumn) skip(n int) error                 { return inBlocks(n, c.read) }

func (c *flatRowColumn) stored() bool {
	for i := range c.fields {
		if c.fields[i].column().stored() {
			return true
		}
	}
	return false
}

func (c *flatRowColumn) restart() {
	for i := range c.fields {
		c.fields[i].column().restart()
	}
}

func (c *flatRowColumn) release() {
	for i := range c.fields {
		c.fields[i].column().release()
		pool.Put(c.pool, &c.fields[i].key.bits)
	}
	pool.Put(c.pool, &c.present)
	c.vec.Release()
}

func (c *flatRowColumn) read(n int) error {
	c.vec.N, c.vec.Valid = n, nil
	present := n
	if !c.nulls.absent {
		pool.Grow(c.pool, &c.present, vector.Words(n))
		var err error
		if present, err = c.nulls.readPresence(c.present.S, n); err != nil {
			return err
		}
		if present < n {
			c.vec.Valid = c.present.S
		}
	}
	for i := range c.fields {
		f := &c.fields[i]
		if f.missing != nil {
			if err := f.missing.read(n); err != nil {
				return err
			}
			continue
		}
		if err := f.key.read(c.pool, present); err != nil {
			return err
		}
		if present < n {
			vector.Spread(f.key.value.vector(), c.present.S, n)
		}
	}
	return nil
}

// read reads the values of n present maps, null where a map does not have the key.
func (k *flatKeyColumn) read(p *pool.Pool, n int) error {
	count := 0
	if k.stored() {
		var err error
		if count, err = k.mapsWith(p, n); err != nil {
			return err
		}
	} else {
		pool.Grow(p, &k.bits, vector.Words(n))
		clear(k.bits.S)
	}
	if err := k.value.read(count); err != nil {
		return err
	}
	if count < n {
		vector.Spread(k.value.vector(), k.bits.S, n)
	}
	return nil
}
