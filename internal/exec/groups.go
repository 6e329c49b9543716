package exec

import (
	"errors"

	"github.com/decantdb/decant/vector"
)

var errKeyMismatch = errors.New("exec: group keys of different types")

// groups numbers the distinct combinations of group keys. With one key a
// group's number is the key's; each further key pairs the number so far with
// its own.
type groups struct {
	keys  []keyColumn
	pairs []pairTable // of keys[1:]

	ids, next []uint32
}

// pairTable numbers pairs of numbers. While both stay small it looks them up in
// an array of denseSpan entries.
type pairTable struct {
	table idTable // key: a<<32 | b
	near  []uint32
}

// nearBits bounds each of a pair's numbers for the array.
const nearBits = 8

func (p *pairTable) reset() {
	p.table.reset()
	clear(p.near)
}

func (p *pairTable) id(a, b uint32) uint32 {
	if (a|b)>>nearBits != 0 {
		if a == noGroup || b == noGroup {
			return noGroup
		}
		id := p.table.id(uint64(a)<<32 | uint64(b))
		if id == tableFull {
			return noGroup
		}
		return id
	}
	if p.near == nil {
		p.near = make([]uint32, 1<<(2*nearBits))
	}
	at := &p.near[a<<nearBits|b]
	if *at == 0 {
		id := p.table.id(uint64(a)<<32 | uint64(b))
		if id == tableFull {
			return noGroup
		}
		*at = id + 1
	}
	return *at - 1
}

// noGroup is the group of a row whose values would be one group too many. In the
// numbers of keys it stands behind tableFull, as all numbers are one more there.
const noGroup = tableFull + 1

// keySlack is how many values a key may have beyond the groups: those that a
// dictionary has and no row.
const keySlack = 1 << 16

// limitTo bounds the groups; 0 is no bound.
func (g *groups) limitTo(n int) {
	ofKeys := n
	if n > 0 {
		ofKeys += keySlack
	}
	for _, k := range g.keys {
		k.limitTo(ofKeys)
	}
	for i := range g.pairs {
		g.pairs[i].table.limit = n
	}
}

func (g *groups) reset() {
	for _, k := range g.keys {
		k.reset()
	}
	for i := range g.pairs {
		g.pairs[i].reset()
	}
}

// len returns the number of groups, or a bound of it: with one key not every
// number has rows.
func (g *groups) len() int {
	switch len(g.keys) {
	case 0:
		return 1
	case 1:
		return g.keys[0].len()
	}
	return g.pairs[len(g.pairs)-1].table.len()
}

// number returns the group of each of n rows, valid until the next call.
func (g *groups) number(n int, vecs []vector.Vector) ([]uint32, error) {
	if cap(g.ids) < n {
		g.ids, g.next = make([]uint32, n), make([]uint32, n)
	}
	ids, next := g.ids[:n], g.next[:n]
	for i, k := range g.keys {
		if i == 0 {
			if err := k.ids(ids, vecs[0]); err != nil {
				return nil, err
			}
			continue
		}
		if err := k.ids(next, vecs[i]); err != nil {
			return nil, err
		}
		p := &g.pairs[i-1]
		for j, b := range next {
			ids[j] = p.id(ids[j], b)
		}
	}
	return ids, nil
}

// keyIDs returns the number of key i's value for each of the groups.
func (g *groups) keyIDs(i int, ids []uint32) []uint32 {
	out := make([]uint32, len(ids))
	copy(out, ids)
	for level := len(g.pairs) - 1; level >= 0; level-- {
		keys := g.pairs[level].table.keys
		if level+1 == i {
			for j, id := range out {
				out[j] = uint32(keys[id])
			}
			return out
		}
		for j, id := range out {
			out[j] = uint32(keys[id] >> 32)
		}
	}
	return out
}

// merge returns, for each group of o, the number of that group here.
func (g *groups) merge(o *groups) ([]uint32, error) {
	if len(g.keys) == 0 {
		return []uint32{0}, nil
	}
	ids := make([]uint32, o.keys[0].len())
	if err := g.keys[0].merge(ids, o.keys[0]); err != nil {
		return nil, err
	}
	for i := range o.pairs {
		second := make([]uint32, o.keys[i+1].len())
		if err := g.keys[i+1].merge(second, o.keys[i+1]); err != nil {
			return nil, err
		}
		pairs := o.pairs[i].table.keys
		merged := make([]uint32, len(pairs))
		for j, key := range pairs {
			merged[j] = g.pairs[i].id(ids[key>>32], second[uint32(key)])
		}
		ids = merged
	}
	return ids, nil
}
