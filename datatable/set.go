package datatable

import (
	"encoding/binary"
	"math"
)

// Object type ids that this package needs to know.
const nullObjectType = 100

const uuidBytes = 16

// SetInt sets a column of type Int or Boolean (0 or 1).
func (b *Builder) SetInt(col int, v int32) {
	if slot := b.findSlot(col, Int); slot != nil {
		binary.BigEndian.PutUint32(slot, uint32(v))
	} else {
		b.wrongSlot(col, Int)
	}
}

// SetBoolean sets a column of type Boolean, or one of type Int to 0 or 1.
func (b *Builder) SetBoolean(col int, v bool) {
	if v {
		b.SetInt(col, 1)
	} else {
		b.SetInt(col, 0)
	}
}

// SetLong sets a column of type Long or Timestamp (milliseconds since 1970).
func (b *Builder) SetLong(col int, v int64) {
	if slot := b.findSlot(col, Long); slot != nil {
		binary.BigEndian.PutUint64(slot, uint64(v))
	} else {
		b.wrongSlot(col, Long)
	}
}

// SetFloat sets a column of type Float. All bits are kept.
func (b *Builder) SetFloat(col int, v float32) {
	if slot := b.findSlot(col, Float); slot != nil {
		binary.BigEndian.PutUint32(slot, math.Float32bits(v))
	} else {
		b.wrongSlot(col, Float)
	}
}

// SetDouble sets a column of type Double. All bits are kept.
func (b *Builder) SetDouble(col int, v float64) {
	if slot := b.findSlot(col, Double); slot != nil {
		binary.BigEndian.PutUint64(slot, math.Float64bits(v))
	} else {
		b.wrongSlot(col, Double)
	}
}

// SetString sets a column of type String or JSON to the text v, which is copied
// if the table does not have it yet.
func (b *Builder) SetString(col int, v []byte) {
	if slot := b.slot(col, String); slot != nil {
		b.putString(slot, v)
	}
}

// SetBytes sets a column of type Bytes or UUID (16 bytes) to a copy of v.
func (b *Builder) SetBytes(col int, v []byte) {
	if slot := b.slot(col, Bytes); slot != nil && b.checkUUID(b.columns[col].typ, v) {
		b.putBytes(slot, v)
	}
}

// SetBigDecimal sets a column of type BigDecimal.
func (b *Builder) SetBigDecimal(col int, v Decimal) {
	if slot := b.slot(col, BigDecimal); slot != nil {
		b.putDecimal(slot, v)
	}
}

// MapEntry is one entry of a Map cell: a key and the JSON text of its value.
// Pinot writes that without white space and escapes what is beyond the basic
// plane of Unicode as two halves.
type MapEntry struct{ Key, JSON []byte }

// SetMap sets a column of type Map to entries, in their order. Without entries
// the map is empty, except that nil makes the cell null by its length alone.
func (b *Builder) SetMap(col int, entries []MapEntry) {
	slot := b.slot(col, Map)
	if slot == nil {
		return
	}
	begin := b.begin(slot)
	if entries == nil {
		putLength(slot, 0)
		return
	}
	b.addUint32(uint32(len(entries)))
	for _, e := range entries {
		b.addBlob(e.Key)
		b.addBlob(e.JSON)
	}
	putLength(slot, len(b.variable.S)-begin)
}

// SetObject sets a column of type Object to an intermediate result of the given
// type id, whose bytes are copied.
func (b *Builder) SetObject(col int, typeID int32, payload []byte) {
	slot := b.slot(col, Object)
	if slot == nil {
		return
	}
	b.begin(slot)
	b.addUint32(uint32(typeID))
	copy(b.extend(&b.variable, len(payload)), payload)
	putLength(slot, len(payload))
}

// begin puts the end of the variable section, where a value is about to be
// added, into slot and returns it.
func (b *Builder) begin(slot []byte) int {
	binary.BigEndian.PutUint32(slot, uint32(len(b.variable.S)))
	return len(b.variable.S)
}

func putLength(slot []byte, n int) { binary.BigEndian.PutUint32(slot[4:], uint32(n)) }

func (b *Builder) putString(slot, v []byte) {
	if b.err != nil || len(v)+4 > math.MaxInt32-len(b.dict.bytes.S) {
		b.fail(ErrTooLarge)
		return
	}
	binary.BigEndian.PutUint32(slot, b.dict.id(v))
}

func (b *Builder) putBytes(slot, v []byte) {
	b.begin(slot)
	copy(b.extend(&b.variable, len(v)), v)
	putLength(slot, len(v))
}

func (b *Builder) putDecimal(slot []byte, v Decimal) {
	begin := b.begin(slot)
	b.addDecimal(v)
	putLength(slot, len(b.variable.S)-begin)
}

// addUint32 adds x to the variable section.
func (b *Builder) addUint32(x uint32) {
	if dst := b.extend(&b.variable, 4); dst != nil {
		binary.BigEndian.PutUint32(dst, x)
	}
}

// addBlob adds v with its length before it to the variable section.
func (b *Builder) addBlob(v []byte) {
	b.addUint32(uint32(len(v)))
	copy(b.extend(&b.variable, len(v)), v)
}

// addDecimal adds v, without a length, to the variable section.
func (b *Builder) addDecimal(v Decimal) {
	unscaled := v.minimal()
	dst := b.extend(&b.variable, 2+max(1, len(unscaled)))
	if dst == nil {
		return
	}
	binary.BigEndian.PutUint16(dst, uint16(v.Scale))
	dst[2] = 0 // of nothing
	copy(dst[2:], unscaled)
}

// checkUUID reports whether v may be a value of type t, or an element of it.
func (b *Builder) checkUUID(t Type, v []byte) bool {
	if (t == UUID || t == UUIDArray) && len(v) != uuidBytes {
		b.misuse("a UUID of %d bytes", len(v))
		return false
	}
	return true
}
