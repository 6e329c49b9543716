package flatbuf

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// An Offset names something that a Builder has made, by its distance from the
// end of the buffer in bytes. 0 names nothing: an absent field.
type Offset uint32

// A Builder makes one buffer from back to front: strings, vectors and tables
// are made before the table that refers to them, and what is made first lies
// last. For the same order of calls the bytes are those of the C++ builder:
// each thing is aligned to its own size counted from the end, and a table takes
// over the vtable of an earlier one only if all of it is equal, the table's size
// included. Reset allows it to be used again. A Builder belongs to one
// goroutine; its zero value is ready.
type Builder struct {
	buf     []byte // the buffer's end is the end of buf
	head    int    // first used byte of buf
	align   int    // largest alignment used
	vtables []Offset
	places  []Offset // scratch of Table: where its fields are
	vtable  []byte   // scratch of Table
}

// Reset makes b empty, keeping its memory.
func (b *Builder) Reset() {
	b.head = len(b.buf)
	b.align = 0
	b.vtables = b.vtables[:0]
}

// size is the number of bytes made so far.
func (b *Builder) size() int { return len(b.buf) - b.head }

// take makes n bytes in front and returns them, uninitialised.
func (b *Builder) take(n int) []byte {
	if n > b.head {
		used := b.size()
		grown := make([]byte, max(2*len(b.buf), used+n, 256))
		head := len(grown) - used
		copy(grown[head:], b.buf[b.head:])
		b.buf, b.head = grown, head
	}
	b.head -= n
	return b.buf[b.head : b.head+n]
}

// pad makes zero bytes so that after n further bytes the size is a multiple of
// align.
func (b *Builder) pad(n, align int) {
	b.align = max(b.align, align)
	clear(b.take(-(b.size() + n) & (align - 1)))
}

func (b *Builder) putUint32(v uint32) {
	b.pad(0, offsetSize)
	binary.LittleEndian.PutUint32(b.take(offsetSize), v)
}

// putOffset makes the offset field that refers to o.
func (b *Builder) putOffset(o Offset) {
	b.pad(0, offsetSize)
	b.putUint32(uint32(b.size()) + offsetSize - uint32(o))
}

// String makes a string.
func (b *Builder) String(s string) Offset {
	b.pad(len(s)+1, offsetSize)
	b.take(1)[0] = 0
	copy(b.take(len(s)), s)
	b.putUint32(uint32(len(s)))
	return Offset(b.size())
}

// Bytes makes a vector of bytes.
func (b *Builder) Bytes(v []byte) Offset {
	b.pad(len(v), offsetSize)
	copy(b.take(len(v)), v)
	b.putUint32(uint32(len(v)))
	return Offset(b.size())
}

// PutVector makes a vector of scalars.
func PutVector[T Scalar](b *Builder, v []T) Offset {
	size := sizeOf[T]()
	b.pad(size*len(v), offsetSize)
	b.pad(size*len(v), size)
	dst := b.take(size * len(v))
	for i, x := range v {
		storeBits(dst[i*size:], size, bitsOf(x))
	}
	b.putUint32(uint32(len(v)))
	return Offset(b.size())
}

// Refs makes a vector of strings or tables.
func (b *Builder) Refs(v []Offset) Offset {
	b.pad(offsetSize*len(v), offsetSize)
	for _, o := range slices.Backward(v) {
		b.putOffset(o)
	}
	b.putUint32(uint32(len(v)))
	return Offset(b.size())
}

// Finish ends the buffer with its root table and, unless empty, an identifier
// of four bytes. The result is valid until the next use of b.
func (b *Builder) Finish(root Offset, identifier string) []byte {
	b.pad(offsetSize+len(identifier), max(b.align, offsetSize))
	copy(b.take(len(identifier)), identifier)
	b.putOffset(root)
	return b.buf[b.head:]
}

// storeBits stores the low size bytes of bits.
func storeBits(dst []byte, size int, bits uint64) {
	for i := range size {
		dst[i] = byte(bits >> (8 * i))
	}
}

// shareVtable returns the vtable equal to v, made before or now.
func (b *Builder) shareVtable(v []byte) Offset {
	for _, o := range b.vtables {
		if bytes.HasPrefix(b.buf[len(b.buf)-int(o):], v) {
			return o
		}
	}
	copy(b.take(len(v)), v)
	o := Offset(b.size())
	b.vtables = append(b.vtables, o)
	return o
}
