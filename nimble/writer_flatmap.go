package nimble

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/decantdb/decant/vector"
)

// ErrTooManyKeys means that a flat map has more keys than the writer's options
// allow.
var ErrTooManyKeys = errors.New("too many keys in a flat map")

// flatMapField writes maps key by key: which maps are present, and for each key
// which of those have it, and its values. Keys get their streams when they are
// first seen.
type flatMapField struct {
	node     *node
	builder  *fieldBuilder
	nulls    nulls
	keys     []*keyField
	finder   slotFinder
	limit    int
	closed   bool // to keys that were not given
	drop     bool // what constant in-map streams say
	maps     int  // present ones of the stripe
	written  uint64
	slots    []int32 // of each pair
	used     []int32 // slots of a batch, each once
	rows     []int32
	elements []int32
}

// keyField is a key with its streams.
type keyField struct {
	inMap inMap
	value fieldWriter
	pairs []int32 // of a batch
	last  uint64  // number of the map that had it last, from 1 on
}

// newFlatMapField returns the writer of n, a column, with keys that it has from
// the start.
func newFlatMapField(b *fieldBuilder, n *node, o *WriterOptions, keys []string) (*flatMapField, error) {
	f := &flatMapField{node: n, builder: b, limit: o.FlatMapKeys, drop: o.DropConstantInMaps && o.Unchunked}
	f.finder = newSlotFinder(n.typ.Children[0].Kind)
	b.add(&f.nulls)
	b.flatMaps = append(b.flatMaps, f)
	keys = slices.Sorted(slices.Values(keys))
	for _, label := range slices.Compact(keys) {
		if err := f.finder.define(f, label); err != nil {
			return nil, err
		}
	}
	f.closed = len(keys) > 0
	return f, nil
}

// addKey gives the key with the given text streams and returns its place.
func (f *flatMapField) addKey(label string) (int32, error) {
	if f.closed {
		return 0, fmt.Errorf("%w: the key %q of a flat map is not among those given", ErrSchema, label)
	}
	if len(f.keys) >= f.limit {
		return 0, fmt.Errorf("%w: %q is one more than %d", ErrTooManyKeys, label, f.limit)
	}
	value, err := f.builder.tree.node(f.node.typ.Children[1])
	if err != nil {
		return 0, err
	}
	number(value, f.node.index+2)
	k := &keyField{value: f.builder.field(value)}
	if f.builder.err != nil {
		return 0, f.builder.err
	}
	k.inMap.maps = &f.maps
	f.builder.add(&k.inMap)
	f.keys = append(f.keys, k)
	f.node.keys = append(f.node.keys, flatMapKey{label: label, inMap: f.builder.tree.id(), value: value})
	return int32(len(f.keys) - 1), nil
}

func (f *flatMapField) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Map)
	f.nulls.presence.add(vec.Valid, rows)
	maps := rows.present(vec.Valid, &f.rows)
	pairs := maps.elements(vec.Offsets, &f.elements)
	if err := requireKeys(vec, pairs); err != nil {
		return err
	}
	var err error
	if f.slots, err = f.finder.find(f.slots[:0], f, vec.Keys, pairs); err != nil {
		return err
	}
	if err := f.share(vec.Offsets, maps); err != nil {
		return err
	}
	nullable := pairs.countPresent(vec.Values.Validity()) < pairs.len()
	for _, slot := range f.used {
		k := f.keys[slot]
		if err := k.value.write(vec.Values, selection{list: k.pairs, listed: true, nullable: nullable}); err != nil {
			return fmt.Errorf("key %q: %w", f.node.keys[slot].label, err)
		}
		k.pairs = k.pairs[:0]
	}
	f.used = f.used[:0]
	return nil
}

// share gives each pair of maps to its key.
func (f *flatMapField) share(offsets []uint32, maps selection) error {
	next := 0
	for i := range maps.len() {
		row := maps.at(i)
		f.written++
		for e := offsets[row]; e < offsets[row+1]; e++ {
			slot := f.slots[next]
			next++
			k := f.keys[slot]
			if k.last == f.written {
				return fmt.Errorf("%w: the key %q occurs twice in a map", ErrSchema, f.node.keys[slot].label)
			}
			k.last = f.written
			if len(k.pairs) == 0 {
				f.used = append(f.used, slot)
			}
			k.pairs = append(k.pairs, int32(e))
			k.inMap.set(f.maps)
		}
		f.maps++
	}
	return nil
}

// settle leaves out in-map streams that say nothing which the values do not, now
// that the stripe's chunks are complete.
func (f *flatMapField) settle() {
	for _, k := range f.keys {
		if f.drop && k.inMap.have == f.maps && k.value.anchored() {
			k.inMap.chunked.clear()
		}
	}
}

// close adds what keeps the file readable: a map without any key has one that only
// keeps the type of the values, its text is empty; one whose only key is the empty
// text has another, in none of its maps.
func (f *flatMapField) close() error {
	switch {
	case len(f.keys) == 0:
		_, err := f.addKey("")
		return err
	case len(f.keys) == 1 && f.node.keys[0].label == "":
		f.closed = false
		_, err := f.addKey("\x00")
		return err
	}
	return nil
}

