package encoding

import "github.com/decantdb/decant/vector"

// dictionary is the distinct values, in any order, and an index into them for
// each row:
//
//	u32 size | alphabet: array of values | indices: array of u32, rows
type dictionary[T Physical] struct {
	base
	alphabet alphabet[T]
}

func (d *dictionary[T]) open(body []byte) (err error) {
	in := input{data: body}
	source := in.sized("alphabet")
	if in.err != nil {
		return in.err
	}
	if d.alphabet.source, err = openPart[T](d.session, "alphabet", source, anyRows); err != nil {
		return err
	}
	return d.alphabet.open(&d.base, in.data)
}

func (d *dictionary[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return d.childFail("indices", d.alphabet.indices.Skip(n))
}

func (d *dictionary[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	return d.alphabet.read(&d.base, dst)
}

func (d *dictionary[T]) ReadVec(dst *vector.Vec[T], n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	return d.alphabet.readVec(&d.base, dst, n)
}

func (d *dictionary[T]) readSel(dst []T, from, n int, sel []int32) error {
	return d.alphabet.readSel(&d.base, dst, from, n, sel)
}

func (d *dictionary[T]) Rewind() {
	d.alphabet.indices.Rewind()
	d.pos = 0
}

func (d *dictionary[T]) Close() {
	if d.stop() {
		d.alphabet.close(d.session)
		recycle[T](d)
	}
}
