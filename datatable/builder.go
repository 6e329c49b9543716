package datatable

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/decantdb/decant/pool"
)

// Options are what a table is built for.
type Options struct {
	// Release is that of the reader. It decides which column types may be used,
	// which metadata is written, and when there is a null index.
	Release Release
	// NullHandling says that the query has null handling on. Releases up to 1.5
	// then have a null index in every table with rows, even if nothing is null;
	// otherwise there is one only where something is.
	NullHandling bool
}

// Builder builds one table at a time. It belongs to one goroutine.
//
// A row begins with StartRow and ends with FinishRow. Between them its columns
// are set, in any order and as often as wanted: the last value counts (what an
// earlier one left in the variable section stays there). A column that is not
// set is zero: the number 0, the first string of the dictionary, nothing.
//
// Setters do not return errors. The first one that went wrong is kept, later
// calls have no effect on the table, and AppendTo or WriteTo return the error,
// which wraps [ErrMisuse] or [ErrTooLarge].
type Builder struct {
	pool    *pool.Pool
	opts    Options
	columns []column
	schema  []byte // the section
	rowSize int

	rows  int
	inRow bool
	row   []byte // the current row, in fixed; nil outside of rows and after an error
	err   error

	dict     dictionary
	fixed    pool.Buf[byte]
	variable pool.Buf[byte]

	nulls    nulls
	meta     metadata
	excs     []exception // ascending codes
	excText  pool.Buf[byte]
	frame    frame
	batchCol []batchColumn
}

// column is a column with what its setters need at hand.
type column struct {
	typ    Type
	stored Type
	scale  int16
	offset int32            // of its slot in a row
	nulls  pool.Buf[uint64] // bitmap of null rows
}

// maxColumns is how many columns a row of at most 2 GiB has room for.
const maxColumns = math.MaxInt32 / 8

// NewBuilder returns a builder of tables with the given columns, which it
// copies. It takes its memory from p, which may be nil. The error wraps
// [ErrType], [ErrMisuse] or [ErrTooLarge].
func NewBuilder(p *pool.Pool, columns []Column, o Options) (*Builder, error) {
	if int(o.Release) >= len(lastKeys) {
		return nil, fmt.Errorf("datatable: release %d does not exist: %w", o.Release, ErrMisuse)
	}
	if len(columns) > maxColumns {
		return nil, fmt.Errorf("datatable: %d columns: %w", len(columns), ErrTooLarge)
	}
	b := &Builder{pool: p, opts: o, columns: make([]column, len(columns))}
	b.dict.pool = p
	schemaBytes := 4
	for _, c := range columns {
		schemaBytes += 8 + len(c.Name) + len(c.Type.String())
	}
	b.schema = binary.BigEndian.AppendUint32(make([]byte, 0, schemaBytes), uint32(len(columns)))
	for i, c := range columns {
		if !c.Type.known() || types[c.Type].headOnly && o.Release != ReleaseHead {
			return nil, fmt.Errorf("datatable: column %q of %v: %w", c.Name, c.Type, ErrType)
		}
		b.columns[i] = column{typ: c.Type, stored: c.Type.Stored(), offset: int32(b.rowSize), scale: c.Scale}
		b.rowSize += types[c.Type].slotBytes
		b.schema = appendText(b.schema, c.Name)
	}
	for _, c := range columns {
		b.schema = appendText(b.schema, c.Type.String())
	}
	return b, nil
}

// appendText appends s as an lstr.
func appendText[T ~string | ~[]byte](dst []byte, s T) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(s)))
	return append(dst, s...)
}

// Rows returns the number of rows that were started.
func (b *Builder) Rows() int { return b.rows }

// StartRow begins a row in which every column is zero.
func (b *Builder) StartRow() {
	if b.inRow {
		b.misuse("row %d was not finished", b.rows-1)
		return
	}
	if b.rows == math.MaxInt32 {
		b.fail(ErrTooLarge)
		return
	}
	b.rows++
	b.inRow = true
	if at := len(b.fixed.S); b.err == nil && b.rowSize <= cap(b.fixed.S)-at {
		b.fixed.S = b.fixed.S[:at+b.rowSize]
		b.row = b.fixed.S[at:]
	} else {
		b.row = b.extend(&b.fixed, b.rowSize)
	}
	clear(b.row)
}

// FinishRow ends the row, which is part of the table then.
func (b *Builder) FinishRow() {
	if !b.inRow {
		b.misuse("FinishRow without StartRow")
		return
	}
	b.inRow, b.row = false, nil
}