func (f *flatMapField) anchored() bool {
	return slices.ContainsFunc(f.keys, func(k *keyField) bool { return k.value.anchored() })
}

func (f *flatMapField) endStripe() { f.maps = 0 }

func (f *flatMapField) stats(all []ColumnStats) {
	s := &all[f.node.index]
	s.PhysicalBytes += f.nulls.physical
	for _, k := range f.keys {
		s.PhysicalBytes += k.inMap.physical
		k.value.stats(all)
	}
}

// inMap buffers which maps have a key. It is absent in stripes where none has.
type inMap struct {
	chunked
	maps *int     // of the stripe so far
	bits []uint64 // of maps that are not in chunks, up to the last with the key
	have int      // maps of the stripe with the key
}

// set notes that a map, by its number in the stripe, has the key.
func (s *inMap) set(m int) {
	m -= s.chunked.done
	for len(s.bits) < vector.Words(m+1) {
		s.bits = append(s.bits, 0)
	}
	vector.SetBit(s.bits, m)
	s.have++
}

func (s *inMap) rawBytes() int {
	if s.have == 0 {
		return 0
	}
	return *s.maps - s.chunked.done
}

func (s *inMap) reset() {
	s.chunked.clear()
	clear(s.bits)
	s.bits, s.have = s.bits[:0], 0
}

func (s *inMap) encode(e *streamEncoder, l limits) error {
	if s.have == 0 {
		return nil
	}
	n := *s.maps - s.chunked.done
	for len(s.bits) < vector.Words(n) {
		s.bits = append(s.bits, 0)
	}
	row, err := s.addBits(e, s.bits, n, false, l)
	if err != nil {
		return err
	}
	s.bits = dropBits(s.bits, row, n)
	return nil
}

// slotFinder finds the places of a flat map's keys.
type slotFinder interface {
	// find appends the places of keys, none of which is null, to dst, and adds to
	// f those that it does not have yet.
	find(dst []int32, f *flatMapField, keys vector.Vector, rows selection) ([]int32, error)
	// define adds the key with the given text to f.
	define(f *flatMapField, label string) error
}

func newSlotFinder(k Kind) slotFinder {
	switch k {
	case TinyInt:
		return &intSlots[int8]{slots: map[int8]int32{}, bits: 8}
	case SmallInt:
		return &intSlots[int16]{slots: map[int16]int32{}, bits: 16}
	case Integer:
		return &intSlots[int32]{slots: map[int32]int32{}, bits: 32}
	case BigInt:
		return &intSlots[int64]{slots: map[int64]int32{}, bits: 64}
	default:
		return &textSlots{slots: map[string]int32{}}
	}
}

// intSlots finds integers.
type intSlots[K int8 | int16 | int32 | int64] struct {
	slots  map[K]int32
	list   []K // by place
	bits   int
	values []K
}

func (s *intSlots[K]) find(dst []int32, f *flatMapField, keys vector.Vector, rows selection) ([]int32, error) {
	s.values = appendValues(s.values[:0], keys.(*vector.Vec[K]), rows)
	// Maps tend to have their keys in the same order.
	next := 0
	for _, x := range s.values {
		slot := int32(next)
		if next >= len(s.list) || s.list[next] != x {
			var ok bool
			if slot, ok = s.slots[x]; !ok {
				var err error
				if slot, err = s.add(f, x); err != nil {
					return dst, err
				}
			}
		}
		dst = append(dst, slot)
		next = int(slot) + 1
	}
	return dst, nil
}

func (s *intSlots[K]) add(f *flatMapField, x K) (int32, error) {
	slot, err := f.addKey(strconv.FormatInt(int64(x), 10))
	if err == nil {
		s.slots[x] = slot
		s.list = append(s.list, x)
	}
	return slot, err
}

func (s *intSlots[K]) define(f *flatMapField, label string) error {
	x, err := strconv.ParseInt(label, 10, s.bits)
	if err != nil || strconv.FormatInt(x, 10) != label {
		return fmt.Errorf("%w: the key %q is not an integer of %d bits", ErrSchema, label, s.bits)
	}
	_, err = s.add(f, K(x))
	return err
}

// textSlots finds strings.
type textSlots struct {
	slots map[string]int32
	views []vector.View
}

func (s *textSlots) find(dst []int32, f *flatMapField, keys vector.Vector, rows selection) ([]int32, error) {
	vec := keys.(*vector.Vec[vector.View])
	s.views = appendValues(s.views[:0], vec, rows)
	buffers := vec.Buffers.List()
	next := 0
	for i := range s.views {
		x := s.views[i].Bytes(buffers)
		slot := int32(next)
		if next >= len(f.node.keys) || f.node.keys[next].label != string(x) {
			var ok bool
			if slot, ok = s.slots[string(x)]; !ok {
				if err := s.define(f, string(x)); err != nil {
					return dst, err
				}
				slot = int32(len(f.keys) - 1)
			}
		}
		dst = append(dst, slot)
		next = int(slot) + 1
	}
	return dst, nil
}

func (s *textSlots) define(f *flatMapField, label string) error {
	slot, err := f.addKey(label)
	if err == nil {
		s.slots[label] = slot
	}
	return err
}
