package datatable

import (
	"encoding/binary"

	"github.com/decantdb/decant/pool"
)

// metadata holds what was set of each key.
type metadata struct {
	set   [numKeys]bool
	value [numKeys]metaValue
	text  pool.Buf[byte]
}

// metaValue is a number, or a text in metadata.text.
type metaValue struct {
	number     int64
	begin, end int
}

func (m *metadata) reset() {
	m.set = [numKeys]bool{}
	m.text.S = m.text.S[:0]
}

// SetMetadata sets a number of the table's metadata. The kind of the key is
// IntValue, which must hold the value, or LongValue. A key that the release of
// the reader does not know is not written.
func (b *Builder) SetMetadata(key MetadataKey, value int64) {
	switch {
	case !key.known() || key.Kind() != IntValue && key.Kind() != LongValue:
		b.misuse("metadata %v is no number", key)
	case key.Kind() == IntValue && value != int64(int32(value)):
		b.misuse("metadata %v cannot be %d", key, value)
	default:
		b.meta.set[key], b.meta.value[key].number = true, value
	}
}

// SetMetadataBool sets an entry of the kind BoolValue.
func (b *Builder) SetMetadataBool(key MetadataKey, value bool) {
	if key.Kind() != BoolValue {
		b.misuse("metadata %v is no bool", key)
		return
	}
	b.meta.set[key], b.meta.value[key].number = true, 0
	if value {
		b.meta.value[key].number = 1
	}
}

// SetMetadataText sets an entry of the kind TextValue. A key that the release of
// the reader does not know is not written.
func (b *Builder) SetMetadataText(key MetadataKey, value string) {
	if !key.known() || key.Kind() != TextValue {
		b.misuse("metadata %v is no text", key)
		return
	}
	begin := len(b.meta.text.S)
	copy(b.extend(&b.meta.text, len(value)), value)
	if b.err == nil {
		b.meta.set[key], b.meta.value[key] = true, metaValue{begin: begin, end: len(b.meta.text.S)}
	}
}

// append appends the section without its length, keys ascending up to last.
func (m *metadata) append(dst []byte, last MetadataKey) []byte {
	begin, count := len(dst), 0
	dst = binary.BigEndian.AppendUint32(dst, 0)
	for key := MetadataKey(0); key <= last; key++ {
		if !m.set[key] {
			continue
		}
		count++
		dst = binary.BigEndian.AppendUint32(dst, uint32(key))
		switch v := m.value[key]; key.Kind() {
		case IntValue:
			dst = binary.BigEndian.AppendUint32(dst, uint32(v.number))
		case LongValue:
			dst = binary.BigEndian.AppendUint64(dst, uint64(v.number))
		case BoolValue:
			dst = append(dst, byte(v.number))
		case TextValue:
			dst = appendText(dst, m.text.S[v.begin:v.end])
		}
	}
	binary.BigEndian.PutUint32(dst[begin:], uint32(count))
	return dst
}
