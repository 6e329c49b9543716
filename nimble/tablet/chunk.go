package tablet

import (
	"encoding/binary"
	"math"
)

// chunkHeaderLen is the length of a chunk's header in bytes.
const chunkHeaderLen = 5

// A Chunk is a part of a stream, one encoded array:
//
//	storedLen:u32 codec:u8 payload               codec raw
//	storedLen:u32 codec:u8 rawLen:u32 payload    codec zstd or LZ4 (a bare block)
//
// storedLen counts what follows the codec.
type Chunk struct {
	Codec Codec
	// RawLen is the length of the encoded array in bytes. It is not yet proven
	// for compressed chunks, but is at most what their payload can hold.
	RawLen int
	// Payload is the array, compressed unless Codec is Raw. It borrows the stream.
	Payload []byte
}

// CutChunk cuts the first chunk from a stream, which must not be empty, and
// returns what follows it. Errors wrap [ErrCorrupt] or [ErrUnsupported].
func CutChunk(stream []byte) (c Chunk, rest []byte, err error) {
	if len(stream) < chunkHeaderLen {
		return Chunk{}, nil, corruptf("chunk: %d bytes are too few for a header", len(stream))
	}
	stored := binary.LittleEndian.Uint32(stream)
	c.Codec = Codec(stream[4])
	stream = stream[chunkHeaderLen:]
	if uint64(stored) > uint64(len(stream)) {
		return Chunk{}, nil, corruptf("chunk: %d bytes of the %d left", stored, len(stream))
	}
	c.Payload, rest = stream[:stored:stored], stream[stored:]
	switch c.Codec {
	case Raw:
		c.RawLen = len(c.Payload)
	case Zstd, LZ4:
		var rawLen uint32
		if c.Payload, rawLen, err = splitRawLen(c.Codec, c.Payload); err != nil {
			return Chunk{}, nil, err
		}
		c.RawLen = int(rawLen)
	default:
		return Chunk{}, nil, unsupportedf("chunk compressed by %s", c.Codec)
	}
	return c, rest, nil
}

// Decode writes the encoded array into dst, whose length must be c.RawLen. The
// array of a raw chunk is its Payload, which need not be copied. Decode does not
// allocate once warm.
func (c Chunk) Decode(dst []byte) error {
	if len(dst) != c.RawLen {
		return corruptf("chunk: %d bytes for an array of %d", len(dst), c.RawLen)
	}
	if c.Codec == Raw {
		copy(dst, c.Payload)
		return nil
	}
	return decompress(c.Codec, dst, c.Payload)
}

// AppendChunk appends a chunk that holds the encoded array to dst. The array is
// compressed by codec if that makes it a fifth smaller, else stored raw.
func AppendChunk(dst, array []byte, codec Codec) ([]byte, error) {
	if len(array) > math.MaxInt32-rawLenSize {
		return dst, unsupportedf("chunk of %d bytes", len(array))
	}
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0, byte(codec))
	if codec != Raw {
		var err error
		if dst, err = appendCompressed(dst, codec, array); err != nil {
			return dst[:start], err
		}
		stored := len(dst) - start - chunkHeaderLen
		if uint64(stored)*10 <= uint64(len(array))*8 && stored > rawLenSize {
			binary.LittleEndian.PutUint32(dst[start:], uint32(stored))
			return dst, nil
		}
		dst = dst[:start+chunkHeaderLen]
		dst[start+4] = byte(Raw)
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(array)))
	return append(dst, array...), nil
}
