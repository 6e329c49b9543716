package nimble

import (
	"fmt"

	"github.com/decantdb/decant/vector"
)

// fixedBatch returns n rows of a schema that do not depend on chance: runs,
// few values, many values and nulls.
func fixedBatch(schema *Type, n int) *vector.Batch {
	b := &vector.Batch{N: n}
	for i, t := range schema.Children {
		b.Columns = append(b.Columns, fixedColumn(t, n, i))
	}
	return b
}

func fixedColumn(t *Type, n, salt int) vector.Vector {
	v, err := newVector(nil, t)
	if err != nil {
		panic(err)
	}
	x := uint32(salt + 1)
	for i := range n {
		x = x*1664525 + 1013904223
		appendFixed(v, i, x>>8)
	}
	return v
}

// appendFixed appends row i, whose value comes of x.
func appendFixed(v vector.Vector, i int, x uint32) {
	null := x%7 == 0
	switch v := v.(type) {
	case *vector.Bools:
		if null {
			v.AppendNull()
		} else {
			v.Append(x%3 == 0)
		}
	case *vector.Vec[int32]:
		v.Append(int32(x % 5))
	case *vector.Vec[int64]:
		if null {
			v.AppendNull()
		} else {
			v.Append(int64(i / 10))
		}
	case *vector.Vec[float64]:
		v.Append(float64(x) / 3)
	case *vector.Vec[vector.View]:
		if null {
			v.AppendNull()
		} else {
			vector.AppendString(v, fmt.Appendf(nil, "a text of some length, %d", x%20))
		}
	case *vector.Timestamps:
		v.Append(int64(x), uint16(x%1000))
	case *vector.List:
		for j := range x % 4 {
			appendFixed(v.Elem, i, x+j)
		}
		v.Append()
	case *vector.Map:
		for j := range x % 3 {
			appendFixed(v.Keys, i, 7*(x+j)+1)
			appendFixed(v.Values, i, x+j)
		}
		v.Append()
	case *vector.Row:
		v.Append(!null)
		for _, f := range v.Fields {
			if null {
				appendNull(f)
			} else {
				appendFixed(f, i, x+1)
			}
		}
	}
}

func appendNull(v vector.Vector) {
	v.(interface{ AppendNull() }).AppendNull()
}
