package flatbuf

import "encoding/binary"

// A Table is one table of a buffer. The zero Table is an absent one: all its
// fields are absent. Slots number the fields of a schema from 0; slots that the
// writer did not know are absent.
type Table struct {
	r     *Reader
	pos   int
	size  int
	slots []byte
	depth int
}

// Present reports whether the table is there.
func (t Table) Present() bool { return t.r != nil }

// place returns where in the table the field of slot is, or 0.
func (t Table) place(slot int) int {
	if slot >= len(t.slots)/slotSize {
		return 0
	}
	return int(binary.LittleEndian.Uint16(t.slots[slot*slotSize:]))
}

// field returns the place in the buffer of a field of size bytes.
func (t Table) field(slot, size int) (int, bool) {
	place := t.place(slot)
	if place == 0 || t.r.err != nil {
		return 0, false
	}
	if place < offsetSize || place > t.size-size {
		t.r.fail("table at %d of %d bytes has field %d at %d", t.pos, t.size, slot, place)
		return 0, false
	}
	return t.pos + place, true
}

// Field returns the scalar of slot, or absent if it is not stored.
func Field[T Scalar](t Table, slot int, absent T) T {
	pos, ok := t.field(slot, sizeOf[T]())
	if !ok {
		return absent
	}
	return load[T](t.r.buf[pos:])
}

// Bool returns the bool of slot, false if it is not stored.
func (t Table) Bool(slot int) bool { return Field[uint8](t, slot, 0) != 0 }

// Table returns the table of slot, absent if it is not stored.
func (t Table) Table(slot int) Table {
	pos, ok := t.target(slot)
	if !ok {
		return Table{}
	}
	return t.r.table(pos, t.depth+1)
}

// Bytes returns the bytes of a string or a vector of bytes, as they are: a
// string need not be UTF-8. It is nil if the field is not stored and not nil if
// it is empty.
func (t Table) Bytes(slot int) []byte {
	pos, ok := t.target(slot)
	if !ok {
		return nil
	}
	b, _ := t.r.vector(pos, 1)
	return b
}

// target follows the offset of slot.
func (t Table) target(slot int) (int, bool) {
	pos, ok := t.field(slot, offsetSize)
	if !ok {
		return 0, false
	}
	return t.r.follow(pos)
}

// A Vec is a vector of scalars. The zero Vec is an absent one, of length 0. It
// borrows the buffer and may be read by several goroutines.
type Vec[T Scalar] struct{ data []byte }

// Vector returns the vector of slot, absent if it is not stored.
func Vector[T Scalar](t Table, slot int) Vec[T] {
	pos, ok := t.target(slot)
	if !ok {
		return Vec[T]{}
	}
	data, _ := t.r.vector(pos, sizeOf[T]())
	return Vec[T]{data: data}
}

// Present reports whether the vector is there, be it empty.
func (v Vec[T]) Present() bool { return v.data != nil }

// Len returns the number of elements.
func (v Vec[T]) Len() int { return len(v.data) / sizeOf[T]() }

// At returns element i, which must be below Len.
func (v Vec[T]) At(i int) T { return load[T](v.data[i*sizeOf[T]():]) }

// AppendTo appends all elements to dst.
func (v Vec[T]) AppendTo(dst []T) []T {
	for i := range v.Len() {
		dst = append(dst, v.At(i))
	}
	return dst
}

// Refs is a vector of offsets to tables or to strings. The zero Refs is an
// absent one, of length 0.
type Refs struct {
	r     *Reader
	start int
	n     int
	depth int
}

// Refs returns the vector of slot, absent if it is not stored.
func (t Table) Refs(slot int) Refs {
	pos, ok := t.target(slot)
	if !ok {
		return Refs{}
	}
	data, start := t.r.vector(pos, offsetSize)
	if data == nil {
		return Refs{}
	}
	return Refs{r: t.r, start: start, n: len(data) / offsetSize, depth: t.depth}
}

// Present reports whether the vector is there, be it empty.
func (v Refs) Present() bool { return v.r != nil }

// Len returns the number of elements.
func (v Refs) Len() int { return v.n }

// Table returns element i, which must be below Len, as a table.
func (v Refs) Table(i int) Table {
	pos, ok := v.r.follow(v.start + i*offsetSize)
	if !ok {
		return Table{}
	}
	return v.r.table(pos, v.depth+1)
}

// Bytes returns element i, which must be below Len, as the bytes of a string.
func (v Refs) Bytes(i int) []byte {
	pos, ok := v.r.follow(v.start + i*offsetSize)
	if !ok {
		return nil
	}
	b, _ := v.r.vector(pos, 1)
	return b
}
