package nimble

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
)

// DefaultElementsLimit is how many elements of lists and maps one batch may have
// unless OpenOptions say otherwise.
const DefaultElementsLimit = 1 << 24

// OpenOptions say how a file is read. The zero value is fit for use.
type OpenOptions struct {
	// TailBytes is how much of the file's end is read at once when it is
	// opened, in the hope that it holds the footer and the sections; it stays
	// in memory. 0 is 1 MiB.
	TailBytes int
	// LimitBytes bounds the memory of one section and of one stripe group.
	// 0 is 256 MiB.
	LimitBytes int
	// ElementsLimit bounds how many elements of one list or map column a batch
	// may have, at each level of nesting: a few bytes can stand for any number.
	// 0 is DefaultElementsLimit.
	ElementsLimit int
	// ChunkLimitBytes bounds the memory of one compressed chunk, see
	// [tablet.ChunkLimit]; larger ones are refused with tablet.ErrUnsupported.
	// 0 is tablet.DefaultChunkLimitBytes, 64 MiB.
	ChunkLimitBytes int
	// Dictionary returns a shared dictionary that is not in the file, an encoded
	// array, which stays as it is. It may be called by several goroutines. Without
	// it columns that need one are refused with encoding.ErrUnsupported.
	Dictionary func(id uint32) ([]byte, error)
}

// File is an open file. It may be used by several goroutines, and has nothing to
// close, since what it reads from belongs to the caller.
type File struct {
	tablet   *tablet.Tablet
	root     *node
	varint   bool
	limit    int   // elements
	chunk    int   // OpenOptions.ChunkLimitBytes
	all      []int // every column
	stats    []ColumnStats
	metadata []Attribute
	dicts    *sharedDictionaries // nil if there are none
	omitted  []string            // columns that are in the cluster index alone
	warnings []string
	damage   []error                    // to sections that rows do not need
	usable   func() ([]*Index, []error) // Indexes, once
}

// Open reads the schema and the statistics of a file of size bytes, which r
// keeps readable, by several goroutines if the file is used by several. o may
// be nil.
//
// Damage to statistics and to metadata is not an error but a warning: rows can
// be read without them. Errors wrap [ErrCorrupt] or [ErrUnsupported] or those
// of package tablet, or come from r.
func Open(r io.ReaderAt, size int64, o *OpenOptions) (*File, error) {
	if o == nil {
		o = &OpenOptions{}
	}
	f := &File{limit: o.ElementsLimit, chunk: o.ChunkLimitBytes}
	if f.limit == 0 {
		f.limit = DefaultElementsLimit
	}
	session := ownSession()
	t, err := tablet.Open(r, size, tablet.Options{
		TailBytes: o.TailBytes, LimitBytes: o.LimitBytes,
		// The tablet calls it from one goroutine at a time, as a session needs.
		DecodeGroupArray: func(dst []uint32, array []byte) error {
			d, err := encoding.Open[uint32](session, array, encoding.Options{})
			if err != nil {
				return err
			}
			defer d.Close()
			if d.Rows() != len(dst) {
				return fmt.Errorf("%w: %d entries instead of %d", ErrCorrupt, d.Rows(), len(dst))
			}
			return d.Read(dst)
		},
	})
	if err != nil {
		return nil, fmt.Errorf("nimble: %w", err)
	}
	f.tablet = t
	if err := f.openSchema(); err != nil {
		return nil, fmt.Errorf("nimble: %w", err)
	}
	f.spare("shared dictionaries", f.openDictionaries(o.Dictionary))
	f.openOptional(session)
	f.usable = sync.OnceValues(f.Indexes)
	return f, nil
}

// openSchema reads the sections without which rows cannot be read.
func (f *File) openSchema() error {
	if f.tablet.Rows() > math.MaxInt64 {
		return fmt.Errorf("%w: %d rows", ErrUnsupported, f.tablet.Rows())
	}
	raw, ok, err := f.tablet.Section(tablet.SectionSchema)
	if err == nil && !ok {
		err = fmt.Errorf("%w: the file has no schema", ErrCorrupt)
	}
	if err != nil {
		return err
	}
	nodes, err := tablet.ParseSchema(raw)
	if err != nil {
		return err
	}
	if f.root, f.warnings, err = parseTree(nodes); err != nil {
		return err
	}
	f.all = make([]int, len(f.root.children))
	for i := range f.all {
		f.all[i] = i
	}
	raw, ok, err = f.tablet.Section(tablet.SectionFeatures)
	if err != nil || !ok {
		return err
	}
	features, err := tablet.ParseFeatures(raw)
	if err != nil {
		return err
	}
	f.varint = features.VarintRowCounts
	f.omitted = features.OmittedColumns
	for _, name := range features.OmittedColumns {
		f.warn("column %s is stored in the cluster index alone and cannot be read", name)
	}
	return nil
}

