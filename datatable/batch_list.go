package datatable

import "github.com/decantdb/decant/vector"

// putList writes the elements from begin up to end of a column of arrays.
func (b *Builder) putList(slot []byte, bc *batchColumn, begin, end int) {
	switch bc.column.stored {
	case IntArray:
		b.putIntList(slot, bc, begin, end)
		b.zeroNulls(bc, begin, end, 4)
	case LongArray:
		b.putLongs(slot, bc.longs.values[begin:end])
		b.zeroNulls(bc, begin, end, 8)
	case FloatArray:
		b.putFloats(slot, bc.floats.values[begin:end])
		b.zeroNulls(bc, begin, end, 4)
	case DoubleArray:
		b.putDoubles(slot, bc.doubles.values[begin:end])
		b.zeroNulls(bc, begin, end, 8)
	case StringArray:
		b.putTextList(slot, bc, begin, end)
	default:
		b.putBlobList(slot, bc, begin, end)
	}
}

func (b *Builder) putIntList(slot []byte, bc *batchColumn, begin, end int) {
	switch bc.list.Elem.(type) {
	case *vector.Vec[int8]:
		putInts(b, slot, bc.ints8.values[begin:end])
	case *vector.Vec[int16]:
		putInts(b, slot, bc.ints16.values[begin:end])
	case *vector.Vec[int32]:
		putInts(b, slot, bc.ints32.values[begin:end])
	default: // bools
		dst := b.array(slot, end-begin, 4)
		clear(dst)
		for i := range len(dst) / 4 {
			if vector.Bit(bc.bools, begin+i) {
				dst[4*i+3] = 1
			}
		}
	}
}

// zeroNulls puts 0 in the place of the null elements of the array, of elements
// of size bytes, that was added last.
func (b *Builder) zeroNulls(bc *batchColumn, begin, end, size int) {
	if bc.elemValid == nil || b.err != nil {
		return
	}
	dst := b.variable.S[len(b.variable.S)-(end-begin)*size:]
	for i := begin; i < end; i++ {
		if !vector.Bit(bc.elemValid, i) {
			clear(dst[(i-begin)*size : (i-begin+1)*size])
		}
	}
}

func (b *Builder) putTextList(slot []byte, bc *batchColumn, begin, end int) {
	ids := b.array(slot, end-begin, 4)
	for i := range len(ids) / 4 {
		if vector.Valid(bc.elemValid, begin+i) {
			b.putText(ids[4*i:], &bc.texts, begin+i)
		} else {
			b.putString(ids[4*i:], nil)
		}
	}
}

func (b *Builder) putBlobList(slot []byte, bc *batchColumn, begin, end int) {
	b.begin(slot)
	putLength(slot, end-begin)
	var number [8]byte
	for i := begin; i < end; i++ {
		switch present := vector.Valid(bc.elemValid, i); {
		case bc.column.stored == BigDecimalArray && present:
			b.addDecimalBlob(bc.decimal(i, &number))
		case bc.column.stored == BigDecimalArray:
			b.addDecimalBlob(Decimal{})
		case present:
			if v := bc.texts.bytes(i); b.checkUUID(bc.column.typ, v) {
				b.addBlob(v)
			}
		case bc.column.typ == UUIDArray:
			b.addBlob(zeroUUID[:])
		default:
			b.addBlob(nil)
		}
	}
}
