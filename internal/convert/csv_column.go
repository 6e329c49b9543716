package convert

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// csvColumn makes a vector of one column of a block.
type csvColumn interface {
	vector() vector.Vector
	// parse replaces the vector's rows by those of column col of b, of which
	// they may borrow the text. It returns the first row whose text is not of
	// the column's type, -1 if there is none.
	parse(b *block, col int, nulls *nullTexts) (badRow int)
}

// newCSVColumn returns the column of a type that has no children. The text of
// strings is in buffer number bufferID of buffers.
func newCSVColumn(t *nimble.Type, buffers *vector.Buffers, bufferID uint32) (csvColumn, error) {
	l, err := nimble.ParseLogical(t.Logical)
	if err != nil {
		return nil, err
	}
	switch t.Kind {
	case nimble.Boolean:
		return &boolColumn{vec: vector.NewBools(nil)}, nil
	case nimble.TinyInt:
		return newIntColumn[int8](l), nil
	case nimble.SmallInt:
		return newIntColumn[int16](l), nil
	case nimble.Integer:
		return newIntColumn[int32](l), nil
	case nimble.BigInt:
		return newIntColumn[int64](l), nil
	case nimble.Real:
		return &floatColumn[float32]{vec: vector.NewVec[float32](nil), bits: 32}, nil
	case nimble.Double:
		return &floatColumn[float64]{vec: vector.NewVec[float64](nil), bits: 64}, nil
	case nimble.Varchar, nimble.Varbinary:
		if l.Kind == nimble.LogicalDecimal {
			return &decimalColumn{vec: vector.NewVec[vector.View](nil), logical: l}, nil
		}
		return &stringColumn{
			vec: vector.NewVec[vector.View](nil), kind: t.Kind, logical: l,
			plain:   t.Kind == nimble.Varchar && l.Kind == nimble.LogicalNone || isBytesText(t),
			buffers: buffers, bufferID: bufferID,
		}, nil
	case nimble.Timestamp:
		return &momentColumn{vec: vector.NewTimestamps(nil), unit: l.Unit}, nil
	}
	return nil, fmt.Errorf("csv: %v: a field holds no values of %w", t, nimble.ErrSchema)
}

// mark sets the validity of a vector that has the rows of column col of b,
// and reports whether there is a null.
func (n *nullTexts) mark(v interface{ ReserveValid(n int) []uint64 }, b *block, col int) bool {
	valid := v.ReserveValid(b.rows)
	fields := b.column(col)
	missing := uint64(0)
	for row, i := 0, 0; row < b.rows; row, i = row+1, i+b.columns {
		bit := uint64(1) << (row & 63)
		if row&63 == 0 {
			valid[row>>6] = ^uint64(0)
		}
		if f := &fields[i]; !f.quoted && n.match(b.bytes(f)) {
			valid[row>>6] &^= bit
			missing |= bit
		}
	}
	return missing != 0
}

// boolColumn reads true and false.
type boolColumn struct{ vec *vector.Bools }

func (c *boolColumn) vector() vector.Vector { return c.vec }

func (c *boolColumn) parse(b *block, col int, nulls *nullTexts) int {
	v := c.vec
	v.Reset()
	v.N = b.rows
	if !nulls.mark(v, b, col) {
		v.Valid = nil
	}
	bits := v.ReserveBits(b.rows)
	clear(bits)
	fields := b.column(col)
	for row, i := 0, 0; row < b.rows; row, i = row+1, i+b.columns {
		if !vector.Valid(v.Valid, row) {
			continue
		}
		x, ok := parseBool(b.bytes(&fields[i]))
		if !ok {
			return row
		}
		if x {
			vector.SetBit(bits, row)
		}
	}
	return -1
}

// intColumn reads what is stored in an integer.
type intColumn[T int8 | int16 | int32 | int64] struct {
	vec     *vector.Vec[T]
	logical nimble.Logical
}

func newIntColumn[T int8 | int16 | int32 | int64](l nimble.Logical) csvColumn {
	return &intColumn[T]{vec: vector.NewVec[T](nil), logical: l}
}

func (c *intColumn[T]) vector() vector.Vector { return c.vec }

