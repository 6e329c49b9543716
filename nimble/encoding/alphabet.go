package encoding

import (
	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// alphabet is the distinct values of an array and an index into them for each
// row: what Dictionary and SharedDictionary have in common.
type alphabet[T Physical] struct {
	source  Decoder[T]
	values  pool.Buf[T]
	indices Decoder[uint32]
	// encoded says that indices come as runs or as exceptions, which are
	// looked up once each instead of once a row, by way of ids.
	encoded bool
	ids     *vector.Vec[uint32]
	// narrow is the indices if they are whole bytes, looked up as they are.
	narrow *fixedBitWidth[uint32]
}

// open reads the values from source, which d then owns, and opens the indices.
func (a *alphabet[T]) open(b *base, indices []byte) (err error) {
	s := b.session
	if a.values, err = hold[T](s, a.source.Rows()); err != nil {
		return within("alphabet", err)
	}
	if err := a.source.Read(a.values.S); err != nil {
		return within("alphabet", err)
	}
	if a.indices, err = openPart[uint32](s, "indices", indices, b.prefix.Rows); err != nil {
		return err
	}
	a.encoded, a.narrow = false, nil
	switch indices := a.indices.(type) {
	case *rle[uint32], *mainlyConstant[uint32], *constant[uint32]:
		a.encoded = true
	case *fixedBitWidth[uint32]:
		if indices.baseline == 0 && (indices.width == 8 || indices.width == 16) {
			a.narrow = indices
		}
	}
	if a.ids == nil {
		a.ids = vector.NewVec[uint32](s.pool)
	}
	return nil
}

func (a *alphabet[T]) close(s *Session) {
	shut(&a.source)
	shut(&a.indices)
	a.narrow = nil
	pool.Put(s.pool, &a.values)
	if a.ids != nil {
		a.ids.Release()
	}
}

// read reads the next rows, of which there are enough.
func (a *alphabet[T]) read(b *base, dst []T) error {
	if a.narrow != nil {
		return a.readNarrow(b, dst)
	}
	defer b.session.release(b.session.mark())
	block := carve[uint32](b.session)
	for len(dst) > 0 {
		out := dst[:min(len(dst), blockRows)]
		var err error
		if a.encoded {
			err = a.readEncoded(b, out)
		} else {
			err = a.readPlain(b, out, block[:len(out)])
		}
		if err != nil {
			return err
		}
		b.pos += len(out)
		dst = dst[len(out):]
	}
	return nil
}

func (a *alphabet[T]) readPlain(b *base, dst []T, block []uint32) error {
	if err := a.indices.Read(block); err != nil {
		return b.childFail("indices", err)
	}
	return a.lookup(b, dst, block)
}

// readNarrow looks up packed indices of one or two bytes.
func (a *alphabet[T]) readNarrow(b *base, dst []T) error {
	d := a.narrow
	packed := d.packed.bytes[d.pos*d.width/8:]
	var done int
	if d.width == 8 {
		done = kernel.Gather(dst, a.values.S, packed)
	} else {
		done = kernel.GatherPairs(dst, a.values.S, packed)
	}
	if done < len(dst) {
		return a.outside(b, uint32(kernel.Bits(packed, done*d.width, d.width)))
	}
	d.pos += len(dst)
	b.pos += len(dst)
	return nil
}

// lookup sets dst to the values that the indices stand for.
func (a *alphabet[T]) lookup(b *base, dst []T, indices []uint32) error {
	if done := kernel.Gather(dst, a.values.S, indices); done < len(dst) {
		return a.outside(b, indices[done])
	}
	return nil
}

func (a *alphabet[T]) outside(b *base, index uint32) error {
	return b.fail("index %d outside of an alphabet of %d values", index, len(a.values.S))
}

func (a *alphabet[T]) readEncoded(b *base, dst []T) error {
	ids := a.ids
	if err := a.indices.ReadVec(ids, len(dst)); err != nil {
		return b.childFail("indices", err)
	}
	defer b.session.release(b.session.mark())
	values := carve[T](b.session)
	switch ids.Form {
	case vector.Flat:
		return a.lookup(b, dst, ids.Values)
	case vector.RunLength:
		if err := a.lookup(b, values[:len(ids.Values)], ids.Values); err != nil {
			return err
		}
		kernel.FillEnds(dst, values, ids.Ends)
		return nil
	default: // Constant and Sparse; a constant has no positions
		if err := a.lookup(b, values[:1], ids.Values); err != nil {
			return err
		}
		kernel.Fill(dst, values[0])
		exceptions := values[:len(ids.Positions)]
		if err := a.lookup(b, exceptions, ids.Values[1:]); err != nil {
			return err
		}
		kernel.Scatter(dst, exceptions, ids.Positions)
		return nil
	}
}

// readVec reads the next n rows, of which there are enough.
func (a *alphabet[T]) readVec(b *base, dst *vector.Vec[T], n int) error {
	prepare(b, dst, n)
	if n == 0 {
		// Even constant indices need not have a value in the alphabet.
		return nil
	}
	if !a.encoded {
		index := dst.ReserveIndex(n)
		if err := a.indices.Read(index); err != nil {
			return b.childFail("indices", err)
		}
		if most := kernel.Max(index); int(most) >= len(a.values.S) {
			return a.outside(b, most)
		}
		dst.Form, dst.Values = vector.Dictionary, a.values.S
		b.pos += n
		return nil
	}
	if err := a.indices.ReadVec(a.ids, n); err != nil {
		return b.childFail("indices", err)
	}
	dst.Form, dst.Ends, dst.Positions = a.ids.Form, a.ids.Ends, a.ids.Positions
	b.pos += n
	return a.lookup(b, dst.ReserveValues(len(a.ids.Values)), a.ids.Values)
}

// readSel is selReader for the next n rows, of which there are enough.
func (a *alphabet[T]) readSel(b *base, dst []T, from, n int, sel []int32) error {
	defer b.session.release(b.session.mark())
	block := carve[uint32](b.session)
	at, end := from, from+n
	for len(sel) > 0 {
		count := min(len(sel), blockRows)
		next := int(sel[count-1]) + 1
		if err := readSel(a.indices, block[:count], at, next-at, sel[:count]); err != nil {
			return b.childFail("indices", err)
		}
		if err := a.lookup(b, dst[:count], block[:count]); err != nil {
			return err
		}
		dst, sel, at = dst[count:], sel[count:], next
	}
	b.pos += n
	return b.childFail("indices", a.indices.Skip(end-at))
}
