package rowbatch

import (
	"fmt"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
)

// source is one stream as the deserializer sees it.
type source interface {
	// begin makes data, which is not empty, the stream's bytes in a blob.
	begin(h *Header, data []byte)
	// present reports whether the blob has the stream.
	present() bool
	// end forgets the blob.
	end()
}

// part is the bytes of a stream in one blob.
type part struct {
	id      uint32
	session *encoding.Session
	header  *Header
	data    []byte         // nil if the blob does not have the stream
	joined  pool.Buf[byte] // data, if it was in compressed or several chunks
	left    int            // rows ahead, once open
}

func (p *part) begin(h *Header, data []byte) { p.header, p.data = h, data }
func (p *part) present() bool                { return p.data != nil }

func (p *part) forget() {
	pool.Put(p.session.Pool(), &p.joined)
	p.header, p.data, p.left = nil, nil, 0
}

// fault adds the stream's number to err.
func (p *part) fault(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("stream %d: %w", p.id, err)
}

// take moves past n rows, if there are as many.
func (p *part) take(n int) error {
	if n > p.left {
		return p.fault(corruptf("%d rows are needed where %d are left", n, p.left))
	}
	p.left -= n
	return nil
}

// array returns the stream's encoded array. Chunks are joined, unless there is
// one that is not compressed.
func (p *part) array() ([]byte, error) {
	if !p.header.Chunked {
		return p.data, nil
	}
	total := 0
	for rest := p.data; len(rest) > 0; {
		chunk, next, err := tablet.CutChunk(rest)
		if err != nil {
			return nil, p.fault(err)
		}
		if chunk.Codec == tablet.Raw && len(next) == 0 && total == 0 {
			return chunk.Payload, nil
		}
		total += chunk.RawLen
		rest = next
	}
	if err := tablet.CheckLimit(total, tablet.ChunkLimit(0, p.header.Rows, len(p.data))); err != nil {
		return nil, p.fault(err)
	}
	p.joined = pool.Get[byte](p.session.Pool(), total)
	at := 0
	for rest := p.data; len(rest) > 0; {
		chunk, next, err := tablet.CutChunk(rest)
		if err == nil {
			err = chunk.Decode(p.joined.S[at : at+chunk.RawLen])
		}
		if err != nil {
			return nil, p.fault(err)
		}
		at += chunk.RawLen
		rest = next
	}
	return p.joined.S, nil
}

// checkType returns an error unless array holds values of the type wanted.
func (p *part) checkType(array []byte, want encoding.DataType) error {
	prefix, _, err := encoding.ReadPrefix(array, p.header.VarintRowCount)
	if err == nil && prefix.Type != want {
		err = corruptf("values of type %v instead of %v", prefix.Type, want)
	}
	return p.fault(err)
}
