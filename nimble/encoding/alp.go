package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/vector"
)

// alp is floats as decimals, integers times a power of ten, and exceptions
// where that is not exact:
//
//	3 bytes: bits 0-4 exponent e | bits 5-9 factor f | bit 16 exceptions follow
//	[uvarint exceptions]
//	uvarint size | encoded: array of u64, rows, zigzag
//	[uvarint size | positions: array of u32, ascending]
//	[uvarint size | values: array of as many values]
//
// A value is encoded × 10^f / 10^e, in that order, rounded to its type.
type alp[T wide] struct {
	base
	encoded    Decoder[uint64]
	up, down   float64 // 10^f, 10^e
	exceptions exceptions[T]
}

// powersOfTen are those that the format knows.
var powersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23,
}

const (
	alpExponentBits   = 0x1f
	alpFactorShift    = 5
	alpHasExceptions  = 1 << 16
	alpControlDefined = alpHasExceptions | 1<<10 - 1
)

func (d *alp[T]) open(body []byte) (err error) {
	if d.prefix.Type != Float && d.prefix.Type != Double {
		return unsupported("data type %v", d.prefix.Type)
	}
	in := input{data: body}
	control := int(in.u8("control")) | int(in.u8("control"))<<8 | int(in.u8("control"))<<16
	count := 0
	if control&alpHasExceptions != 0 {
		count = in.uvarint32("number of exceptions")
	}
	encoded := in.varsized("encoded")
	if in.err != nil {
		return in.err
	}
	e, f := control&alpExponentBits, control>>alpFactorShift&alpExponentBits
	if e >= len(powersOfTen) || f >= len(powersOfTen) || control&^alpControlDefined != 0 {
		return corrupt("control %#x", control)
	}
	d.up, d.down = powersOfTen[f], powersOfTen[e]
	if d.encoded, err = openPart[uint64](d.session, "encoded", encoded, d.prefix.Rows); err != nil {
		return err
	}
	if control&alpHasExceptions == 0 {
		return nil
	}
	positions, values := in.varsized("exception positions"), in.varsized("exception values")
	if in.err != nil {
		return in.err
	}
	if err := d.exceptions.open(&d.base, positions, values); err != nil {
		return err
	}
	if n := len(d.exceptions.positions.S); n != count {
		return corrupt("%d exceptions where %d are declared", n, count)
	}
	return nil
}

func (d *alp[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return d.childFail("encoded", d.encoded.Skip(n))
}

func (d *alp[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	defer d.session.release(d.session.mark())
	room := carve[uint64](d.session)
	for len(dst) > 0 {
		block := dst[:min(len(dst), blockRows)]
		encoded := room[:len(block)]
		if err := d.encoded.Read(encoded); err != nil {
			return d.childFail("encoded", err)
		}
		kernel.Decimals(block, encoded, d.up, d.down)
		positions, values := d.exceptions.between(d.pos, d.pos+len(block))
		for i, p := range positions {
			block[int(p)-d.pos] = values[i]
		}
		d.pos += len(block)
		dst = dst[len(block):]
	}
	return nil
}

func (d *alp[T]) ReadVec(dst *vector.Vec[T], n int) error { return readFlat(d, dst, n) }

func (d *alp[T]) readSel(dst []T, from, n int, sel []int32) error {
	return selectRows(d, dst, from, n, sel)
}

func (d *alp[T]) Rewind() {
	d.encoded.Rewind()
	d.pos = 0
}

func (d *alp[T]) Close() {
	if d.stop() {
		shut(&d.encoded)
		d.exceptions.close(d.session)
		recycle[T](d)
	}
}
