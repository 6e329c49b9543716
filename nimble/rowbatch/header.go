package rowbatch

import "encoding/binary"

// Version is the first byte of a blob, unless it has no header.
type Version uint8

// The versions. 1 is not in use. Headerless, which is no byte, stands for the
// legacy form without a version byte.
const (
	Legacy        Version = 0
	LegacyCompact Version = 2
	LegacyEncoded Version = 3
	Serialization Version = 4
	Projection    Version = 5
	Tablet        Version = 6
	Headerless    Version = 255
)

// The bits of the flags byte.
const (
	flagBarrier = 1 << 0
	flagVarint  = 1 << 1
	flagChunks  = 1 << 2
)

// Header is what a blob says before its streams.
type Header struct {
	Version Version
	// Rows is the number of rows that the streams hold.
	Rows int
	// NullBarrier says that some row or flat map is null.
	NullBarrier bool
	// VarintRowCount is the form of the row counts of the encoded arrays.
	VarintRowCount bool
	// Chunked says that streams are cut into chunks, as in a file.
	Chunked bool
	// Begin and End are the rows that the blob is about: all of them but in
	// version Tablet.
	Begin, End int
	// ResumeKey is where the reader of an index goes on, of version Tablet; nil
	// if there is none. It borrows the blob.
	ResumeKey []byte
}

// ReadHeader returns the header of a blob and what follows it. headerless says
// that the blob begins with its row count. Errors wrap [ErrCorrupt] or
// [ErrUnsupported].
func ReadHeader(blob []byte, headerless bool) (Header, []byte, error) {
	in := input{data: blob}
	h := Header{Version: Headerless}
	if !headerless {
		h.Version = Version(in.u8("version"))
	}
	switch h.Version {
	case Headerless, Legacy:
		if h.Version == Headerless && !headerless {
			return Header{}, nil, unsupportedf("version %d", uint8(Headerless))
		}
		h.Rows = int(in.u32("row count"))
	case LegacyCompact, LegacyEncoded:
		h.Rows, h.VarintRowCount = int(in.uv("row count")), true
	case Serialization, Projection:
		h.Rows, h.VarintRowCount = int(in.uv("row count")), true
		h.NullBarrier = in.u8("flags")&flagBarrier != 0
	case Tablet:
		return h.readTablet(in)
	default:
		return Header{}, nil, unsupportedf("version %d", uint8(h.Version))
	}
	h.End = h.Rows
	return h, in.data, in.err
}

// readTablet reads what follows the version byte.
func (h Header) readTablet(in input) (Header, []byte, error) {
	h.Rows = int(in.uv("row count"))
	flags := in.u8("flags")
	h.NullBarrier = flags&flagBarrier != 0
	h.VarintRowCount = flags&flagVarint != 0
	h.Chunked = flags&flagChunks != 0
	h.Begin, h.End = int(in.uv("first row")), int(in.uv("end row"))
	if n := in.uv("resume key size"); n > 0 {
		h.ResumeKey = in.bytes(uint64(n-1), "resume key")
	}
	if in.err == nil && (h.Begin > h.End || h.End > h.Rows) {
		in.err = corruptf("rows [%d, %d) of %d", h.Begin, h.End, h.Rows)
	}
	return h, in.data, in.err
}

// encoded reports whether streams are encoded arrays.
func (h *Header) encoded() bool { return h.Version != Legacy && h.Version != Headerless }

// append appends the header of version Headerless, Serialization or
// Projection to dst.
func (h *Header) append(dst []byte) []byte {
	if h.Version == Headerless {
		return binary.LittleEndian.AppendUint32(dst, uint32(h.Rows))
	}
	dst = append(dst, byte(h.Version))
	dst = binary.AppendUvarint(dst, uint64(h.Rows))
	flags := byte(flagVarint)
	if h.NullBarrier {
		flags |= flagBarrier
	}
	return append(dst, flags)
}
