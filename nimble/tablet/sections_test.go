package tablet_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/decantdb/decant/nimble/tablet"
)

func equal[T any](t *rapid.T, want, got T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
}

func drawPairs(t *rapid.T) []tablet.Pair {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) tablet.Pair {
		return tablet.Pair{Key: rapid.String().Draw(t, "key"), Value: rapid.String().Draw(t, "value")}
	}), 0, 3).Draw(t, "pairs")
}

func TestSectionsRoundTrip(t *testing.T) {
	node := rapid.Custom(func(t *rapid.T) tablet.Node {
		n := tablet.Node{
			Kind:     rapid.Uint8().Draw(t, "kind"),
			Children: rapid.Uint32().Draw(t, "children"),
			Stream:   rapid.Uint32().Draw(t, "stream"),
			Labelled: rapid.Bool().Draw(t, "labelled"),
			Attrs:    drawPairs(t),
		}
		if n.Labelled {
			n.Label = string(rapid.SliceOf(rapid.Byte()).Draw(t, "label"))
		}
		return n
	})
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.SliceOf(node).Draw(t, "nodes")
		gotNodes, err := tablet.ParseSchema(tablet.AppendSchema(nil, nodes))
		equal(t, nodes, gotNodes, err)

		pairs := drawPairs(t)
		gotPairs, err := tablet.ParseMetadata(tablet.AppendMetadata(nil, pairs))
		equal(t, pairs, gotPairs, err)

		rawBytes := rapid.Uint64().Draw(t, "raw bytes")
		gotBytes, err := tablet.ParseLegacyStats(tablet.AppendLegacyStats(nil, rawBytes))
		equal(t, rawBytes, gotBytes, err)

		features := tablet.Features{
			OmittedColumns:  rapid.SliceOf(rapid.String()).Draw(t, "omitted"),
			VarintRowCounts: rapid.Bool().Draw(t, "varint"),
		}
		features.KeyColumnsOmitted = len(features.OmittedColumns) > 0
		gotFeatures, err := tablet.ParseFeatures(tablet.AppendFeatures(nil, features))
		equal(t, features, gotFeatures, err)
	})
}
