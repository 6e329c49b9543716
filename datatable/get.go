package datatable

import (
	"encoding/binary"
	"fmt"
	"math"
)

// slot returns the slot of a cell whose column has the given stored type.
func (t *Table) slot(row, col int, stored Type) []byte {
	if typ := t.columns[col].Type; typ.Stored() != stored {
		panic(fmt.Sprintf("datatable: column %d of type %v was read as %v", col, typ, stored))
	}
	return t.anySlot(row, col)
}

func (t *Table) anySlot(row, col int) []byte {
	if uint(row) >= uint(t.rows) {
		panic(fmt.Sprintf("datatable: row %d of %d was read", row, t.rows))
	}
	at := row*t.rowSize + t.offsets[col]
	return t.fixed[at : at+types[t.columns[col].Type].slotBytes]
}

// cellError tells that the slot of a cell, which it points to, is wrong.
func (t *Table) cellError(row, col int, format string, args ...any) error {
	what := fmt.Sprintf(format, args...)
	return corrupt("fixed", row*t.rowSize+t.offsets[col], "row %d of column %d: %s", row, col, what)
}

// Validity returns the bitmap of present rows of a column, least significant bit
// first: 1 = present. It is nil if every row is present. Columns of type Object,
// Unknown and Map have no bitmap in the table; [Table.IsNull] knows their nulls.
func (t *Table) Validity(col int) []uint64 {
	if t.valid == nil {
		return nil
	}
	return t.valid[col]
}

// IsNull reports whether a cell of any type is null.
func (t *Table) IsNull(row, col int) bool {
	slot := t.anySlot(row, col)
	if valid := t.Validity(col); valid != nil && valid[row>>6]>>(row&63)&1 == 0 {
		return true
	}
	if !t.columns[col].Type.inBandNull() {
		return false
	}
	offset, length := slotRange(slot)
	if t.columns[col].Type != Object || length != 0 {
		return length == 0
	}
	marker, ok := cut(t.variable, offset, 4)
	return ok && binary.BigEndian.Uint32(marker) == nullObjectType
}

// Int returns a cell of type Int or Boolean.
func (t *Table) Int(row, col int) int32 {
	return int32(binary.BigEndian.Uint32(t.slot(row, col, Int)))
}

// Long returns a cell of type Long or Timestamp (milliseconds since 1970).
func (t *Table) Long(row, col int) int64 {
	return int64(binary.BigEndian.Uint64(t.slot(row, col, Long)))
}

// Float returns a cell of type Float, with all its bits.
func (t *Table) Float(row, col int) float32 {
	return math.Float32frombits(binary.BigEndian.Uint32(t.slot(row, col, Float)))
}

// Double returns a cell of type Double, with all its bits.
func (t *Table) Double(row, col int) float64 {
	return math.Float64frombits(binary.BigEndian.Uint64(t.slot(row, col, Double)))
}

// NumStrings returns the number of strings in the table's dictionary.
func (t *Table) NumStrings() int { return len(t.strings) }

// DictString returns the string of a dictionary id, which is below NumStrings.
// It is part of the table.
func (t *Table) DictString(id int) []byte {
	begin := uint32(4)
	if id > 0 {
		begin = t.strings[id-1]
	}
	end := t.strings[id]
	return t.dict[begin+4 : end : end]
}

// StringID returns the dictionary id of a cell of type String or JSON.
func (t *Table) StringID(row, col int) (int, error) {
	id := int(int32(binary.BigEndian.Uint32(t.slot(row, col, String))))
	if uint(id) >= uint(len(t.strings)) {
		return 0, t.cellError(row, col, "string %d of %d", id, len(t.strings))
	}
	return id, nil
}

// String returns a cell of type String or JSON. It is part of the table.
func (t *Table) String(row, col int) ([]byte, error) {
	id, err := t.StringID(row, col)
	if err != nil {
		return nil, err
	}
	return t.DictString(id), nil
}

// Bytes returns a cell of type Bytes or UUID. It is part of the table.
func (t *Table) Bytes(row, col int) ([]byte, error) {
	return t.cell(row, col, t.slot(row, col, Bytes))
}

// BigDecimal returns a cell of type BigDecimal. Its bytes are part of the table.
func (t *Table) BigDecimal(row, col int) (Decimal, error) {
	cell, err := t.cell(row, col, t.slot(row, col, BigDecimal))
	if err != nil {
		return Decimal{}, err
	}
	return t.decimal(row, col, cell)
}

// Object returns the type id and the payload of a cell of type Object. The
// payload is part of the table. A null cell has type id 100 and no payload.
func (t *Table) Object(row, col int) (typeID int32, payload []byte, err error) {
	offset, length := slotRange(t.slot(row, col, Object))
	if length < 0 || length > math.MaxInt32-4 {
		return 0, nil, t.cellError(row, col, "an object of %d bytes", length)
	}
	cell, ok := cut(t.variable, offset, 4+length)
	if !ok {
		return 0, nil, t.rangeError(row, col, offset, 4+length)
	}
	return int32(binary.BigEndian.Uint32(cell)), cell[4:], nil
}

// AppendMap appends the entries of a cell of type Map to dst. They are part of
// the table. A null cell has none; [Table.IsNull] tells it from an empty one.
func (t *Table) AppendMap(dst []MapEntry, row, col int) ([]MapEntry, error) {
	cell, err := t.cell(row, col, t.slot(row, col, Map))
	if err != nil || len(cell) == 0 {
		return dst, err
	}
	r := newReader("variable", cell)
	for range r.count(8) {
		e := MapEntry{Key: r.blob()}
		e.JSON = r.blob()
		if r.err != nil {
			break
		}
		dst = append(dst, e)
	}
	if r.err != nil {
		return dst, t.cellError(row, col, "%v", r.err)
	}
	return dst, nil
}

// cell returns the bytes of the variable section that a slot points to.
func (t *Table) cell(row, col int, slot []byte) ([]byte, error) {
	offset, length := slotRange(slot)
	cell, ok := cut(t.variable, offset, length)
	if !ok {
		return nil, t.rangeError(row, col, offset, length)
	}
	return cell, nil
}

func (t *Table) rangeError(row, col, offset, length int) error {
	return t.cellError(row, col, "%d bytes from byte %d on in %d variable bytes", length, offset, len(t.variable))
}

func (t *Table) decimal(row, col int, cell []byte) (Decimal, error) {
	if len(cell) < 3 {
		return Decimal{}, t.cellError(row, col, "a decimal of %d bytes", len(cell))
	}
	return Decimal{Unscaled: cell[2:], Scale: int16(binary.BigEndian.Uint16(cell))}, nil
}
