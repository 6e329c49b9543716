package convert

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// A record may take so much memory, and besides so many times the bytes of its file:
// compressed, a few bytes may say that they are any number of them.
const (
	recordMemoryBytes = 256 << 20
	recordMemoryTimes = 16
)

// memoryBudget gives Arrow's reader memory of the garbage collector, and panics when
// it asks for more than a record may take.
type memoryBudget struct{ limitBytes, left int64 }

func newMemoryBudget(fileBytes int64) memoryBudget {
	limit := recordMemoryBytes + recordMemoryTimes*fileBytes
	return memoryBudget{limitBytes: limit, left: limit}
}

// reset begins a record.
func (m *memoryBudget) reset() { m.left = m.limitBytes }

func (m *memoryBudget) take(size int) {
	if size < 0 || int64(size) > m.left {
		panic(fmt.Errorf("a record needs more than %d bytes of memory", m.limitBytes))
	}
	m.left -= int64(size)
}

// Allocate returns size bytes.
func (m *memoryBudget) Allocate(size int) []byte {
	m.take(size)
	return memory.DefaultAllocator.Allocate(size)
}

// Reallocate returns size bytes that begin with those of b.
func (m *memoryBudget) Reallocate(size int, b []byte) []byte {
	m.take(size)
	return memory.DefaultAllocator.Reallocate(size, b)
}

// Free does nothing: the garbage collector does.
func (*memoryBudget) Free([]byte) {}
