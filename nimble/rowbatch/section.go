package rowbatch

import (
	"encoding/binary"
	"math/bits"

	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/nimble/encoding"
)

// anyCount stands for a number of entries that is not known beforehand.
const anyCount = -1

// slopBytes follow packed bits, so that eight bytes may be loaded anywhere.
const slopBytes = 7

// readSection appends the next list of a trailer to dst:
//
//	u8 0 Trivial         uv count | count × u32
//	u8 3 FixedBitWidth   u8 width | uv count | count × width bits | 7 × 0,
//	                     nothing behind count if width or count are 0
//	u8 7 Varint          uv count | count × uv
//	u8 8 Delta           uv count | uv first | (count-1) × uv difference
//
// Differences wrap around. The list must have want entries, unless that is
// anyCount, and then at most one if they take no space.
func readSection(dst []uint32, in *input, want int, what string) []uint32 {
	kind := encoding.Kind(in.u8(what))
	switch kind {
	case encoding.KindTrivial, encoding.KindVarint, encoding.KindDelta, encoding.KindFixedBitWidth:
	default:
		if in.err == nil {
			in.err = unsupportedf("%s as %v", what, kind)
		}
		return dst
	}
	width := 0
	if kind == encoding.KindFixedBitWidth {
		if width = int(in.u8(what)); width > 32 {
			in.err = corruptf("%s of %d bits", what, width)
		}
	}
	count := int(in.uv(what))
	if in.err == nil && want != anyCount && count != want {
		in.err = corruptf("%d %s where %d are needed", count, what, want)
	}
	if kind == encoding.KindFixedBitWidth {
		if in.err == nil && width == 0 && want == anyCount && count > 1 {
			in.err = corruptf("%d %s without bits", count, what)
		}
		return readPacked(dst, in, count, width, what)
	}
	if in.err == nil && count > len(in.data) {
		in.err = corruptf("%d %s in %d bytes", count, what, len(in.data))
	}
	return readList(dst, in, kind, count, what)
}

// readPacked appends count values of width bits to dst.
func readPacked(dst []uint32, in *input, count, width int, what string) []uint32 {
	if in.err != nil || count == 0 {
		return dst
	}
	begin := len(dst)
	if width == 0 {
		for range count {
			dst = append(dst, 0)
		}
		return dst
	}
	packed := in.bytes(uint64(kernel.PackedBytes(count, width)+slopBytes), what)
	if in.err != nil {
		return dst
	}
	dst = extend(dst, count)
	kernel.Unpack(dst[begin:], packed, 0, width, 0)
	return dst
}

// extend makes dst n entries longer.
func extend[T any](dst []T, n int) []T {
	for cap(dst)-len(dst) < n {
		var zero T
		dst = append(dst[:cap(dst)], zero)[:len(dst)]
	}
	return dst[:len(dst)+n]
}

// readList appends count values, which have a byte each at least, to dst.
func readList(dst []uint32, in *input, kind encoding.Kind, count int, what string) []uint32 {
	last := uint32(0)
	for range count {
		if in.err != nil {
			return dst
		}
		switch kind {
		case encoding.KindTrivial:
			last = in.u32(what)
		case encoding.KindVarint:
			last = in.uv(what)
		default:
			last += in.uv(what)
		}
		dst = append(dst, last)
	}
	return dst
}

// ListForm is how a list of a trailer is written.
type ListForm uint8

// The forms: in as few bits as the largest entry takes, in four bytes each, as
// varints, and as varints of differences.
const (
	PackedList ListForm = iota
	PlainList
	VarintList
	DeltaList
)

var listKinds = [...]encoding.Kind{
	PackedList: encoding.KindFixedBitWidth, PlainList: encoding.KindTrivial,
	VarintList: encoding.KindVarint, DeltaList: encoding.KindDelta,
}

// appendSection appends values as readSection reads them to dst.
func appendSection(dst []byte, form ListForm, values []uint32) []byte {
	kind := listKinds[form]
	dst = append(dst, byte(kind))
	if kind == encoding.KindFixedBitWidth {
		width := bits.Len32(kernel.Max(values))
		dst = append(dst, byte(width))
		dst = binary.AppendUvarint(dst, uint64(len(values)))
		return appendPacked(dst, values, width)
	}
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	last := uint32(0)
	for _, x := range values {
		switch kind {
		case encoding.KindTrivial:
			dst = binary.LittleEndian.AppendUint32(dst, x)
		case encoding.KindVarint:
			dst = binary.AppendUvarint(dst, uint64(x))
		default:
			dst = binary.AppendUvarint(dst, uint64(x-last))
			last = x
		}
	}
	return dst
}

func appendPacked(dst []byte, values []uint32, width int) []byte {
	if width == 0 || len(values) == 0 {
		return dst
	}
	var word uint64
	filled := 0
	for _, x := range values {
		word |= uint64(x) << filled
		for filled += width; filled >= 8; filled -= 8 {
			dst = append(dst, byte(word))
			word >>= 8
		}
	}
	if filled > 0 {
		dst = append(dst, byte(word))
	}
	return append(dst, make([]byte, slopBytes)...)
}
