package tablet

import "github.com/decantdb/decant/internal/flatbuf"

// An Extent says where a section is and how it is stored:
//
//	Extent { pos:u64 len:u32 codec:u8 rawlen:u32 }
type Extent struct {
	// Pos and Len are the stored bytes in the file.
	Pos uint64
	Len uint32
	// Codec is Raw or Zstd.
	Codec Codec
	// RawLen is the length when decompressed, 0 where the writer did not say.
	RawLen uint32
}

func parseExtent(t flatbuf.Table) Extent {
	return Extent{
		Pos:    flatbuf.Field[uint64](t, 0, 0),
		Len:    flatbuf.Field[uint32](t, 1, 0),
		Codec:  Codec(flatbuf.Field[uint8](t, 2, 0)),
		RawLen: flatbuf.Field[uint32](t, 3, 0),
	}
}

func (e Extent) build(b *flatbuf.Builder) flatbuf.Offset {
	return b.Table(flatbuf.Number(e.Pos), flatbuf.Number(e.Len), flatbuf.Number(uint8(e.Codec)), flatbuf.Number(e.RawLen))
}

// buildExtents makes a vector of extents, or nothing if there are none.
func buildExtents(b *flatbuf.Builder, extents []Extent) flatbuf.Offset {
	if len(extents) == 0 {
		return 0
	}
	refs := make([]flatbuf.Offset, len(extents))
	for i, e := range extents {
		refs[i] = e.build(b)
	}
	return b.Refs(refs)
}

func parseExtents(v flatbuf.Refs) []Extent {
	if v.Len() == 0 {
		return nil
	}
	extents := make([]Extent, v.Len())
	for i := range extents {
		extents[i] = parseExtent(v.Table(i))
	}
	return extents
}

// check tests that the section lies before end and may be decompressed.
func (e Extent) check(end uint64) error {
	if e.Pos > end || uint64(e.Len) > end-e.Pos {
		return corruptf("its %d bytes pass the end of the data at %d", e.Len, end)
	}
	switch e.Codec {
	case Raw:
		if e.RawLen != 0 && e.RawLen != e.Len {
			return corruptf("%d raw bytes are said to be %d", e.Len, e.RawLen)
		}
	case Zstd:
		if e.RawLen != 0 && e.RawLen < e.Len {
			return corruptf("%d bytes of zstd hold only %d", e.Len, e.RawLen)
		}
	default:
		return unsupportedf("section compressed by %s", e.Codec)
	}
	return nil
}
