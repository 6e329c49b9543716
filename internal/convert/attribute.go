package convert

import (
	"slices"

	"github.com/decantdb/decant/nimble"
)

// Keys of attributes by which a schema keeps how a column's text looked, so
// that it can be written the same way again.
const (
	// TextKey has, for DOUBLE, "bare" or "fixed(N)", for TIMESTAMP a pattern such
	// as "YYYY-MM-DD HH:MM:SS.fff", "bytes" for a VARBINARY that is text of CSV,
	// though not UTF-8, and "raw" for JSON that is no string of JSON lines, but
	// any value.
	TextKey = "decant.text"
	// ZoneKey has the time zone in which a TIMESTAMP is meant to be shown, or
	// "local" if the values are clock readings without a zone. Without it the
	// zone is UTC.
	ZoneKey = "decant.zone"
	// LocalZone is the value of ZoneKey for clock readings.
	LocalZone = "local"
)

// bytesText is the value of TextKey for text that is not UTF-8.
const bytesText = "bytes"

// isBytesText reports whether a type's values are, byte by byte, text of CSV that
// is not all UTF-8.
func isBytesText(t *nimble.Type) bool {
	return t.Kind == nimble.Varbinary && t.Logical == "" && attribute(t, TextKey) == bytesText
}

// rawText is the value of TextKey for JSON that is any value of JSON lines.
const rawText = "raw"

// RawJSON returns the type of a column of JSON lines whose values are kept as they
// are written: texts with their quotes, numbers with all of their digits.
func RawJSON() *nimble.Type {
	return &nimble.Type{
		Kind: nimble.Varchar, Logical: nimble.Logical{Kind: nimble.LogicalJSON}.String(),
		Attributes: []nimble.Attribute{{Key: TextKey, Value: rawText}},
	}
}

// isRawJSON reports whether a type's values are, as they are, values of JSON lines.
func isRawJSON(t *nimble.Type) bool {
	return t.Logical == nimble.Logical{Kind: nimble.LogicalJSON}.String() && attribute(t, TextKey) == rawText
}

func attribute(t *nimble.Type, key string) string {
	for _, a := range t.Attributes {
		if a.Key == key {
			return a.Value
		}
	}
	return ""
}

// setAttribute gives t an attribute, in the place of one of the same key.
func setAttribute(t *nimble.Type, key, value string) {
	t.Attributes = slices.DeleteFunc(t.Attributes, func(a nimble.Attribute) bool { return a.Key == key })
	t.Attributes = append(t.Attributes, nimble.Attribute{Key: key, Value: value})
}

// leavesOf returns the types under t that have no children, in the order of the
// schema.
func leavesOf(t *nimble.Type) []*nimble.Type {
	if len(t.Children) == 0 {
		return []*nimble.Type{t}
	}
	var leaves []*nimble.Type
	for _, c := range t.Children {
		leaves = append(leaves, leavesOf(c)...)
	}
	return leaves
}