func (c *intColumn[T]) parse(b *block, col int, nulls *nullTexts) int {
	v := c.vec
	v.Reset()
	v.N = b.rows
	if !nulls.mark(v, b, col) {
		v.Valid = nil
	}
	values := v.ReserveValues(b.rows)
	fields := b.column(col)
	for row, i := 0, 0; row < b.rows; row, i = row+1, i+b.columns {
		if !vector.Valid(v.Valid, row) {
			values[row] = 0
			continue
		}
		x, ok := parseStored(b.bytes(&fields[i]), &c.logical)
		if !ok || int64(T(x)) != x {
			return row
		}
		values[row] = T(x)
	}
	return -1
}

// floatColumn reads floats.
type floatColumn[T float32 | float64] struct {
	vec  *vector.Vec[T]
	bits int
}

func (c *floatColumn[T]) vector() vector.Vector { return c.vec }

func (c *floatColumn[T]) parse(b *block, col int, nulls *nullTexts) int {
	v := c.vec
	v.Reset()
	v.N = b.rows
	if !nulls.mark(v, b, col) {
		v.Valid = nil
	}
	values := v.ReserveValues(b.rows)
	fields := b.column(col)
	for row, i := 0, 0; row < b.rows; row, i = row+1, i+b.columns {
		if !vector.Valid(v.Valid, row) {
			values[row] = 0
			continue
		}
		x, ok := parseFloat(b.bytes(&fields[i]), c.bits)
		if !ok {
			return row
		}
		values[row] = T(x)
	}
	return -1
}

// stringColumn reads text and what is stored in bytes. The bytes stay where
// they are in the block.
type stringColumn struct {
	vec      *vector.Vec[vector.View]
	kind     nimble.Kind
	logical  nimble.Logical
	plain    bool // the bytes are those of the text
	buffers  *vector.Buffers
	bufferID uint32
}

func (c *stringColumn) vector() vector.Vector { return c.vec }

func (c *stringColumn) parse(b *block, col int, nulls *nullTexts) int {
	v := c.vec
	v.Reset()
	v.N = b.rows
	v.Buffers = c.buffers
	if !nulls.mark(v, b, col) {
		v.Valid = nil
	}
	values := v.ReserveValues(b.rows)
	fields := b.column(col)
	for row, i := 0, 0; row < b.rows; row, i = row+1, i+b.columns {
		if !vector.Valid(v.Valid, row) {
			values[row] = vector.View{}
			continue
		}
		text := b.bytes(&fields[i])
		if !c.plain {
			stored, ok := storeBytes(text, c.kind, &c.logical)
			if !ok {
				return row
			}
			text = stored
		}
		values[row] = vector.MakeView(text, c.bufferID, fields[i].begin)
	}
	return -1
}

// decimalColumn reads decimals that do not fit an int64. Unlike other strings
// they may need more bytes than their text has.
type decimalColumn struct {
	vec     *vector.Vec[vector.View]
	logical nimble.Logical
	stored  []byte
}

func (c *decimalColumn) vector() vector.Vector { return c.vec }

func (c *decimalColumn) parse(b *block, col int, nulls *nullTexts) int {
	c.vec.Reset()
	fields := b.column(col)
	for row, i := 0, 0; row < b.rows; row, i = row+1, i+b.columns {
		f := &fields[i]
		if !f.quoted && nulls.match(b.bytes(f)) {
			c.vec.AppendNull()
			continue
		}
		var ok bool
		if c.stored, ok = appendDecimal(c.stored[:0], b.bytes(f), &c.logical); !ok {
			return row
		}
		vector.AppendString(c.vec, c.stored)
	}
	return -1
}

// momentColumn reads moments in any form, where a type was given, or in the one
// form that all have.
type momentColumn struct {
	vec  *vector.Timestamps
	unit nimble.Unit // 0 = any
}

func (c *momentColumn) vector() vector.Vector { return c.vec }

func (c *momentColumn) parse(b *block, col int, nulls *nullTexts) int {
	v := c.vec
	v.Reset()
	v.Micros.N = b.rows
	if !nulls.mark(&v.Micros, b, col) {
		v.Micros.Valid = nil
	}
	micros, nanos := v.Micros.ReserveValues(b.rows), v.ReserveNanos(b.rows)
	fields := b.column(col)
	for row, i := 0, 0; row < b.rows; row, i = row+1, i+b.columns {
		if !vector.Valid(v.Micros.Valid, row) {
			micros[row], nanos[row] = 0, 0
			continue
		}
		m, ok := parseAnyMoment(b.bytes(&fields[i]))
		if !ok || !m.fits(c.unit) {
			return row
		}
		micros[row], nanos[row] = m.micros, m.nanos
	}
	return -1
}
