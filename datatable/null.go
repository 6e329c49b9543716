package datatable

import (
	"encoding/binary"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// nulls is the scratch memory of the null index and its bitmaps.
type nulls struct {
	wanted bool // by SetNullRows
	index  pool.Buf[byte]
	blobs  pool.Buf[byte]
}

// SetNull makes a column null in the current row: a placeholder in its slot and
// the row in its null bitmap or, if the type is Object, Unknown or Map, a slot
// that says so. A value that is set later in the row takes the placeholder's
// place but does not make the cell present again.
func (b *Builder) SetNull(col int) {
	if uint(col) >= uint(len(b.columns)) || !b.inRow || b.err != nil {
		b.wrongSlot(col, 0)
		return
	}
	c := &b.columns[col]
	b.putNull(b.row[c.offset:], c)
	if !c.typ.inBandNull() {
		b.setNullRow(c, b.rows-1)
	}
}

// putNull writes the placeholder of c's type to its slot.
func (b *Builder) putNull(slot []byte, c *column) {
	switch c.typ {
	case Int, Boolean, Float:
		binary.BigEndian.PutUint32(slot, 0)
	case Long, Timestamp, Double:
		binary.BigEndian.PutUint64(slot, 0)
	case BigDecimal:
		b.putDecimal(slot, Decimal{})
	case String, JSON:
		b.putString(slot, nil)
	case UUID:
		b.putBytes(slot, zeroUUID[:])
	case Object, Unknown, Map:
		b.putNullObject(slot)
	default: // empty bytes and arrays
		b.begin(slot)
		putLength(slot, 0)
	}
}

var zeroUUID [uuidBytes]byte

func (b *Builder) putNullObject(slot []byte) {
	b.begin(slot)
	putLength(slot, 0)
	b.addUint32(nullObjectType)
}

// SetNullInBand makes a column of any type null the way that the builders of
// releases up to 1.5 do when null handling is off: eight bytes from the column's
// slot on as for a null Object, which for types of four bytes reaches into the
// next column. Readers know such a null only if the type is Object, Unknown or
// Map. It exists to have their bytes; use [Builder.SetNull].
func (b *Builder) SetNullInBand(col int) {
	if uint(col) >= uint(len(b.columns)) || !b.inRow || b.err != nil {
		b.wrongSlot(col, 0)
		return
	}
	slot := b.row[b.columns[col].offset:b.rowSize]
	if len(slot) < 8 {
		b.misuse("column %d is too narrow for a null in its slot", col)
		return
	}
	b.putNullObject(slot)
}

// SetNullRows adds rows, which were started before, to the null bitmap of a
// column. The caller has set placeholders there. For releases up to 1.5 the call
// itself, even without rows, gives the table a null index.
func (b *Builder) SetNullRows(col int, rows []int32) {
	if uint(col) >= uint(len(b.columns)) {
		b.misuse("column %d of %d was set", col, len(b.columns))
		return
	}
	b.nulls.wanted = true
	for _, row := range rows {
		if uint(row) >= uint(b.rows) {
			b.misuse("row %d of %d was set to null", row, b.rows)
			return
		}
		b.setNullRow(&b.columns[col], int(row))
	}
}

func (b *Builder) setNullRow(c *column, row int) {
	have, want := len(c.nulls.S), vector.Words(row+1)
	if want > have {
		pool.Grow(b.pool, &c.nulls, want)
		clear(c.nulls.S[have:])
	}
	vector.SetBit(c.nulls.S, row)
}

// hasNullIndex reports whether the table is to have a null index.
func (b *Builder) hasNullIndex() bool {
	if b.opts.Release != ReleaseHead && (b.nulls.wanted || b.opts.NullHandling && b.rows > 0) {
		return true
	}
	for i := range b.columns {
		if len(b.columns[i].nulls.S) > 0 {
			return true
		}
	}
	return false
}

// buildNullIndex fills the scratch memory with the null index and its bitmaps,
// which come after the variable values. Both are empty if there is none.
func (b *Builder) buildNullIndex() {
	n := &b.nulls
	n.index.S, n.blobs.S = n.index.S[:0], n.blobs.S[:0]
	if !b.hasNullIndex() {
		return
	}
	pool.Grow(b.pool, &n.index, 8*len(b.columns))
	for i := range b.columns {
		slot, dense := n.index.S[8*i:], b.columns[i].nulls.S
		begin := len(n.blobs.S)
		if len(dense) > 0 {
			pool.Grow(b.pool, &n.blobs, begin+roaringBytes(dense))
			appendRoaring(n.blobs.S[:begin], dense)
		}
		binary.BigEndian.PutUint32(slot, uint32(len(b.variable.S)+begin))
		putLength(slot, len(n.blobs.S)-begin)
	}
}
