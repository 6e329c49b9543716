package encoding

import (
	"math"

	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/vector"
)

// trivialString is strings as lengths and joined bytes:
//
//	u8 codec | u32 size | lengths: array of u32, rows | payload: bytes of all strings
//
// The codec is that of the payload.
type trivialString struct {
	base
	lengths Decoder[uint32]
	blob    payload
	id      uint32 // of the blob among the strings' buffers
	listed  bool
	at      int // first byte of the next string
}

func (d *trivialString) open(body []byte) (err error) {
	in := input{data: body}
	codec := Compression(in.u8("codec"))
	lengths := in.sized("lengths")
	if in.err != nil {
		return in.err
	}
	if d.lengths, err = openPart[uint32](d.session, "lengths", lengths, d.prefix.Rows); err != nil {
		return err
	}
	if err := d.blob.open(d.session, codec, in.data); err != nil {
		return err
	}
	if len(d.blob.bytes) > math.MaxUint32 {
		return unsupported("strings of %d bytes", len(d.blob.bytes))
	}
	d.id, d.listed, d.at = d.strings.Add(d.blob.bytes), true, 0
	return nil
}

// next returns the lengths of the next n strings, at most blockRows, and their
// bytes in the blob.
func (d *trivialString) next(lengths []uint32, n int) ([]uint32, []byte, error) {
	lengths = lengths[:n]
	if err := d.lengths.Read(lengths); err != nil {
		return nil, nil, d.childFail("lengths", err)
	}
	sum := kernel.Sum(lengths)
	rest := d.blob.bytes[d.at:]
	if sum > uint64(len(rest)) {
		return nil, nil, d.fail("strings of %d bytes exceed the %d that are left", sum, len(rest))
	}
	return lengths, rest[:sum], nil
}

func (d *trivialString) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	defer d.session.release(d.session.mark())
	block := carve[uint32](d.session)
	for n > 0 {
		take := min(n, blockRows)
		_, text, err := d.next(block, take)
		if err != nil {
			return err
		}
		d.at += len(text)
		d.pos += take
		n -= take
	}
	return nil
}

func (d *trivialString) Read(dst []vector.View) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	defer d.session.release(d.session.mark())
	block := carve[uint32](d.session)
	for len(dst) > 0 {
		take := min(len(dst), blockRows)
		lengths, text, err := d.next(block, take)
		if err != nil {
			return err
		}
		cutViews(dst[:take], lengths, d.blob.bytes, d.at, d.id)
		d.at += len(text)
		d.pos += take
		dst = dst[take:]
	}
	return nil
}

func (d *trivialString) ReadVec(dst *vector.Vec[vector.View], n int) error {
	return readFlat(d, dst, n)
}

func (d *trivialString) readSel(dst []vector.View, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *trivialString) Rewind() {
	d.lengths.Rewind()
	d.pos, d.at = 0, 0
}

func (d *trivialString) Close() {
	if !d.stop() {
		return
	}
	shut(&d.lengths)
	if d.listed {
		d.strings.Remove(d.id)
		d.listed = false
	}
	d.blob.close(d.session)
	recycle[vector.View](d)
}
