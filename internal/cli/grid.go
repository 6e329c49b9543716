package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// sizingRows is how many rows of a table are held back to see how wide its
	// columns are. Rows after them are written as they come; one with a wider
	// cell sticks out.
	sizingRows = 1000
	// widestOnScreen is the most cells that a text has on a terminal.
	widestOnScreen = 48
	columnGap      = "  "
	nullText       = "NULL"
)

// gridColumn is a column of a table.
type gridColumn struct {
	name   string
	number bool // is aligned right and never cut
}

// cell is the text of a value; a null has none.
type cell struct {
	text string
	null bool
}

// grid writes a table as aligned text: a header, a line, and rows. On a terminal
// long texts are cut, columns that do not fit are left out and named below, and
// the rows are counted. Memory is bounded by sizingRows.
type grid struct {
	w       io.Writer
	screen  screen
	columns []gridColumn
	widths  []int
	shown   int // columns
	held    [][]cell
	started bool
	rows    int64
	line    []byte
}

func newGrid(w io.Writer, s screen, columns []gridColumn) *grid {
	g := &grid{w: w, screen: s, columns: slices.Clone(columns), widths: make([]int, len(columns))}
	for i := range g.columns {
		g.columns[i].name = visible(g.columns[i].name, escapeLines)
		g.widths[i] = cells(g.columns[i].name)
	}
	return g
}

// add adds a row, which the grid owns from then on.
func (g *grid) add(row []cell) error {
	g.rows++
	for i := range row {
		row[i].text = g.shownText(row[i], g.columns[i])
	}
	if g.started {
		return g.writeRow(row)
	}
	for i, c := range row {
		g.widths[i] = max(g.widths[i], cells(c.text))
	}
	g.held = append(g.held, row)
	if len(g.held) == sizingRows {
		return g.start()
	}
	return nil
}

// shownText returns what is written for a cell.
func (g *grid) shownText(c cell, column gridColumn) string {
	if c.null {
		return nullText
	}
	text := visible(c.text, escapeLines)
	if g.screen.width == 0 || column.number || cells(text) <= widestOnScreen {
		return text
	}
	for cells(text) >= widestOnScreen {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text + "…"
}

// start writes the header and the rows that were held back.
func (g *grid) start() error {
	g.started = true
	g.shown = g.fitting()
	for i, c := range g.columns[:g.shown] {
		g.pad(i, c.name, g.screen.bold(c.name), c.number)
	}
	if err := g.endLine(); err != nil {
		return err
	}
	rule := "-"
	if g.screen.terminal {
		rule = "─"
	}
	for i, width := range g.widths[:g.shown] {
		text := strings.Repeat(rule, width)
		g.pad(i, text, g.screen.faint(text), false)
	}
	if err := g.endLine(); err != nil {
		return err
	}
	for _, row := range g.held {
		if err := g.writeRow(row); err != nil {
			return err
		}
	}
	g.held = nil
	return nil
}

// fitting returns how many columns the screen has room for, at least one.
func (g *grid) fitting() int {
	if g.screen.width == 0 {
		return len(g.columns)
	}
	used := 0
	for i, width := range g.widths {
		if i > 0 {
			used += len(columnGap)
		}
		if used += width; used > g.screen.width && i > 0 {
			return i
		}
	}
	return len(g.columns)
}

func (g *grid) writeRow(row []cell) error {
	for i, c := range row[:g.shown] {
		styled := c.text
		if c.null {
			styled = g.screen.faint(c.text)
		}
		g.pad(i, c.text, styled, g.columns[i].number)
	}
	return g.endLine()
}

// pad adds a text, and how it is written, to the line.
func (g *grid) pad(column int, text, styled string, right bool) {
	if column > 0 {
		g.line = append(g.line, columnGap...)
	}
	blanks := max(0, g.widths[column]-cells(text))
	if !right {
		g.line = append(g.line, styled...)
	}
	if right || column < g.shown-1 {
		for range blanks {
			g.line = append(g.line, ' ')
		}
	}
	if right {
		g.line = append(g.line, styled...)
	}
}

func (g *grid) endLine() error {
	_, err := g.w.Write(append(g.line, '\n'))
	g.line = g.line[:0]
	return err
}

// close writes what is left.
func (g *grid) close() error {
	if !g.started {
		if err := g.start(); err != nil {
			return err
		}
	}
	if !g.screen.terminal {
		return nil
	}
	note := fmt.Sprintf("(%s)", counted(g.rows, "row"))
	if left := g.columns[g.shown:]; len(left) > 0 {
		names := make([]string, len(left))
		for i, c := range left {
			names[i] = c.name
		}
		note += fmt.Sprintf(" columns without room: %s; --format csv shows all", strings.Join(names, ", "))
	}
	_, err := fmt.Fprintln(g.w, g.screen.faint(note))
	return err
}

// counted returns "1 row", "2,000 rows".
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// grouped returns a number with commas between groups of three digits.
func grouped(n int64) string {
	digits := fmt.Sprint(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}