// Reset makes the table empty: no rows, strings, metadata, exceptions and error.
// The columns and all memory are kept.
func (b *Builder) Reset() {
	b.rows, b.inRow, b.row, b.err = 0, false, nil, nil
	b.fixed.S, b.variable.S = b.fixed.S[:0], b.variable.S[:0]
	b.excs, b.excText.S = b.excs[:0], b.excText.S[:0]
	b.dict.reset()
	b.meta.reset()
	b.nulls.wanted = false
	for i := range b.columns {
		b.columns[i].nulls.S = b.columns[i].nulls.S[:0]
	}
}

// Release resets the builder and gives all of its memory but the columns back,
// to the pool or the garbage collector. The builder can be used again.
func (b *Builder) Release() {
	b.Reset()
	b.dict.release()
	pool.Put(b.pool, &b.fixed)
	pool.Put(b.pool, &b.variable)
	pool.Put(b.pool, &b.excText)
	pool.Put(b.pool, &b.meta.text)
	pool.Put(b.pool, &b.nulls.index)
	pool.Put(b.pool, &b.nulls.blobs)
	for i := range b.columns {
		pool.Put(b.pool, &b.columns[i].nulls)
	}
	// What is not of the pool.
	b.excs, b.meta.entries, b.frame, b.batchCol = nil, nil, frame{}, nil
}

// Err returns the first error of a setter, nil if there is none.
func (b *Builder) Err() error { return b.err }

func (b *Builder) fail(err error) {
	if b.err == nil {
		b.err = fmt.Errorf("datatable: row %d: %w", b.rows-1, err)
		b.row = nil
	}
}

func (b *Builder) misuse(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("datatable: %s: %w", fmt.Sprintf(format, args...), ErrMisuse)
		b.row = nil
	}
}

// extend adds n bytes of undefined content to a section and returns them, or
// nil after an error.
func (b *Builder) extend(section *pool.Buf[byte], n int) []byte {
	at := len(section.S)
	if b.err != nil || n > math.MaxInt32-at {
		b.fail(ErrTooLarge)
		return nil
	}
	grow(b.pool, section, at+n, sectionBytes)
	return section.S[at : at+n]
}

// sectionBytes is what a section begins with, so that a few small values do not
// move it several times.
const sectionBytes = 32

// grow is pool.Grow of a buffer that begins with room for least values.
func grow[T byte | uint32](p *pool.Pool, buf *pool.Buf[T], n, least int) {
	if cap(buf.S) == 0 {
		*buf = pool.Get[T](p, max(n, least))
	}
	pool.Grow(p, buf, n)
}

// slot returns the slot of a column of the given stored type in the current
// row, or nil after an error.
func (b *Builder) slot(col int, stored Type) []byte {
	slot := b.findSlot(col, stored)
	if slot == nil {
		b.wrongSlot(col, stored)
	}
	return slot
}

// findSlot is slot without the error. It is small enough to be inlined.
func (b *Builder) findSlot(col int, stored Type) []byte {
	if uint(col) < uint(len(b.columns)) {
		if c := &b.columns[col]; c.stored == stored && int(c.offset) < len(b.row) {
			return b.row[c.offset:]
		}
	}
	return nil
}

func (b *Builder) wrongSlot(col int, stored Type) {
	switch {
	case !b.inRow:
		b.misuse("column %d was set outside of a row", col)
	case uint(col) >= uint(len(b.columns)):
		b.misuse("column %d of %d was set", col, len(b.columns))
	default:
		b.misuse("column %d of type %v was set as %v", col, b.columns[col].typ, stored)
	}
}

// exception is a message in excText.
type exception struct {
	code       int32
	begin, end int
}

// AddException adds an exception to the table. A later message for the same
// code takes the place of the earlier one. Exceptions are written by ascending
// code.
func (b *Builder) AddException(code int32, message string) {
	e := exception{code: code, begin: len(b.excText.S)}
	copy(b.extend(&b.excText, len(message)), message)
	if b.err != nil {
		return
	}
	e.end = len(b.excText.S)
	i, found := slices.BinarySearchFunc(b.excs, code, func(e exception, code int32) int {
		return cmp.Compare(e.code, code)
	})
	if found {
		b.excs[i] = e
	} else {
		b.excs = slices.Insert(b.excs, i, e)
	}
}
