package convert

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowMessages reads the messages of an Arrow stream, and those of a file, which has
// a stream between its marks and its footer:
//
//	message  -1:i32 size:u32 metadata body       until 0.15 of Arrow without the -1
//	end      -1:i32 0:u32                        or the end of the stream
//	file     ARROW1 0:u16 messages footer size:u32 ARROW1
//
// It implements ipc.MessageReader. Metadata is checked before Arrow's reader sees it,
// and no size is believed beyond what is left of the file.
type arrowMessages struct {
	r       *bufio.Reader
	left    int64 // bytes
	memory  *memoryBudget
	records int // so far
}

// openArrowMessages returns what reads the messages of a stream or of a file, and how
// many records the file's footer says there are.
func openArrowMessages(in *input, isStream bool, budget *memoryBudget) (m *arrowMessages, records int, err error) {
	begin, end := int64(0), in.size
	if !isStream {
		if begin, end, records, err = arrowFooter(in); err != nil {
			return nil, 0, err
		}
	}
	if _, err := in.Seek(begin, io.SeekStart); err != nil {
		return nil, 0, err
	}
	// Without what else input has, of which nothing knows the context.
	r := bufio.NewReaderSize(struct{ io.Reader }{in}, 64<<10)
	return &arrowMessages{r: r, left: end - begin, memory: budget}, records, nil
}

// arrowFooter returns between which bytes of a file the messages are.
func arrowFooter(in *input) (begin, end int64, records int, err error) {
	const front, back = int64(len(arrowMark) + 2), int64(4 + len(arrowMark))
	tail := make([]byte, back)
	if in.size < front+back {
		return 0, 0, 0, fmt.Errorf("arrow: %w: a file of %d bytes", ErrCorrupt, in.size)
	}
	if _, err := in.ReadAt(tail, in.size-back); err != nil {
		return 0, 0, 0, err
	}
	size := int64(binary.LittleEndian.Uint32(tail))
	end = in.size - back - size
	if string(tail[4:]) != arrowMark || end < front {
		return 0, 0, 0, fmt.Errorf("arrow: %w: a footer of %d bytes in a file of %d", ErrCorrupt, size, in.size)
	}
	footer := make([]byte, size)
	if _, err := in.ReadAt(footer, end); err != nil {
		return 0, 0, 0, err
	}
	records, err = checkFooter(footer)
	return front, end, records, err
}

// take returns the next n bytes.
func (m *arrowMessages) take(n int64, what string) ([]byte, error) {
	if n < 0 || n > m.left {
		return nil, fmt.Errorf("arrow: %w: %s of %d bytes where %d are left", ErrCorrupt, what, n, m.left)
	}
	m.left -= n
	bytes := m.memory.Allocate(int(n))
	if _, err := io.ReadFull(m.r, bytes); err != nil {
		return nil, fmt.Errorf("arrow: %s: %w", what, noEOF(err))
	}
	return bytes, nil
}

// noEOF returns the error of an end in the midst of something.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Message returns the next message, or io.EOF.
func (m *arrowMessages) Message() (*ipc.Message, error) {
	if m.left == 0 {
		return nil, io.EOF
	}
	head, err := m.take(4, "a message's size")
	if err == nil && string(head) == arrowStreamMark {
		head, err = m.take(4, "a message's size")
	}
	if err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(head)
	if size == 0 {
		m.left = 0
		return nil, io.EOF
	}
	metadata, err := m.take(int64(size), "metadata")
	if err != nil {
		return nil, err
	}
	bodyBytes, err := checkMessage(metadata)
	if err != nil {
		return nil, err
	}
	body, err := m.take(bodyBytes, "a message's body")
	if err != nil {
		return nil, err
	}
	message := ipc.NewMessage(memory.NewBufferBytes(metadata), memory.NewBufferBytes(body))
	if message.Type() == ipc.MessageRecordBatch {
		m.records++
	}
	return message, nil
}

// Retain does nothing: the memory is the garbage collector's.
func (*arrowMessages) Retain() {}

// Release does nothing.
func (*arrowMessages) Release() {}
