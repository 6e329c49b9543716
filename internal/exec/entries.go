package exec

import (
	"errors"

	"github.com/decantdb/decant/vector"
)

var errNoColumn = errors.New("exec: a literal reads no column")

// entries takes the values out of encoded vectors and spreads results over
// their rows again.
type entries struct {
	i32   vector.Vec[int32]
	i64   vector.Vec[int64]
	f32   vector.Vec[float32]
	f64   vector.Vec[float64]
	text  vector.Vec[vector.View]
	bools vector.Bools
}

// of returns the values that v has, each once, as a flat vector that borrows
// them; nil where v is not encoded or has more values than rows.
func (e *entries) of(v vector.Vector) vector.Vector {
	switch v := v.(type) {
	case *vector.Vec[int32]:
		return entriesOf(&e.i32, v)
	case *vector.Vec[int64]:
		return entriesOf(&e.i64, v)
	case *vector.Vec[float32]:
		return entriesOf(&e.f32, v)
	case *vector.Vec[float64]:
		return entriesOf(&e.f64, v)
	case *vector.Vec[vector.View]:
		return entriesOf(&e.text, v)
	}
	return nil
}

func entriesOf[T vector.Value](dst, v *vector.Vec[T]) vector.Vector {
	if v.Form == vector.Flat || len(v.Values) >= v.N {
		return nil
	}
	dst.Form, dst.N, dst.Valid = vector.Flat, len(v.Values), nil
	dst.Values, dst.Buffers = v.Values, v.Buffers
	return dst
}

// errEntryNull means that a function gave null for an entry.
var errEntryNull = errors.New("exec: an entry's result is null")

// spread gives the results of v's entries the form of v.
func (e *entries) spread(out, v vector.Vector) (vector.Vector, error) {
	if out.Validity() != nil {
		return nil, errEntryNull
	}
	switch v := v.(type) {
	case *vector.Vec[int32]:
		return spreadLike(e, out, v)
	case *vector.Vec[int64]:
		return spreadLike(e, out, v)
	case *vector.Vec[float32]:
		return spreadLike(e, out, v)
	case *vector.Vec[float64]:
		return spreadLike(e, out, v)
	case *vector.Vec[vector.View]:
		return spreadLike(e, out, v)
	}
	return nil, errEntryNull
}

func spreadLike[T vector.Value](e *entries, out vector.Vector, v *vector.Vec[T]) (vector.Vector, error) {
	switch o := out.(type) {
	case *vector.Vec[int32]:
		return shape(o, v), nil
	case *vector.Vec[int64]:
		return shape(o, v), nil
	case *vector.Vec[float32]:
		return shape(o, v), nil
	case *vector.Vec[float64]:
		return shape(o, v), nil
	case *vector.Vec[vector.View]:
		return shape(o, v), nil
	case *vector.Bools:
		e.bools.N, e.bools.Valid = v.N, v.Valid
		spread(e.bools.ReserveBits(v.N), v, o.Bits)
		return &e.bools, nil
	}
	return nil, errEntryNull
}

func shape[R, T vector.Value](out *vector.Vec[R], v *vector.Vec[T]) vector.Vector {
	if out.Form != vector.Flat { // a conversion that is none passes its argument on
		out.Flatten()
	}
	out.Form, out.N, out.Valid = v.Form, v.N, v.Valid
	out.Index, out.Ends, out.Positions = v.Index, v.Ends, v.Positions
	return out
}
