package vector

import "github.com/decantdb/decant/pool"

// Timestamps is a column of moments: microseconds since 1970 in UTC, rounded
// down, and the nanoseconds from there on.
type Timestamps struct {
	// Micros holds rows and validity.
	Micros Vec[int64]
	// Nanos holds 0..999 for each row; nil means that all are 0. The entry of a
	// null row is undefined.
	Nanos []uint16

	ownNanos pool.Buf[uint16]
}

// NewTimestamps returns an empty vector that takes its own memory from p, which
// may be nil.
func NewTimestamps(p *pool.Pool) *Timestamps {
	return &Timestamps{Micros: Vec[int64]{pool: p}}
}

// Kind returns KindTimestamp.
func (v *Timestamps) Kind() Kind { return KindTimestamp }

// Len returns the number of rows.
func (v *Timestamps) Len() int { return v.Micros.N }

// Validity returns the bitmap of present rows.
func (v *Timestamps) Validity() []uint64 { return v.Micros.Valid }

// Reset makes v empty and keeps its memory.
func (v *Timestamps) Reset() {
	v.Micros.Reset()
	v.Nanos = nil
}

// Release gives v's own memory back to its pool and makes v empty.
func (v *Timestamps) Release() {
	v.Micros.Release()
	v.Nanos = nil
	pool.Put(v.Micros.pool, &v.ownNanos)
}

// ReserveNanos points v.Nanos to n entries of v's own and returns them. Entries
// that were there before, in v's own memory, are kept.
func (v *Timestamps) ReserveNanos(n int) []uint16 {
	pool.Grow(v.Micros.pool, &v.ownNanos, n)
	v.Nanos = v.ownNanos.S
	return v.Nanos
}

// Append adds a row. The memory must be v's own, as after Reset.
func (v *Timestamps) Append(micros int64, nanos uint16) {
	v.Micros.Append(micros)
	v.ReserveNanos(v.Micros.N)[v.Micros.N-1] = nanos
}

// AppendNull adds a null row, under the conditions of Append.
func (v *Timestamps) AppendNull() {
	v.Micros.AppendNull()
	v.ReserveNanos(v.Micros.N)[v.Micros.N-1] = 0
}

// spans is what lists and maps share: rows that each are a range of other rows.
type spans struct {
	N     int
	Valid []uint64 // bitmap of present rows, nil = all
	// Offsets has N+1 ascending entries: row i is the elements from Offsets[i]
	// up to Offsets[i+1]. A null row is empty.
	Offsets []uint32

	pool       *pool.Pool
	ownOffsets pool.Buf[uint32]
	ownValid   pool.Buf[uint64]
	elements   []int32 // scratch of gather
}

// Len returns the number of rows.
func (s *spans) Len() int { return s.N }

// Validity returns the bitmap of present rows.
func (s *spans) Validity() []uint64 { return s.Valid }

// Span returns the range of elements of row i.
func (s *spans) Span(i int) (begin, end int) { return int(s.Offsets[i]), int(s.Offsets[i+1]) }

// ReserveOffsets points Offsets to the n+1 entries for n rows, in memory of the
// vector's own, and returns them. Entries that were there before, in that
// memory, are kept.
func (s *spans) ReserveOffsets(n int) []uint32 {
	pool.Grow(s.pool, &s.ownOffsets, n+1)
	s.Offsets = s.ownOffsets.S
	return s.Offsets
}

// ReserveValid points Valid to a bitmap of the vector's own over n rows and
// returns it. Bits that were there before, in that memory, are kept.
func (s *spans) ReserveValid(n int) []uint64 {
	pool.Grow(s.pool, &s.ownValid, Words(n))
	s.Valid = s.ownValid.S
	return s.Valid
}

// appendRow adds a row whose elements end at end.
func (s *spans) appendRow(end int, present bool) {
	row := s.N
	s.N++
	s.ReserveOffsets(s.N)
	if row == 0 {
		s.Offsets[0] = 0
	}
	s.Offsets[s.N] = uint32(end)
	if s.Valid == nil && present {
		return
	}
	if s.Valid == nil {
		SetBits(s.ReserveValid(s.N), 0, row)
	} else {
		s.ReserveValid(s.N)
	}
	if present {
		SetBit(s.Valid, row)
	} else {
		ClearBit(s.Valid, row)
	}
}

