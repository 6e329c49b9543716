package fn

import (
	"encoding/hex"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestQDigestBytes compares a digest of two values to the bytes that Pinot 1.5.0
// makes of them, which name the value that came first in the node over both.
func TestQDigestBytes(t *testing.T) {
	const want = "3fa999999999999a" + "0000000000000000" + "0000000000000000" + // error, decay, landmark
		"0000000000000004" + "0000000000000022" + "00000003" +
		"0000" + "8000000000000004" + "3ff0000000000000" +
		"0000" + "8000000000000022" + "3ff0000000000000" +
		"0306" + "8000000000000022" + "0000000000000000"
	d := newQDigest([]float64{longAsBits(34), longAsBits(4)})
	if got := hex.EncodeToString(d.append(nil)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func longAsBits(x int64) float64 { return math.Float64frombits(uint64(x)) }

// TestQDigestKeepsWeight compresses digests, in which no value may be lost, and
// which must stay small.
func TestQDigestKeepsWeight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1<<14).Draw(t, "values")
		spread := rapid.Int64Range(1, 1<<40).Draw(t, "spread")
		values := make([]float64, n)
		x := uint64(n)
		for i := range values {
			x = x*6364136223846793005 + 1442695040888963407
			values[i] = longAsBits(int64(x>>20) % spread)
		}
		d := newQDigest(values)
		var weight float64
		var visit func(n *qnode)
		visit = func(n *qnode) {
			if n != nil {
				weight += n.weight
				visit(n.left)
				visit(n.right)
			}
		}
		visit(d.root)
		if weight != float64(n) {
			t.Fatalf("%d values weigh %v", n, weight)
		}
		if most := 3 * 65 / qdigestError * 2; float64(d.root.count()) > most {
			t.Fatalf("%d values make %d nodes", n, d.root.count())
		}
	})
}
