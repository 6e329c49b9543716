//go:build invariants

package nimble

import (
	"fmt"

	"github.com/decantdb/decant/vector"
)

// checked returns the rows of a read of c that ended with err, and panics if
// they break a promise: a decoder has let a file's contradiction through.
func checked(c column, err error) (vector.Vector, error) {
	v := c.vector()
	if err == nil {
		if broken := vector.Check(v); broken != nil {
			panic(fmt.Sprintf("nimble: invariants: a read returned %v", broken))
		}
	}
	return v, err
}
