package encoding

import (
	"github.com/decantdb/decant/vector"
)

// fsst is strings as codes of symbols:
//
//	uvarint size | symbol table
//	uvarint size | lengths: array of u32, rows, of the codes of each string
//	codes of all strings
type fsst struct {
	base
	table   fsstTable
	lengths Decoder[uint32]
	codes   []byte
	at      int // of the next string
	arena   arena
}

func (d *fsst) open(body []byte) (err error) {
	in := input{data: body}
	tableSize := in.canonical32("size of the symbol table")
	if tableSize > fsstMaxTable {
		return corrupt("symbol table of %d bytes", tableSize)
	}
	table := in.bytes(tableSize, "symbol table")
	lengths := in.bytes(in.canonical32("size of lengths"), "lengths")
	if in.err != nil {
		return in.err
	}
	if err := d.table.open(table); err != nil {
		return err
	}
	if d.lengths, err = openPart[uint32](d.session, "lengths", lengths, d.prefix.Rows); err != nil {
		return err
	}
	d.codes, d.at = in.data, 0
	d.arena.open(d.session)
	return nil
}

// each calls fn with the codes of each of the next n strings.
func (d *fsst) each(n int, fn func(i int, codes []byte) error) error {
	defer d.session.release(d.session.mark())
	room := carve[uint32](d.session)
	for done := 0; done < n; {
		lengths := room[:min(n-done, blockRows)]
		if err := d.lengths.Read(lengths); err != nil {
			return d.childFail("lengths", err)
		}
		for i, size := range lengths {
			rest := d.codes[d.at:]
			if uint64(size) > uint64(len(rest)) {
				return d.fail("string of %d codes exceeds the %d that are left", size, len(rest))
			}
			if err := fn(done+i, rest[:size]); err != nil {
				return err
			}
			d.at += int(size)
		}
		done += len(lengths)
		d.pos += len(lengths)
	}
	return nil
}

func (d *fsst) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	return d.each(n, func(int, []byte) error { return nil })
}

func (d *fsst) Read(dst []vector.View) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	return d.each(len(dst), func(i int, codes []byte) error {
		room, err := d.arena.reserve(&d.base, fsstLongest*(len(codes)+1))
		if err != nil {
			return err
		}
		size := d.table.decode(room, codes)
		if size < 0 {
			return d.fail("row %d: unknown code", d.pos+i%blockRows)
		}
		dst[i] = d.arena.commit(room[:size])
		return nil
	})
}

func (d *fsst) ReadVec(dst *vector.Vec[vector.View], n int) error { return readFlat(d, dst, n) }

func (d *fsst) readSel(dst []vector.View, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *fsst) Rewind() {
	d.lengths.Rewind()
	d.arena.rewind()
	d.pos, d.at = 0, 0
}

func (d *fsst) Close() {
	if d.stop() {
		shut(&d.lengths)
		d.arena.close(&d.base)
		d.codes = nil
		recycle[vector.View](d)
	}
}
