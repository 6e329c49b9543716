package tablet

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/zeebo/xxh3"
)

const (
	defaultCompressOverBytes = 64 << 10
	defaultGroupBytes        = 8 << 20
	writeBufferBytes         = 256 << 10
)

// ErrClosed is returned by a [Writer] that is used after Close.
var ErrClosed = errors.New("tablet: writer is closed")

// WriterOptions say how a file is laid out. The zero value is the reference
// writer's default, but for the deduplication of streams.
type WriterOptions struct {
	// DedupStreams stores streams of a stripe that have equal bytes once.
	DedupStreams bool
	// CompressOverBytes is the length from which on, exclusively, sections are
	// compressed. 0 is 64 KiB.
	CompressOverBytes int
	// GroupBytes is the estimated size at which a stripe group is written. 0 is
	// 8 MiB; 1 gives each stripe a group.
	GroupBytes int
	// ChunkStats stores where the chunks of streams begin. Groups with fewer than
	// MinAverageChunks chunks a stream are left out.
	ChunkStats       bool
	MinAverageChunks float64
	// EncodeGroupArray, if set, chooses the layout of stripe groups by stream. It
	// appends the encoded array of values to dst.
	EncodeGroupArray func(dst []byte, values []uint32) ([]byte, error)
}

// A Stream is what a [Writer] stores of a stream in a stripe.
type Stream struct {
	ID uint32
	// Data are the chunks, one after the other ([AppendChunk]). A stream without
	// any is absent and takes no place.
	Data []byte
	// Chunks are the chunks' places, rows and nulls; they are read only if the
	// options ask for chunk statistics.
	Chunks []ChunkStat
}

// A Writer writes a file from its first byte to its last. It holds no stripe, but
// of each: its directory entry, and until its group is written its streams'
// places. The first error sticks. A Writer belongs to one goroutine.
type Writer struct {
	out    *bufio.Writer
	hash   *xxh3.Hasher
	opts   WriterOptions
	pos    uint64
	err    error
	closed bool

	rows        uint64
	stripes     []Stripe
	groups      []Extent
	chunkGroups []Extent
	sections    []Section // written
	held        []heldSection
	group       pendingGroup
	scratch     []byte
	dedup       map[uint64]int // of a stripe: hash to index
	equal       int            // streams that were not stored
	equalBytes  int64
}

type heldSection struct {
	name string
	raw  []byte
}

// NewWriter returns a Writer to w. Writing is buffered until Close.
func NewWriter(w io.Writer, opts WriterOptions) *Writer {
	if opts.CompressOverBytes == 0 {
		opts.CompressOverBytes = defaultCompressOverBytes
	}
	if opts.GroupBytes == 0 {
		opts.GroupBytes = defaultGroupBytes
	}
	return &Writer{
		out:   bufio.NewWriterSize(w, writeBufferBytes),
		hash:  xxh3.New(),
		opts:  opts,
		dedup: map[uint64]int{},
	}
}

// Written returns how many bytes the file has so far.
func (w *Writer) Written() uint64 { return w.pos }

// Deduplicated returns how many streams were not stored, since their stripe has
// another one with the same bytes, and how many bytes that are.
func (w *Writer) Deduplicated() (streams int, bytes int64) { return w.equal, w.equalBytes }

// Rows returns how many rows the stripes have so far.
func (w *Writer) Rows() uint64 { return w.rows }

// AddSection adds a named section with the given raw bytes, which are borrowed
// until Close. Names are unique and not empty. Close puts user metadata,
// statistics and the schema before the last stripe group and other sections
// behind it, in the order in which they were added.
func (w *Writer) AddSection(name string, raw []byte) error {
	if err := w.usable(); err != nil {
		return err
	}
	taken := func(h heldSection) bool { return h.name == name }
	if name == "" || name == SectionChunkStats || slices.ContainsFunc(w.held, taken) {
		return fmt.Errorf("tablet: section name %q is empty, reserved or taken", name)
	}
	w.held = append(w.held, heldSection{name, raw})
	return nil
}

// Close writes the sections, the footer and the postscript, and flushes. It does
// not close the underlying writer.
func (w *Writer) Close() error {
	if err := w.usable(); err != nil {
		return err
	}
	w.closed = true
	w.err = w.finish()
	return w.err
}

func (w *Writer) usable() error {
	if w.closed && w.err == nil {
		return ErrClosed
	}
	return w.err
}

func (w *Writer) finish() error {
	for _, name := range []string{SectionMetadata, SectionStats, SectionLegacyStats, SectionSchema} {
		for _, h := range w.held {
			if h.name == name {
				if err := w.writeNamed(h.name, h.raw); err != nil {
					return err
				}
			}
		}
	}
	if err := w.writeGroup(); err != nil {
		return err
	}
	for _, h := range w.held {
		switch h.name {
		case SectionMetadata, SectionStats, SectionLegacyStats, SectionSchema:
			continue
		}
		if err := w.writeNamed(h.name, h.raw); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(w.chunkGroups, func(e Extent) bool { return e.Len != 0 }) {
		if err := w.writeNamed(SectionChunkStats, AppendChunkRoot(nil, w.chunkGroups)); err != nil {
			return err
		}
	}
	return w.writeEnd()
}

// writeEnd writes the stripe directory, the footer and the postscript.
func (w *Writer) writeEnd() error {
	footer := Footer{Rows: w.rows, Groups: w.groups, Sections: w.sections}
	var err error
	if len(w.stripes) > 0 {
		if footer.Directory, err = w.writeSection(AppendDirectory(nil, w.stripes)); err != nil {
			return err
		}
	}
	slices.SortStableFunc(footer.Sections, func(a, b Section) int {
		return cmp.Compare(sectionRank(a.Name), sectionRank(b.Name))
	})
	e, err := w.writeSection(footer.Append(nil))
	if err != nil {
		return err
	}
	p := Postscript{
		FooterLen: e.Len, FooterCodec: e.Codec,
		ChecksumKind: checksumXXH3, Major: majorVersion, Minor: minorVersion,
	}
	if err := w.write(p.appendHashed(w.scratch[:0])); err != nil {
		return err
	}
	p.Checksum = w.hash.Sum64()
	if err := w.write(p.appendRest(w.scratch[:0])); err != nil {
		return err
	}
	return w.out.Flush()
}

// sectionRank orders the names in the footer. The reference lists them in the
// order of its hash map, which this agrees with.
func sectionRank(name string) int {
	ranks := [...]string{
		SectionIndexes, SectionFeatures, SectionSchema, SectionChunkStats,
		SectionLegacyStats, SectionStats, SectionMetadata,
	}
	if i := slices.Index(ranks[:], name); i >= 0 {
		return i
	}
	return len(ranks)
}

func (w *Writer) writeNamed(name string, raw []byte) error {
	e, err := w.writeSection(raw)
	w.sections = append(w.sections, Section{Name: name, Extent: e})
	return err
}

// writeSection writes a section, compressed where that is worth it.
func (w *Writer) writeSection(raw []byte) (Extent, error) {
	stored, codec, err := appendSection(w.scratch[:0], raw, w.opts.CompressOverBytes)
	if err != nil {
		return Extent{}, err
	}
	w.scratch = stored
	e := Extent{Pos: w.pos, Len: uint32(len(stored)), Codec: codec, RawLen: uint32(len(raw))}
	return e, w.write(stored)
}

func (w *Writer) write(b []byte) error {
	if _, err := w.hash.Write(b); err != nil {
		return err
	}
	n, err := w.out.Write(b)
	w.pos += uint64(n)
	return err
}
