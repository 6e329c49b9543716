package vector_test

import (
	"strings"
	"testing"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

func TestAdoptStrings(t *testing.T) {
	p := pool.New(pool.Options{})
	v := vector.NewVec[vector.View](p)
	var lent vector.Buffers
	texts := []string{"short", strings.Repeat("long", 10), "", strings.Repeat("other", 9)}
	for round := range 3 {
		v.Reset()
		for part := range 2 {
			var ids []uint32
			from := v.N
			for _, s := range texts {
				b := []byte("x" + s)
				id := lent.Add(b)
				ids = append(ids, id)
				v.Append(vector.MakeView(b[1:], id, 1))
			}
			if err := vector.AdoptStrings(v, from, lent.List()); err != nil {
				t.Fatal(err)
			}
			for i, id := range ids {
				clear(lent.List()[id])
				lent.Remove(ids[i])
			}
			for i := range v.N {
				x, _ := v.At(i)
				if got := string(x.Bytes(v.Buffers.List())); got != texts[i%len(texts)] {
					t.Fatalf("round %d part %d: row %d is %q", round, part, i, got)
				}
			}
		}
	}
	v.Release()
	if s := p.Stats(); s.Outstanding != 0 {
		t.Errorf("%d buffers outstanding", s.Outstanding)
	}
}
