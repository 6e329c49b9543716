package fn

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// ErrMemory means that a query needs more memory than it, or all queries
// together, may have.
var ErrMemory = errors.New("memory limit exceeded")

// Budget counts memory in bytes and refuses what exceeds its limit, or that of
// the budget it is a part of. It may be used by several goroutines. A nil Budget
// has no limit.
type Budget struct {
	whole      *Budget // nil: part of none
	what       string
	limitBytes int64 // 0: none
	usedBytes  atomic.Int64
}

// NewBudget returns a budget for what is named, "a query" or the like, as a part
// of another one, or of none with nil. A limit of 0 is none.
func NewBudget(what string, limitBytes int64, whole *Budget) *Budget {
	return &Budget{what: what, limitBytes: limitBytes, whole: whole}
}

// Hold counts more bytes, or fewer if n is negative. Its error wraps ErrMemory,
// and then nothing more is counted.
func (b *Budget) Hold(n int64) error {
	if b == nil || n == 0 {
		return nil
	}
	used := b.usedBytes.Add(n)
	if n > 0 && b.limitBytes > 0 && used > b.limitBytes {
		b.usedBytes.Add(-n)
		return fmt.Errorf("%w: %s would hold %d bytes, the limit is %d", ErrMemory, b.what, used, b.limitBytes)
	}
	if err := b.whole.Hold(n); err != nil {
		b.usedBytes.Add(-n)
		return err
	}
	return nil
}

// UsedBytes returns what is counted now.
func (b *Budget) UsedBytes() int64 {
	if b == nil {
		return 0
	}
	return b.usedBytes.Load()
}

// Release counts nothing any more.
func (b *Budget) Release() {
	if b != nil {
		_ = b.whole.Hold(-b.usedBytes.Swap(0)) // giving back does not fail
	}
}
