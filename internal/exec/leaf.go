package exec

import (
	"fmt"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// leaf tests one vector in the form that it has.
type leaf struct {
	negate  bool
	isNull  bool
	isTrue  bool
	isFalse bool
	i8      predicate[int8]
	i16     predicate[int16]
	i32     predicate[int32]
	i64     predicate[int64]
	f32     predicate[float32]
	f64     predicate[float64]
	text    predicate[vector.View]

	meter    *fn.Meter
	pass     mask // scratch: of the values of an encoded vector
	elements mask // scratch: of the elements of lists
}

func newLeaf(l *plan.Leaf, meter *fn.Meter) *leaf {
	f := &leaf{negate: l.Negate, meter: meter}
	_, f.isNull = l.Test.(plan.IsNull)
	_, f.isTrue = l.Test.(plan.IsTrue)
	_, f.isFalse = l.Test.(plan.IsFalse)
	f.i8, _ = newNumberPredicate[int8](l.Test)
	f.i16, _ = newNumberPredicate[int16](l.Test)
	f.i32, _ = newNumberPredicate[int32](l.Test)
	f.i64, _ = newNumberPredicate[int64](l.Test)
	f.f32, _ = newNumberPredicate[float32](l.Test)
	f.f64, _ = newNumberPredicate[float64](l.Test)
	f.text, _ = newTextPredicate(l.Test, meter)
	return f
}

// eval sets dst to the rows of v for which the leaf is true.
func (f *leaf) eval(dst mask, v vector.Vector) error {
	n, valid := v.Len(), v.Validity()
	if f.isNull {
		f.evalNull(dst, n, valid)
		return nil
	}
	if err := f.evalValues(dst, v); err != nil {
		return err
	}
	if err := f.meter.Err(); err != nil { // tests of texts stop when there is one
		return err
	}
	if f.negate {
		dst.invert(n)
	}
	if valid != nil {
		dst.and(valid)
	}
	return nil
}

func (f *leaf) evalNull(dst mask, n int, valid []uint64) {
	if valid == nil {
		dst.setAll(n)
	} else {
		copy(dst, valid)
		dst.trim(n)
	}
	if !f.negate {
		dst.invert(n)
	}
}

func (f *leaf) evalValues(dst mask, v vector.Vector) error {
	switch v := v.(type) {
	case *vector.Vec[int8]:
		return testVec(f, dst, v, f.i8)
	case *vector.Vec[int16]:
		return testVec(f, dst, v, f.i16)
	case *vector.Vec[int32]:
		return testVec(f, dst, v, f.i32)
	case *vector.Vec[int64]:
		return testVec(f, dst, v, f.i64)
	case *vector.Vec[float32]:
		return testVec(f, dst, v, f.f32)
	case *vector.Vec[float64]:
		return testVec(f, dst, v, f.f64)
	case *vector.Vec[vector.View]:
		return testVec(f, dst, v, f.text)
	case *vector.Bools:
		if !f.isTrue && !f.isFalse {
			break
		}
		copy(dst, v.Bits)
		dst.trim(v.N)
		if f.isFalse {
			dst.invert(v.N)
		}
		return nil
	case *vector.List:
		return f.evalElements(dst, v)
	}
	return fmt.Errorf("exec: a condition on a %v column: %w", v.Kind(), ErrUnsupported)
}

// evalElements sets dst to the rows of which any element passes.
func (f *leaf) evalElements(dst mask, v *vector.List) error {
	n := v.Elem.Len()
	f.elements = f.elements.sized(n)
	flatten(v.Elem)
	if err := f.evalValues(f.elements, v.Elem); err != nil {
		return err
	}
	dst.clear()
	for row := range v.Len() {
		begin, end := v.Span(row)
		if end > begin && vector.CountBits(f.elements, begin, end) > 0 {
			vector.SetBit(dst, row)
		}
	}
	return nil
}

func testVec[T vector.Value](f *leaf, dst mask, v *vector.Vec[T], p predicate[T]) error {
	if p == nil {
		return fmt.Errorf("exec: a condition on a %v column: %w", v.Kind(), ErrUnsupported)
	}
	buffers := v.Buffers.List()
	switch {
	case v.N == 0:
	case v.Form == vector.Flat || v.Form == vector.Dictionary && len(v.Values) > v.N:
		if v.Form == vector.Dictionary {
			v.Flatten()
		}
		testFlat(dst, v, p, buffers)
	default:
		f.pass = f.pass.sized(len(v.Values))
		p.test(f.pass, v.Values, buffers)
		spread(dst, v, f.pass)
	}
	return nil
}

// testFlat tests every row. What a null row holds is not always a value: texts
// of nulls are not looked at.
func testFlat[T vector.Value](dst mask, v *vector.Vec[T], p predicate[T], buffers [][]byte) {
	if views, ok := any(v.Values[:v.N]).([]vector.View); ok && v.Valid != nil {
		for i := range views {
			if !vector.Bit(v.Valid, i) {
				views[i] = vector.View{}
			}
		}
	}
	p.test(dst, v.Values[:v.N], buffers)
}

// spread sets dst to the rows of v whose value passes, pass being over v.Values.
func spread[T vector.Value](dst mask, v *vector.Vec[T], pass mask) {
	switch v.Form {
	case vector.Constant:
		spreadAll(dst, v.N, vector.Bit(pass, 0))
	case vector.Dictionary:
		for w := range dst {
			block := v.Index[w*64 : min(w*64+64, v.N)]
			var word uint64
			for i, x := range block {
				word |= (pass[x>>6] >> (x & 63) & 1) << (i & 63)
			}
			dst[w] = word
		}
	case vector.RunLength:
		dst.clear()
		begin := 0
		for r, end := range v.Ends {
			if vector.Bit(pass, r) {
				vector.SetBits(dst, begin, int(end))
			}
			begin = int(end)
		}
	case vector.Sparse:
		spreadAll(dst, v.N, vector.Bit(pass, 0))
		for i, row := range v.Positions {
			if vector.Bit(pass, i+1) {
				vector.SetBit(dst, int(row))
			} else {
				vector.ClearBit(dst, int(row))
			}
		}
	}
}

func spreadAll(dst mask, n int, pass bool) {
	if pass {
		dst.setAll(n)
	} else {
		dst.clear()
	}
}
