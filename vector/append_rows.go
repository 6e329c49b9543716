package vector

import (
	"fmt"

	"github.com/decantdb/decant/pool"
)

// AppendRows adds all rows of src to dst, which must be of the same type and
// hold its rows flat in its own memory, as after Reset. Strings are copied.
func AppendRows(dst, src Vector) error {
	switch src := src.(type) {
	case *Vec[int8]:
		return appendVec(dst, src)
	case *Vec[int16]:
		return appendVec(dst, src)
	case *Vec[int32]:
		return appendVec(dst, src)
	case *Vec[int64]:
		return appendVec(dst, src)
	case *Vec[uint8]:
		return appendVec(dst, src)
	case *Vec[uint16]:
		return appendVec(dst, src)
	case *Vec[uint32]:
		return appendVec(dst, src)
	case *Vec[uint64]:
		return appendVec(dst, src)
	case *Vec[float32]:
		return appendVec(dst, src)
	case *Vec[float64]:
		return appendVec(dst, src)
	case *Vec[View]:
		return appendViews(dst, src)
	case *Bools:
		return appendBools(dst, src)
	case *Timestamps:
		return appendTimestamps(dst, src)
	case *List:
		return appendList(dst, src)
	case *Map:
		return appendMap(dst, src)
	case *Row:
		return appendRow(dst, src)
	}
	return fmt.Errorf("vector: rows of a %v cannot be appended", src.Kind())
}

func appendVec[T Value](dst Vector, src *Vec[T]) error {
	d, ok := dst.(*Vec[T])
	if !ok {
		return fmt.Errorf("vector: rows of a %v appended to a %v", src.Kind(), dst.Kind())
	}
	begin := d.N
	d.N += src.N
	src.Expand(d.ReserveValues(d.N)[begin:])
	d.Valid = joinValid(&d.own.valid, d.pool, d.Valid, begin, src.Valid, src.N)
	return nil
}

// joinValid returns the validity of begin rows with valid followed by n rows
// with more, in the memory of own unless all rows are present.
func joinValid(own *pool.Buf[uint64], p *pool.Pool, valid []uint64, begin int, more []uint64, n int) []uint64 {
	if valid == nil && more == nil {
		return nil
	}
	pool.Grow(p, own, Words(begin+n))
	if valid == nil {
		SetBits(own.S, 0, begin)
	}
	if more == nil {
		SetBits(own.S, begin, begin+n)
	} else {
		CopyBits(own.S, begin, more, 0, n)
	}
	return own.S
}

func appendViews(dst Vector, src *Vec[View]) error {
	d, ok := dst.(*Vec[View])
	if !ok {
		return fmt.Errorf("vector: rows of a %v appended to a %v", src.Kind(), dst.Kind())
	}
	buffers := src.Buffers.List()
	if total := StringBytes(d) + longBytes(src); total > MaxStringBytes {
		return fmt.Errorf("vector: strings of %d bytes in one vector", total)
	}
	for i := range src.N {
		if !Valid(src.Valid, i) {
			d.AppendNull()
			continue
		}
		AppendString(d, src.Values[src.ValueIndex(i)].Bytes(buffers))
	}
	return nil
}

// longBytes returns the bytes of v's present strings that are not held inline.
func longBytes(v *Vec[View]) int {
	total := 0
	for i := range v.N {
		if Valid(v.Valid, i) {
			if x := v.Values[v.ValueIndex(i)]; !x.Inline() {
				total += x.Len()
			}
		}
	}
	return total
}

func appendBools(dst Vector, src *Bools) error {
	d, ok := dst.(*Bools)
	if !ok {
		return fmt.Errorf("vector: rows of a bool appended to a %v", dst.Kind())
	}
	begin := d.N
	d.N += src.N
	CopyBits(d.ReserveBits(d.N), begin, src.Bits, 0, src.N)
	d.Valid = joinValid(&d.ownValid, d.pool, d.Valid, begin, src.Valid, src.N)
	return nil
}

func appendTimestamps(dst Vector, src *Timestamps) error {
	d, ok := dst.(*Timestamps)
	if !ok {
		return fmt.Errorf("vector: rows of a timestamp appended to a %v", dst.Kind())
	}
	begin := d.Micros.N
	if err := appendVec(&d.Micros, &src.Micros); err != nil {
		return err
	}
	more := d.ReserveNanos(d.Micros.N)[begin:]
	if src.Nanos == nil {
		clear(more)
	} else {
		copy(more, src.Nanos[:src.Micros.N])
	}
	return nil
}

// appendSpans adds the rows of src, whose elements follow the begin elements
// that the destination has.
func (s *spans) appendSpans(src *spans, begin int) {
	rows := s.N
	s.N += src.N
	offsets := s.ReserveOffsets(s.N)
	offsets[0] = 0
	if src.N > 0 {
		first := int(src.Offsets[0])
		for i := range src.N {
			offsets[rows+i+1] = uint32(begin + int(src.Offsets[i+1]) - first)
		}
	}
	s.Valid = joinValid(&s.ownValid, s.pool, s.Valid, rows, src.Valid, src.N)
}

// elementRows returns the elements that the rows of s refer to.
func (s *spans) elementRows() []int32 {
	s.elements = s.elements[:0]
	if s.N > 0 {
		for e := s.Offsets[0]; e < s.Offsets[s.N]; e++ {
			s.elements = append(s.elements, int32(e))
		}
	}
	return s.elements
}

// appendElements adds the given elements of src, all of them in most cases.
func appendElements(dst, src Vector, rows []int32) error {
	if len(rows) == src.Len() {
		return AppendRows(dst, src)
	}
	part := MakeLike(src)
	if err := Gather(part, src, rows); err != nil {
		return err
	}
	return AppendRows(dst, part)
}

func appendList(dst Vector, src *List) error {
	d, ok := dst.(*List)
	if !ok {
		return fmt.Errorf("vector: rows of a list appended to a %v", dst.Kind())
	}
	d.appendSpans(&src.spans, d.Elem.Len())
	return appendElements(d.Elem, src.Elem, src.elementRows())
}

func appendMap(dst Vector, src *Map) error {
	d, ok := dst.(*Map)
	if !ok {
		return fmt.Errorf("vector: rows of a map appended to a %v", dst.Kind())
	}
	d.appendSpans(&src.spans, d.Keys.Len())
	rows := src.elementRows()
	if err := appendElements(d.Keys, src.Keys, rows); err != nil {
		return err
	}
	return appendElements(d.Values, src.Values, rows)
}

func appendRow(dst Vector, src *Row) error {
	d, ok := dst.(*Row)
	if !ok || len(d.Fields) != len(src.Fields) {
		return fmt.Errorf("vector: rows of a row appended to a %v of other fields", dst.Kind())
	}
	begin := d.N
	d.N += src.N
	d.Valid = joinValid(&d.ownValid, d.pool, d.Valid, begin, src.Valid, src.N)
	for i, f := range src.Fields {
		if err := AppendRows(d.Fields[i], f); err != nil {
			return err
		}
	}
	return nil
}
