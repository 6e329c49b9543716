package convert

import (
	"fmt"
	"io"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// Sink writes batches as a file. It belongs to one goroutine.
type Sink interface {
	// Write writes the selected rows of b, and keeps nothing of it.
	Write(b *vector.Batch) error
	// Close writes what is left. It does not close what the sink writes to.
	// Without it, the file is not whole.
	Close() error
}

// NewSink returns a sink that writes rows of the given row type to w.
func NewSink(w io.Writer, format Format, schema *nimble.Type, o Options) (Sink, error) {
	switch format {
	case FormatNimble:
		return newNimbleSink(w, schema)
	case FormatParquet:
		return newParquetSink(w, schema)
	case FormatCSV:
		return newCSVSink(w, schema, o)
	case FormatJSONL:
		return newJSONLSink(w, schema)
	case FormatArrow, FormatArrowStream:
		return newArrowSink(w, schema, format == FormatArrowStream)
	}
	return nil, fmt.Errorf("%w: %v cannot be written", ErrFormat, format)
}

// flushBytes is how much text a sink gathers before it writes.
const flushBytes = 64 << 10
