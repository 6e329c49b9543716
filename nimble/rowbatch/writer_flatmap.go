package rowbatch

import (
	"fmt"
	"strconv"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// MaxKeys is how many keys a flat map may have.
const MaxKeys = 200_000

// flatMapWriter writes maps as a flat map: the values of each key apart.
type flatMapWriter struct {
	outlet
	s       *Serializer
	node    *nimble.StreamNode
	layouts *Layouts
	fixed   bool // takes no new keys
	index   keyIndex
	take    func(text string) error // add
	values  []writer
	inMaps  []outlet
	counts  []uint32 // entries of each key
	seen    []uint32 // the number of the last map that had the key, counted from 1
	entries pool.Buf[int32]
	maps    pool.Buf[uint32]
}

// keyIndex finds the number of keys.
type keyIndex interface {
	// find sets ids to the numbers of the selected keys of v. Keys that are not
	// known are added by way of add, which is given their text.
	find(v vector.Vector, sel selection, ids []uint32, add func(text string) error) error
	// note gives a key the next number.
	note(text string) error
}

func (s *Serializer) flatMapWriter(n *nimble.StreamNode, l *Layouts, o outlet) (writer, error) {
	o.typ = encoding.Bool
	w := &flatMapWriter{outlet: o, s: s, node: n, layouts: l}
	w.take = w.add
	switch n.Type.Children[0].Kind {
	case nimble.TinyInt:
		w.index = &integerIndex[int8]{}
	case nimble.SmallInt:
		w.index = &integerIndex[int16]{}
	case nimble.Integer:
		w.index = &integerIndex[int32]{}
	case nimble.BigInt:
		w.index = &integerIndex[int64]{}
	default:
		w.index = &stringIndex{}
	}
	for i := range n.Keys {
		if err := w.open(i); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// open makes the writers of key i of the schema.
func (w *flatMapWriter) open(i int) error {
	k := &w.node.Keys[i]
	value, err := w.s.writer(k.Value, w.layouts.key(k.Name))
	if err != nil {
		return fmt.Errorf("key %q: %w", k.Name, err)
	}
	inMap, err := w.s.outlet(k.InMap, encoding.Bool, nil)
	if err != nil {
		return err
	}
	if err := w.index.note(k.Name); err != nil {
		return err
	}
	w.values, w.inMaps = append(w.values, value), append(w.inMaps, inMap)
	w.counts, w.seen = append(w.counts, 0), append(w.seen, 0)
	return nil
}

// add takes a key that the schema does not have.
func (w *flatMapWriter) add(text string) error {
	if w.fixed {
		return fmt.Errorf("%w: %q is not in the schema", ErrKey, text)
	}
	if len(w.node.Keys) == MaxKeys {
		return fmt.Errorf("%w: more than %d keys", ErrKey, MaxKeys)
	}
	if err := w.s.schema.addKey(w.node, text); err != nil {
		return err
	}
	return w.open(len(w.node.Keys) - 1)
}

func (w *flatMapWriter) write(v vector.Vector, sel selection) error {
	vec, ok := v.(*vector.Map)
	if !ok {
		return mismatch(v, w.node.Type)
	}
	if vec.Keys.Validity() != nil {
		return fmt.Errorf("%w: null", ErrKey)
	}
	valid := validityOf(w.pool, vec.Valid, sel)
	defer valid.release()
	if err := w.nulls(&valid, sel.n); err != nil {
		return err
	}
	var list pool.Buf[int32]
	defer pool.Put(w.pool, &list)
	maps := valid.present(sel, &list)
	defer pool.Put(w.pool, &w.entries)
	defer pool.Put(w.pool, &w.maps)
	if err := w.sort(vec, maps); err != nil {
		return err
	}
	return w.writeKeys(vec.Values, maps.n)
}

// sort puts the entries of maps into w.entries, and the numbers of their maps
// into w.maps, key by key; w.counts says how many of each.
func (w *flatMapWriter) sort(vec *vector.Map, maps selection) error {
	total := 0
	for i := range maps.n {
		begin, end := vec.Span(maps.row(i))
		total += end - begin
	}
	ids := pool.Get[uint32](w.pool, total)
	defer pool.Put(w.pool, &ids)
	at := 0
	for i := range maps.n {
		begin, end := vec.Span(maps.row(i))
		n := end - begin
		err := w.index.find(vec.Keys, selection{from: begin, n: n}, ids.S[at:at+n], w.take)
		if err != nil {
			return err
		}
		at += n
	}
	if err := w.count(vec, maps, ids.S); err != nil {
		return err
	}
	w.entries = pool.Get[int32](w.pool, total)
	w.maps = pool.Get[uint32](w.pool, total)
	places := pool.Get[uint32](w.pool, len(w.counts))
	defer pool.Put(w.pool, &places)
	next := uint32(0)
	for k, n := range w.counts {
		places.S[k] = next
		next += n
	}
	at = 0
	for i := range maps.n {
		begin, end := vec.Span(maps.row(i))
		for e := begin; e < end; e++ {
			place := &places.S[ids.S[at]]
			w.entries.S[*place], w.maps.S[*place] = int32(e), uint32(i)
			*place++
			at++
		}
	}
	return nil
}

// count counts the entries of each key and refuses maps that have one twice.
func (w *flatMapWriter) count(vec *vector.Map, maps selection, ids []uint32) error {
	clear(w.counts)
	clear(w.seen)
	at := 0
	for i := range maps.n {
		begin, end := vec.Span(maps.row(i))
		for range end - begin {
			id := ids[at]
			at++
			if w.seen[id] == uint32(i+1) {
				return fmt.Errorf("%w: %q twice in one map", ErrKey, w.node.Keys[id].Name)
			}
			w.seen[id] = uint32(i + 1)
			w.counts[id]++
		}
	}
	return nil
}

// writeKeys writes the values of each key, and which maps have it, unless all
// have or none has.
func (w *flatMapWriter) writeKeys(values vector.Vector, maps int) error {
	bits := pool.Get[uint64](w.pool, vector.Words(maps))
	defer pool.Put(w.pool, &bits)
	at := 0
	for k, n := range w.counts {
		if n == 0 {
			continue
		}
		end := at + int(n)
		if err := w.values[k].write(values, selection{n: int(n), list: w.entries.S[at:end]}); err != nil {
			return fmt.Errorf("key %q: %w", w.node.Keys[k].Name, err)
		}
		if int(n) < maps {
			clear(bits.S)
			for _, m := range w.maps.S[at:end] {
				vector.SetBit(bits.S, int(m))
			}
			if err := w.inMaps[k].bools(bits.S, nil, maps); err != nil {
				return err
			}
		}
		at = end
	}
	return nil
}

// integerIndex is keyIndex of integers.
type integerIndex[K int8 | int16 | int32 | int64] struct {
	keys []K
	ids  map[K]uint32
}

func (x *integerIndex[K]) note(text string) error {
	k, err := strconv.ParseInt(text, 10, 64)
	if err != nil || int64(K(k)) != k {
		return schemaf("key %q is not an integer of the flat map's type", text)
	}
	if x.ids == nil {
		x.ids = map[K]uint32{}
	}
	x.ids[K(k)] = uint32(len(x.keys))
	x.keys = append(x.keys, K(k))
	return nil
}

func (x *integerIndex[K]) find(v vector.Vector, sel selection, ids []uint32, add func(string) error) error {
	vec, ok := v.(*vector.Vec[K])
	if !ok {
		return schemaf("keys are a vector of kind %v", v.Kind())
	}
	next := 0 // keys tend to come in the order of the schema
	for i := range ids {
		k := vec.Values[vec.ValueIndex(sel.row(i))]
		if next < len(x.keys) && x.keys[next] == k {
			ids[i] = uint32(next)
			next++
			continue
		}
		id, ok := x.ids[k]
		if !ok {
			id = uint32(len(x.keys))
			if err := add(strconv.FormatInt(int64(k), 10)); err != nil {
				return err
			}
		}
		ids[i], next = id, int(id)+1
	}
	return nil
}

// stringIndex is keyIndex of strings.
type stringIndex struct {
	keys []string
	ids  map[string]uint32
}

func (x *stringIndex) note(text string) error {
	if x.ids == nil {
		x.ids = map[string]uint32{}
	}
	x.ids[text] = uint32(len(x.keys))
	x.keys = append(x.keys, text)
	return nil
}

func (x *stringIndex) find(v vector.Vector, sel selection, ids []uint32, add func(string) error) error {
	vec, ok := v.(*vector.Vec[vector.View])
	if !ok {
		return schemaf("keys are a vector of kind %v", v.Kind())
	}
	buffers := vec.Buffers.List()
	next := 0
	for i := range ids {
		k := vec.Values[vec.ValueIndex(sel.row(i))].Bytes(buffers)
		if next < len(x.keys) && x.keys[next] == string(k) {
			ids[i] = uint32(next)
			next++
			continue
		}
		id, ok := x.ids[string(k)]
		if !ok {
			id = uint32(len(x.keys))
			if err := add(string(k)); err != nil {
				return err
			}
		}
		ids[i], next = id, int(id)+1
	}
	return nil
}
