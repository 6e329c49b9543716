package nimble

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/decantdb/decant/nimble/tablet"
)

// hashed is a finder over buckets of keys.
type hashed struct {
	file *File
	root *tablet.HashRoot
}

func (f *File) openHash(d tablet.DenseEntry) (*Index, error) {
	root, err := f.tablet.HashRoot(d.Root)
	if err != nil {
		return nil, err
	}
	x := &Index{
		Kind: HashIndex, Columns: d.Columns, Orders: make([]KeyOrder, len(d.Columns)),
		Keys: root.Keys, file: f, find: &hashed{f, root},
	}
	for _, p := range root.Parts {
		x.Parts = append(x.Parts, IndexPart{Pos: p.Pos, Len: uint64(p.Len)})
	}
	return x, nil
}

// point looks into the key's bucket. The filter and the bounds of the keys, which
// only spare reads, are not trusted with an answer that the bucket can give.
func (h *hashed) point(key []byte) ([]RowRange, error) {
	if len(h.root.Parts) == 0 {
		return nil, nil
	}
	bucket := h.bucketOf(key)
	part, _ := slices.BinarySearchFunc(h.root.PartFirstBucket, bucket, func(first, bucket uint32) int {
		if first <= bucket {
			return -1
		}
		return 1
	})
	p, first, err := h.part(part - 1)
	if err != nil {
		return nil, err
	}
	var rows []int64
	for i := p.BucketStart[bucket-first]; i < p.BucketStart[bucket-first+1]; i++ {
		if bytes.Equal(p.Keys[i], key) {
			rows = append(rows, int64(p.Rows[i]))
		}
	}
	slices.Sort(rows)
	return h.file.merged(rows)
}

func (h *hashed) bucketOf(key []byte) uint32 {
	sum := fnv.New64a()
	sum.Write(key)
	return uint32(sum.Sum64()) & (h.root.Buckets - 1)
}

// part reads a part, and returns which is its first bucket.
func (h *hashed) part(i int) (p *tablet.HashPart, first uint32, err error) {
	first, end := h.root.PartFirstBucket[i], h.root.Buckets
	if i+1 < len(h.root.Parts) {
		end = h.root.PartFirstBucket[i+1]
	}
	p, err = h.file.tablet.HashPart(h.root.Parts[i], end-first)
	return p, first, err
}

func (h *hashed) span(_, _ []byte) ([]RowRange, error) {
	return nil, fmt.Errorf("%w: ranges of keys", ErrUnsupported)
}

func (h *hashed) near(from, _ []byte) ([]RowRange, error) { return h.point(from) }

func (h *hashed) pointBytes() uint64 {
	most := uint32(0)
	for _, p := range h.root.Parts {
		most = max(most, p.Len)
	}
	return uint64(most)
}

// merged returns ascending rows as ranges.
func (f *File) merged(rows []int64) ([]RowRange, error) {
	var ranges []RowRange
	for _, row := range rows {
		if row >= f.Rows() {
			return nil, fmt.Errorf("%w: row %d of %d", ErrCorrupt, row, f.Rows())
		}
		if n := len(ranges); n > 0 && ranges[n-1].End >= row {
			ranges[n-1].End = max(ranges[n-1].End, row+1)
			continue
		}
		ranges = append(ranges, RowRange{row, row + 1})
	}
	return ranges, nil
}

// sorted is a finder over entries, each a key and a row:
//
//	key | row, big-endian, in IDWidth bytes
type sorted struct {
	keysReader
	root *tablet.SortedRoot
}

func (f *File) openSorted(d tablet.DenseEntry) (*Index, error) {
	root, err := f.tablet.SortedRoot(d.Root)
	if err != nil {
		return nil, err
	}
	return &Index{
		Kind: SortedIndex, Columns: d.Columns, Orders: make([]KeyOrder, len(d.Columns)), Keys: uint64(root.Rows()),
		Parts: []IndexPart{{Pos: root.Pos, Len: uint64(root.Len), Keys: uint64(root.Rows())}},
		file:  f, find: &sorted{keysReader{f}, root},
	}, nil
}

// split returns the key and the row of an entry.
func (s *sorted) split(entry []byte) (key []byte, row int64, err error) {
	n := len(entry) - s.root.IDWidth
	if n < 0 {
		return nil, 0, fmt.Errorf("%w: an entry of %d bytes", ErrCorrupt, len(entry))
	}
	for _, c := range entry[n:] {
		row = row<<8 | int64(c)
	}
	if row >= s.file.Rows() {
		return nil, 0, fmt.Errorf("%w: row %d of %d", ErrCorrupt, row, s.file.Rows())
	}
	return entry[:n], row, nil
}

func (s *sorted) point(key []byte) ([]RowRange, error) { return s.span(key, after(key)) }

func (s *sorted) near(from, to []byte) ([]RowRange, error) { return s.span(from, to) }

func (s *sorted) pointBytes() uint64 {
	return uint64(s.root.Len) / uint64(max(1, len(s.root.ChunkPos)))
}

func (s *sorted) span(from, to []byte) ([]RowRange, error) {
	var ranges []RowRange
	for i := firstAtLeast(s.root.LastKeys, from); i < len(s.root.LastKeys); i++ {
		entries, err := s.chunk(&s.root.Keys, i)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			key, row, err := s.split(e)
			if err != nil {
				return nil, err
			}
			if from != nil && bytes.Compare(key, from) < 0 {
				continue
			}
			if to != nil && bytes.Compare(key, to) >= 0 {
				return ranges, nil
			}
			ranges = append(ranges, RowRange{row, row + 1})
		}
	}
	return ranges, nil
}
