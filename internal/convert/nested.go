package convert

import "github.com/decantdb/decant/nimble"

// IsNested reports whether values of a type are shown as JSON: rows, maps, and
// lists of what a list of SQL cannot hold, which are other lists, nested values,
// decimals, integers of 64 bits without a sign, and JSON.
func IsNested(t *nimble.Type) bool {
	switch t.Kind {
	case nimble.Row, nimble.Map, nimble.FlatMap, nimble.SlidingWindowMap:
		return true
	case nimble.Array, nimble.DedupArray:
		return !isElement(t.Children[0])
	}
	return false
}

// isElement reports whether a list of SQL can hold values of a type.
func isElement(t *nimble.Type) bool {
	if IsNested(t) || IsDecimal(t) || t.Kind == nimble.Array || t.Kind == nimble.DedupArray {
		return false
	}
	l, err := nimble.ParseLogical(t.Logical)
	return err == nil && l.Kind != nimble.LogicalJSON && (l.Kind != nimble.LogicalUnsigned || l.Bits < 64)
}

// IsDecimal reports whether a type is a decimal, of any storage.
func IsDecimal(t *nimble.Type) bool {
	l, err := nimble.ParseLogical(t.Logical)
	return err == nil && l.Kind == nimble.LogicalDecimal
}
