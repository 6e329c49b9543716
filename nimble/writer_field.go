package nimble

import (
	"fmt"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// selection is rows of a vector: those from begin up to end, or a list.
type selection struct {
	begin, end int
	list       []int32 // ascending
	listed     bool
}

func (s selection) len() int {
	if s.listed {
		return len(s.list)
	}
	return s.end - s.begin
}

// take returns the first n rows, and leaves the others.
func (s *selection) take(n int) selection {
	first := *s
	if s.listed {
		first.list, s.list = s.list[:n], s.list[n:]
		return first
	}
	first.end = s.begin + n
	s.begin = first.end
	return first
}

// countPresent returns how many of the rows are present.
func (s selection) countPresent(valid []uint64) int {
	switch {
	case valid == nil:
		return s.len()
	case !s.listed:
		return vector.CountBits(valid, s.begin, s.end)
	}
	count := 0
	for _, row := range s.list {
		if vector.Bit(valid, int(row)) {
			count++
		}
	}
	return count
}

// present returns the rows that are present; scratch is where their list is
// kept if they need one.
func (s selection) present(valid []uint64, scratch *[]int32) selection {
	if s.countPresent(valid) == s.len() {
		return s
	}
	list := (*scratch)[:0]
	if s.listed {
		for _, row := range s.list {
			if vector.Bit(valid, int(row)) {
				list = append(list, row)
			}
		}
	} else {
		for row := s.begin; row < s.end; row++ {
			if vector.Bit(valid, row) {
				list = append(list, int32(row))
			}
		}
	}
	*scratch = list
	return selection{list: list, listed: true}
}

// fieldWriter takes apart the vectors of a type into its streams.
type fieldWriter interface {
	// write buffers rows of v, which checkVector has found to fit.
	write(v vector.Vector, rows selection) error
	// stats fills in the statistics of the type and of those below.
	stats(all []ColumnStats)
}

// newFieldWriter returns the writer of n and calls add with its streams, in the
// order of their ids.
func newFieldWriter(n *node, add func(streamWriter)) fieldWriter {
	switch n.typ.Kind {
	case Boolean:
		f := &boolField{node: n}
		add(&f.s)
		return f
	case TinyInt:
		return newNumberField[int8, uint8](n, add)
	case SmallInt:
		return newNumberField[int16, uint16](n, add)
	case Integer:
		return newNumberField[int32, uint32](n, add)
	case BigInt:
		return newNumberField[int64, uint64](n, add)
	case Real:
		return newNumberField[float32, uint32](n, add)
	case Double:
		return newNumberField[float64, uint64](n, add)
	case Varchar, Varbinary:
		f := &textField{node: n}
		add(&f.s)
		return f
	case Timestamp:
		f := &timestampField{node: n}
		f.micros.typ, f.nanos.typ = encoding.Int64, encoding.Uint16
		add(&f.micros)
		add(&f.nanos)
		return f
	case Row:
		return newRowField(n, add)
	default:
		return newSpansField(n, add)
	}
}

// numberField writes numbers.
type numberField[V numeric, T encoding.Integer] struct {
	node    *node
	s       numbers[V, T]
	rows    []int32 // scratch
	scratch []V
}

func newNumberField[V numeric, T encoding.Integer](n *node, add func(streamWriter)) *numberField[V, T] {
	f := &numberField[V, T]{node: n}
	f.s.typ, f.s.wantBounds = dataTypes[n.typ.Kind], true
	add(&f.s)
	return f
}

func (f *numberField[V, T]) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Vec[V])
	f.s.add(vec.Valid, rows)
	f.s.list = appendValues(f.s.list, vec, rows.present(vec.Valid, &f.rows), &f.scratch)
	return nil
}

// appendValues appends the values of rows to dst.
func appendValues[V vector.Value](dst []V, vec *vector.Vec[V], rows selection, scratch *[]V) []V {
	values := vec.Values
	switch vec.Form {
	case vector.Constant:
		for range rows.len() {
			dst = append(dst, values[0])
		}
		return dst
	case vector.Dictionary:
		if rows.listed {
			for _, row := range rows.list {
				dst = append(dst, values[vec.Index[row]])
			}
			return dst
		}
		for _, x := range vec.Index[rows.begin:rows.end] {
			dst = append(dst, values[x])
		}
		return dst
	case vector.RunLength, vector.Sparse:
		if cap(*scratch) < vec.N {
			*scratch = make([]V, vec.N)
		}
		values = (*scratch)[:vec.N]
		vec.Expand(values)
	}
	if !rows.listed {
		return append(dst, values[rows.begin:rows.end]...)
	}
	for _, row := range rows.list {
		dst = append(dst, values[row])
	}
	return dst
}

