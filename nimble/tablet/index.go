package tablet

import (
	"bytes"

	"github.com/decantdb/decant/internal/flatbuf"
)

// The indexes of a file, as its sections list them:
//
//	IndexList   { items:[IndexEntry] }
//	IndexEntry  { family:u8 impl:string root:Extent }
//
//	ClusterRoot { cols:[string] orders:[string] parts:[Extent] bound_keys:[string] part_rows:[u32] }
//	ClusterPart { key_pos:u64 key_len:u32 cum_rows:[u32] chunk_pos:[u32] last_keys:[string] }
//
//	HashDir     { items:[HashEntry] }              SortedDir   { items:[SortedEntry] }
//	HashEntry   { cols:[string] root:Extent }      SortedEntry { cols:[string] root:Extent }
//	HashRoot    { nrows:u64 nbuckets:u32 nkeys:u64 load:f32 bloom:Bloom min_key:string
//	              max_key:string part_first_bucket:[u32] parts:[Extent] }
//	HashPart    { bucket_start:[u32] keys:[string] rows:[u32] }
//	SortedRoot  { id_width:u8 cum_rows:[u32] chunk_pos:[u32] last_keys:[string] min_key:string
//	              key_pos:u64 key_len:u32 }
//
// A directory has the indexes of one implementation over several lists of columns.
const (
	IndexCluster = "nimble.cluster.v1"
	IndexHash    = "nimble.dense.hash.v1"
	IndexSorted  = "nimble.dense.sorted.v1"
)

// IndexEntry is an entry of the list of indexes: which implementation, and where
// its root is, or, if it is dense, its directory.
type IndexEntry struct {
	Dense bool
	Impl  string
	Root  Extent
}

// DenseEntry is an index of a directory.
type DenseEntry struct {
	Columns []string
	Root    Extent
}

// Keys are encoded keys in chunks of a stream, in ascending order.
type Keys struct {
	Pos uint64 // of the chunks in the file
	Len uint32
	// CumRows, ChunkPos and LastKeys have an entry for each chunk: how many keys
	// there are up to its end, where in the stream it begins, and its last key.
	CumRows, ChunkPos []uint32
	LastKeys          [][]byte
}

// ClusterRoot is the index of a file whose rows are in the order of their keys.
type ClusterRoot struct {
	Columns, Orders []string
	Parts           []Extent // one for each stripe group
	// Bounds are the first key of the file and the last key of each part.
	Bounds   [][]byte
	PartRows []uint32
}

// HashRoot is a hash index.
type HashRoot struct {
	Rows, Keys      uint64
	Buckets         uint32
	Load            float32
	MinKey, MaxKey  []byte
	PartFirstBucket []uint32
	Parts           []Extent
	// BloomBlocks and Bloom are a filter of blocks of 32 bytes, none if empty.
	BloomBlocks uint32
	Bloom       []byte
}

// HashPart is the keys of some buckets with the rows that have them.
type HashPart struct {
	BucketStart []uint32 // one more than there are buckets
	Keys        [][]byte
	Rows        []uint32
}

// SortedRoot is a sorted index: keys with the row behind each.
type SortedRoot struct {
	Keys
	IDWidth int // bytes of a row
	MinKey  []byte
}

// Indexes returns the list of the file's indexes.
func (t *Tablet) Indexes() ([]IndexEntry, error) {
	raw, ok, err := t.Section(SectionIndexes)
	if !ok || err != nil {
		return nil, err
	}
	r := flatbuf.NewReader(raw)
	items := r.Root().Refs(0)
	var all []IndexEntry
	for i := range items.Len() {
		e := items.Table(i)
		all = append(all, IndexEntry{
			Dense: flatbuf.Field[uint8](e, 0, 0) != 0, Impl: string(e.Bytes(1)), Root: parseExtent(e.Table(2)),
		})
	}
	return all, t.indexError(r, Extent{}, "list of indexes")
}

// indexError returns r's error with the place of the part of an index.
func (t *Tablet) indexError(r *flatbuf.Reader, e Extent, part string) error {
	return at(part, e.Pos, corrupt(r.Err()))
}

// indexPart reads a part of an index.
func (t *Tablet) indexPart(e Extent, part string) (*flatbuf.Reader, error) {
	raw, err := t.readRequired(e)
	if err != nil {
		return nil, at(part, e.Pos, err)
	}
	return flatbuf.NewReader(raw), nil
}

