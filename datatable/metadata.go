package datatable

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/decantdb/decant/pool"
)

// metadata holds what was set, by ascending keys.
type metadata struct {
	entries []metaEntry
	text    pool.Buf[byte]
}

// metaEntry is the number of a key, or its text in metadata.text.
type metaEntry struct {
	key        MetadataKey
	number     int64
	begin, end int
}

func (m *metadata) reset() { m.entries, m.text.S = m.entries[:0], m.text.S[:0] }

func (m *metadata) set(e metaEntry) {
	i, found := slices.BinarySearchFunc(m.entries, e.key, func(e metaEntry, key MetadataKey) int {
		return cmp.Compare(e.key, key)
	})
	if found {
		m.entries[i] = e
	} else {
		m.entries = slices.Insert(m.entries, i, e)
	}
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
		b.meta.set(metaEntry{key: key, number: value})
	}
}

// SetMetadataBool sets an entry of the kind BoolValue.
func (b *Builder) SetMetadataBool(key MetadataKey, value bool) {
	if key.Kind() != BoolValue {
		b.misuse("metadata %v is no bool", key)
		return
	}
	e := metaEntry{key: key}
	if value {
		e.number = 1
	}
	b.meta.set(e)
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
		b.meta.set(metaEntry{key: key, begin: begin, end: len(b.meta.text.S)})
	}
}

// append appends the section without its length, keys ascending up to last.
func (m *metadata) append(dst []byte, last MetadataKey) []byte {
	begin, count := len(dst), 0
	dst = binary.BigEndian.AppendUint32(dst, 0)
	for _, e := range m.entries {
		if e.key > last {
			break
		}
		count++
		dst = binary.BigEndian.AppendUint32(dst, uint32(e.key))
		switch e.key.Kind() {
		case IntValue:
			dst = binary.BigEndian.AppendUint32(dst, uint32(e.number))
		case LongValue:
			dst = binary.BigEndian.AppendUint64(dst, uint64(e.number))
		case BoolValue:
			dst = append(dst, byte(e.number))
		case TextValue:
			dst = appendText(dst, m.text.S[e.begin:e.end])
		}
	}
	binary.BigEndian.PutUint32(dst[begin:], uint32(count))
	return dst
}
