package rowbatch

import "github.com/decantdb/decant/vector"

// mask says which of some rows are in the streams below: those whose bit is
// set. The others are null. The zero mask means all.
type mask struct {
	bits  []uint64
	begin int // bit of the first row
	set   int // how many rows are in the streams
}

func (m *mask) all() bool { return m.bits == nil }

// count returns how many of n rows are in the streams.
func (m *mask) count(n int) int {
	if m.all() {
		return n
	}
	return m.set
}

// spreadBits moves the first m.set of the n bits at begin of bits to the places
// of the rows that are in the streams, in order, and clears the others.
func (m *mask) spreadBits(bits []uint64, begin, n int) {
	next := m.set
	for i := n - 1; i >= 0; i-- {
		set := false
		if vector.Bit(m.bits, m.begin+i) {
			next--
			set = vector.Bit(bits, begin+next)
		}
		if set {
			vector.SetBit(bits, begin+i)
		} else {
			vector.ClearBit(bits, begin+i)
		}
	}
}

// joined returns the validity of rows [0, end) in room, of which [begin, end)
// were read. had says that there are nulls before, and nulls that there are
// among those read; then room holds the validity of these.
func joined(had, nulls bool, room []uint64, begin, end int) []uint64 {
	switch {
	case nulls && !had:
		vector.SetBits(room, 0, begin)
	case !nulls && had:
		vector.SetBits(room, begin, end)
	case !nulls:
		return nil
	}
	return room
}
