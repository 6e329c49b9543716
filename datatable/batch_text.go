package datatable

import (
	"encoding/binary"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// batchTexts are the strings of a vector. Those of an encoded vector are looked
// up in the table's dictionary once each: ids remembers, at the places of index.
type batchTexts struct {
	vec     *vector.Vec[vector.View]
	buffers [][]byte
	places  []uint32         // of each row in vec.Values; nil if the vector is flat
	ids     pool.Buf[uint32] // id + 1 of each place, 0 = not looked up
	scratch pool.Buf[uint32] // places, if they are not the vector's own
}

func (t *batchTexts) set(p *pool.Pool, vec *vector.Vec[vector.View]) {
	t.vec, t.buffers = vec, vec.Buffers.List()
	switch vec.Form {
	case vector.Flat:
		return
	case vector.Dictionary:
		t.places = vec.Index
	default:
		t.scratch = pool.Get[uint32](p, vec.N)
		t.places = t.scratch.S
		fillPlaces(t.places, vec)
	}
	t.ids = pool.Get[uint32](p, len(vec.Values))
	clear(t.ids.S)
}

// fillPlaces writes the place of each row's value, of a vector that is constant
// or of runs, or has exceptions.
func fillPlaces(places []uint32, vec *vector.Vec[vector.View]) {
	clear(places)
	switch vec.Form {
	case vector.RunLength:
		row := 0
		for run, end := range vec.Ends {
			for ; row < int(end); row++ {
				places[row] = uint32(run)
			}
		}
	case vector.Sparse:
		for i, row := range vec.Positions {
			places[row] = uint32(i + 1)
		}
	}
}

// place returns the place of a row's string in vec.Values.
func (t *batchTexts) place(row int) int {
	if t.places == nil {
		return row
	}
	return int(t.places[row])
}

// bytes returns the string of a row.
func (t *batchTexts) bytes(row int) []byte { return t.vec.Values[t.place(row)].Bytes(t.buffers) }

// putTexts writes columns of strings, row by row, to their slots and the
// dictionary.
func (b *Builder) putTexts(dst []byte, columns []batchColumn, sel []int32, rows int) {
	for r := 0; r < rows && b.err == nil && len(columns) > 0; r++ {
		row := rowOf(sel, r)
		for i := range columns {
			bc := &columns[i]
			slot := dst[r*b.rowSize+int(bc.column.offset):]
			if vector.Valid(bc.valid, row) {
				b.putText(slot, &bc.texts, row)
			} else {
				b.putString(slot, nil)
			}
		}
	}
}

// putText writes the dictionary id of a string to a slot.
func (b *Builder) putText(slot []byte, t *batchTexts, row int) {
	if t.places == nil {
		b.putString(slot, t.vec.Values[row].Bytes(t.buffers))
		return
	}
	place := t.places[row]
	if id := t.ids.S[place]; id > 0 {
		binary.BigEndian.PutUint32(slot, id-1)
		return
	}
	b.putString(slot, t.vec.Values[place].Bytes(t.buffers))
	t.ids.S[place] = binary.BigEndian.Uint32(slot) + 1
}

// putBlobs writes a column of Bytes or UUID, the only one with values in the
// variable section, which is made large enough for all of them at once.
func (b *Builder) putBlobs(dst []byte, bc *batchColumn, sel []int32, rows int) {
	t, isUUID, null := &bc.texts, bc.column.typ == UUID, []byte(nil)
	if isUUID {
		null = zeroUUID[:]
	}
	length := 0
	for r := range rows {
		row, n := rowOf(sel, r), len(null)
		if vector.Valid(bc.valid, row) {
			n = t.vec.Values[t.place(row)].Len()
		}
		if isUUID && n != uuidBytes {
			b.misuse("a UUID of %d bytes", n)
			return
		}
		length += n
	}
	at := len(b.variable.S)
	out := b.extend(&b.variable, length)
	if b.err != nil {
		return
	}
	slot := dst[min(int(bc.column.offset), len(dst)):]
	for r := range rows {
		row, v := rowOf(sel, r), null
		if vector.Valid(bc.valid, row) {
			v = t.bytes(row)
		}
		binary.BigEndian.PutUint32(slot[r*b.rowSize:], uint32(at))
		binary.BigEndian.PutUint32(slot[r*b.rowSize+4:], uint32(len(v)))
		n := copy(out, v)
		out, at = out[n:], at+n
	}
}

// rowOf returns the row of a batch that is the r-th of those selected.
func rowOf(sel []int32, r int) int {
	if sel == nil {
		return r
	}
	return int(sel[r])
}
