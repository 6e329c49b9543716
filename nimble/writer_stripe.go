package nimble

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
)

// streamEncoder is what one goroutine encodes streams with.
type streamEncoder struct {
	encoder    *encoding.Encoder
	chunkBytes int
	array      []byte   // of one chunk
	valid      []uint64 // of one chunk
	bits       []uint64 // of one chunk
}

// chunk appends a chunk to dst with the array that encode appends to its
// argument.
func (e *streamEncoder) chunk(dst []byte, encode func(array []byte) ([]byte, error)) ([]byte, error) {
	array, err := encode(e.array[:0])
	if err != nil {
		return dst, err
	}
	e.array = array
	return tablet.AppendChunk(dst, array, tablet.Raw)
}

// writeStripe encodes and writes the buffered rows.
func (w *Writer) writeStripe() error {
	if w.rows == 0 {
		return nil
	}
	if err := w.encodeStreams(); err != nil {
		return err
	}
	w.stored = w.stored[:0]
	for id, s := range w.streams[1:] {
		if data := s.encoded(); len(data) > 0 {
			w.stored = append(w.stored, tablet.Stream{ID: uint32(id + 1), Data: data})
		}
	}
	if err := w.out.WriteStripe(uint32(w.rows), w.stored); err != nil {
		return err
	}
	clear(w.stored)
	for _, s := range w.streams[1:] {
		s.reset()
	}
	w.written += uint64(w.rows)
	w.rows = 0
	return nil
}

// encodeStreams encodes all streams, each by one of the encoders.
func (w *Writer) encodeStreams() error {
	streams := w.streams[1:]
	if len(w.encoders) == 1 {
		for i, s := range streams {
			if err := s.encode(&w.encoders[0]); err != nil {
				return fmt.Errorf("stream %d: %w", i+1, err)
			}
		}
		return nil
	}
	errs := make([]error, len(streams))
	var next atomic.Int64
	var workers sync.WaitGroup
	for i := range w.encoders {
		workers.Go(func() {
			for {
				s := int(next.Add(1)) - 1
				if s >= len(streams) {
					return
				}
				errs[s] = streams[s].encode(&w.encoders[i])
			}
		})
	}
	workers.Wait()
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("stream %d: %w", i+1, err)
		}
	}
	return nil
}
