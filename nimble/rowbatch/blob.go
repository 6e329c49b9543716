package rowbatch

import (
	"encoding/binary"

	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/nimble/encoding"
)

// maxTrailerBytes bounds a trailer.
const maxTrailerBytes = 64 << 20

// blob is a batch cut into its streams. Its lists are reused.
type blob struct {
	Header
	ids    []uint32 // numbers of the streams, ascending but in version Tablet
	data   [][]byte // of each
	sizes  []uint32
	places []uint32 // version Tablet: which of sizes a stream has
	begins []int    // version Tablet: where each of sizes begins
}

// parse cuts data, which b borrows.
func (b *blob) parse(data []byte, headerless bool) (err error) {
	b.ids, b.data, b.sizes, b.places = b.ids[:0], b.data[:0], b.sizes[:0], b.places[:0]
	var rest []byte
	if b.Header, rest, err = ReadHeader(data, headerless); err != nil {
		return err
	}
	if !b.encoded() {
		return b.cutLegacy(rest)
	}
	body, trailer, err := splitTrailer(rest)
	if err != nil {
		return err
	}
	in := input{data: trailer}
	switch b.Version {
	case LegacyCompact:
		b.readCompactTrailer(&in)
	case Tablet:
		b.ids = readSection(b.ids, &in, anyCount, "stream numbers")
		b.places = readSection(b.places, &in, len(b.ids), "stream places")
		b.sizes = readSection(b.sizes, &in, anyCount, "stream sizes")
	default:
		b.ids = readSection(b.ids, &in, anyCount, "stream numbers")
		b.sizes = readSection(b.sizes, &in, len(b.ids), "stream sizes")
	}
	if in.err == nil && len(in.data) > 0 {
		in.err = corruptf("%d bytes behind the trailer's lists", len(in.data))
	}
	switch {
	case in.err != nil:
		return in.err
	case b.Version == Tablet:
		return b.cutShared(body)
	default:
		return b.cut(body)
	}
}

// splitTrailer returns what is before the trailer, and the trailer without its
// size.
func splitTrailer(rest []byte) (body, trailer []byte, err error) {
	if len(rest) < 4 {
		return nil, nil, corruptf("%d bytes are too few for a trailer", len(rest))
	}
	end := len(rest) - 4
	size := binary.LittleEndian.Uint32(rest[end:])
	if size > maxTrailerBytes || int(size) > end {
		return nil, nil, corruptf("trailer of %d bytes exceeds the %d there are", size, end)
	}
	return rest[:end-int(size)], rest[end-int(size) : end], nil
}

// cutLegacy cuts { u32 size | bytes } by stream number.
func (b *blob) cutLegacy(rest []byte) error {
	in := input{data: rest}
	for id := uint32(0); len(in.data) > 0; id++ {
		data := in.bytes(uint64(in.u32("stream size")), "stream")
		if in.err != nil {
			return in.err
		}
		if len(data) > 0 {
			b.ids, b.data = append(b.ids, id), append(b.data, data)
		}
	}
	return nil
}

// readCompactTrailer reads the trailer of version LegacyCompact, sizes by
// stream number:
//
//	u8 0 Trivial         sizes × u32, up to the end
//	u8 3 FixedBitWidth   u8 width | uv count | count × width bits | 7 × 0
//	u8 7 Varint          uv count | count × uv
//	u8 8 Delta           uv count | uv first | (count-1) × uv difference
//	u8 10 MainlyConstant uv count | uv present | and if that is not 0:
//	                     u8 width | numbers | 7 × 0 | u8 width | sizes | 7 × 0
func (b *blob) readCompactTrailer(in *input) {
	const what = "stream sizes"
	kind := encoding.Kind(in.u8(what))
	switch kind {
	case encoding.KindTrivial:
		b.sizes = readList(b.sizes, in, kind, len(in.data)/4, what)
	case encoding.KindVarint, encoding.KindDelta:
		count := in.uv(what)
		if in.err == nil && int(count) > len(in.data) {
			in.err = corruptf("%d %s in %d bytes", count, what, len(in.data))
		}
		b.sizes = readList(b.sizes, in, kind, int(count), what)
	case encoding.KindFixedBitWidth:
		width, count := int(in.u8(what)), int(in.uv(what))
		if width > 32 && in.err == nil {
			in.err = corruptf("%s of %d bits", what, width)
		}
		if width > 0 { // without bits no stream has a size
			b.sizes = readPacked(b.sizes, in, count, width, what)
		}
	case encoding.KindMainlyConstant:
		b.readPresentSizes(in)
		return
	default:
		if in.err == nil {
			in.err = unsupportedf("%s as %v", what, kind)
		}
	}
	for i := range b.sizes {
		b.ids = append(b.ids, uint32(i))
	}
}

// readPresentSizes reads the sizes of the streams that have one.
func (b *blob) readPresentSizes(in *input) {
	streams, count := in.uv("stream count"), int(in.uv("present streams"))
	if in.err != nil || count == 0 {
		return
	}
	for _, list := range []*[]uint32{&b.ids, &b.sizes} {
		width := int(in.u8("stream sizes"))
		if in.err == nil && (width > 32 || width == 0 && count > 1) {
			in.err = corruptf("%d stream sizes of %d bits", count, width)
		}
		*list = readPacked(*list, in, count, width, "stream sizes")
	}
	for _, id := range b.ids {
		if in.err == nil && id >= streams {
			in.err = corruptf("stream %d of %d", id, streams)
		}
	}
}

// cut cuts the streams, which lie one behind the other.
func (b *blob) cut(body []byte) error {
	if sum := kernel.Sum(b.sizes); sum != uint64(len(body)) {
		return corruptf("streams of %d bytes in %d", sum, len(body))
	}
	for i, size := range b.sizes {
		if i > 0 && b.ids[i] <= b.ids[i-1] {
			return corruptf("stream %d behind %d", b.ids[i], b.ids[i-1])
		}
		b.data = append(b.data, body[:size:size])
		body = body[size:]
	}
	return nil
}

// cutShared cuts the streams of version Tablet, several of which may be the
// same bytes.
func (b *blob) cutShared(body []byte) error {
	b.begins = b.begins[:0]
	at := 0
	for _, size := range b.sizes {
		b.begins = append(b.begins, at)
		at += int(size)
	}
	if at != len(body) {
		return corruptf("streams of %d bytes in %d", at, len(body))
	}
	for _, place := range b.places {
		if int(place) >= len(b.sizes) {
			return corruptf("stream place %d of %d", place, len(b.sizes))
		}
		begin := b.begins[place]
		end := begin + int(b.sizes[place])
		b.data = append(b.data, body[begin:end:end])
	}
	return nil
}

// appendTrailer appends the trailer of versions 4 and 5 to dst.
func appendTrailer(dst []byte, numberForm, sizeForm ListForm, ids, sizes []uint32) []byte {
	begin := len(dst)
	dst = appendSection(dst, numberForm, ids)
	dst = appendSection(dst, sizeForm, sizes)
	return binary.LittleEndian.AppendUint32(dst, uint32(len(dst)-begin))
}
