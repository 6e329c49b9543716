package encoding

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// goldenLayout is the tree of an array as a manifest has it.
type goldenLayout struct {
	Enc      string          `json:"enc"`
	Comp     string          `json:"comp"`
	Children []*goldenLayout `json:"children"`
}

// TestGoldenDescribe compares trees with those that the reference recorded.
func TestGoldenDescribe(t *testing.T) {
	compared := 0
	forGolden(t, func(t *testing.T, c *goldenCase) {
		if c.refused() || string(c.Layout) == "null" {
			return
		}
		n, err := Describe(c.data, c.options())
		if err != nil {
			t.Errorf("%s: %v", c.File, err)
			return
		}
		var want *goldenLayout
		if err := json.Unmarshal(c.Layout, &want); err != nil {
			t.Fatal(err)
		}
		if n.SizeBytes != len(c.data) || n.Rows != c.RowCount || n.Part != "" {
			t.Errorf("%s: root %q of %d rows and %d bytes", c.File, n.Part, n.Rows, n.SizeBytes)
		}
		if err := sameTree(n, want); err != nil {
			t.Errorf("%s: %v", c.File, err)
		}
		compared++
	})
	t.Logf("%d trees", compared)
}

// sameTree compares trees. A layout has the data of a nullable array in its
// place, and no children where there are none to choose.
func sameTree(n *Node, want *goldenLayout) error {
	if n.Kind == KindNullable {
		return sameTree(n.Children[0], want)
	}
	if n.Kind.String() != want.Enc {
		return fmt.Errorf("%v, not %s", n.Kind, want.Enc)
	}
	codec := map[Compression]string{Uncompressed: "none", Zstd: "zstd", LZ4: "lz4"}[n.Compression]
	if codec != want.Comp {
		return fmt.Errorf("%v: codec %s, not %s", n.Kind, codec, want.Comp)
	}
	for i, child := range want.Children {
		if child == nil {
			continue
		}
		if i >= len(n.Children) {
			return fmt.Errorf("%v: no child %d", n.Kind, i)
		}
		if err := sameTree(n.Children[i], child); err != nil {
			return fmt.Errorf("%s of %w", n.Children[i].Part, err)
		}
	}
	return nil
}

func TestDescribeRefused(t *testing.T) {
	// A dictionary whose indices are sentinel: the tree is there down to it.
	data := array(KindDictionary, Uint32, 2,
		sized(array(KindConstant, Uint32, 1, word(7))), array(KindSentinel, Uint32, 2))
	n, err := Describe(data, Options{})
	if err == nil || !strings.Contains(err.Error(), "Sentinel") {
		t.Fatalf("got %v", err)
	}
	if n == nil || n.Kind != KindDictionary || len(n.Children) != 1 || n.Children[0].Part != "alphabet" {
		t.Errorf("got %+v", n)
	}
}
