package exec

import (
	"testing"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/vector"
)

// TestLiteralsHaveTheVectorsOfTheirType wants a literal, null or not, to give the
// vectors that a column of its type has, so that whoever takes an answer need not
// know where its values are from.
func TestLiteralsHaveTheVectorsOfTheirType(t *testing.T) {
	for _, c := range []struct {
		value fn.Value
		kind  vector.Kind
		want  string
	}{
		{fn.Value{Type: fn.Int, I: -1}, vector.KindInt32, "-1"},
		{fn.Value{Type: fn.Long, I: 1 << 40}, vector.KindInt64, "1099511627776"},
		{fn.Value{Type: fn.Timestamp, I: 7}, vector.KindInt64, "7"},
		{fn.Value{Type: fn.Float, F: 0.1}, vector.KindFloat32, "0.1"},
		{fn.Value{Type: fn.Double, F: 0.1}, vector.KindFloat64, "0.1"},
		{fn.Value{Type: fn.Boolean, B: true}, vector.KindBool, "true"},
		{fn.Value{Type: fn.String, S: "a text that is not held inline"}, vector.KindString, "a text that is not held inline"},
		{fn.Value{Type: fn.Unknown, Null: true}, vector.KindString, "NULL"},
	} {
		for _, null := range []bool{c.value.Null, true} {
			value, want := c.value, c.want
			value.Null = null
			if null {
				want = "NULL"
			}
			n, err := newNode(&plan.Literal{Value: value}, slots{})
			if err != nil {
				t.Fatal(err)
			}
			v, err := n.eval(&frame{n: 3})
			if err != nil {
				t.Fatal(err)
			}
			if v.Kind() != c.kind || v.Len() != 3 || cell(v, 2) != want {
				t.Errorf("%v %s: %d rows of kind %v, the last %s", value.Type, value.Text(), v.Len(), v.Kind(), cell(v, 2))
			}
		}
	}
}
