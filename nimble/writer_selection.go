package nimble

import "github.com/decantdb/decant/vector"

// selection is rows of a vector: those from begin up to end, or a list.
type selection struct {
	begin, end int
	list       []int32 // ascending
	listed     bool
	nullable   bool // others of the vector's rows are null
}

func (s selection) len() int {
	if s.listed {
		return len(s.list)
	}
	return s.end - s.begin
}

// at returns the i-th row.
func (s selection) at(i int) int {
	if s.listed {
		return int(s.list[i])
	}
	return s.begin + i
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
	for i := range s.len() {
		if row := s.at(i); vector.Bit(valid, row) {
			list = append(list, int32(row))
		}
	}
	*scratch = list
	return selection{list: list, listed: true}
}

// elements returns what lists with the given offsets have in the rows, none of
// which is null; scratch is as in present.
func (s selection) elements(offsets []uint32, scratch *[]int32) selection {
	if s.len() == 0 {
		return selection{}
	}
	if !s.listed {
		return selection{begin: int(offsets[s.begin]), end: int(offsets[s.end])}
	}
	list := (*scratch)[:0]
	for _, row := range s.list {
		for e := offsets[row]; e < offsets[row+1]; e++ {
			list = append(list, int32(e))
		}
	}
	*scratch = list
	return selection{list: list, listed: true}
}

// appendValues appends the values of rows, all present, to dst.
func appendValues[V vector.Value](dst []V, vec *vector.Vec[V], rows selection) []V {
	values := vec.Values
	switch {
	case vec.Form == vector.Flat && !rows.listed:
		return append(dst, values[rows.begin:rows.end]...)
	case vec.Form == vector.Flat:
		for _, row := range rows.list {
			dst = append(dst, values[row])
		}
	case vec.Form == vector.Dictionary && !rows.listed:
		for _, x := range vec.Index[rows.begin:rows.end] {
			dst = append(dst, values[x])
		}
	case vec.Form == vector.Constant:
		for range rows.len() {
			dst = append(dst, values[0])
		}
	case rows.begin == 0 && rows.end == vec.N && !rows.listed:
		n := len(dst)
		dst = append(dst, make([]V, vec.N)...)
		vec.Expand(dst[n:])
	default:
		for i := range rows.len() {
			dst = append(dst, values[vec.ValueIndex(rows.at(i))])
		}
	}
	return dst
}
