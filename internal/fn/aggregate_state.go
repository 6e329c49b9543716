package fn

import (
	"fmt"
	"unsafe"

	"github.com/decantdb/decant/vector"
)

// State is what an aggregate keeps of the values of each group. Groups are
// numbered from 0. It belongs to one goroutine.
type State interface {
	// Grow makes room for n groups.
	Grow(n int)
	// Add takes in rows; ids are their groups, nil if all are of group 0. Rows
	// that are not in.Valid count for nothing.
	Add(in *Input, ids []uint32) error
	// Merge adds the groups of o, which is of the same call, whose numbers here
	// are ids.
	Merge(o State, ids []uint32) error
	// Result sets r to the result of a group.
	Result(r *Row, group uint32) error
	// Reset forgets all groups and keeps the memory.
	Reset()
	// Bytes returns the memory that is held, more or less.
	Bytes() int
}

// perGroup is a State of an S for each group.
type perGroup[S any] struct {
	start  S // of a group without values
	add    func(s *S, r *Row) error
	merge  func(s, o *S) error
	result func(s *S, r *Row) error
	size   func(s *S) int // bytes that s refers to, nil for none

	groups []S
	row    Row
}

func (p *perGroup[S]) Grow(n int) {
	for len(p.groups) < n {
		p.groups = append(p.groups, p.start)
	}
}

func (p *perGroup[S]) Add(in *Input, ids []uint32) error {
	return p.row.each(in, ids, func(group uint32) error { return p.add(&p.groups[group], &p.row) })
}

// each calls f for the rows of in that count, with r set to each.
func (r *Row) each(in *Input, ids []uint32, f func(group uint32) error) error {
	if len(r.args) != len(in.Args) {
		r.args = make([]rowArg, len(in.Args))
	}
	for i, v := range in.Args {
		if err := r.args[i].bind(v); err != nil {
			return err
		}
	}
	group := uint32(0)
	for row := range in.N {
		if !vector.Valid(in.Valid, row) {
			continue
		}
		for i := range r.args {
			r.args[i].goTo(row)
		}
		if ids != nil {
			group = ids[row]
		}
		if err := f(group); err != nil {
			return err
		}
	}
	return nil
}

