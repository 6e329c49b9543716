package nimble

import "github.com/decantdb/decant/vector"

// rowCounter counts the values, nulls and logical bytes of a type and of those
// below as rows have them, however they are stored.
type rowCounter struct {
	typ      *Type
	index    int // of typ, in pre-order
	width    uint64
	children []rowCounter
	rows     []int32 // scratch
	elements []int32 // scratch
}

// nullBytes is what the statistics count for a null.
const nullBytes = 1

// valueWidths are what they count for a value; strings count their length, and
// what has children counts those.
var valueWidths = [...]uint64{
	Boolean: 1, TinyInt: 1, SmallInt: 2, Integer: 4, BigInt: 8, Real: 4, Double: 8, Timestamp: 12,
	SlidingWindowMap: 0,
}

// newRowCounter returns a rowCounter of t, whose number is index, and the number after
// those of the types below.
func newRowCounter(t *Type, index int) (c rowCounter, next int) {
	c = rowCounter{typ: t, index: index, width: valueWidths[t.Kind]}
	next = index + 1
	for _, child := range t.Children {
		var cc rowCounter
		cc, next = newRowCounter(child, next)
		c.children = append(c.children, cc)
	}
	return c, next
}

// count adds rows of v to the statistics of all types.
func (c *rowCounter) count(all []ColumnStats, v vector.Vector, rows selection) {
	valid := v.Validity()
	n, present := rows.len(), rows.countPresent(valid)
	c.add(all, n, present)
	if c.width > 0 || present == 0 {
		return
	}
	rows = rows.present(valid, &c.rows)
	switch v := v.(type) {
	case *vector.Vec[vector.View]:
		all[c.index].LogicalBytes += stringBytes(v, rows)
	case *vector.Row:
		for i := range c.children {
			c.children[i].count(all, v.Fields[i], rows)
		}
	case *vector.List:
		c.children[0].count(all, v.Elem, rows.elements(v.Offsets, &c.elements))
	case *vector.Map:
		elements := rows.elements(v.Offsets, &c.elements)
		c.children[0].count(all, v.Keys, elements)
		c.children[1].count(all, v.Values, elements)
	}
}

// add adds n rows, of which present are.
func (c *rowCounter) add(all []ColumnStats, n, present int) {
	s := &all[c.index]
	s.Values += uint64(present)
	s.Nulls += uint64(n - present)
	s.LogicalBytes += uint64(present)*c.width + uint64(n-present)*nullBytes
}

// stringBytes returns the length of all strings in rows, none of which is null.
func stringBytes(v *vector.Vec[vector.View], rows selection) uint64 {
	total := uint64(0)
	if v.Form == vector.Flat && !rows.listed {
		for i := range v.Values[rows.begin:rows.end] {
			total += uint64(v.Values[rows.begin+i].Len())
		}
		return total
	}
	for i := range rows.len() {
		total += uint64(v.Values[v.ValueIndex(rows.at(i))].Len())
	}
	return total
}

// total adds to the sizes of a type those of the types below.
func (c *rowCounter) total(all []ColumnStats) {
	s := &all[c.index]
	for i := range c.children {
		child := &c.children[i]
		child.total(all)
		s.LogicalBytes += all[child.index].LogicalBytes
		s.PhysicalBytes += all[child.index].PhysicalBytes
	}
}
