package encoding

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/decantdb/decant/pool"
)

// payload is the bytes of an array that a codec may have compressed, which its
// first byte says:
//
//	0 raw   bytes
//	1 zstd  u32 raw size | one zstd frame
//	3 lz4   u32 raw size | one LZ4 block
type payload struct {
	bytes []byte
	own   pool.Buf[byte] // what bytes is in, if it was compressed
}

// open sets p to what data holds. Raw bytes are borrowed from data.
func (p *payload) open(s *Session, codec Compression, data []byte) error {
	if n := s.tree.node; n != nil {
		n.Compression = codec
	}
	switch codec {
	case Uncompressed:
		p.bytes = data
		return nil
	case Zstd, LZ4:
	default:
		return unsupported("codec %v", codec)
	}
	if len(data) < 4 {
		return corrupt("%v payload cut off after %d bytes", codec, len(data))
	}
	size := int(binary.LittleEndian.Uint32(data))
	var err error
	if p.own, err = hold[byte](s, size+zstdSlackBytes); err != nil {
		return err
	}
	p.bytes = p.own.S[:size]
	if codec == LZ4 {
		return decompressLZ4(p.bytes, data[4:])
	}
	return s.decompressZstd(p.own.S, size, data[4:])
}

// sized is open for a payload whose raw size is known beforehand.
func (p *payload) sized(s *Session, codec Compression, data []byte, size int) error {
	if (codec == Zstd || codec == LZ4) && len(data) >= 4 {
		if declared := int(binary.LittleEndian.Uint32(data)); declared != size {
			return corrupt("payload of %d bytes where %d are needed", declared, size)
		}
	}
	if err := p.open(s, codec, data); err != nil {
		return err
	}
	if len(p.bytes) != size {
		return corrupt("payload of %d bytes where %d are needed", len(p.bytes), size)
	}
	return nil
}

func (p *payload) close(s *Session) {
	p.bytes = nil
	pool.Put(s.pool, &p.own)
}

func decompressLZ4(dst, src []byte) error {
	n, err := lz4.UncompressBlock(src, dst)
	if err != nil {
		return corrupt("lz4: %v", err)
	}
	if n != len(dst) {
		return corrupt("lz4: %d bytes where %d are declared", n, len(dst))
	}
	return nil
}

// zstdSlackBytes is room behind the output with which the zstd decoder copies
// whole words instead of watching for the end.
const zstdSlackBytes = 32

// decompressZstd fills the first size bytes of dst exactly. The session's
// decoder never allocates for output, since it must fit in dst.
func (s *Session) decompressZstd(dst []byte, size int, src []byte) error {
	if s.zstd == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true),
			zstd.WithDecoderMaxMemory(1<<32), zstd.WithDecoderLowmem(true))
		if err != nil {
			return err
		}
		s.zstd = d
	}
	out, err := s.zstd.DecodeAll(src, dst[:0:len(dst)])
	if err != nil {
		return corrupt("zstd: %v", err)
	}
	if len(out) != size {
		return corrupt("zstd: %d bytes where %d are declared", len(out), size)
	}
	return nil
}
