package tablet

import (
	"errors"
	"io"
	"math"
)

// Names of sections.
const (
	SectionSchema      = "columnar.schema"
	SectionMetadata    = "columnar.metadata"
	SectionStats       = "columnar.vectorized_stats"
	SectionLegacyStats = "columnar.stats"
	SectionFeatures    = "columnar.features"
	SectionChunkStats  = "columnar.chunk.stats"
	SectionIndexes     = "columnar.indexes"
)

// Section returns the decompressed bytes of a named section and whether the file
// has it. The bytes must not be changed; they stay valid. Each call reads and
// decompresses anew what is not in the tail of the file.
func (t *Tablet) Section(name string) (raw []byte, ok bool, err error) {
	e, ok := t.footer.section(name)
	if !ok {
		return nil, false, nil
	}
	raw, err = t.read(e, t.dataEnd)
	return raw, true, at(sectionPart(name), e.Pos, err)
}

func sectionPart(name string) string { return "section " + name }

// read returns the decompressed bytes of a section that must end before end.
func (t *Tablet) read(e Extent, end uint64) ([]byte, error) {
	if err := e.check(end); err != nil {
		return nil, err
	}
	stored, err := t.stored(e.Pos, e.Len)
	if err != nil || e.Codec == Raw {
		return stored, err
	}
	payload, rawLen, err := splitRawLen(e.Codec, stored)
	if err != nil {
		return nil, err
	}
	if e.RawLen != 0 && e.RawLen != rawLen {
		return nil, corruptf("%d raw bytes are said to be %d", rawLen, e.RawLen)
	}
	if int64(rawLen) > int64(t.opts.LimitBytes) {
		return nil, unsupportedf("%d raw bytes exceed the limit of %d", rawLen, t.opts.LimitBytes)
	}
	raw := make([]byte, rawLen)
	return raw, decompress(e.Codec, raw, payload)
}

// readRequired is read for sections that cannot be empty.
func (t *Tablet) readRequired(e Extent) ([]byte, error) {
	if e.Len == 0 {
		return nil, corruptf("it is empty")
	}
	return t.read(e, t.dataEnd)
}

// stored returns bytes of the file, from the tail if they are there. The range
// must be in the file.
func (t *Tablet) stored(pos uint64, n uint32) ([]byte, error) {
	if b, ok := t.inTail(pos, uint64(n)); ok {
		return b, nil
	}
	b := make([]byte, n)
	return b, readFull(t.file, b, pos)
}

// inTail returns n bytes at pos if the tail holds them.
func (t *Tablet) inTail(pos, n uint64) ([]byte, bool) {
	tailPos := t.size - uint64(len(t.tail))
	if pos < tailPos {
		return nil, false
	}
	start := pos - tailPos
	return t.tail[start : start+n : start+n], true
}

// readFull fills dst from pos. A file that ends early is corrupt.
func readFull(r io.ReaderAt, dst []byte, pos uint64) error {
	n, err := r.ReadAt(dst, int64(pos))
	switch {
	case n == len(dst):
		return nil
	case err == nil || errors.Is(err, io.EOF):
		return corruptf("the file ends at %d", pos+uint64(n))
	}
	return err
}

// appendSection appends the stored form of raw to dst: compressed if raw is
// longer than threshold and zstd saves at least the room of the raw length.
func appendSection(dst, raw []byte, threshold int) ([]byte, Codec, error) {
	if uint64(len(raw)) > math.MaxUint32 {
		return dst, Raw, unsupportedf("section of %d bytes", len(raw))
	}
	if len(raw) <= threshold {
		return append(dst, raw...), Raw, nil
	}
	start := len(dst)
	dst, err := appendCompressed(dst, Zstd, raw)
	if err != nil {
		return dst[:start], Raw, err
	}
	if len(dst)-start > len(raw) {
		return append(dst[:start], raw...), Raw, nil
	}
	return dst, Zstd, nil
}