func (s *spans) reset() { s.N, s.Valid, s.Offsets = 0, nil, nil }

func (s *spans) release() {
	s.reset()
	pool.Put(s.pool, &s.ownOffsets)
	pool.Put(s.pool, &s.ownValid)
}

// List is a column of lists.
type List struct {
	spans
	Elem Vector
}

// NewList returns an empty vector of lists of elem that takes its own memory
// from p, which may be nil.
func NewList(p *pool.Pool, elem Vector) *List { return &List{spans: spans{pool: p}, Elem: elem} }

// Kind returns KindList.
func (v *List) Kind() Kind { return KindList }

// Reset makes v and its elements empty and keeps their memory.
func (v *List) Reset() {
	v.reset()
	v.Elem.Reset()
}

// Release gives the memory of v and of its elements back and makes them empty.
func (v *List) Release() {
	v.release()
	v.Elem.Release()
}

// Append adds a row of all elements appended to v.Elem since the last row.
func (v *List) Append() { v.appendRow(v.Elem.Len(), true) }

// AppendNull adds a null row.
func (v *List) AppendNull() { v.appendRow(v.Elem.Len(), false) }

// Map is a column of maps: lists of keys and values. Keys and Values have one
// length; keys are never null.
type Map struct {
	spans
	Keys, Values Vector
}

// NewMap returns an empty vector of maps that takes its own memory from p,
// which may be nil.
func NewMap(p *pool.Pool, keys, values Vector) *Map {
	return &Map{spans: spans{pool: p}, Keys: keys, Values: values}
}

// Kind returns KindMap.
func (v *Map) Kind() Kind { return KindMap }

// Reset makes v, its keys and its values empty and keeps their memory.
func (v *Map) Reset() {
	v.reset()
	v.Keys.Reset()
	v.Values.Reset()
}

// Release gives the memory of v, its keys and its values back and makes them
// empty.
func (v *Map) Release() {
	v.release()
	v.Keys.Release()
	v.Values.Release()
}

// Append adds a row of all keys and values appended since the last row.
func (v *Map) Append() { v.appendRow(v.Keys.Len(), true) }

// AppendNull adds a null row.
func (v *Map) AppendNull() { v.appendRow(v.Keys.Len(), false) }

// Row is a column of rows with named fields, one vector a field in the order of
// the schema. Each field has N rows; those of a null row are null.
type Row struct {
	N      int
	Valid  []uint64 // bitmap of present rows, nil = all
	Fields []Vector

	pool     *pool.Pool
	ownValid pool.Buf[uint64]
}

// NewRow returns an empty vector over fields that takes its own memory from p,
// which may be nil.
func NewRow(p *pool.Pool, fields ...Vector) *Row { return &Row{pool: p, Fields: fields} }

// Kind returns KindRow.
func (v *Row) Kind() Kind { return KindRow }

// Len returns the number of rows.
func (v *Row) Len() int { return v.N }

// Validity returns v.Valid.
func (v *Row) Validity() []uint64 { return v.Valid }

// Reset makes v and its fields empty and keeps their memory.
func (v *Row) Reset() {
	v.N, v.Valid = 0, nil
	for _, f := range v.Fields {
		f.Reset()
	}
}

// Release gives the memory of v and of its fields back and makes them empty.
func (v *Row) Release() {
	v.N, v.Valid = 0, nil
	pool.Put(v.pool, &v.ownValid)
	for _, f := range v.Fields {
		f.Release()
	}
}

// ReserveValid points v.Valid to a bitmap of v's own over n rows and returns
// it. Bits that were there before, in v's own memory, are kept.
func (v *Row) ReserveValid(n int) []uint64 {
	pool.Grow(v.pool, &v.ownValid, Words(n))
	v.Valid = v.ownValid.S
	return v.Valid
}

// Append adds a row, present or null, to which the caller has appended, or
// appends next, one row in each field.
func (v *Row) Append(present bool) {
	row := v.N
	v.N++
	if v.Valid == nil && present {
		return
	}
	if v.Valid == nil {
		SetBits(v.ReserveValid(v.N), 0, row)
	} else {
		v.ReserveValid(v.N)
	}
	if present {
		SetBit(v.Valid, row)
	} else {
		ClearBit(v.Valid, row)
	}
}
