package encoding

import (
	"unsafe"

	"github.com/decantdb/decant/pool"
)

// blockRows is the number of rows that are worked on at a time where scratch
// memory is needed, whatever the size of the data.
const blockRows = 1024

// blockWords is the size of a scratch block: room for blockRows string views.
const blockWords = 2 * blockRows

// scratch is a session's stack of blocks for what lives no longer than one
// call. Whoever carves marks first and releases to that mark.
type scratch struct {
	blocks []pool.Buf[uint64]
	top    int
}

func (s *Session) mark() int { return s.scratch.top }

func (s *Session) release(mark int) { s.scratch.top = mark }

// carve returns scratch memory for as many values of T as a block holds, at
// least blockRows, contents undefined. A mark taken before gives it back.
func carve[T Physical](s *Session) []T {
	st := &s.scratch
	if st.top == len(st.blocks) {
		st.blocks = append(st.blocks, pool.Get[uint64](s.pool, blockWords))
	}
	block := st.blocks[st.top].S
	st.top++
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(block))), blockWords*8/sizeOf[T]())
}
