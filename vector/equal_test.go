package vector

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/pool"
)

// TestEqual compares with the texts of the rows. Those of drawVector are of all
// kinds and forms, and tell different rows apart.
func TestEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := pool.New(pool.Options{})
		n := rapid.IntRange(1, 40).Draw(t, "n")
		a := drawVector(t, p, n, 3)
		b := MakeLike(a)
		if err := Extend(b, a, 0, n); err != nil {
			t.Fatal(err)
		}
		if !Equal(a, 0, b, 0, n) {
			t.Fatal("a vector is not equal to its copy")
		}
		i, j := rapid.IntRange(0, n).Draw(t, "i"), rapid.IntRange(0, n).Draw(t, "j")
		rows := rapid.IntRange(0, n-max(i, j)).Draw(t, "rows")
		want := slices.Equal(rowTexts(a, i, i+rows), rowTexts(b, j, j+rows))
		if got := Equal(a, i, b, j, rows); got != want {
			t.Errorf("%v of %v and %v", got, rowTexts(a, i, i+rows), rowTexts(b, j, j+rows))
		}
	})
}
