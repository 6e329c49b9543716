package cli

import (
	"fmt"
	"io"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// newSink returns what writes rows of a type to stdout, as a table, CSV or JSON
// lines.
func newSink(c *console, w io.Writer, format string, schema *nimble.Type, nulls []string) (convert.Sink, error) {
	if format == "table" {
		return newTableSink(w, c.screen, schema)
	}
	f, err := convert.ParseFormat(format)
	if err != nil {
		return nil, err
	}
	return convert.NewSink(w, f, schema, convert.Options{Nulls: nulls})
}

// tableSink writes rows as a table.
type tableSink struct {
	grid *grid
	text *convert.Text
}

func newTableSink(w io.Writer, s screen, schema *nimble.Type) (convert.Sink, error) {
	columns := make([]gridColumn, len(schema.Children))
	for i, t := range schema.Children {
		columns[i] = gridColumn{name: schema.Names[i], number: isNumber(t)}
	}
	text, err := convert.NewText(schema, convert.PlainText)
	if err != nil {
		return nil, err
	}
	return &tableSink{grid: newGrid(w, s, columns), text: text}, nil
}

// isNumber reports whether values of a type are read as numbers.
func isNumber(t *nimble.Type) bool {
	l, err := nimble.ParseLogical(t.Logical)
	if err != nil {
		return false
	}
	switch l.Kind {
	case nimble.LogicalNone:
		return t.Kind >= nimble.TinyInt && t.Kind <= nimble.Double
	case nimble.LogicalDecimal, nimble.LogicalUnsigned:
		return true
	}
	return false
}

// Write writes the selected rows of a batch.
func (s *tableSink) Write(b *vector.Batch) error {
	if err := s.text.Render(b); err != nil {
		return err
	}
	for row := range s.text.Rows() {
		cells := make([]cell, len(b.Columns))
		for col := range cells {
			text, present := s.text.Cell(row, col)
			cells[col] = cell{text: string(text), null: !present}
		}
		if err := s.grid.add(cells); err != nil {
			return err
		}
	}
	return nil
}

// Close writes what is left.
func (s *tableSink) Close() error { return s.grid.close() }

// sizeText returns a number of bytes in a unit that people read.
func sizeText(n uint64) string {
	const step = 1024
	if n < step {
		return fmt.Sprintf("%d B", n)
	}
	size, unit := float64(n)/step, 0
	units := []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	for size >= step && unit < len(units)-1 {
		size /= step
		unit++
	}
	return fmt.Sprintf("%.1f %s", size, units[unit])
}