func (f *numberField[V, T]) stats(all []ColumnStats) {
	s := &all[f.node.index]
	s.Values, s.Nulls = f.s.values, f.s.nulls
	s.LogicalBytes = f.s.values*uint64(f.s.valueBytes()) + f.s.nulls
	s.PhysicalBytes = f.s.physical
	s.Bounded = f.s.bounded
	if boundsOf(f.node.typ.Kind) == floatBounds {
		s.MinFloat, s.MaxFloat = float64(f.s.lowest), float64(f.s.highest)
	} else {
		s.MinInt, s.MaxInt = int64(f.s.lowest), int64(f.s.highest)
	}
}

// boolField writes bools.
type boolField struct {
	node *node
	s    flags
	rows []int32
}

func (f *boolField) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Bools)
	have := f.s.present
	f.s.add(vec.Valid, rows)
	f.s.appendRows(have, vec.Bits, rows.present(vec.Valid, &f.rows))
	return nil
}

func (f *boolField) stats(all []ColumnStats) {
	s := &all[f.node.index]
	s.Values, s.Nulls = f.s.values, f.s.nulls
	s.LogicalBytes = f.s.values + f.s.nulls
	s.PhysicalBytes = f.s.physical
}

// textField writes strings.
type textField struct {
	node    *node
	s       texts
	rows    []int32
	scratch []vector.View
	views   []vector.View
}

func (f *textField) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Vec[vector.View])
	f.s.add(vec.Valid, rows)
	f.views = appendValues(f.views[:0], vec, rows.present(vec.Valid, &f.rows), &f.scratch)
	buffers := vec.Buffers.List()
	for i := range f.views {
		f.s.append(&f.views[i], buffers)
	}
	return nil
}

func (f *textField) stats(all []ColumnStats) {
	s := &all[f.node.index]
	s.Values, s.Nulls = f.s.values, f.s.nulls
	s.LogicalBytes = f.s.logical + f.s.nulls
	s.PhysicalBytes = f.s.physical
	s.Bounded, s.MinString, s.MaxString = f.s.bounded, string(f.s.lowest), string(f.s.highest)
}

// timestampField writes moments: microseconds, and for those that are present
// nanoseconds beyond them.
type timestampField struct {
	node    *node
	micros  numbers[int64, uint64]
	nanos   numbers[uint16, uint16]
	rows    []int32
	scratch []int64
}

// timestampBytes is what the statistics count for a moment.
const timestampBytes = 12

func (f *timestampField) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Timestamps)
	f.micros.add(vec.Micros.Valid, rows)
	rows = rows.present(vec.Micros.Valid, &f.rows)
	f.micros.list = appendValues(f.micros.list, &vec.Micros, rows, &f.scratch)
	f.nanos.add(nil, rows)
	if vec.Nanos == nil {
		for range rows.len() {
			f.nanos.list = append(f.nanos.list, 0)
		}
		return nil
	}
	before := len(f.nanos.list)
	nanos := vector.Vec[uint16]{N: len(vec.Nanos), Values: vec.Nanos}
	f.nanos.list = appendValues(f.nanos.list, &nanos, rows, nil)
	for _, x := range f.nanos.list[before:] {
		if x >= nanosPerMicro {
			return fmt.Errorf("%w: %d nanoseconds in a microsecond", ErrSchema, x)
		}
	}
	return nil
}

func (f *timestampField) stats(all []ColumnStats) {
	s := &all[f.node.index]
	s.Values, s.Nulls = f.micros.values, f.micros.nulls
	s.LogicalBytes = timestampBytes*s.Values + s.Nulls
	s.PhysicalBytes = f.micros.physical + f.nanos.physical
}

// rowField writes rows: which are present, and the fields of those.
type rowField struct {
	node   *node
	s      nulls
	fields []fieldWriter
	rows   []int32
}

func newRowField(n *node, add func(streamWriter)) *rowField {
	f := &rowField{node: n}
	add(&f.s)
	for _, c := range n.children {
		f.fields = append(f.fields, newFieldWriter(c, add))
	}
	return f
}

func (f *rowField) write(v vector.Vector, rows selection) error {
	vec := v.(*vector.Row)
	f.s.add(vec.Valid, rows)
	rows = rows.present(vec.Valid, &f.rows)
	for i, field := range f.fields {
		if err := field.write(vec.Fields[i], rows); err != nil {
			return fmt.Errorf("%s: %w", f.node.typ.Names[i], err)
		}
	}
	return nil
}

func (f *rowField) stats(all []ColumnStats) {
	s := &all[f.node.index]
	s.Values, s.Nulls = f.s.values, f.s.nulls
	sumStats(s, f.s.nulls, f.s.physical, f.node, f.fields, all)
}

// sumStats fills in the sizes of a type that has children.
func sumStats(s *ColumnStats, logical, physical uint64, n *node, children []fieldWriter, all []ColumnStats) {
	s.LogicalBytes, s.PhysicalBytes = logical, physical
	for i, c := range children {
		c.stats(all)
		child := all[n.children[i].index]
		s.LogicalBytes += child.LogicalBytes
		s.PhysicalBytes += child.PhysicalBytes
	}
}

