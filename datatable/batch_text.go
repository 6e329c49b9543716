package datatable

import (
	"encoding/binary"
	"math/bits"

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
	seen    seenViews        // of a flat vector
}

func (t *batchTexts) set(p *pool.Pool, vec *vector.Vec[vector.View]) {
	t.vec, t.buffers = vec, vec.Buffers.List()
	switch vec.Form {
	case vector.Flat:
		t.seen.set(p, vec.N)
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

// seenViews remember the ids of the views of a vector that came last: equal views
// of one vector are equal strings, and two words are compared sooner than strings
// are hashed. An entry is a view and its id + 1, or 0 if it is free.
type seenViews struct {
	entries pool.Buf[uint64]
	shift   int // of a hash to the number of an entry
}

const maxSeenBits = 10

func (s *seenViews) set(p *pool.Pool, rows int) {
	n := min(bits.Len(uint(rows)), maxSeenBits)
	s.shift = 64 - n
	s.entries = pool.Get[uint64](p, 3<<n)
	clear(s.entries.S)
}

// at returns the entry that is v's, whether it is there or another.
func (s *seenViews) at(v *vector.View) *[3]uint64 {
	hash := (v[0] ^ bits.RotateLeft64(v[1], 29)) * 0x9e3779b97f4a7c15
	i := 3 * int(hash>>s.shift)
	return (*[3]uint64)(s.entries.S[i:])
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
	if len(columns) == 1 && sel == nil && columns[0].valid == nil {
		b.putTextColumn(dst[min(int(columns[0].column.offset), len(dst)):], &columns[0].texts, rows)
		return
	}
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

// putTextColumn writes the only column of strings, whose rows are all present.
func (b *Builder) putTextColumn(dst []byte, t *batchTexts, rows int) {
	at := 0
	if t.places != nil {
		for _, place := range t.places[:rows] {
			if id := t.ids.S[place]; id > 0 {
				binary.BigEndian.PutUint32(dst[at:], id-1)
			} else {
				b.putPlace(dst[at:], t, place)
			}
			at += b.rowSize
		}
		return
	}
	for i := range t.vec.Values[:rows] {
		view := &t.vec.Values[i]
		if seen := t.seen.at(view); seen[0] == view[0] && seen[1] == view[1] && seen[2] != 0 {
			binary.BigEndian.PutUint32(dst[at:], uint32(seen[2]-1))
		} else {
			b.putView(dst[at:], t, view, seen)
		}
		at += b.rowSize
	}
}

// putText writes the dictionary id of a string to a slot.
func (b *Builder) putText(slot []byte, t *batchTexts, row int) {
	if t.places != nil {
		b.putPlace(slot, t, t.places[row])
		return
	}
	view := &t.vec.Values[row]
	b.putView(slot, t, view, t.seen.at(view))
}

// putPlace writes the id of the string at a place of an encoded vector.
func (b *Builder) putPlace(slot []byte, t *batchTexts, place uint32) {
	if id := t.ids.S[place]; id > 0 {
		binary.BigEndian.PutUint32(slot, id-1)
		return
	}
	b.putString(slot, t.vec.Values[place].Bytes(t.buffers))
	t.ids.S[place] = binary.BigEndian.Uint32(slot) + 1
}

// putView writes the id of a string of a flat vector, whose entry seen is.
func (b *Builder) putView(slot []byte, t *batchTexts, view *vector.View, seen *[3]uint64) {
	if seen[0] == view[0] && seen[1] == view[1] && seen[2] != 0 {
		binary.BigEndian.PutUint32(slot, uint32(seen[2]-1))
		return
	}
	b.putString(slot, view.Bytes(t.buffers))
	seen[0], seen[1], seen[2] = view[0], view[1], uint64(binary.BigEndian.Uint32(slot))+1
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
		row, n := rowOf(sel, r), 0
		if !vector.Valid(bc.valid, row) {
			n = copy(out, null)
		} else if v := &t.vec.Values[t.place(row)]; v.Inline() && len(out) >= vector.InlineBytes {
			// All that a view has room for; the next value overwrites the rest.
			binary.LittleEndian.PutUint32(out, uint32(v[0]>>32))
			binary.LittleEndian.PutUint64(out[4:], v[1])
			n = v.Len()
		} else {
			n = copy(out, v.Bytes(t.buffers))
		}
		binary.BigEndian.PutUint64(slot[r*b.rowSize:], uint64(at)<<32|uint64(n))
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
