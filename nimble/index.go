package nimble

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
)

// IndexKind is how an index finds rows.
type IndexKind uint8

// The kinds.
const (
	ClusterIndex IndexKind = iota + 1 // the rows are in the order of the keys
	HashIndex                         // finds rows of one key only
	SortedIndex                       // has the keys in order, each with its row
)

// String returns the kind's name, such as "cluster".
func (k IndexKind) String() string {
	switch k {
	case ClusterIndex:
		return "cluster"
	case HashIndex:
		return "hash"
	case SortedIndex:
		return "sorted"
	}
	return fmt.Sprintf("IndexKind(%d)", uint8(k))
}

// Index finds the rows of a file by the values of some columns. It may be used by
// several goroutines.
type Index struct {
	Kind IndexKind
	// Columns are the names of the columns, and Orders how each is ordered.
	Columns []string
	Orders  []KeyOrder
	// Keys is how many keys it has, Parts in how many parts they are.
	Keys  uint64
	Parts []IndexPart

	file *File
	find finder
}

// IndexPart is a part of an index that is read at once.
type IndexPart struct {
	Pos  uint64 // in the file
	Len  uint64
	Keys uint64
}

// finder looks keys up. Bounds that are nil are open.
type finder interface {
	point(key []byte) ([]RowRange, error)
	span(from, to []byte) ([]RowRange, error)
	// near returns rows among which are all of a span, without reading more of the
	// index than pays when the rows are read afterwards.
	near(from, to []byte) ([]RowRange, error)
	// each calls fn with each key and its row, and checks what it reads on the way.
	each(fn func(key []byte, row int64) error) error
	// pointBytes is about the most that a look-up of a point reads.
	pointBytes() uint64
}

// Indexes reads the roots of the file's indexes. One that is damaged or not known
// is left out, and its error is among those that are joined in err; the others can
// be used.
func (f *File) Indexes() (indexes []*Index, errs []error) {
	entries, err := f.tablet.Indexes()
	if err != nil {
		return nil, []error{fmt.Errorf("nimble: indexes: %w", err)}
	}
	for _, e := range entries {
		found, err := f.openIndexes(e)
		indexes = append(indexes, found...)
		if err != nil {
			errs = append(errs, fmt.Errorf("nimble: index %s: %w", e.Impl, err))
		}
	}
	return indexes, errs
}

func (f *File) openIndexes(e tablet.IndexEntry) ([]*Index, error) {
	if e.Impl == tablet.IndexCluster && !e.Dense {
		x, err := f.openCluster(e.Root)
		if err != nil {
			return nil, err
		}
		return []*Index{x}, nil
	}
	if !e.Dense || e.Impl != tablet.IndexHash && e.Impl != tablet.IndexSorted {
		return nil, fmt.Errorf("%w: an index of this kind", ErrUnsupported)
	}
	entries, err := f.tablet.DenseIndexes(e.Root)
	if err != nil {
		return nil, err
	}
	var all []*Index
	for _, d := range entries {
		open := f.openSorted
		if e.Impl == tablet.IndexHash {
			open = f.openHash
		}
		if len(d.Columns) == 0 {
			return all, fmt.Errorf("%w: an index of no columns", ErrCorrupt)
		}
		x, err := open(d)
		if err != nil {
			return all, err
		}
		all = append(all, x)
	}
	return all, nil
}

