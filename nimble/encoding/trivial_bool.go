package encoding

import "github.com/decantdb/decant/internal/kernel"

// slopBytes are the zero bytes behind packed bits, so that a reader may load
// eight bytes anywhere.
const slopBytes = 7

// packedSize returns the bytes of n values of width bits with their slop.
func packedSize(n, width int) int { return kernel.PackedBytes(n, width) + slopBytes }

// trivialBool is bools as bits:
//
//	u8 codec | payload: rows × bit, least significant first | 7 × 0
type trivialBool struct {
	base
	bits payload
}

func (d *trivialBool) open(body []byte) error {
	in := input{data: body}
	codec := Compression(in.u8("codec"))
	if in.err != nil {
		return in.err
	}
	return d.bits.sized(d.session, codec, in.data, packedSize(d.prefix.Rows, 1))
}

func (d *trivialBool) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return nil
}

func (d *trivialBool) skipCount(n int) (int, error) {
	if err := d.need(n); err != nil {
		return 0, err
	}
	count := kernel.CountBits(d.bits.bytes, d.pos, n)
	d.pos += n
	return count, nil
}

func (d *trivialBool) ReadBits(dst []uint64, begin, n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	kernel.LoadBits(dst, begin, d.bits.bytes, d.pos, n)
	d.pos += n
	return nil
}

func (d *trivialBool) readFlags(words []uint64, _ []uint32, n int) (flags, error) {
	return readDense(d, words, n)
}

func (d *trivialBool) Rewind() { d.pos = 0 }

func (d *trivialBool) Close() {
	if d.stop() {
		d.bits.close(d.session)
		recycleBools(d)
	}
}
