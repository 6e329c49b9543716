package vector

import "fmt"

// Check returns an error unless v keeps the promises of its type, so that no
// access to one of its rows is out of range. Decoders of untrusted bytes are
// tested with it:
//
//	all         a validity bitmap reaches over all rows
//	Flat        a value for each row
//	Constant    a value
//	Dictionary  an index for each row, null ones too, within the values
//	RunLength   a value for each run; ends ascend from 1 on, the last is N
//	Sparse      the common value and one for each position; these ascend below N
//	strings     the bytes of present rows are within the buffers
//	Timestamps  nanoseconds for each row, if at all
//	List, Map   offsets ascend and end within the elements; as many keys as values
//	Row         as many rows in each field
//
// Children are checked likewise.
func Check(v Vector) error {
	if valid := v.Validity(); valid != nil && len(valid) < Words(v.Len()) {
		return fmt.Errorf("%v: validity of %d words for %d rows", v.Kind(), len(valid), v.Len())
	}
	switch v := v.(type) {
	case *Vec[int8]:
		return v.check()
	case *Vec[int16]:
		return v.check()
	case *Vec[int32]:
		return v.check()
	case *Vec[int64]:
		return v.check()
	case *Vec[uint8]:
		return v.check()
	case *Vec[uint16]:
		return v.check()
	case *Vec[uint32]:
		return v.check()
	case *Vec[uint64]:
		return v.check()
	case *Vec[float32]:
		return v.check()
	case *Vec[float64]:
		return v.check()
	case *Vec[View]:
		if err := v.check(); err != nil {
			return err
		}
		return checkViews(v)
	case *Bools:
		if len(v.Bits) < Words(v.N) {
			return fmt.Errorf("bool: %d words for %d rows", len(v.Bits), v.N)
		}
		return nil
	case *Timestamps:
		if v.Nanos != nil && len(v.Nanos) < v.Micros.N {
			return fmt.Errorf("timestamp: %d nanoseconds for %d rows", len(v.Nanos), v.Micros.N)
		}
		return v.Micros.check()
	case *List:
		return v.check(v.Elem)
	case *Map:
		if k, n := v.Keys.Len(), v.Values.Len(); k != n {
			return fmt.Errorf("map: %d keys and %d values", k, n)
		}
		if err := v.check(v.Keys); err != nil {
			return err
		}
		return Check(v.Values)
	case *Row:
		return v.check()
	}
	return fmt.Errorf("vector of a foreign type %T", v)
}

// check is Check for what a form needs.
func (v *Vec[T]) check() error {
	if v.N == 0 {
		return nil
	}
	needed := 1
	var err error
	switch v.Form {
	case Flat:
		needed = v.N
	case Constant:
	case Dictionary:
		err = checkIndex(v.Index, v.N, len(v.Values))
	case RunLength:
		needed = len(v.Ends)
		err = checkEnds(v.Ends, v.N)
	case Sparse:
		needed += len(v.Positions)
		err = checkPositions(v.Positions, v.N)
	default:
		err = fmt.Errorf("form %d is not known", v.Form)
	}
	if err == nil && len(v.Values) < needed {
		err = fmt.Errorf("%d values where %d are needed", len(v.Values), needed)
	}
	if err != nil {
		return fmt.Errorf("%v %v of %d rows: %w", v.Form, v.Kind(), v.N, err)
	}
	return nil
}

func checkIndex(index []uint32, rows, values int) error {
	if len(index) < rows {
		return fmt.Errorf("%d indices", len(index))
	}
	for i, x := range index[:rows] {
		if uint64(x) >= uint64(values) {
			return fmt.Errorf("row %d has index %d of %d values", i, x, values)
		}
	}
	return nil
}

func checkEnds(ends []uint32, rows int) error {
	last := uint32(0)
	for r, end := range ends {
		if end <= last {
			return fmt.Errorf("run %d ends at %d, the one before at %d", r, end, last)
		}
		last = end
	}
	if uint64(last) != uint64(rows) {
		return fmt.Errorf("the last run ends at %d", last)
	}
	return nil
}

func checkPositions(positions []uint32, rows int) error {
	next := uint64(0)
	for i, p := range positions {
		if uint64(p) < next || uint64(p) >= uint64(rows) {
			return fmt.Errorf("exception %d is at row %d, not from %d on", i, p, next)
		}
		next = uint64(p) + 1
	}
	return nil
}

// checkViews checks the bytes of present rows. The form is in order.
func checkViews(v *Vec[View]) error {
	buffers := v.Buffers.List()
	for i := range v.N {
		if !Valid(v.Valid, i) {
			continue
		}
		x := v.Values[v.ValueIndex(i)]
		buffer, offset := uint32(x[1]), x[1]>>32
		if !x.Inline() &&
			(uint64(buffer) >= uint64(len(buffers)) || offset+uint64(x.Len()) > uint64(len(buffers[buffer]))) {
			return fmt.Errorf("string: row %d has %d bytes at %d of buffer %d, which is not there", i, x.Len(), offset, buffer)
		}
		if v.Form == Constant {
			return nil
		}
	}
	return nil
}

// check is Check for the offsets and the elements.
func (s *spans) check(elem Vector) error {
	if s.N == 0 {
		return Check(elem)
	}
	if len(s.Offsets) < s.N+1 {
		return fmt.Errorf("%d offsets for %d rows", len(s.Offsets), s.N)
	}
	last := s.Offsets[0]
	for i, offset := range s.Offsets[1 : s.N+1] {
		if offset < last {
			return fmt.Errorf("row %d ends at element %d and begins at %d", i, offset, last)
		}
		last = offset
	}
	if uint64(last) > uint64(elem.Len()) {
		return fmt.Errorf("rows end at element %d of %d", last, elem.Len())
	}
	return Check(elem)
}

func (v *Row) check() error {
	for i, f := range v.Fields {
		if f.Len() != v.N {
			return fmt.Errorf("row: field %d has %d rows of %d", i, f.Len(), v.N)
		}
		if err := Check(f); err != nil {
			return fmt.Errorf("field %d: %w", i, err)
		}
	}
	return nil
}
