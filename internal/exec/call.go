package exec

import (
	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// callNode applies a scalar function. Where only one argument varies and that
// is encoded, the function is called once for each of its entries.
type callNode struct {
	args   []node
	vary   int // the argument that is no literal, -1 if there is not just one
	kernel fn.Kernel
	nulls  bool // the kernel sees nulls
	in     fn.Input
	valid  []uint64
	once   entries
}

// vectorBytes is about what the vectors of a call take for a batch of numbers.
const vectorBytes = 16 * vector.DefaultBatchRows

func newCall(e *plan.Call, slotOf slots) (node, error) {
	if err := slotOf.meter.Hold(vectorBytes); err != nil {
		return nil, err
	}
	n := &callNode{vary: -1, kernel: e.Signature.New(), nulls: e.Signature.SeesNull}
	n.in.Meter = slotOf.meter
	varying := 0
	for i, a := range e.Args {
		arg, err := newArgument(a, slotOf)
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, arg)
		if _, ok := a.(*plan.Literal); !ok {
			n.vary = i
			varying++
		}
	}
	if varying != 1 || n.nulls {
		n.vary = -1
	}
	n.in.Args = make([]vector.Vector, len(n.args))
	whole := newParts(n, e, slotOf.meter)
	if e.Default == nil {
		return whole, nil
	}
	return newFill(whole, *e.Default), nil
}

// newArgument compiles an expression whose vectors are as kernels have them.
func newArgument(e plan.Expr, slotOf slots) (node, error) {
	n, err := newNode(e, slotOf)
	if err != nil {
		return nil, err
	}
	switch e := e.(type) {
	case *plan.Literal:
		if list, ok := n.(*constantList); ok {
			list.once = true
		}
	case *plan.Column:
		if e.T == fn.BigDecimal && e.Scale >= 0 {
			return &decimalNode{arg: n, scale: e.Scale}, nil
		}
	case *plan.KeyRef, *plan.AggRef:
	default:
		return n, nil
	}
	if e.Type() == fn.Int {
		return &intNode{arg: n}, nil
	}
	return n, nil
}

func (n *callNode) eval(in source) (vector.Vector, error) {
	rows := in.rowCount()
	if n.vary >= 0 {
		v, err := n.args[n.vary].eval(in)
		if err != nil {
			return nil, err
		}
		if entries := n.once.of(v); entries != nil {
			// An entry that no row has may be none that the function takes.
			if out, err := n.perEntry(entries, v); err == nil {
				return out, nil
			}
			if err := n.in.Meter.Err(); err != nil {
				return nil, err
			}
		}
		n.in.Args[n.vary] = v
	}
	for i, a := range n.args {
		if i == n.vary {
			continue
		}
		v, err := a.eval(in)
		if err != nil {
			return nil, err
		}
		n.in.Args[i] = v
	}
	return n.call(rows)
}

// call runs the kernel over n.in.Args.
func (n *callNode) call(rows int) (vector.Vector, error) {
	n.in.N, n.in.Valid = rows, nil
	for _, v := range n.in.Args {
		if err := plain(v); err != nil {
			return nil, err
		}
		if !n.nulls {
			n.in.Valid = n.both(n.in.Valid, v.Validity(), rows)
		}
	}
	return n.kernel(&n.in)
}

// both returns the rows present in both bitmaps.
func (n *callNode) both(a, b []uint64, rows int) []uint64 {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	words := vector.Words(rows)
	if cap(n.valid) < words {
		n.valid = make([]uint64, words)
	}
	valid := n.valid[:words]
	for i := range valid {
		valid[i] = a[i] & b[i]
	}
	return valid
}

// plain makes a vector flat or constant.
func plain(v vector.Vector) error {
	switch v := v.(type) {
	case *vector.Vec[int32]:
		flatUnlessConstant(v)
	case *vector.Vec[int64]:
		flatUnlessConstant(v)
	case *vector.Vec[float32]:
		flatUnlessConstant(v)
	case *vector.Vec[float64]:
		flatUnlessConstant(v)
	case *vector.Vec[vector.View]:
		flatUnlessConstant(v)
	case *vector.List:
		flatten(v.Elem)
	}
	return nil
}

func flatUnlessConstant[T vector.Value](v *vector.Vec[T]) {
	if v.Form != vector.Constant {
		v.Flatten()
	}
}

// perEntry calls the function for the entries of v and gives the result v's form.
func (n *callNode) perEntry(entries vector.Vector, v vector.Vector) (vector.Vector, error) {
	count := entries.Len()
	few := fixedRows(count)
	for i, a := range n.args {
		n.in.Args[i] = entries
		if i == n.vary {
			continue
		}
		var err error
		if n.in.Args[i], err = a.eval(few); err != nil {
			return nil, err
		}
	}
	out, err := n.call(count)
	if err != nil {
		return nil, err
	}
	return n.once.spread(out, v)
}

// fixedRows is a source of literals only.
type fixedRows int

func (n fixedRows) rowCount() int                     { return int(n) }
func (n fixedRows) column(int) (vector.Vector, error) { return nil, errNoColumn }