func (p *perGroup[S]) Merge(other State, ids []uint32) error {
	o := other.(*perGroup[S])
	for i := range o.groups {
		if err := p.merge(&p.groups[ids[i]], &o.groups[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *perGroup[S]) Result(r *Row, group uint32) error { return p.result(&p.groups[group], r) }

func (p *perGroup[S]) Reset() { p.groups = p.groups[:0] }

func (p *perGroup[S]) Bytes() int {
	var s S
	total := cap(p.groups) * int(unsafe.Sizeof(s))
	if p.size != nil {
		for i := range p.groups {
			total += p.size(&p.groups[i])
		}
	}
	return total
}

// Accumulator runs one call of an aggregate over the rows of a query. It belongs
// to one goroutine; accumulators of the same call can be merged.
type Accumulator struct {
	call   AggregateCall
	state  State
	values []int64 // by group, how many counted
	in     Input
	valid  []uint64

	rows     []int32 // of the elements of arrays
	elements []int32
	elem     vector.Vector
	ids      []uint32
}

// NewAccumulator returns an empty accumulator without groups.
func (c AggregateCall) NewAccumulator() *Accumulator {
	return &Accumulator{call: c, state: c.New()}
}

// Grow makes room for n groups.
func (a *Accumulator) Grow(n int) {
	for len(a.values) < n {
		a.values = append(a.values, 0)
	}
	a.state.Grow(n)
}

// Reset forgets all groups and keeps the memory.
func (a *Accumulator) Reset() {
	a.values = a.values[:0]
	a.state.Reset()
}

// Bytes returns the memory that is held, more or less.
func (a *Accumulator) Bytes() int { return a.state.Bytes() + 8*cap(a.values) }

// NextSegment says that the rows to come are of another segment.
func (a *Accumulator) NextSegment() {
	if s, ok := a.state.(interface{ nextSegment() }); ok {
		s.nextSegment()
	}
}

// Add takes in n rows of arguments, as kernels have them; ids are their groups,
// nil if there is only group 0.
func (a *Accumulator) Add(n int, args []vector.Vector, ids []uint32) error {
	a.in.Args = append(a.in.Args[:0], args...)
	if list, ok := a.listOf(args); ok {
		var err error
		if n, ids, err = a.expand(n, list, ids); err != nil {
			return err
		}
	}
	a.in.N, a.in.Valid = n, nil
	for _, v := range a.in.Args {
		a.in.Valid = a.both(a.in.Valid, v.Validity(), n)
	}
	a.count(n, ids)
	return a.state.Add(&a.in, ids)
}

func (a *Accumulator) listOf(args []vector.Vector) (list *vector.List, ok bool) {
	if a.call.Elements && len(args) > 0 {
		list, ok = args[0].(*vector.List)
	}
	return list, ok
}

// expand makes the elements of a list the rows.
func (a *Accumulator) expand(n int, list *vector.List, ids []uint32) (int, []uint32, error) {
	a.rows, a.elements = a.rows[:0], a.elements[:0]
	for row := range n {
		at := min(row, list.Len()-1) // one list may stand for all rows
		begin, end := list.Span(at)
		for e := begin; e < end; e++ {
			a.rows, a.elements = append(a.rows, int32(row)), append(a.elements, int32(e))
		}
	}
	if a.elem == nil {
		a.elem = vector.MakeLike(list.Elem)
	}
	if err := vector.Gather(a.elem, list.Elem, a.elements); err != nil {
		return 0, nil, err
	}
	a.in.Args[0] = a.elem
	if ids == nil {
		return len(a.rows), nil, nil
	}
	a.ids = a.ids[:0]
	for _, row := range a.rows {
		a.ids = append(a.ids, ids[row])
	}
	return len(a.rows), a.ids, nil
}

func (a *Accumulator) both(x, y []uint64, n int) []uint64 {
	if x == nil || y == nil {
		if x == nil {
			return y
		}
		return x
	}
	a.valid = a.valid[:0]
	for i := range vector.Words(n) {
		a.valid = append(a.valid, x[i]&y[i])
	}
	return a.valid
}

// count counts the rows of each group.
func (a *Accumulator) count(n int, ids []uint32) {
	if ids == nil {
		present := n
		if a.in.Valid != nil {
			present = vector.CountBits(a.in.Valid, 0, n)
		}
		a.values[0] += int64(present)
		return
	}
	for row, g := range ids[:n] {
		if vector.Valid(a.in.Valid, row) {
			a.values[g]++
		}
	}
}

// Merge adds the groups of o, whose numbers here are ids.
func (a *Accumulator) Merge(o *Accumulator, ids []uint32) error {
	for i, n := range o.values {
		a.values[ids[i]] += n
	}
	return a.state.Merge(o.state, ids)
}

// Results returns the results of groups as a vector of the call's type. A group
// without values is null, unless null handling is off.
func (a *Accumulator) Results(groups []uint32, nullsOff bool) (vector.Vector, error) {
	out := newRowResult(a.call.Type)
	var r Row
	if list, ok := out.vector().(*vector.List); ok {
		r.list = list
	}
	for _, g := range groups {
		if a.values[g] == 0 && !nullsOff && !a.call.NeverNull {
			out.appendNull()
			continue
		}
		r.Out, r.Null, r.I, r.F, r.B = r.Out[:0], false, 0, 0, false
		if err := a.state.Result(&r, g); err != nil {
			return nil, fmt.Errorf("aggregate: %w", err)
		}
		if r.Null {
			out.appendNull()
		} else {
			out.append(&r)
		}
	}
	return out.vector(), nil
}