// spansField writes lists and maps: lengths, and the elements, or keys and
// values.
type spansField struct {
	node     *node
	lengths  numbers[uint32, uint32]
	children []fieldWriter
	rows     []int32
	elements []int32
}

func newSpansField(n *node, add func(streamWriter)) *spansField {
	f := &spansField{node: n}
	f.lengths.typ = encoding.Uint32
	add(&f.lengths)
	for _, c := range n.children {
		f.children = append(f.children, newFieldWriter(c, add))
	}
	return f
}

func (f *spansField) write(v vector.Vector, rows selection) error {
	if vec, ok := v.(*vector.List); ok {
		return f.children[0].write(vec.Elem, f.spans(vec.Offsets, vec.Valid, rows))
	}
	vec := v.(*vector.Map)
	elements := f.spans(vec.Offsets, vec.Valid, rows)
	if elements.countPresent(vec.Keys.Validity()) < elements.len() {
		return fmt.Errorf("%w: a key is null", ErrSchema)
	}
	if err := f.children[0].write(vec.Keys, elements); err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	if err := f.children[1].write(vec.Values, elements); err != nil {
		return fmt.Errorf("values: %w", err)
	}
	return nil
}

// spans buffers the lengths of rows and returns their elements.
func (f *spansField) spans(offsets []uint32, valid []uint64, rows selection) selection {
	f.lengths.add(valid, rows)
	present := rows.present(valid, &f.rows)
	if !present.listed {
		if present.len() == 0 {
			return selection{}
		}
		for i := present.begin; i < present.end; i++ {
			f.lengths.list = append(f.lengths.list, offsets[i+1]-offsets[i])
		}
		return selection{begin: int(offsets[present.begin]), end: int(offsets[present.end])}
	}
	f.elements = f.elements[:0]
	for _, row := range present.list {
		begin, end := offsets[row], offsets[row+1]
		f.lengths.list = append(f.lengths.list, end-begin)
		for e := begin; e < end; e++ {
			f.elements = append(f.elements, int32(e))
		}
	}
	return selection{list: f.elements, listed: true}
}

func (f *spansField) stats(all []ColumnStats) {
	s := &all[f.node.index]
	s.Values, s.Nulls = f.lengths.values, f.lengths.nulls
	sumStats(s, f.lengths.nulls, f.lengths.physical, f.node, f.children, all)
}

// vectorKinds are the kinds of the vectors that hold the values of each kind.
var vectorKinds = [...]vector.Kind{
	Boolean: vector.KindBool, TinyInt: vector.KindInt8, SmallInt: vector.KindInt16, Integer: vector.KindInt32,
	BigInt: vector.KindInt64, Real: vector.KindFloat32, Double: vector.KindFloat64,
	Varchar: vector.KindString, Varbinary: vector.KindString, Timestamp: vector.KindTimestamp,
	Array: vector.KindList, Map: vector.KindMap, Row: vector.KindRow,
	FlatMap: vector.KindMap, DedupArray: vector.KindList, SlidingWindowMap: vector.KindMap,
}

// VectorKind returns the kind of the vectors that hold values of kind k, 0 if k
// does not exist.
func VectorKind(k Kind) vector.Kind {
	if !k.known() {
		return 0
	}
	return vectorKinds[k]
}

// checkVector tests that v has the kinds, and as many rows in its parts, as
// values of type t.
func checkVector(t *Type, v vector.Vector) error {
	if v.Kind() != vectorKinds[t.Kind] {
		return fmt.Errorf("%w: a vector of %v for %v", ErrSchema, v.Kind(), t)
	}
	switch v := v.(type) {
	case *vector.Row:
		if len(v.Fields) != len(t.Children) {
			return fmt.Errorf("%w: %d fields for %v", ErrSchema, len(v.Fields), t)
		}
		for i, f := range v.Fields {
			if f.Len() != v.N {
				return fmt.Errorf("%w: field %s of %d rows in %d", ErrSchema, t.Names[i], f.Len(), v.N)
			}
			if err := checkVector(t.Children[i], f); err != nil {
				return fmt.Errorf("%s: %w", t.Names[i], err)
			}
		}
	case *vector.List:
		if v.N > 0 && int(v.Offsets[v.N]) > v.Elem.Len() {
			return fmt.Errorf("%w: lists of %d elements, there are %d", ErrSchema, v.Offsets[v.N], v.Elem.Len())
		}
		return checkVector(t.Children[0], v.Elem)
	case *vector.Map:
		if v.N > 0 && (int(v.Offsets[v.N]) > v.Keys.Len() || v.Keys.Len() != v.Values.Len()) {
			return fmt.Errorf("%w: maps of %d pairs, there are %d keys and %d values",
				ErrSchema, v.Offsets[v.N], v.Keys.Len(), v.Values.Len())
		}
		if err := checkVector(t.Children[0], v.Keys); err != nil {
			return err
		}
		return checkVector(t.Children[1], v.Values)
	}
	return nil
}