// DenseIndexes reads the directory of a dense implementation.
func (t *Tablet) DenseIndexes(e Extent) ([]DenseEntry, error) {
	r, err := t.indexPart(e, "directory of indexes")
	if err != nil {
		return nil, err
	}
	items := r.Root().Refs(0)
	var all []DenseEntry
	for i := range items.Len() {
		item := items.Table(i)
		all = append(all, DenseEntry{Columns: texts(item.Refs(0)), Root: parseExtent(item.Table(1))})
	}
	return all, t.indexError(r, e, "directory of indexes")
}

// ClusterRoot reads the root of a cluster index.
func (t *Tablet) ClusterRoot(e Extent) (*ClusterRoot, error) {
	r, err := t.indexPart(e, "cluster index")
	if err != nil {
		return nil, err
	}
	root := r.Root()
	c := &ClusterRoot{
		Columns: texts(root.Refs(0)), Orders: texts(root.Refs(1)), Parts: parseExtents(root.Refs(2)),
		Bounds: byteStrings(root.Refs(3)), PartRows: numbers(root, 4),
	}
	if err := t.indexError(r, e, "cluster index"); err != nil {
		return nil, err
	}
	if len(c.PartRows) != len(c.Parts) || len(c.Bounds) != len(c.Parts)+1 {
		return nil, at("cluster index", e.Pos, corruptf("%d parts with %d row counts and %d keys", len(c.Parts), len(c.PartRows), len(c.Bounds)))
	}
	return c, at("cluster index", e.Pos, ascend(c.Bounds))
}

