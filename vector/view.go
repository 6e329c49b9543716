package vector

import (
	"bytes"
	"encoding/binary"
	"unsafe"
)

// InlineBytes is the longest string that a [View] holds in itself.
const InlineBytes = 12

// View is a string without a pointer, in the layout of Arrow's Utf8View:
//
//	length <= 12:  u32 length | 12 bytes, zero-filled
//	length >  12:  u32 length | 4-byte prefix | u32 buffer | u32 offset
//
// all little-endian, so two words: the length is the low half of the first.
type View [2]uint64

// InlineView returns the view of b, which has at most InlineBytes bytes.
func InlineView(b []byte) View {
	var raw [16]byte
	binary.LittleEndian.PutUint32(raw[:], uint32(len(b)))
	copy(raw[4:], b)
	return View{binary.LittleEndian.Uint64(raw[:8]), binary.LittleEndian.Uint64(raw[8:])}
}

// MakeView returns the view of b, which are the bytes at offset of buffer. A
// short b is held inline and the buffer is not referred to.
func MakeView(b []byte, buffer, offset uint32) View {
	if len(b) <= InlineBytes {
		return InlineView(b)
	}
	prefix := binary.LittleEndian.Uint32(b)
	return View{uint64(len(b)) | uint64(prefix)<<32, uint64(buffer) | uint64(offset)<<32}
}

// Len returns the number of bytes.
func (v View) Len() int { return int(uint32(v[0])) }

// Inline reports whether the bytes are held in the view itself.
func (v View) Inline() bool { return v.Len() <= InlineBytes }

// Bytes returns the bytes of v. An inline string's bytes are part of *v and
// change with it; others belong to the buffer.
func (v *View) Bytes(buffers [][]byte) []byte {
	n := v.Len()
	if n <= InlineBytes {
		return (*[16]byte)(unsafe.Pointer(v))[4 : 4+n : 4+n]
	}
	offset := int(v[1] >> 32)
	return buffers[uint32(v[1])][offset : offset+n : offset+n]
}

// EqualViews reports whether a and b are the same bytes.
func EqualViews(a *View, aBuffers [][]byte, b *View, bBuffers [][]byte) bool {
	if a[0] != b[0] { // length and prefix
		return false
	}
	if a.Inline() {
		return a[1] == b[1]
	}
	return bytes.Equal(a.Bytes(aBuffers), b.Bytes(bBuffers))
}

// CompareViews orders a and b by their bytes, as bytes.Compare does.
func CompareViews(a *View, aBuffers [][]byte, b *View, bBuffers [][]byte) int {
	return bytes.Compare(a.Bytes(aBuffers), b.Bytes(bBuffers))
}

// Buffers is a list of byte buffers to which views refer by number. A number
// stays what it is until its buffer is removed; then it is given out again.
// The zero Buffers is empty and ready.
type Buffers struct {
	list [][]byte
	free []uint32
}

// Add registers b, which the caller keeps alive and unchanged until it calls
// Remove with the number that Add returns.
func (s *Buffers) Add(b []byte) uint32 {
	if n := len(s.free); n > 0 {
		id := s.free[n-1]
		s.free = s.free[:n-1]
		s.list[id] = b
		return id
	}
	s.list = append(s.list, b)
	return uint32(len(s.list) - 1)
}

// Replace puts b in the place of the buffer registered under id, as when that
// has grown and moved.
func (s *Buffers) Replace(id uint32, b []byte) { s.list[id] = b }

// Remove forgets the buffer registered under id.
func (s *Buffers) Remove(id uint32) {
	s.list[id] = nil
	s.free = append(s.free, id)
}

// List returns the buffers by number, for [View.Bytes]. It is valid until the
// next Add, Replace or Remove. Of a nil s it is nil.
func (s *Buffers) List() [][]byte {
	if s == nil {
		return nil
	}
	return s.list
}