// openOptional reads the sections that rows can be read without.
func (f *File) openOptional(session *encoding.Session) {
	raw, ok, err := f.tablet.Section(tablet.SectionMetadata)
	if ok && err == nil {
		var pairs []tablet.Pair
		pairs, err = tablet.ParseMetadata(raw)
		for _, p := range pairs {
			f.metadata = append(f.metadata, Attribute(p))
		}
	}
	f.spare("metadata", err)
	raw, ok, err = f.tablet.Section(tablet.SectionStats)
	if ok && err == nil {
		f.stats, err = parseStats(session, raw, f.root.typ)
	}
	f.spare("statistics", err)
}

// lateDamage returns the errors in sections that are not read until somebody needs
// them: the roots of indexes, and the statistics of chunks.
func (f *File) lateDamage() []error {
	_, errs := f.usable()
	damage := slices.Clone(errs)
	if _, ok, _ := f.tablet.Section(tablet.SectionChunkStats); !ok {
		return damage
	}
	for i := range f.tablet.Footer().Groups {
		g, err := f.tablet.Group(i)
		if err != nil {
			continue // reading the rows reports it
		}
		if _, err := f.tablet.ChunkStats(g); err != nil {
			damage = append(damage, fmt.Errorf("nimble: %w", err))
		}
	}
	return damage
}

// spare notes an error, which may be nil, in a section that rows do not need.
func (f *File) spare(section string, err error) {
	if err != nil {
		f.damage = append(f.damage, fmt.Errorf("nimble: %s: %w", section, err))
		f.warn("%s: %v", section, err)
	}
}

func (f *File) warn(format string, args ...any) {
	f.warnings = append(f.warnings, fmt.Sprintf(format, args...))
}

// Schema returns the file's type, a row, which must not be changed.
func (f *File) Schema() *Type { return f.root.typ }

// Rows returns the number of rows.
func (f *File) Rows() int64 { return int64(f.tablet.Rows()) }

// NumStripes returns the number of stripes.
func (f *File) NumStripes() int { return len(f.tablet.Stripes()) }

// StripeRows returns the number of rows of stripe i, 0 if there is none such.
func (f *File) StripeRows(i int) int {
	if i < 0 || i >= f.NumStripes() {
		return 0
	}
	return int(f.tablet.Stripes()[i].Rows)
}

// StripesIn returns the stripes that begin in bytes [begin, end) of the file: those
// from first up to last, which is not among them. Ranges that part a file's bytes
// part its stripes, as tasks that share a file need it.
func (f *File) StripesIn(begin, end int64) (first, last int) {
	stripes := f.tablet.Stripes()
	at := func(pos int64) int {
		return sort.Search(len(stripes), func(i int) bool { return pos >= 0 && stripes[i].Pos >= uint64(pos) || pos < 0 })
	}
	first, last = at(begin), at(end)
	return first, max(first, last)
}

// Stats returns what the file says of its types, in pre-order of the schema with
// the root first, nil if it says nothing. It must not be changed.
func (f *File) Stats() []ColumnStats { return f.stats }

// ColumnStats returns what the file says of column i, nil if it says nothing or has
// no such column.
// Rows of the root that are null are not among the column's values and nulls.
func (f *File) ColumnStats(i int) *ColumnStats {
	if f.stats == nil || i < 0 || i >= len(f.root.children) {
		return nil
	}
	return &f.stats[f.root.children[i].index]
}

// Metadata returns the pairs that the file's writer added, which must not be
// changed. Of pairs with one key the first counts.
func (f *File) Metadata() []Attribute { return f.metadata }

// Warnings returns what is odd about the file but does not keep its rows from
// being read. For that the roots of the file's indexes and the statistics of its chunks
// are read.
func (f *File) Warnings() []string {
	warnings := slices.Clone(f.warnings)
	for _, err := range f.lateDamage() {
		warnings = append(warnings, strings.TrimPrefix(err.Error(), "nimble: "))
	}
	return warnings
}

// Tablet returns the container, for tools that look at its parts.
func (f *File) Tablet() *tablet.Tablet { return f.tablet }

// VarintRowCounts reports which form the row counts of encoded arrays have, as
// encoding.Options needs it to describe a chunk.
func (f *File) VarintRowCounts() bool { return f.varint }

// ChunkLimit returns the most raw bytes that a compressed chunk may have in a
// stream of so many stored bytes of a stripe, by the options of Open.
func (f *File) ChunkLimit(stripe, storedBytes int) int {
	return tablet.ChunkLimit(f.chunk, f.StripeRows(stripe), storedBytes)
}

// errColumn is the error for a column that does not exist.
var errColumn = errors.New("no such column")

// checkColumns tests that all columns exist.
func (f *File) checkColumns(columns []int) error {
	for _, c := range columns {
		if c < 0 || c >= len(f.root.children) {
			return fmt.Errorf("nimble: column %d of %d: %w", c, len(f.root.children), errColumn)
		}
	}
	return nil
}
