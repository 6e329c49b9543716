package rowbatch

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// sink is where the streams of a blob are collected. Streams without a row are
// left out.
type sink struct {
	pool      *pool.Pool
	legacy    bool
	codec     tablet.Codec // of the legacy form
	threshold int          // bytes from which on it is tried
	body      []byte
	spans     []span
	barrier   bool
}

// span is a stream's bytes in the body.
type span struct {
	id         uint32
	begin, end int
}

// outlet is one stream as its writer sees it.
type outlet struct {
	*sink
	id      uint32
	typ     encoding.DataType
	encoder *encoding.Encoder // nil in the legacy form
}

func (s *sink) reset() {
	s.body, s.spans, s.barrier = s.body[:0], s.spans[:0], false
}

// done notes what was appended to the body since begin.
func (o *outlet) done(begin int, body []byte, err error) error {
	if err != nil {
		return fmt.Errorf("stream %d: %w", o.id, err)
	}
	o.body = body
	o.spans = append(o.spans, span{o.id, begin, len(body)})
	return nil
}

func (o *outlet) refuseNulls(valid []uint64) error {
	if valid == nil || !o.legacy {
		return nil
	}
	return unsupportedf("stream %d: nulls in the legacy form", o.id)
}

// numbers writes n rows of which values are those that are present by valid,
// which is nil if all are.
func numbers[T encoding.Integer](o *outlet, values []T, valid []uint64, n int) error {
	begin := len(o.body)
	if n == 0 {
		return nil
	}
	if !o.legacy {
		body, err := encoding.AppendNullable(o.encoder, o.body, o.typ, values, valid, n)
		return o.done(begin, body, err)
	}
	if err := o.refuseNulls(valid); err != nil {
		return err
	}
	return o.raw(bytesOf(values))
}

// bytesOf returns the memory of values.
func bytesOf[T encoding.Integer](values []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(zero)))
}

// raw writes values in the legacy form, see legacyNumbers.
func (o *outlet) raw(values []byte) error {
	begin := len(o.body)
	if o.codec != tablet.Raw && len(values) >= o.threshold {
		// A chunk is u32 size | u8 codec | u32 raw size | payload.
		body, err := tablet.AppendChunk(o.body, values, o.codec)
		if err != nil {
			return o.done(begin, body, err)
		}
		codec := tablet.Codec(body[begin+4])
		from := begin + 5
		if codec == tablet.Zstd {
			from += 4
		}
		body[begin] = byte(codec)
		body = append(body[:begin+1], body[from:]...)
		return o.done(begin, body, nil)
	}
	return o.done(begin, append(append(o.body, byte(tablet.Raw)), values...), nil)
}

// strings writes n rows of strings, under the conditions of numbers.
func (o *outlet) strings(values []vector.View, buffers [][]byte, valid []uint64, n int) error {
	begin := len(o.body)
	if n == 0 {
		return nil
	}
	if !o.legacy {
		body, err := encoding.AppendNullableStrings(o.encoder, o.body, values, buffers, valid, n)
		return o.done(begin, body, err)
	}
	if err := o.refuseNulls(valid); err != nil {
		return err
	}
	body := o.body
	for i := range values {
		body = binary.LittleEndian.AppendUint32(body, uint32(values[i].Len()))
		body = append(body, values[i].Bytes(buffers)...)
	}
	return o.done(begin, body, nil)
}

// bools writes n rows of bools, under the conditions of numbers.
func (o *outlet) bools(bits, valid []uint64, n int) error {
	begin := len(o.body)
	if n == 0 {
		return nil
	}
	if !o.legacy {
		body, err := encoding.AppendNullableBools(o.encoder, o.body, bits, valid, n)
		return o.done(begin, body, err)
	}
	if err := o.refuseNulls(valid); err != nil {
		return err
	}
	bytes := pool.Get[byte](o.pool, n)
	defer pool.Put(o.pool, &bytes)
	for i := range bytes.S {
		bytes.S[i] = 0
		if vector.Bit(bits, i) {
			bytes.S[i] = 1
		}
	}
	return o.raw(bytes.S)
}

// nulls writes which of a selection's rows are present, if some are not. These
// raise the null barrier.
func (o *outlet) nulls(v *validity, n int) error {
	if len(v.bits.S) == 0 {
		return nil
	}
	if err := o.refuseNulls(v.bits.S); err != nil {
		return err
	}
	o.barrier = true
	return o.bools(v.bits.S, nil, n)
}

// appendLegacy appends what was collected in the legacy form: for each stream
// number that is given out, the size and the bytes.
func (s *sink) appendLegacy(dst []byte, streams uint32) []byte {
	s.order()
	next := 0
	for id := range streams {
		if next == len(s.spans) || s.spans[next].id != id {
			dst = binary.LittleEndian.AppendUint32(dst, 0)
			continue
		}
		p := s.spans[next]
		next++
		dst = binary.LittleEndian.AppendUint32(dst, uint32(p.end-p.begin))
		dst = append(dst, s.body[p.begin:p.end]...)
	}
	return dst
}

// order sorts the streams by their numbers.
func (s *sink) order() {
	slices.SortFunc(s.spans, func(a, b span) int { return int(a.id) - int(b.id) })
}
