package datatable

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
)

const (
	version     = 4
	headerBytes = 52
	numSections = 5
)

// part is how much of a table is written.
type part uint8

const (
	whole part = iota
	metadataOnly
	dataOnly
)

// frame is the scratch memory of what is written around the sections that a
// builder keeps as they are: the header, the exceptions and the dictionary's
// count before them, the metadata behind.
type frame struct{ head, tail []byte }

// pieces are a table's bytes, in order.
type pieces [8][]byte

func (p *pieces) bytes() int {
	n := 0
	for _, piece := range p {
		n += len(piece)
	}
	return n
}

// AppendTo appends the table to dst. The builder is left as it is: more rows can
// be added, and dst does not refer to its memory.
func (b *Builder) AppendTo(dst []byte) ([]byte, error) { return b.appendPart(dst, whole) }

// AppendMetadataOnlyTo appends a table with the exceptions and the metadata but
// without columns and rows to dst.
func (b *Builder) AppendMetadataOnlyTo(dst []byte) ([]byte, error) {
	return b.appendPart(dst, metadataOnly)
}

// AppendDataOnlyTo appends a table without exceptions and metadata to dst.
func (b *Builder) AppendDataOnlyTo(dst []byte) ([]byte, error) { return b.appendPart(dst, dataOnly) }

func (b *Builder) appendPart(dst []byte, which part) ([]byte, error) {
	p, err := b.pieces(which)
	if err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, p.bytes())
	for _, piece := range p {
		dst = append(dst, piece...)
	}
	return dst, nil
}

// WriteTo writes the table to w, section by section, without putting it
// together first. It returns the number of bytes written.
func (b *Builder) WriteTo(w io.Writer) (int64, error) {
	p, err := b.pieces(whole)
	if err != nil {
		return 0, err
	}
	written := int64(0)
	for _, piece := range p {
		if len(piece) == 0 {
			continue
		}
		n, err := w.Write(piece)
		written += int64(n)
		if err != nil {
			return written, fmt.Errorf("datatable: writing: %w", err)
		}
	}
	return written, nil
}

// pieces returns the bytes of the table. They are valid until the builder is
// used again.
func (b *Builder) pieces(which part) (pieces, error) {
	if b.inRow {
		b.misuse("row %d was not finished", b.rows-1)
	}
	if b.err != nil {
		return pieces{}, b.err
	}
	f := &b.frame
	f.head = slices.Grow(f.head[:0], headerBytes)[:headerBytes]
	f.head = b.appendExceptions(f.head, which != dataOnly)
	exceptions := len(f.head) - headerBytes

	f.tail = append(f.tail[:0], 0, 0, 0, 0)
	if which == dataOnly {
		f.tail = binary.BigEndian.AppendUint32(f.tail, 0)
	} else {
		f.tail = b.meta.append(f.tail, lastKeys[b.opts.Release])
	}
	binary.BigEndian.PutUint32(f.tail, uint32(len(f.tail)-4))

	var p pieces
	if which == metadataOnly {
		putHeader(f.head, 0, 0, [numSections]int{exceptions})
		p = pieces{f.head, f.tail}
	} else {
		b.buildNullIndex()
		f.head = binary.BigEndian.AppendUint32(f.head, uint32(b.dict.count()))
		putHeader(f.head, b.rows, len(b.columns), [numSections]int{
			exceptions,
			4 + len(b.dict.bytes.S),
			len(b.schema),
			len(b.fixed.S) + len(b.nulls.index.S),
			len(b.variable.S) + len(b.nulls.blobs.S),
		})
		p = pieces{
			f.head, b.dict.bytes.S, b.schema, b.fixed.S, b.nulls.index.S,
			b.variable.S, b.nulls.blobs.S, f.tail,
		}
	}
	if p.bytes() > math.MaxInt32 {
		return pieces{}, fmt.Errorf("datatable: %d bytes: %w", p.bytes(), ErrTooLarge)
	}
	return p, nil
}

// putHeader writes the header of a table whose sections have the given lengths.
func putHeader(dst []byte, rows, columns int, lengths [numSections]int) {
	binary.BigEndian.PutUint32(dst, version)
	binary.BigEndian.PutUint32(dst[4:], uint32(rows))
	binary.BigEndian.PutUint32(dst[8:], uint32(columns))
	start := headerBytes
	for i, n := range lengths {
		binary.BigEndian.PutUint32(dst[12+8*i:], uint32(start))
		binary.BigEndian.PutUint32(dst[16+8*i:], uint32(n))
		start += n
	}
}

func (b *Builder) appendExceptions(dst []byte, withEntries bool) []byte {
	if !withEntries {
		return binary.BigEndian.AppendUint32(dst, 0)
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(b.excs)))
	for _, e := range b.excs {
		dst = binary.BigEndian.AppendUint32(dst, uint32(e.code))
		dst = appendText(dst, b.excText.S[e.begin:e.end])
	}
	return dst
}
