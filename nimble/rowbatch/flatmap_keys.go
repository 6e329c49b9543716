package rowbatch

import (
	"strconv"

	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// keyNames writes the keys of a flat map's entries.
type keyNames interface {
	output() vector.Vector
	bind(v vector.Vector) error
	// reserve makes room for entries up to end.
	reserve(end int)
	// place writes a key to the entries slots.
	place(key int, slots []uint32)
	// repeat writes some keys, over and over, to the entries from at on.
	repeat(at int, keys []uint32, times int)
	// finish makes the keys independent of the schema.
	finish() error
}

// newKeyNames returns the writer of the given keys, which are texts.
func newKeyNames(p *pool.Pool, kind nimble.Kind, keys []nimble.StreamKey) (keyNames, error) {
	switch kind {
	case nimble.TinyInt:
		return newIntegerNames[int8](p, 8, keys)
	case nimble.SmallInt:
		return newIntegerNames[int16](p, 16, keys)
	case nimble.Integer:
		return newIntegerNames[int32](p, 32, keys)
	case nimble.BigInt:
		return newIntegerNames[int64](p, 64, keys)
	}
	n := &names[vector.View]{pool: p}
	var text []byte
	for _, k := range keys {
		begin := len(text)
		text = append(text, k.Name...)
		// The buffer is the first of its list.
		n.keys = append(n.keys, vector.MakeView(text[begin:], 0, uint32(begin)))
	}
	n.text.Add(text)
	return n, nil
}

func newIntegerNames[K int8 | int16 | int32 | int64](p *pool.Pool, bits int, keys []nimble.StreamKey) (*names[K], error) {
	n := &names[K]{pool: p}
	for _, k := range keys {
		x, err := strconv.ParseInt(k.Name, 10, bits)
		if err != nil {
			return nil, schemaf("key %q is not an integer of %d bits", k.Name, bits)
		}
		n.keys = append(n.keys, K(x))
	}
	return n, nil
}

// names is keyNames for keys that vectors hold as K.
type names[K vector.Value] struct {
	pool *pool.Pool
	keys []K
	text vector.Buffers // of strings
	vec  *vector.Vec[K]
}

func (k *names[K]) output() vector.Vector { return vector.NewVec[K](k.pool) }

func (k *names[K]) bind(v vector.Vector) error {
	vec, ok := v.(*vector.Vec[K])
	if !ok {
		return misfit(v, vector.KindOf[K]().String())
	}
	vec.Reset()
	k.vec = vec
	return nil
}

func (k *names[K]) reserve(end int) {
	k.vec.ReserveValues(end)
	k.vec.N = end
}

func (k *names[K]) place(key int, slots []uint32) {
	x, values := k.keys[key], k.vec.Values
	for _, s := range slots {
		values[s] = x
	}
}

func (k *names[K]) repeat(at int, keys []uint32, times int) {
	if len(keys) == 0 || times == 0 {
		return
	}
	dst := k.vec.Values[at : at+len(keys)*times]
	kernel.Gather(dst[:len(keys)], k.keys, keys)
	// Doubling what is there, up to what stays in the cache.
	const most = 4096
	done := len(keys)
	for done < len(dst) {
		done += copy(dst[done:], dst[:min(done, max(len(keys), most/len(keys)*len(keys)))])
	}
}

func (k *names[K]) finish() error {
	if views, ok := any(k.vec).(*vector.Vec[vector.View]); ok {
		return vector.AdoptStrings(views, 0, k.text.List())
	}
	return nil
}
