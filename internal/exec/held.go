package exec

import (
	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/vector"
)

// heldBytes returns about what a vector holds of its own.
func heldBytes(v vector.Vector) int {
	bytes := 8 * cap(v.Validity())
	switch v := v.(type) {
	case *vector.Vec[int32]:
		bytes += 4 * cap(v.Values)
	case *vector.Vec[int64]:
		bytes += 8 * cap(v.Values)
	case *vector.Vec[float32]:
		bytes += 4 * cap(v.Values)
	case *vector.Vec[float64]:
		bytes += 8 * cap(v.Values)
	case *vector.Vec[vector.View]:
		bytes += 16*cap(v.Values) + vector.StringBytes(v)
	case *vector.List:
		bytes += 4*cap(v.Offsets) + heldBytes(v.Elem)
	default:
		bytes += 8 * v.Len()
	}
	return bytes
}

// holder tells the meter what something holds, from time to time.
type holder struct{ bytes int }

// set says that bytes are held now.
func (h *holder) set(m *fn.Meter, bytes int) error {
	err := m.Hold(bytes - h.bytes)
	h.bytes = bytes
	return err
}

func (t *idTable) bytes() int { return 8*cap(t.keys) + 4*cap(t.slots) }

func (t *denseTable) bytes() int { return t.table.bytes() + 4*cap(t.near) }

func (t *textTable) bytes() int {
	return cap(t.content) + 8*cap(t.ends) + 8*cap(t.hashes) + 4*cap(t.slots)
}

func (k *wholeKey) bytes() int { return k.table.bytes() }
func (k *floatKey) bytes() int { return k.table.bytes() }
func (k *textKey) bytes() int  { return k.texts.bytes() }

func (g *groups) bytes() int {
	bytes := 0
	for _, k := range g.keys {
		bytes += k.bytes()
	}
	for i := range g.pairs {
		bytes += g.pairs[i].table.bytes() + 4*cap(g.pairs[i].near)
	}
	return bytes
}

func (a *accumulator) bytes() int {
	return 8 * (cap(a.nulls) + cap(a.sums) + cap(a.mins) + cap(a.maxs))
}

func (s *groupSink) bytes() int {
	bytes := s.groups.bytes() + 8*cap(s.rows)
	for _, a := range s.accs {
		bytes += a.bytes()
	}
	for _, c := range s.calls {
		bytes += c.state.Bytes()
	}
	return bytes
}
