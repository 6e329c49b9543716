package datatable

import "encoding/binary"

// sectionReader reads the parts of a section one after the other. After the
// first error it returns zeros.
type sectionReader struct {
	name string
	data []byte
	at   int
	err  error
}

func newReader(name string, data []byte) *sectionReader {
	return &sectionReader{name: name, data: data}
}

// take returns the next n bytes, nil after an error.
func (r *sectionReader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n < 0 || n > len(r.data)-r.at {
		r.err = corrupt(r.name, r.at, "%d bytes where %d are left", n, len(r.data)-r.at)
		return nil
	}
	r.at += n
	return r.data[r.at-n : r.at : r.at]
}

func (r *sectionReader) uint32() uint32 {
	if b := r.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

// blob returns the next lbytes or lstr.
func (r *sectionReader) blob() []byte { return r.take(int(int32(r.uint32()))) }

// count returns the number of entries that follow, of at least minBytes each.
// It is 0 after an error.
func (r *sectionReader) count(minBytes int) int {
	at := r.at
	n := int(int32(r.uint32()))
	if r.err == nil && (n < 0 || n > (len(r.data)-r.at)/minBytes) {
		r.err = corrupt(r.name, at, "%d entries in %d bytes", n, len(r.data)-r.at)
	}
	if r.err != nil {
		return 0
	}
	return n
}

// slotRange returns the two numbers of a slot of eight bytes.
func slotRange(slot []byte) (offset, length int) {
	return int(int32(binary.BigEndian.Uint32(slot))), int(int32(binary.BigEndian.Uint32(slot[4:])))
}

// cut returns n bytes of data from offset on, if there are so many.
func cut(data []byte, offset, n int) ([]byte, bool) {
	if offset < 0 || n < 0 || offset > len(data) || n > len(data)-offset {
		return nil, false
	}
	return data[offset : offset+n : offset+n], true
}
