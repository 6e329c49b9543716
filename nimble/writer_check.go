package nimble

import (
	"fmt"

	"github.com/decantdb/decant/vector"
)

// vectorKinds are the kinds of the vectors that hold the values of each kind.
var vectorKinds = [...]vector.Kind{
	Boolean: vector.KindBool, TinyInt: vector.KindInt8, SmallInt: vector.KindInt16, Integer: vector.KindInt32,
	BigInt: vector.KindInt64, Real: vector.KindFloat32, Double: vector.KindFloat64,
	Varchar: vector.KindString, Varbinary: vector.KindString, Timestamp: vector.KindTimestamp,
	Array: vector.KindList, Map: vector.KindMap, Row: vector.KindRow,
	FlatMap: vector.KindMap, DedupArray: vector.KindList, SlidingWindowMap: vector.KindMap,
}

// VectorKind returns the kind of the vectors that hold values of kind k, 0 if k
// does not exist.
func VectorKind(k Kind) vector.Kind {
	if !k.known() {
		return 0
	}
	return vectorKinds[k]
}

// checkVector tests that v has the kinds, and as many rows in its parts, as
// values of type t.
func checkVector(t *Type, v vector.Vector) error {
	if v.Kind() != vectorKinds[t.Kind] {
		return fmt.Errorf("%w: a vector of %v for %v", ErrSchema, v.Kind(), t)
	}
	switch v := v.(type) {
	case *vector.Row:
		if len(v.Fields) != len(t.Children) {
			return fmt.Errorf("%w: %d fields for %v", ErrSchema, len(v.Fields), t)
		}
		for i, f := range v.Fields {
			if f.Len() != v.N {
				return fmt.Errorf("%w: field %s of %d rows in %d", ErrSchema, t.Names[i], f.Len(), v.N)
			}
			if err := checkVector(t.Children[i], f); err != nil {
				return fmt.Errorf("%s: %w", t.Names[i], err)
			}
		}
	case *vector.List:
		if v.N > 0 && int(v.Offsets[v.N]) > v.Elem.Len() {
			return fmt.Errorf("%w: lists of %d elements, there are %d", ErrSchema, v.Offsets[v.N], v.Elem.Len())
		}
		return checkVector(t.Children[0], v.Elem)
	case *vector.Map:
		if v.N > 0 && (int(v.Offsets[v.N]) > v.Keys.Len() || v.Keys.Len() != v.Values.Len()) {
			return fmt.Errorf("%w: maps of %d pairs, there are %d keys and %d values",
				ErrSchema, v.Offsets[v.N], v.Keys.Len(), v.Values.Len())
		}
		if err := checkVector(t.Children[0], v.Keys); err != nil {
			return err
		}
		return checkVector(t.Children[1], v.Values)
	}
	return nil
}
