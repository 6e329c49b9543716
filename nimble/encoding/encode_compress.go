package encoding

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/klauspost/compress/zstd"

	"github.com/decantdb/decant/pool"
)

// Payloads smaller than these are not worth trying.
const (
	encodeZstdMinBytes = 25
	encodeLZ4MinBytes  = 12
)

// encodeZstdWindowBytes is the window of level 3 in the original library.
const encodeZstdWindowBytes = 2 << 20

// encodeAcceptRatios are the bars of encodings that differ from the default.
var encodeAcceptRatios = [numKinds]float32{KindBlockBitPacking: 0.7}

// encodeCodec is the codec to try on the payload of one node, and the bar.
type encodeCodec struct {
	codec Compression
	ratio float32
}

func checkEncodeCodec(c Compression) error {
	switch c {
	case Uncompressed, Zstd, LZ4:
		return nil
	}
	return fmt.Errorf("compressing with %v: %w", c, ErrUnsupported)
}

// appendCompressed replaces the payload dst[start:] by its compressed form if
// that is small enough, and writes which of the two it is to dst[flagAt].
//
//	Uncompressed: payload
//	Zstd:         u32 payload size | frame
//	LZ4:          u32 payload size | block
func (e *Encoder) appendCompressed(dst []byte, flagAt, start int, c encodeCodec) ([]byte, error) {
	dst[flagAt] = byte(Uncompressed)
	raw := dst[start:]
	if c.codec == Uncompressed || len(raw) > math.MaxUint32 || len(raw) < encodeMinBytes(c.codec) {
		return dst, nil
	}
	out := pool.Get[byte](e.pool, e.compressBound(c.codec, len(raw)))
	defer pool.Put(e.pool, &out)
	frame, err := e.compress(c.codec, out.S, raw)
	if err != nil {
		return dst, err
	}
	// The original offers the codec as much room as the raw payload takes, and
	// compares in single precision with the size field counted.
	if len(frame) == 0 || len(frame) > len(raw) ||
		float32(len(raw))*c.ratio < float32(len(frame)+4) {
		return dst, nil
	}
	size := uint32(len(raw))
	dst[flagAt] = byte(c.codec)
	dst = binary.LittleEndian.AppendUint32(dst[:start], size)
	return append(dst, frame...), nil
}

func encodeMinBytes(c Compression) int {
	if c == LZ4 {
		return encodeLZ4MinBytes
	}
	return encodeZstdMinBytes
}

func (e *Encoder) compressBound(c Compression, n int) int {
	if c == LZ4 {
		return n
	}
	// A frame of raw blocks: 18 bytes of header, 3 bytes a block of 128 KiB.
	return n + 18 + 3*(n>>17+2)
}

// compress writes raw in compressed form into out. The result is empty if it
// does not fit.
func (e *Encoder) compress(c Compression, out, raw []byte) ([]byte, error) {
	if c == LZ4 {
		n, err := e.lz4.CompressBlock(raw, out)
		if err != nil {
			return nil, fmt.Errorf("lz4: %w", err)
		}
		return out[:n], nil
	}
	if e.zstd == nil {
		z, err := zstd.NewWriter(nil,
			zstd.WithEncoderLevel(zstd.SpeedDefault), // nearest to level 3
			zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderCRC(false),
			zstd.WithSingleSegment(true),            // the frame states its content size
			zstd.WithAllLitEntropyCompression(true), // as the original does at every level
			zstd.WithWindowSize(encodeZstdWindowBytes),
			zstd.WithLowerEncoderMem(true))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		e.zstd = z
	}
	return e.zstd.EncodeAll(raw, out[:0]), nil
}
