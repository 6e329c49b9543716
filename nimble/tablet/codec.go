package tablet

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// A Codec says how the bytes of a section or of a chunk are compressed.
type Codec uint8

// The codecs that the format numbers. Sections use Raw and Zstd, chunks LZ4
// besides.
const (
	Raw          Codec = 0
	Zstd         Codec = 1
	MetaInternal Codec = 2
	LZ4          Codec = 3
	OpenZL       Codec = 4
)

func (c Codec) String() string {
	switch c {
	case Raw:
		return "raw"
	case Zstd:
		return "zstd"
	case MetaInternal:
		return "meta-internal"
	case LZ4:
		return "lz4"
	case OpenZL:
		return "openzl"
	}
	return fmt.Sprintf("codec %d", uint8(c))
}

// rawLenSize is the size of the raw length before compressed bytes.
const rawLenSize = 4

// maxRatio bounds how much larger than its stored form raw data can be: a zstd
// block of 4 bytes stands for at most 128 KiB, a byte of LZ4 for at most 255.
func (c Codec) maxRatio() int64 {
	if c == Zstd {
		return 128 << 10 / 4
	}
	return 255
}

// splitRawLen cuts the raw length from compressed bytes and checks that they
// can hold that much.
func splitRawLen(c Codec, stored []byte) (payload []byte, rawLen uint32, err error) {
	if len(stored) < rawLenSize {
		return nil, 0, corruptf("%d bytes of %s have no raw length", len(stored), c)
	}
	rawLen = binary.LittleEndian.Uint32(stored)
	payload = stored[rawLenSize:]
	if int64(rawLen) > int64(len(payload))*c.maxRatio() {
		return nil, 0, corruptf("%d bytes of %s cannot hold %d", len(payload), c, rawLen)
	}
	if rawLen > math.MaxInt32 {
		return nil, 0, unsupportedf("%d bytes in one piece of %s", rawLen, c)
	}
	return payload, rawLen, nil
}

// The decoder and encoders keep their memory between calls and are safe for
// concurrent use.
var (
	zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true))
	})
	zstdEncoder = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
			zstd.WithSingleSegment(true)) // every frame states its content's size
	})
)

// decompress fills dst, whose length is the raw length, from payload. It does
// not allocate once warm.
func decompress(c Codec, dst, payload []byte) error {
	switch c {
	case Zstd:
		dec, err := zstdDecoder()
		if err != nil {
			return err
		}
		out, err := dec.DecodeAll(payload, dst[:0:len(dst)])
		if err != nil {
			return corruptf("zstd: %v", err)
		}
		if len(out) != len(dst) {
			return corruptf("zstd: %d bytes instead of %d", len(out), len(dst))
		}
		return nil
	case LZ4:
		n, err := lz4.UncompressBlock(payload, dst)
		if err != nil {
			return corruptf("lz4: %v", err)
		}
		if n != len(dst) {
			return corruptf("lz4: %d bytes instead of %d", n, len(dst))
		}
		return nil
	}
	return unsupportedf("%s", c)
}

// appendCompressed appends the raw length and the compressed bytes of raw.
func appendCompressed(dst []byte, c Codec, raw []byte) ([]byte, error) {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(raw)))
	switch c {
	case Zstd:
		enc, err := zstdEncoder()
		if err != nil {
			return dst, err
		}
		return enc.EncodeAll(raw, dst), nil
	case LZ4:
		dst = slices.Grow(dst, lz4.CompressBlockBound(len(raw)))
		n, err := lz4.CompressBlock(raw, dst[len(dst):cap(dst)], nil)
		if err != nil {
			return dst, fmt.Errorf("tablet: lz4: %w", err)
		}
		return dst[:len(dst)+n], nil
	}
	return dst, unsupportedf("writing %s", c)
}
