package encoding

import "github.com/decantdb/decant/vector"

// prepare makes dst an empty vector of n rows.
func prepare[T Physical](b *base, dst *vector.Vec[T], n int) {
	dst.Reset()
	dst.N = n
	dst.Buffers = b.strings
}

// readFlat is ReadVec for decoders whose rows have no other form.
func readFlat[T Physical](d Decoder[T], dst *vector.Vec[T], n int) error {
	b := d.header()
	if err := b.need(n); err != nil {
		return err
	}
	prepare(b, dst, n)
	return d.Read(dst.ReserveValues(n))
}
