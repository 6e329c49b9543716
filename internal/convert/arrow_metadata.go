package convert

import (
	"encoding/binary"
	"fmt"

	"github.com/decantdb/decant/nimble"
)

// arrowMetadata checks the FlatBuffer that describes an Arrow message before Arrow's
// reader sees it, which makes room for as many fields, buffers and texts as it says
// there are.
//
//	table    vtable:i32 field bytes      vtable = table - vtable:i32
//	vtable   size:u16 tableSize:u16 field:u16 × n    0 = absent
//	vector   n:u32 element × n
//
// Everything that is reached is counted, each time: offsets that share a target do not
// make a small buffer look large.
type arrowMetadata struct {
	buf  []byte
	left int // bytes that may still be reached
	err  error
}

// Kinds of messages.
const (
	arrowSchemaMessage     = 1
	arrowDictionaryMessage = 2
	arrowRecordMessage     = 3
)

// maxMetadataTimes is how often all of the metadata may be reached.
const maxMetadataTimes = 16

// arrowTable is a table of an arrowMetadata. The zero one has no fields.
type arrowTable struct{ at, vtable, slots int }

// checkMessage checks a message and returns how long its body is.
func checkMessage(buf []byte) (bodyBytes int64, err error) {
	m := arrowMetadata{buf: buf, left: maxMetadataTimes * len(buf)}
	root := m.table(0)
	switch header := m.tableIn(root, 2); m.number(root, 1, 1) {
	case arrowSchemaMessage:
		m.schema(header)
	case arrowDictionaryMessage:
		m.record(m.tableIn(header, 1))
	case arrowRecordMessage:
		m.record(header)
	}
	m.texts(root, 4)
	bodyBytes = int64(m.number(root, 3, 8))
	return bodyBytes, m.err
}

// checkFooter checks a file's footer and returns how many records the file has.
func checkFooter(buf []byte) (records int, err error) {
	m := arrowMetadata{buf: buf, left: maxMetadataTimes * len(buf)}
	_, records = m.vector(m.table(0), 3, 24)
	return records, m.err
}

func (m *arrowMetadata) schema(t arrowTable) {
	m.fields(t, 1, 0)
	m.texts(t, 2)
}

// fields checks a vector of fields and, below these, all others.
func (m *arrowMetadata) fields(t arrowTable, slot, depth int) {
	at, n := m.vector(t, slot, 4)
	if n > 0 && depth > nimble.MaxDepth {
		m.fail("it is nested more than %d levels", nimble.MaxDepth)
	}
	for i := 0; i < n && m.err == nil; i++ {
		field := m.table(at + 4*i)
		m.vector(field, 0, 1)
		m.fields(field, 5, depth+1)
		m.texts(field, 6)
	}
}

// texts checks keys and values.
func (m *arrowMetadata) texts(t arrowTable, slot int) {
	at, n := m.vector(t, slot, 4)
	for i := 0; i < n && m.err == nil; i++ {
		pair := m.table(at + 4*i)
		m.vector(pair, 0, 1)
		m.vector(pair, 1, 1)
	}
}

// record checks where the buffers of a record are.
func (m *arrowMetadata) record(t arrowTable) {
	m.vector(t, 1, 16)
	_, buffers := m.vector(t, 2, 16)
	at, n := m.vector(t, 4, 8)
	for i := range n {
		if views := binary.LittleEndian.Uint64(m.buf[at+8*i:]); views > uint64(buffers) {
			m.fail("%d buffers of views among %d", views, buffers)
		}
	}
}

func (m *arrowMetadata) fail(format string, args ...any) {
	if m.err == nil {
		m.err = fmt.Errorf("arrow: %w: metadata: %s", ErrCorrupt, fmt.Sprintf(format, args...))
	}
}

// reach reports whether there are n bytes at a place.
func (m *arrowMetadata) reach(at, n int) bool {
	switch {
	case m.err != nil:
	case at < 0 || n < 0 || at > len(m.buf) || n > len(m.buf)-at:
		m.fail("%d bytes at byte %d of %d", n, at, len(m.buf))
	case n > m.left:
		m.fail("its parts are more than it")
	default:
		m.left -= n
	}
	return m.err == nil
}

// follow returns where an offset leads.
func (m *arrowMetadata) follow(at int) int {
	if !m.reach(at, 4) {
		return 0
	}
	return at + int(binary.LittleEndian.Uint32(m.buf[at:]))
}

// table returns the table to which an offset leads.
func (m *arrowMetadata) table(offset int) arrowTable {
	at := m.follow(offset)
	if !m.reach(at, 4) {
		return arrowTable{}
	}
	vtable := at - int(int32(binary.LittleEndian.Uint32(m.buf[at:])))
	if !m.reach(vtable, 4) {
		return arrowTable{}
	}
	size := int(binary.LittleEndian.Uint16(m.buf[vtable:]))
	if size < 4 || !m.reach(vtable, size) {
		m.fail("a table without fields")
		return arrowTable{}
	}
	return arrowTable{at, vtable, (size - 4) / 2}
}

// place returns where a field of a table is, 0 if it is absent.
func (m *arrowMetadata) place(t arrowTable, slot int) int {
	if m.err != nil || slot >= t.slots {
		return 0
	}
	place := int(binary.LittleEndian.Uint16(m.buf[t.vtable+4+2*slot:]))
	if place == 0 {
		return 0
	}
	return t.at + place
}

// number returns an integer of so many bytes, 0 if it is absent.
func (m *arrowMetadata) number(t arrowTable, slot, size int) uint64 {
	at := m.place(t, slot)
	if at == 0 || !m.reach(at, size) {
		return 0
	}
	if size == 1 {
		return uint64(m.buf[at])
	}
	return binary.LittleEndian.Uint64(m.buf[at:])
}

func (m *arrowMetadata) tableIn(t arrowTable, slot int) arrowTable {
	at := m.place(t, slot)
	if at == 0 {
		return arrowTable{}
	}
	return m.table(at)
}

// vector returns where the elements of a vector begin and how many there are.
func (m *arrowMetadata) vector(t arrowTable, slot, size int) (at, n int) {
	place := m.place(t, slot)
	if place == 0 {
		return 0, 0
	}
	at = m.follow(place)
	if !m.reach(at, 4) {
		return 0, 0
	}
	n = int(binary.LittleEndian.Uint32(m.buf[at:]))
	if !m.reach(at+4, n*size) {
		return 0, 0
	}
	return at + 4, n
}