// AppendKey appends the encoded key of row i of the index's columns, as this index
// has it. A key of the first few columns finds, as a range, the rows that begin so.
func (x *Index) AppendKey(dst []byte, columns []vector.Vector, i int) ([]byte, error) {
	if len(columns) > len(x.Orders) {
		return dst, fmt.Errorf("nimble: %w: a key of %d columns for an index of %d", ErrSchema, len(columns), len(x.Orders))
	}
	for c, v := range columns {
		var err error
		if dst, err = AppendKey(dst, v, i, x.Orders[c]); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// Find returns the rows with a key, ascending, and all of them if several have it.
func (x *Index) Find(key []byte) ([]RowRange, error) {
	ranges, err := x.find.point(key)
	return ranges, x.fail(err)
}

// FindRange returns the rows whose keys are at least from and below to; nil stands
// for no bound. Those of a cluster index are one range, those of a sorted index
// come in the order of their keys. A hash index refuses with [ErrUnsupported].
func (x *Index) FindRange(from, to []byte) ([]RowRange, error) {
	ranges, err := x.find.span(from, to)
	return ranges, x.fail(err)
}

func (x *Index) fail(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("nimble: %v index of %v: %w", x.Kind, x.Columns, err)
}

// keysReader decodes chunks of keys.
type keysReader struct{ file *File }

// chunk returns the keys of chunk i, which belong to the caller.
func (r keysReader) chunk(k *tablet.Keys, i int) ([][]byte, error) {
	data, rows, err := r.file.tablet.KeyChunk(k, i)
	if err != nil {
		return nil, err
	}
	chunk, rest, err := tablet.CutChunk(data)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%w: %d bytes behind a chunk of keys", ErrCorrupt, len(rest))
	}
	if err == nil {
		err = tablet.CheckLimit(chunk.RawLen, tablet.ChunkLimit(r.file.chunk, int(min(rows, math.MaxInt32)), len(data)))
	}
	if err != nil {
		return nil, err
	}
	array := chunk.Payload
	if chunk.Codec != tablet.Raw {
		array = make([]byte, chunk.RawLen)
		if err := chunk.Decode(array); err != nil {
			return nil, err
		}
	}
	return decodeKeys(array, rows, r.file.varint)
}

// decodeKeys returns the strings of an encoded array of so many rows.
func decodeKeys(array []byte, rows uint32, varint bool) ([][]byte, error) {
	var buffers vector.Buffers
	d, err := encoding.Open[vector.View](encoding.NewSession(nil), array, encoding.Options{VarintRowCount: varint, Strings: &buffers})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if d.Rows() != int(rows) || encoding.IsNullable(d) {
		return nil, fmt.Errorf("%w: %d keys instead of %d", ErrCorrupt, d.Rows(), rows)
	}
	views := make([]vector.View, rows)
	if err := d.Read(views); err != nil {
		return nil, err
	}
	keys := make([][]byte, rows)
	for i := range views {
		keys[i] = bytes.Clone(views[i].Bytes(buffers.List()))
		if i > 0 && bytes.Compare(keys[i-1], keys[i]) > 0 {
			return nil, fmt.Errorf("%w: key %d is below the one before it", ErrCorrupt, i)
		}
	}
	return keys, nil
}

// firstAtLeast returns the place of the first key that is not below bound.
func firstAtLeast(keys [][]byte, bound []byte) int {
	return sort.Search(len(keys), func(i int) bool { return bytes.Compare(keys[i], bound) >= 0 })
}

// after returns the least key above key.
func after(key []byte) []byte { return append(slices.Clip(key), 0) }

// cluster is a finder over rows that are in the order of their keys.
type cluster struct {
	keysReader
	root  *tablet.ClusterRoot
	first []int64 // row of each part, and of the end
}

func (f *File) openCluster(e tablet.Extent) (*Index, error) {
	root, err := f.tablet.ClusterRoot(e)
	if err == nil && len(root.Columns) == 0 {
		err = fmt.Errorf("%w: an index of no columns", ErrCorrupt)
	}
	if err != nil {
		return nil, err
	}
	c := &cluster{keysReader: keysReader{f}, root: root, first: []int64{0}}
	x := &Index{Kind: ClusterIndex, Columns: root.Columns, file: f, find: c}
	for i := range root.Columns {
		order := KeyOrder{}
		if i < len(root.Orders) {
			order.Descending = descending(root.Orders[i])
		}
		x.Orders = append(x.Orders, order)
	}
	for i, rows := range root.PartRows {
		c.first = append(c.first, c.first[i]+int64(rows))
		x.Parts = append(x.Parts, IndexPart{Pos: root.Parts[i].Pos, Len: uint64(root.Parts[i].Len), Keys: uint64(rows)})
	}
	x.Keys = uint64(c.first[len(root.PartRows)])
	if x.Keys != uint64(f.Rows()) {
		return nil, fmt.Errorf("%w: %d keys of %d rows", ErrCorrupt, x.Keys, f.Rows())
	}
	return x, nil
}

// descending reads the order of a column, which is JSON; what cannot be read is
// ascending, as older files' free text is taken.
func descending(text string) bool {
	var order struct {
		Ascending *bool `json:"ascending"`
	}
	return json.Unmarshal([]byte(text), &order) == nil && order.Ascending != nil && !*order.Ascending
}

// chunkOf returns the part and the chunk of keys in which the first row is whose key
// is not below bound, with the rows of the chunk; keys is nil if there is no such row,
// and rows are then what is behind the last.
func (c *cluster) chunkOf(bound []byte) (keys *tablet.Keys, chunk int, rows RowRange, err error) {
	part := firstAtLeast(c.root.Bounds[1:], bound)
	end := c.first[len(c.first)-1]
	if part == len(c.root.Parts) {
		return nil, 0, RowRange{end, end}, nil
	}
	if keys, err = c.file.tablet.ClusterPart(c.root.Parts[part], c.root.PartRows[part]); err != nil {
		return nil, 0, rows, err
	}
	chunk = firstAtLeast(keys.LastKeys, bound)
	if chunk == len(keys.LastKeys) {
		return nil, 0, RowRange{c.first[part+1], c.first[part+1]}, nil
	}
	rows = RowRange{c.first[part], c.first[part] + int64(keys.CumRows[chunk])}
	if chunk > 0 {
		rows.Begin += int64(keys.CumRows[chunk-1])
	}
	return keys, chunk, rows, nil
}

// lower returns the first row whose key is not below bound.
func (c *cluster) lower(bound []byte) (int64, error) {
	keys, chunk, rows, err := c.chunkOf(bound)
	if err != nil || keys == nil {
		return rows.Begin, err
	}
	decoded, err := c.chunk(keys, chunk)
	return rows.Begin + int64(firstAtLeast(decoded, bound)), err
}

func (c *cluster) point(key []byte) ([]RowRange, error) { return c.span(key, after(key)) }

func (c *cluster) span(from, to []byte) ([]RowRange, error) {
	r := RowRange{0, c.first[len(c.first)-1]}
	var err error
	if from != nil {
		if r.Begin, err = c.lower(from); err != nil {
			return nil, err
		}
	}
	if to != nil {
		if r.End, err = c.lower(to); err != nil {
			return nil, err
		}
	}
	if r.Begin >= r.End {
		return nil, nil
	}
	return []RowRange{r}, nil
}

// near is span to the chunk of keys: to read those takes as long as to read as many
// rows.
func (c *cluster) near(from, to []byte) ([]RowRange, error) {
	r := RowRange{0, c.first[len(c.first)-1]}
	if from != nil {
		_, _, rows, err := c.chunkOf(from)
		if err != nil {
			return nil, err
		}
		r.Begin = rows.Begin
	}
	if to != nil {
		_, _, rows, err := c.chunkOf(to)
		if err != nil {
			return nil, err
		}
		r.End = rows.End
	}
	return []RowRange{r}, nil
}

func (c *cluster) pointBytes() uint64 { return 0 }
