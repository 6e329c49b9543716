package nimble

import (
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
)

// Session is the memory that one goroutine reads with: a pool, recycled decoder
// nodes and scratch space. See the package nimble/encoding.
type Session = encoding.Session

// NewSession returns a session over p, which may be nil.
func NewSession(p *pool.Pool) *Session { return encoding.NewSession(p) }

// ownSession is the session of who is not given one.
func ownSession() *Session { return encoding.NewSession(pool.New(pool.Options{})) }
