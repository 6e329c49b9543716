package convert

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/decantdb/decant/nimble"
)

// attributesKey is the key of a Parquet file's metadata under which we keep what
// Parquet's own types do not tell: for each column, in order, the attributes of
// ours that it had, as JSON.
const attributesKey = "decant.attributes"

// attributesOf returns the value of attributesKey for a row type, "" if there is
// nothing to keep.
func attributesOf(t *nimble.Type) (string, error) {
	leaves := leavesOf(t)
	kept := make([][]nimble.Attribute, len(leaves))
	some := false
	for i, leaf := range leaves {
		for _, a := range leaf.Attributes {
			if strings.HasPrefix(a.Key, "decant.") {
				kept[i] = append(kept[i], a)
				some = true
			}
		}
	}
	if !some {
		return "", nil
	}
	text, err := json.Marshal(kept)
	return string(text), err
}

// setAttributes gives leaves the attributes that a value of attributesKey has
// for them. What Parquet says itself about a time zone stays.
func setAttributes(leaves []*nimble.Type, value string) error {
	var kept [][]nimble.Attribute
	if err := json.Unmarshal([]byte(value), &kept); err != nil {
		return fmt.Errorf("%w: metadata %s: %w", ErrCorrupt, attributesKey, err)
	}
	if len(kept) != len(leaves) {
		return fmt.Errorf("%w: metadata %s has %d columns instead of %d", ErrCorrupt, attributesKey, len(kept), len(leaves))
	}
	for i, attributes := range kept {
		for _, a := range attributes {
			local := a.Value == LocalZone || attribute(leaves[i], ZoneKey) == LocalZone
			if a.Key == nimble.LogicalKey || a.Key == ZoneKey && local {
				continue
			}
			setAttribute(leaves[i], a.Key, a.Value)
		}
	}
	return nil
}
