package encoding

import (
	"encoding/binary"
	"strings"

	"github.com/decantdb/decant/vector"
)

// encodeInput is an array in the shapes that the encoder takes.
type encodeInput struct {
	dt      DataType
	u8      []uint8
	u16     []uint16
	u32     []uint32
	u64     []uint64
	views   []vector.View
	buffers [][]byte
	bits    []uint64
	present int
	valid   []uint64 // nil: no nulls
	rows    int
}

// encodeValues takes values as the README of the golden set describes them, and
// leaves out those of null rows. Negative rows mean all that there are.
func encodeValues(dataType string, data, nulls []byte, rows int) *encodeInput {
	in := &encodeInput{}
	for dt, name := range dataTypeNames {
		if strings.EqualFold(name, dataType) {
			in.dt = DataType(dt)
		}
	}
	if rows < 0 {
		rows = countValues(in.dt, data)
	}
	in.rows, in.bits = rows, make([]uint64, vector.Words(rows))
	if nulls != nil {
		in.valid = make([]uint64, vector.Words(rows)+1)
	}
	var raw []byte
	for i := range rows {
		var value []byte
		switch width := in.dt.Bytes(); in.dt {
		case String:
			n := int(binary.LittleEndian.Uint32(data))
			value, data = data[4:4+n], data[4+n:]
		default:
			value, data = data[:width], data[width:]
		}
		if nulls != nil {
			if nulls[i] != 0 {
				continue
			}
			vector.SetBit(in.valid, i)
		}
		switch in.dt {
		case String:
			in.views = append(in.views, vector.MakeView(value, uint32(len(in.buffers)), 0))
			in.buffers = append(in.buffers, value)
		case Bool:
			if value[0] != 0 {
				vector.SetBit(in.bits, in.present)
			}
		default:
			raw = append(raw, value...)
		}
		in.present++
	}
	switch in.dt.Bytes() {
	case 1:
		in.u8 = encodeNumbers[uint8](raw)
	case 2:
		in.u16 = encodeNumbers[uint16](raw)
	case 4:
		in.u32 = encodeNumbers[uint32](raw)
	case 8:
		in.u64 = encodeNumbers[uint64](raw)
	}
	return in
}

func countValues(dt DataType, data []byte) int {
	if dt != String {
		return len(data) / dt.Bytes()
	}
	n := 0
	for ; len(data) > 0; n++ {
		data = data[4+binary.LittleEndian.Uint32(data):]
	}
	return n
}

// encodeNumbers returns raw little-endian bytes as numbers.
func encodeNumbers[T Integer](raw []byte) []T {
	out := make([]T, len(raw)/sizeOf[T]())
	if _, err := binary.Decode(raw, binary.LittleEndian, out); err != nil {
		panic(err)
	}
	return out
}

// encode runs the entry point for the input's type.
func (in *encodeInput) encode(e *Encoder, dst []byte) ([]byte, error) {
	switch {
	case in.dt == String:
		return AppendNullableStrings(e, dst, in.views, in.buffers, in.valid, in.rows)
	case in.dt == Bool:
		return AppendNullableBools(e, dst, in.bits, in.valid, in.rows)
	}
	switch in.dt.Bytes() {
	case 1:
		return AppendNullable(e, dst, in.dt, in.u8, in.valid, in.rows)
	case 2:
		return AppendNullable(e, dst, in.dt, in.u16, in.valid, in.rows)
	case 4:
		return AppendNullable(e, dst, in.dt, in.u32, in.valid, in.rows)
	}
	return AppendNullable(e, dst, in.dt, in.u64, in.valid, in.rows)
}

// trivialLayout is the layout of Trivial through and through.
func trivialLayout(dt DataType, c Compression) *Layout {
	l := &Layout{Kind: KindTrivial, Compression: c}
	if dt == String {
		l.Children = []*Layout{{Kind: KindTrivial, Compression: c}}
	}
	return l
}

// forcedLayout is the layout of kind with its children Trivial or selected.
func forcedLayout(kind Kind, dt DataType, nested string, c Compression) *Layout {
	if kind == KindTrivial && dt == String || kind == KindSparseBool || kind == KindRLE && dt == Bool {
		return &Layout{Kind: kind, Compression: c, Children: nestedLayouts(nested, c, Uint32)}
	}
	l := &Layout{Kind: kind, Compression: c}
	switch kind {
	case KindDictionary:
		l.Children = nestedLayouts(nested, c, dt, Uint32)
	case KindRLE:
		l.Children = nestedLayouts(nested, c, Uint32, dt)
	case KindMainlyConstant:
		l.Children = nestedLayouts(nested, c, Bool, dt)
	case KindNullable:
		l.Children = nestedLayouts(nested, c, dt, Bool)
	case KindDelta:
		l.Children = nestedLayouts(nested, c, dt, dt, Bool)
	case KindALP:
		l.Children = nestedLayouts(nested, c, Uint64, Uint32, dt)
	case KindPFOR:
		l.Children = nestedLayouts(nested, c, Uint32, dt)
	case KindFsst:
		l.Children = nestedLayouts(nested, c, Uint32)
	case KindBlockBitPacking, KindFOR:
		l.Children = nestedLayouts(nested, c, Uint8, Uint32, Uint64)
	}
	return l
}

func nestedLayouts(nested string, c Compression, types ...DataType) []*Layout {
	out := make([]*Layout, len(types))
	for i, dt := range types {
		if nested == "trivial" {
			out[i] = trivialLayout(dt, c)
		}
	}
	return out
}

// distinctIndices returns the distinct values in the order of their first
// occurrence, and the number of each row's.
func distinctIndices[T Integer](values []T) (alphabet []T, indices []uint32) {
	ids := map[T]uint32{}
	for _, v := range values {
		id, ok := ids[v]
		if !ok {
			id = uint32(len(alphabet))
			ids[v] = id
			alphabet = append(alphabet, v)
		}
		indices = append(indices, id)
	}
	return alphabet, indices
}
