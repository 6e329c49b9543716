package nimble

import (
	"fmt"
	"slices"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// column reads the values of a type, stripe by stripe. All rows here are those
// that reach the column: a field has none for a null row.
type column interface {
	// vector returns the rows of the last read, the same vector each time.
	vector() vector.Vector
	// read reads the next n rows.
	read(n int) error
	// readSel reads, of the next n rows, those in sel.
	readSel(n int, sel []int32) error
	// skip moves past n rows.
	skip(n int) error
	// stored reports whether the stripe has any value of the column; a row's
	// values are those of its fields.
	stored() bool
	// restart forgets what was kept of the stripe before; the streams have been
	// moved to the next one.
	restart()
	// release gives the column's memory back.
	release()
}

// source is a stream as what loads it sees it.
type source interface {
	begin(stripe int, data []byte, r tablet.Range, limit int)
	finish() error
	close()
}

// builder makes the columns of some nodes and lists their streams.
type builder struct {
	session       *encoding.Session
	varint        bool
	elementsLimit int
	dicts         *sharedDictionaries // nil if there are none
	ids           []uint32
	sources       []source
}

func (b *builder) add(id uint32, s source) {
	b.ids = append(b.ids, id)
	b.sources = append(b.sources, s)
}

// column returns the reader of n, whose rows come as type as, which differs from
// n's in its children alone, or in how it is stored.
func (b *builder) column(n *node, as *Type) (column, error) {
	switch n.typ.Kind {
	case Boolean:
		return &boolColumn{b: newBoolStream(b, n.stream), vec: vector.NewBools(b.session.Pool())}, nil
	case TinyInt:
		return newScalar[int8, uint8](b, n), nil
	case SmallInt:
		return newScalar[int16, uint16](b, n), nil
	case Integer:
		return newScalar[int32, uint32](b, n), nil
	case BigInt:
		return newScalar[int64, uint64](b, n), nil
	case Real:
		return newScalar[float32, uint32](b, n), nil
	case Double:
		return newScalar[float64, uint64](b, n), nil
	case Varchar, Varbinary:
		return newScalar[vector.View, vector.View](b, n), nil
	case Timestamp:
		return newTimestampColumn(b, n), nil
	case Row:
		return newRowColumn(b, n, as)
	case Array:
		return newListColumn(b, n, as)
	case Map:
		return newMapColumn(b, n, as)
	case FlatMap:
		return newFlatMapColumn(b, n, as)
	case DedupArray:
		return newDedupColumn(b, n, as)
	case SlidingWindowMap:
		return newWindowMapColumn(b, n, as)
	default:
		return nil, fmt.Errorf("%w: reading a %v", ErrUnsupported, n.typ.Kind)
	}
}

// dataTypes are the types of the encoded values of scalars.
var dataTypes = [...]encoding.DataType{
	Boolean: encoding.Bool, TinyInt: encoding.Int8, SmallInt: encoding.Int16, Integer: encoding.Int32,
	BigInt: encoding.Int64, Real: encoding.Float, Double: encoding.Double,
	Varchar: encoding.String, Varbinary: encoding.String,
}

// scalar reads numbers and strings. T is the physical type of the values that
// vec holds, which callers see as out.
type scalar[T encoding.Physical] struct {
	s   *stream[T]
	vec *vector.Vec[T]
	out vector.Vector
}

func newScalar[V vector.Value, T encoding.Physical](b *builder, n *node) *scalar[T] {
	vec := vector.NewVec[V](b.session.Pool())
	return &scalar[T]{
		s:   newStream[T](b, n.stream, dataTypes[n.typ.Kind]),
		vec: vector.As[T](vec), out: vec,
	}
}

func (c *scalar[T]) vector() vector.Vector { return c.out }
func (c *scalar[T]) read(n int) error      { return c.s.readVec(c.vec, n) }
func (c *scalar[T]) skip(n int) error      { return c.s.skip(n) }
func (c *scalar[T]) stored() bool          { return !c.s.absent }
func (c *scalar[T]) restart()              {}
func (c *scalar[T]) release()              { c.vec.Release() }

// sparseReads is how many times fewer the selected rows must be for a decoder to
// be asked for them alone: more are had as fast by reading all, which keeps
// dictionaries and runs as they are.
const sparseReads = 4

func (c *scalar[T]) readSel(n int, sel []int32) error {
	if len(sel)*sparseReads < n {
		if ok, err := c.s.readSel(c.vec, n, sel); ok || err != nil {
			return err
		}
	}
	return readAndKeep(c, n, sel)
}

// readAndKeep is readSel for columns that know no better.
func readAndKeep(c column, n int, sel []int32) error {
	if err := c.read(n); err != nil {
		return err
	}
	vector.Keep(c.vector(), sel)
	return nil
}

// boolColumn reads bools.
type boolColumn struct {
	b   *boolStream
	vec *vector.Bools
}

func (c *boolColumn) vector() vector.Vector            { return c.vec }
func (c *boolColumn) read(n int) error                 { return c.b.readBools(c.vec, n) }
func (c *boolColumn) readSel(n int, sel []int32) error { return readAndKeep(c, n, sel) }
func (c *boolColumn) skip(n int) error                 { return c.b.skip(n) }
func (c *boolColumn) stored() bool                     { return !c.b.absent }
func (c *boolColumn) restart()                         {}
func (c *boolColumn) release()                         { c.vec.Release() }

// skipRows is how many rows are read at once to learn how many rows below them
// have to be skipped.
const skipRows = 4096

// inBlocks calls fn for n rows, at most skipRows at a time.
func inBlocks(n int, fn func(n int) error) error {
	for n > 0 {
		k := min(n, skipRows)
		if err := fn(k); err != nil {
			return err
		}
		n -= k
	}
	return nil
}

// presentRows returns how many of n rows are present.
func presentRows(valid []uint64, n int) int {
	if valid == nil {
		return n
	}
	return vector.CountBits(valid, 0, n)
}

// timestampColumn reads moments: a stream of microseconds, and one of the
// nanoseconds beyond them for the rows that are present.
type timestampColumn struct {
	micros *stream[uint64]
	nanos  *stream[uint16]
	vec    *vector.Timestamps
	dense  *vector.Vec[uint16] // nanos of present rows
}

func newTimestampColumn(b *builder, n *node) *timestampColumn {
	return &timestampColumn{
		micros: newStream[uint64](b, n.stream, encoding.Int64),
		nanos:  newStream[uint16](b, n.second, encoding.Uint16),
		vec:    vector.NewTimestamps(b.session.Pool()),
		dense:  vector.NewVec[uint16](b.session.Pool()),
	}
}

func (c *timestampColumn) vector() vector.Vector            { return c.vec }
func (c *timestampColumn) readSel(n int, sel []int32) error { return readAndKeep(c, n, sel) }
func (c *timestampColumn) stored() bool                     { return !c.micros.absent }
func (c *timestampColumn) restart()                         {}

func (c *timestampColumn) release() {
	c.vec.Release()
	c.dense.Release()
}

func (c *timestampColumn) skip(n int) error {
	return inBlocks(n, func(k int) error {
		if err := c.micros.readVec(vector.As[uint64](&c.vec.Micros), k); err != nil {
			return err
		}
		return c.nanos.skip(presentRows(c.vec.Micros.Valid, k))
	})
}

func (c *timestampColumn) read(n int) error {
	c.vec.Reset()
	if err := c.micros.readVec(vector.As[uint64](&c.vec.Micros), n); err != nil {
		return err
	}
	present := presentRows(c.vec.Micros.Valid, n)
	if present == 0 {
		return nil
	}
	if c.nanos.absent {
		return c.nanos.corrupt("there are moments without nanoseconds")
	}
	if err := c.nanos.readVec(c.dense, present); err != nil {
		return err
	}
	if c.dense.Valid != nil {
		return c.nanos.corrupt("nanoseconds are null")
	}
	if c.dense.Form == vector.Constant && c.dense.Values[0] == 0 {
		return nil
	}
	c.dense.Expand(c.vec.ReserveNanos(n)[:present])
	for _, x := range c.vec.Nanos[:present] {
		if x >= nanosPerMicro {
			return c.nanos.corrupt("%d nanoseconds in a microsecond", x)
		}
	}
	if present < n {
		spreadNanos(c.vec.Nanos, c.vec.Micros.Valid, present)
	}
	return nil
}

const nanosPerMicro = 1000

// spreadNanos moves the first present entries to the rows that are valid.
func spreadNanos(nanos []uint16, valid []uint64, present int) {
	for i := len(nanos) - 1; i >= 0; i-- {
		x := uint16(0)
		if vector.Bit(valid, i) {
			present--
			x = nanos[present]
		}
		nanos[i] = x
	}
}

// rowColumn reads rows of fields.
type rowColumn struct {
	nulls  *boolStream
	fields []column
	vec    *vector.Row
}

func newRowColumn(b *builder, n *node, as *Type) (*rowColumn, error) {
	c := &rowColumn{nulls: newBoolStream(b, n.stream), vec: vector.NewRow(b.session.Pool())}
	for i, t := range as.Children {
		f, err := b.columnAs(n.field(as, i), t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", as.Names[i], err)
		}
		c.fields = append(c.fields, f)
		c.vec.Fields = append(c.vec.Fields, f.vector())
	}
	return c, nil
}

func (c *rowColumn) vector() vector.Vector            { return c.vec }
func (c *rowColumn) readSel(n int, sel []int32) error { return readAndKeep(c, n, sel) }

func (c *rowColumn) stored() bool {
	return slices.ContainsFunc(c.fields, column.stored)
}

func (c *rowColumn) restart() {
	for _, f := range c.fields {
		f.restart()
	}
}

func (c *rowColumn) release() {
	c.vec.Release()
	for _, f := range c.fields {
		f.release()
	}
}

// presence reads which of the next n rows are present into c.vec.Valid and
// returns how many.
func (c *rowColumn) presence(n int) (int, error) {
	c.vec.N, c.vec.Valid = n, nil
	if c.nulls.absent {
		return n, nil
	}
	present, err := c.nulls.readPresence(c.vec.ReserveValid(n), n)
	if present == n {
		c.vec.Valid = nil
	}
	return present, err
}

func (c *rowColumn) read(n int) error {
	present, err := c.presence(n)
	if err != nil {
		return err
	}
	for _, f := range c.fields {
		if err := f.read(present); err != nil {
			return err
		}
		if present < n {
			vector.Spread(f.vector(), c.vec.Valid, n)
		}
	}
	return nil
}

func (c *rowColumn) skip(n int) error {
	return inBlocks(n, func(k int) error {
		present, err := c.presence(k)
		for _, f := range c.fields {
			if err == nil {
				err = f.skip(present)
			}
		}
		return err
	})
}

// topColumn reads a column of the file: a field of the root, whose rows may be
// null too. Columns are read apart from each other, so each reads the root's
// presence for itself.
type topColumn struct {
	nulls   *boolStream
	field   column
	pool    *pool.Pool
	present pool.Buf[uint64]
}

// newTopColumn returns the reader of field n, which may be nil, of the root, whose
// own stream is nulls.
func newTopColumn(b *builder, root uint32, n *node, as *Type) (*topColumn, error) {
	nulls := newBoolStream(b, root)
	field, err := b.columnAs(n, as)
	if err != nil {
		return nil, err
	}
	return &topColumn{nulls: nulls, field: field, pool: b.session.Pool()}, nil
}

func (c *topColumn) vector() vector.Vector { return c.field.vector() }
func (c *topColumn) stored() bool          { return c.field.stored() }
func (c *topColumn) restart()              { c.field.restart() }

func (c *topColumn) release() {
	c.field.release()
	pool.Put(c.pool, &c.present)
}

func (c *topColumn) read(n int) error {
	if c.nulls.absent {
		return c.field.read(n)
	}
	pool.Grow(c.pool, &c.present, vector.Words(n))
	present, err := c.nulls.readPresence(c.present.S, n)
	if err != nil {
		return err
	}
	if err := c.field.read(present); err != nil {
		return err
	}
	if present < n {
		vector.Spread(c.field.vector(), c.present.S, n)
	}
	return nil
}

func (c *topColumn) readSel(n int, sel []int32) error {
	if c.nulls.absent {
		return c.field.readSel(n, sel)
	}
	return readAndKeep(c, n, sel)
}

func (c *topColumn) skip(n int) error {
	if c.nulls.absent {
		return c.field.skip(n)
	}
	return inBlocks(n, func(k int) error {
		pool.Grow(c.pool, &c.present, vector.Words(k))
		present, err := c.nulls.readPresence(c.present.S, k)
		if err != nil {
			return err
		}
		return c.field.skip(present)
	})
}
