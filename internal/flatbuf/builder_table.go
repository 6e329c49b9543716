package flatbuf

import "encoding/binary"

// A Value is what a table holds in one slot.
type Value struct {
	bits uint64
	size int
	ref  bool
}

// Number is a scalar; zero is the default and is not stored.
func Number[T Scalar](v T) Value {
	if v == 0 { // -0.0 too
		return Value{size: sizeOf[T]()}
	}
	return Value{bits: bitsOf(v), size: sizeOf[T]()}
}

// Bool is a bool; false is not stored.
func Bool(v bool) Value {
	if v {
		return Number[uint8](1)
	}
	return Number[uint8](0)
}

// Ref is a string, vector or table; 0 is not stored.
func Ref(o Offset) Value { return Value{bits: uint64(o), size: offsetSize, ref: true} }

// Table makes a table that holds values[i] in slot i. The fields are laid down
// as generated C++ code does: by size, the largest first, and within a size from
// the last slot to the first.
func (b *Builder) Table(values ...Value) Offset {
	b.places = append(b.places[:0], make([]Offset, len(values))...)
	start := b.size()
	last := -1
	for size := 8; size > 0; size /= 2 {
		for slot := len(values) - 1; slot >= 0; slot-- {
			v := values[slot]
			if v.size != size || v.bits == 0 {
				continue
			}
			b.putValue(v)
			b.places[slot] = Offset(b.size())
			last = max(last, slot)
		}
	}
	b.putUint32(0) // where the vtable is, known below
	table := b.size()
	vtable := binary.LittleEndian.AppendUint16(b.vtable[:0], uint16(vtableHeaderSize+slotSize*(last+1)))
	vtable = binary.LittleEndian.AppendUint16(vtable, uint16(table-start))
	for _, place := range b.places[:last+1] {
		if place != 0 {
			place = Offset(table) - place
		}
		vtable = binary.LittleEndian.AppendUint16(vtable, uint16(place))
	}
	b.vtable = vtable
	shared := b.shareVtable(vtable)
	binary.LittleEndian.PutUint32(b.buf[len(b.buf)-table:], uint32(shared)-uint32(table))
	return Offset(table)
}

func (b *Builder) putValue(v Value) {
	if v.ref {
		b.putOffset(Offset(v.bits))
		return
	}
	b.pad(0, v.size)
	storeBits(b.take(v.size), v.size, v.bits)
}