// ClusterPart reads a part of a cluster index, which has so many rows.
func (t *Tablet) ClusterPart(e Extent, rows uint32) (*Keys, error) {
	r, err := t.indexPart(e, "cluster index part")
	if err != nil {
		return nil, err
	}
	k, err := t.keys(r.Root(), 0, 1, 2)
	if err := firstError(t.indexError(r, e, "cluster index part"), at("cluster index part", e.Pos, err)); err != nil {
		return nil, err
	}
	if k.Rows() != rows {
		return nil, at("cluster index part", e.Pos, corruptf("%d keys instead of %d", k.Rows(), rows))
	}
	return k, nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Rows returns the number of keys.
func (k *Keys) Rows() uint32 {
	if len(k.CumRows) == 0 {
		return 0
	}
	return k.CumRows[len(k.CumRows)-1]
}

// keys reads where keys are: pos and length are in two fields, the vectors in three
// from another one on.
func (t *Tablet) keys(root flatbuf.Table, pos, length, vectors int) (*Keys, error) {
	k := &Keys{
		Pos: flatbuf.Field[uint64](root, pos, 0), Len: flatbuf.Field[uint32](root, length, 0),
		CumRows: numbers(root, vectors), ChunkPos: numbers(root, vectors+1), LastKeys: byteStrings(root.Refs(vectors + 2)),
	}
	if err := (Extent{Pos: k.Pos, Len: k.Len}).check(t.dataEnd); err != nil {
		return k, err
	}
	n := len(k.CumRows)
	if len(k.ChunkPos) != n || len(k.LastKeys) != n {
		return k, corruptf("%d row counts, %d positions, %d last keys", n, len(k.ChunkPos), len(k.LastKeys))
	}
	for i := range n {
		switch {
		case k.ChunkPos[i] >= k.Len, i == 0 && k.ChunkPos[0] != 0, i == 0 && k.CumRows[0] == 0:
			return k, corruptf("chunk %d of keys begins at %d of %d bytes", i, k.ChunkPos[i], k.Len)
		case i > 0 && (k.ChunkPos[i] <= k.ChunkPos[i-1] || k.CumRows[i] <= k.CumRows[i-1]):
			return k, corruptf("chunk %d of keys is not after chunk %d", i, i-1)
		}
	}
	return k, ascend(k.LastKeys)
}

// ascend tests that no key is below the one before it.
func ascend(keys [][]byte) error {
	for i := 1; i < len(keys); i++ {
		if bytes.Compare(keys[i-1], keys[i]) > 0 {
			return corruptf("key %d is below the one before it", i)
		}
	}
	return nil
}

// KeyChunk reads chunk i of the keys, its bytes and how many keys it has.
func (t *Tablet) KeyChunk(k *Keys, i int) (data []byte, rows uint32, err error) {
	end := k.Len
	if i+1 < len(k.ChunkPos) {
		end = k.ChunkPos[i+1]
	}
	rows = k.CumRows[i]
	if i > 0 {
		rows -= k.CumRows[i-1]
	}
	pos := k.Pos + uint64(k.ChunkPos[i])
	data, err = t.stored(pos, end-k.ChunkPos[i])
	return data, rows, at("keys of an index", pos, err)
}

// HashRoot reads the root of a hash index.
func (t *Tablet) HashRoot(e Extent) (*HashRoot, error) {
	r, err := t.indexPart(e, "hash index")
	if err != nil {
		return nil, err
	}
	root := r.Root()
	bloom := root.Table(4)
	h := &HashRoot{
		Rows: flatbuf.Field[uint64](root, 0, 0), Buckets: flatbuf.Field[uint32](root, 1, 0),
		Keys: flatbuf.Field[uint64](root, 2, 0), Load: flatbuf.Field[float32](root, 3, 0),
		MinKey: root.Bytes(5), MaxKey: root.Bytes(6), PartFirstBucket: numbers(root, 7), Parts: parseExtents(root.Refs(8)),
		BloomBlocks: flatbuf.Field[uint32](bloom, 0, 0), Bloom: flatbuf.Vector[uint8](bloom, 2).AppendTo(nil),
	}
	if err := t.indexError(r, e, "hash index"); err != nil {
		return nil, err
	}
	return h, at("hash index", e.Pos, h.check())
}

func (h *HashRoot) check() error {
	if len(h.PartFirstBucket) != len(h.Parts) {
		return corruptf("%d parts with %d first buckets", len(h.Parts), len(h.PartFirstBucket))
	}
	if h.Buckets == 0 || h.Buckets&(h.Buckets-1) != 0 {
		return corruptf("%d buckets", h.Buckets)
	}
	for i, b := range h.PartFirstBucket {
		if b >= h.Buckets || i == 0 && b != 0 || i > 0 && b <= h.PartFirstBucket[i-1] {
			return corruptf("part %d begins with bucket %d of %d", i, b, h.Buckets)
		}
	}
	if uint64(len(h.Bloom)) != uint64(h.BloomBlocks)*32 {
		return corruptf("%d bytes of %d bloom blocks", len(h.Bloom), h.BloomBlocks)
	}
	return nil
}

// HashPart reads a part of a hash index, which has so many buckets.
func (t *Tablet) HashPart(e Extent, buckets uint32) (*HashPart, error) {
	r, err := t.indexPart(e, "hash index part")
	if err != nil {
		return nil, err
	}
	root := r.Root()
	p := &HashPart{BucketStart: numbers(root, 0), Keys: byteStrings(root.Refs(1)), Rows: numbers(root, 2)}
	if err := t.indexError(r, e, "hash index part"); err != nil {
		return nil, err
	}
	if len(p.Rows) != len(p.Keys) || uint64(len(p.BucketStart)) != uint64(buckets)+1 {
		return nil, at("hash index part", e.Pos, corruptf("%d keys, %d rows, %d buckets instead of %d", len(p.Keys), len(p.Rows), len(p.BucketStart)-1, buckets))
	}
	for i, s := range p.BucketStart {
		if uint64(s) > uint64(len(p.Keys)) || i > 0 && s < p.BucketStart[i-1] {
			return nil, at("hash index part", e.Pos, corruptf("bucket %d begins at %d of %d keys", i, s, len(p.Keys)))
		}
	}
	return p, nil
}

// SortedRoot reads the root of a sorted index.
func (t *Tablet) SortedRoot(e Extent) (*SortedRoot, error) {
	r, err := t.indexPart(e, "sorted index")
	if err != nil {
		return nil, err
	}
	root := r.Root()
	k, err := t.keys(root, 5, 6, 1)
	s := &SortedRoot{Keys: *k, IDWidth: int(flatbuf.Field[uint8](root, 0, 0)), MinKey: root.Bytes(4)}
	if err := firstError(t.indexError(r, e, "sorted index"), at("sorted index", e.Pos, err)); err != nil {
		return nil, err
	}
	if s.IDWidth < 1 || s.IDWidth > 4 {
		return nil, at("sorted index", e.Pos, corruptf("row numbers of %d bytes", s.IDWidth))
	}
	return s, nil
}

func texts(v flatbuf.Refs) []string {
	all := make([]string, 0, v.Len())
	for i := range v.Len() {
		all = append(all, string(v.Bytes(i)))
	}
	return all
}

func byteStrings(v flatbuf.Refs) [][]byte {
	all := make([][]byte, 0, v.Len())
	for i := range v.Len() {
		all = append(all, v.Bytes(i))
	}
	return all
}

func numbers(t flatbuf.Table, slot int) []uint32 {
	v := flatbuf.Vector[uint32](t, slot)
	return v.AppendTo(make([]uint32, 0, v.Len()))
}
