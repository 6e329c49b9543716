package rowbatch

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/decantdb/decant/internal/kernel"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// maxExpansion bounds what a compressed stream may claim to hold, in bytes for
// each byte of it: no less than either codec can reach with real data.
const maxExpansion = 1 << 15

// legacyNumbers is a stream of numbers in the legacy form, bools and lengths
// among them:
//
//	u8 0 raw    values, little-endian
//	u8 1 zstd   one frame, which states its content's size
//	u8 3 LZ4    u32 raw bytes | one block
type legacyNumbers[T encoding.Integer] struct {
	pool  *pool.Pool
	limit int // values
	own   pool.Buf[byte]
	bytes []byte
	width int
}

func (l *legacyNumbers[T]) open(data []byte, rows int) error {
	var zero T
	l.width = int(unsafe.Sizeof(zero))
	chunk := tablet.Chunk{Codec: tablet.Codec(data[0]), Payload: data[1:], RawLen: len(data) - 1}
	switch chunk.Codec {
	case tablet.Raw:
		l.bytes = chunk.Payload
	case tablet.Zstd, tablet.LZ4:
		size, err := rawSize(&chunk)
		if err != nil {
			return err
		}
		if size/l.width > l.limit {
			return unsupportedf("%d values in one stream", size/l.width)
		}
		if err := tablet.CheckLimit(size, tablet.ChunkLimit(0, rows, len(data))); err != nil {
			return err
		}
		chunk.RawLen = size
		l.own = pool.Get[byte](l.pool, size)
		l.bytes = l.own.S
		if err := chunk.Decode(l.bytes); err != nil {
			l.Close()
			return err
		}
	default:
		return unsupportedf("a stream compressed by %v", chunk.Codec)
	}
	if len(l.bytes)%l.width != 0 {
		err := corruptf("%d bytes of values of %d", len(l.bytes), l.width)
		l.Close()
		return err
	}
	return nil
}

// rawSize returns the size of a chunk's content and takes it off the payload
// where it is not part of the frame.
func rawSize(c *tablet.Chunk) (int, error) {
	var size uint64
	if c.Codec == tablet.LZ4 {
		in := input{data: c.Payload}
		size = uint64(in.u32("raw size"))
		if in.err != nil {
			return 0, in.err
		}
		c.Payload = in.data
	} else {
		var err error
		if size, err = frameContentSize(c.Payload); err != nil {
			return 0, err
		}
	}
	if size > uint64(len(c.Payload))*maxExpansion {
		return 0, corruptf("%d bytes are said to hold %d", len(c.Payload), size)
	}
	return int(size), nil
}

// frameContentSize returns the size that the header of a zstd frame states:
//
//	u32 magic | u8 descriptor | [u8 window] | dictionary id | content size
func frameContentSize(frame []byte) (uint64, error) {
	const magic = 0xfd2fb528
	in := input{data: frame}
	if in.u32("zstd magic") != magic && in.err == nil {
		return 0, corruptf("not a zstd frame")
	}
	descriptor := in.u8("zstd descriptor")
	single := descriptor&0x20 != 0
	if !single {
		in.u8("zstd window")
	}
	in.bytes(uint64([]int{0, 1, 2, 4}[descriptor&3]), "zstd dictionary")
	width := 1 << (descriptor >> 6)
	if width == 1 && !single {
		return 0, unsupportedf("a zstd frame without a content size")
	}
	var size uint64
	for i, b := range in.bytes(uint64(width), "zstd content size") {
		size |= uint64(b) << (8 * i)
	}
	if width == 2 {
		size += 256
	}
	return size, in.err
}

func (l *legacyNumbers[T]) Rows() int { return len(l.bytes) / l.width }

func (l *legacyNumbers[T]) Skip(n int) error {
	l.bytes = l.bytes[n*l.width:]
	return nil
}

func (l *legacyNumbers[T]) Read(dst []T) error {
	kernel.Load(dst, l.bytes)
	l.bytes = l.bytes[len(dst)*l.width:]
	return nil
}

func (l *legacyNumbers[T]) Close() {
	l.bytes = nil
	pool.Put(l.pool, &l.own)
}

// legacyBools is a stream of bools in the legacy form, a byte each.
type legacyBools struct{ numbers legacyNumbers[uint8] }

func (l *legacyBools) Rows() int        { return l.numbers.Rows() }
func (l *legacyBools) Skip(n int) error { return l.numbers.Skip(n) }
func (l *legacyBools) Close()           { l.numbers.Close() }

func (l *legacyBools) ReadBits(dst []uint64, begin, n int) error {
	for i, b := range l.numbers.bytes[:n] {
		if b != 0 {
			vector.SetBit(dst, begin+i)
		} else {
			vector.ClearBit(dst, begin+i)
		}
	}
	return l.numbers.Skip(n)
}

// legacyStrings is a stream of strings in the legacy form, never compressed:
//
//	{ u32 size | bytes } …
type legacyStrings struct {
	strings *vector.Buffers
	data    []byte
	at      int
	rows    int
	id      uint32
	listed  bool
}

func (l *legacyStrings) open(data []byte, _ int) error {
	if len(data) > math.MaxUint32 {
		return unsupportedf("strings of %d bytes", len(data))
	}
	in := input{data: data}
	rows := 0
	for ; len(in.data) > 0; rows++ {
		in.bytes(uint64(in.u32("string size")), "string")
		if in.err != nil {
			return in.err
		}
	}
	l.data, l.at, l.rows = data, 0, rows
	l.id, l.listed = l.strings.Add(data), true
	return nil
}

func (l *legacyStrings) Rows() int { return l.rows }

// next returns where the next string is.
func (l *legacyStrings) next() (begin, end int) {
	begin = l.at + 4
	end = begin + int(binary.LittleEndian.Uint32(l.data[l.at:]))
	l.at = end
	return begin, end
}

func (l *legacyStrings) Skip(n int) error {
	for range n {
		l.next()
	}
	return nil
}

func (l *legacyStrings) Read(dst []vector.View) error {
	for i := range dst {
		begin, end := l.next()
		dst[i] = vector.MakeView(l.data[begin:end], l.id, uint32(begin))
	}
	return nil
}

func (l *legacyStrings) Close() {
	if l.listed {
		l.strings.Remove(l.id)
	}
	l.data, l.listed = nil, false
}
