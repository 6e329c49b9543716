package encoding

import (
	"encoding/binary"

	"github.com/decantdb/decant/vector"
)

// prefixed is strings without what they share with the one before, and whole
// ones at every interval:
//
//	u32 interval
//	ceil(rows/interval) × u32 offset of a whole string's entry
//	rows × { u32 shared bytes | u32 size | bytes }
type prefixed struct {
	base
	interval int
	offsets  []byte
	entries  []byte
	at       int    // of the next entry
	whole    int    // row of the next whole string
	last     []byte // the string before
	arena    arena
}

func (d *prefixed) open(body []byte) error {
	in := input{data: body}
	d.interval = in.u32("restart interval")
	if in.err == nil && d.interval == 0 {
		return corrupt("restart interval of 0")
	}
	if in.err != nil {
		return in.err
	}
	restarts := (d.prefix.Rows + d.interval - 1) / d.interval
	d.offsets = in.bytes(4*restarts, "restart offsets")
	d.entries = in.data
	d.arena.open(d.session)
	d.restart()
	return in.err
}

func (d *prefixed) restart() { d.pos, d.whole, d.at, d.last = 0, 0, 0, nil }

// next makes the next string, in memory that commit may keep.
func (d *prefixed) next() ([]byte, error) {
	if d.pos == d.whole {
		d.whole += d.interval
		d.at = int(binary.LittleEndian.Uint32(d.offsets[d.pos/d.interval*4:]))
		d.last = nil
		if d.at > len(d.entries) {
			return nil, d.fail("entry at %d of %d bytes", d.at, len(d.entries))
		}
	}
	entry := d.entries[d.at:]
	if len(entry) < 8 {
		return nil, d.fail("entry cut off after %d bytes", len(entry))
	}
	shared, size := int(binary.LittleEndian.Uint32(entry)), int(binary.LittleEndian.Uint32(entry[4:]))
	suffix := entry[8:]
	if uint(size) > uint(len(suffix)) {
		return nil, d.fail("suffix of %d bytes exceeds the %d that are left", size, len(suffix))
	}
	suffix = suffix[:size]
	if uint(shared) > uint(len(d.last)) {
		return nil, d.fail("%d bytes shared with a string of %d", shared, len(d.last))
	}
	text, err := d.arena.reserve(&d.base, shared+len(suffix))
	if err != nil {
		return nil, err
	}
	copy(text, d.last[:shared])
	copy(text[shared:], suffix)
	d.at += 8 + len(suffix)
	d.last = text
	d.pos++
	return text, nil
}

func (d *prefixed) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	to := d.pos + n
	if restart := to - to%d.interval; restart > d.pos {
		d.pos, d.whole = restart, restart
	}
	for d.pos < to {
		if _, err := d.next(); err != nil {
			return err
		}
	}
	return nil
}

func (d *prefixed) Read(dst []vector.View) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	for i := range dst {
		text, err := d.next()
		if err != nil {
			return err
		}
		d.arena.commit(&dst[i], text)
	}
	return nil
}

func (d *prefixed) ReadVec(dst *vector.Vec[vector.View], n int) error { return readFlat(d, dst, n) }

func (d *prefixed) readSel(dst []vector.View, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *prefixed) Rewind() {
	d.arena.rewind()
	d.restart()
}

func (d *prefixed) Close() {
	if d.stop() {
		d.arena.close(&d.base)
		d.offsets, d.entries, d.last = nil, nil, nil
		recycle[vector.View](d)
	}
}
