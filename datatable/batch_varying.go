package datatable

import (
	"encoding/binary"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// batchColumn is a column of a batch whose cells are written row by row, since
// the order of strings and of the variable section is that of the rows.
type batchColumn struct {
	column *column
	valid  []uint64
	list   *vector.List // of an array
	maps   *vector.Map

	// The cells, or the elements of arrays. Which of them is set depends on the
	// vector, values of views excepted, which texts holds.
	elemValid []uint64
	ints8     batchValues[int8]
	ints16    batchValues[int16]
	ints32    batchValues[int32]
	longs     batchValues[int64]
	floats    batchValues[float32]
	doubles   batchValues[float64]
	bools     []uint64
	texts     batchTexts
	keys      batchTexts // of maps, whose values are in texts
}

// batchValues are values row by row, and the memory for them if the vector was
// encoded.
type batchValues[T vector.Value] struct {
	values  []T
	scratch pool.Buf[T]
}

func (v *batchValues[T]) set(p *pool.Pool, from *vector.Vec[T]) {
	v.values = flat(p, from, &v.scratch)
}

// newBatchColumn prepares a column of a batch for putTexts and putVarying.
func (b *Builder) newBatchColumn(c *column, v vector.Vector) batchColumn {
	bc := batchColumn{column: c, valid: v.Validity()}
	if c.typ == Unknown {
		return bc
	}
	elem := v
	switch v := v.(type) {
	case *vector.List:
		bc.list, elem = v, v.Elem
	case *vector.Map:
		bc.maps, elem = v, v.Values
		bc.keys.set(b.pool, v.Keys.(*vector.Vec[vector.View]))
	}
	bc.elemValid = elem.Validity()
	switch e := elem.(type) {
	case *vector.Vec[int8]:
		bc.ints8.set(b.pool, e)
	case *vector.Vec[int16]:
		bc.ints16.set(b.pool, e)
	case *vector.Vec[int32]:
		bc.ints32.set(b.pool, e)
	case *vector.Vec[int64]:
		bc.longs.set(b.pool, e)
	case *vector.Vec[float32]:
		bc.floats.set(b.pool, e)
	case *vector.Vec[float64]:
		bc.doubles.set(b.pool, e)
	case *vector.Timestamps:
		bc.longs.scratch = pool.Get[int64](b.pool, e.Micros.N)
		bc.longs.values = bc.longs.scratch.S
		e.Micros.Expand(bc.longs.values)
		for i, micros := range bc.longs.values {
			bc.longs.values[i] = floorMillis(micros)
		}
	case *vector.Bools:
		bc.bools = e.Bits
	case *vector.Vec[vector.View]:
		bc.texts.set(b.pool, e)
	}
	return bc
}

func (bc *batchColumn) release(p *pool.Pool) {
	pool.Put(p, &bc.ints8.scratch)
	pool.Put(p, &bc.ints16.scratch)
	pool.Put(p, &bc.ints32.scratch)
	pool.Put(p, &bc.longs.scratch)
	pool.Put(p, &bc.floats.scratch)
	pool.Put(p, &bc.doubles.scratch)
	for _, t := range []*batchTexts{&bc.texts, &bc.keys} {
		pool.Put(p, &t.ids)
		pool.Put(p, &t.scratch)
		pool.Put(p, &t.seen.entries)
	}
}

// putVarying writes columns of a batch to their slots and the variable section
// and, of arrays of strings and what is with them, the dictionary.
func (b *Builder) putVarying(dst []byte, columns []batchColumn, sel []int32, rows int) {
	if len(columns) == 1 && columns[0].column.stored == Bytes {
		b.putBlobs(dst, &columns[0], sel, rows)
		return
	}
	for r := 0; r < rows && b.err == nil && len(columns) > 0; r++ {
		row := rowOf(sel, r)
		slots := dst[r*b.rowSize:]
		for i := range columns {
			b.putCell(slots, &columns[i], row)
		}
	}
}

// putCell writes the cell of a row of the batch to its slot and the variable
// section or the dictionary.
func (b *Builder) putCell(slots []byte, bc *batchColumn, row int) {
	slot := slots[bc.column.offset:]
	switch {
	case bc.column.typ == Unknown || !vector.Valid(bc.valid, row):
		b.putNull(slot, bc.column)
	case bc.list != nil:
		begin, end := bc.list.Span(row)
		b.putList(slot, bc, begin, end)
	case bc.maps != nil:
		begin, end := bc.maps.Span(row)
		b.putMap(slot, bc, begin, end)
	case bc.column.stored == String:
		b.putText(slot, &bc.texts, row)
	case bc.column.stored == Bytes:
		if v := bc.texts.bytes(row); b.checkUUID(bc.column.typ, v) {
			b.putBytes(slot, v)
		}
	default:
		var number [8]byte
		b.putDecimal(slot, bc.decimal(row, &number))
	}
}

// decimal returns the decimal of a row, whose bytes may be those of buf.
func (bc *batchColumn) decimal(row int, buf *[8]byte) Decimal {
	d := Decimal{Scale: bc.column.scale}
	if bc.texts.vec != nil {
		d.Unscaled = bc.texts.bytes(row)
		return d
	}
	binary.BigEndian.PutUint64(buf[:], uint64(bc.longs.values[row]))
	d.Unscaled = buf[:]
	return d
}

func (b *Builder) putMap(slot []byte, bc *batchColumn, begin, end int) {
	at := b.begin(slot)
	b.addUint32(uint32(end - begin))
	for i := begin; i < end; i++ {
		b.addBlob(bc.keys.bytes(i))
		if vector.Valid(bc.elemValid, i) {
			b.addBlob(bc.texts.bytes(i))
		} else {
			b.addBlob(jsonNull)
		}
	}
	putLength(slot, len(b.variable.S)-at)
}

var jsonNull = []byte("null")
