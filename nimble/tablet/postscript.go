package tablet

import "encoding/binary"

// PostscriptLen is the length of the postscript in bytes.
const PostscriptLen = 20

const (
	magic = 0xA1FA
	// hashedLen is how much of the postscript the checksum covers.
	hashedLen = 5
	// checksumXXH3 is XXH3 of 64 bits with seed 0, the only kind there is.
	checksumXXH3 = 0
	majorVersion = 0
	minorVersion = 1
)

// A Postscript is the end of a file:
//
//	footerLen:u32 codec:u8 checksumKind:u8 checksum:u64 major:u16 minor:u16 FA A1
type Postscript struct {
	// FooterLen is the footer's stored length in bytes.
	FooterLen    uint32
	FooterCodec  Codec
	ChecksumKind uint8
	// Checksum is of all bytes up to and including FooterCodec.
	Checksum     uint64
	Major, Minor uint16
}

// parsePostscript parses the last bytes of a file.
func parsePostscript(b []byte) (Postscript, error) {
	if len(b) != PostscriptLen {
		return Postscript{}, corruptf("%d bytes are too few for a postscript", len(b))
	}
	if m := binary.LittleEndian.Uint16(b[18:]); m != magic {
		return Postscript{}, corruptf("it ends in %04x, not in the magic number %04x", m, magic)
	}
	p := Postscript{
		FooterLen:    binary.LittleEndian.Uint32(b),
		FooterCodec:  Codec(b[4]),
		ChecksumKind: b[5],
		Checksum:     binary.LittleEndian.Uint64(b[6:]),
		Major:        binary.LittleEndian.Uint16(b[14:]),
		Minor:        binary.LittleEndian.Uint16(b[16:]),
	}
	if p.Major > majorVersion {
		return p, unsupportedf("format version %d.%d", p.Major, p.Minor)
	}
	return p, nil
}

// appendHashed appends the part that the checksum covers.
func (p Postscript) appendHashed(dst []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(dst, p.FooterLen), byte(p.FooterCodec))
}

// appendRest appends what follows appendHashed.
func (p Postscript) appendRest(dst []byte) []byte {
	dst = append(dst, p.ChecksumKind)
	dst = binary.LittleEndian.AppendUint64(dst, p.Checksum)
	dst = binary.LittleEndian.AppendUint16(dst, p.Major)
	dst = binary.LittleEndian.AppendUint16(dst, p.Minor)
	return binary.LittleEndian.AppendUint16(dst, magic)
}
