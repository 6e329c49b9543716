package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
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

// next returns the lengths of the codes of the next n strings, at most
// blockRows, and these codes, and moves past them.
func (d *fsst) next(lengths []uint32, n int) ([]uint32, []byte, error) {
	lengths = lengths[:n]
	if err := d.lengths.Read(lengths); err != nil {
		return nil, nil, d.childFail("lengths", err)
	}
	sum := kernel.Sum(lengths)
	rest := d.codes[d.at:]
	if sum > uint64(len(rest)) {
		return nil, nil, d.fail("strings of %d codes exceed the %d that are left", sum, len(rest))
	}
	d.at += int(sum)
	d.pos += n
	return lengths, rest[:sum], nil
}

func (d *fsst) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	defer d.session.release(d.session.mark())
	block := carve[uint32](d.session)
	for n > 0 {
		take := min(n, blockRows)
		if _, _, err := d.next(block, take); err != nil {
			return err
		}
		n -= take
	}
	return nil
}

func (d *fsst) Read(dst []vector.View) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	defer d.session.release(d.session.mark())
	block := carve[uint32](d.session)
	for len(dst) > 0 {
		take := min(len(dst), blockRows)
		lengths, codes, err := d.next(block, take)
		if err != nil {
			return err
		}
		for i, n := range lengths {
			room, err := d.arena.reserve(&d.base, fsstLongest*(int(n)+1))
			if err != nil {
				return err
			}
			size := d.table.decode(room, codes[:n])
			if size < 0 {
				return d.fail("row %d: unknown code", d.pos-take+i)
			}
			d.arena.commit(&dst[i], room[:size])
			codes = codes[n:]
		}
		dst = dst[take:]
	}
	return nil
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
